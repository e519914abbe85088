internal import FrameStream
internal import Fusion
internal import GStreamer
internal import RawImage

/// The state of the burst that a `rawfusion` element is currently merging.
///
///     idle ──first frame──► merging ──last frame, or end of stream──► fused, idle
///      │                       │
///      │                       ├──other burst, or end of the capture, before the last frame
///      │                       ├──stop, flush, error
///      │                       ▼
///      └──stop, flush, error─► failed, idle: reported once; later frames of the burst are dropped
///         with the first
///         frame in flight
struct BurstFusionState {
    /// A burst of a capture: the frames of one exposure, or those of a bracket that are merged.
    struct Key: Sendable, Equatable {
        /// The capture id.
        var id: UInt64
        /// The index of the exposure in its bracket.
        var exposure: Int
        /// The ticket of the capture; nil if its frames carry none.
        var ticket: CaptureTicket?

        static func == (one: Key, other: Key) -> Bool {
            one.id == other.id && one.exposure == other.exposure && one.ticket === other.ticket
        }
    }

    /// The fusion of the current burst.
    private enum Merging {
        /// Frames of one exposure.
        case burst(BurstFusion)
        /// Frames of different exposures.
        case bracket(BracketFusion)
    }

    /// The current burst; nil for frames without capture metadata.
    private(set) var key: Key?
    private var fusion: Merging?
    private var usesSuperResolution = false
    /// The memory that one burst after another uses.
    private let memory: FusionMemory
    private var taken = 0
    /// The burst that failed last; its remaining frames are dropped.
    private var failed: Key?

    /// The progress of a burst after a frame was added: the number of frames received so far, including rejected ones,
    /// and the number of frames in the burst. After the last frame, `finish` fuses the burst; a frame alone is fused
    /// already.
    struct Step {
        var merged: Int
        var count: Int
        var result: Result?

        /// Whether all frames of the burst were added.
        var isLast: Bool { merged >= count }
    }

    /// The fused burst; its metadata contains the fusion report.
    enum Result {
        /// A merged mosaic that still has to be demosaiced.
        case mosaic(Mosaic)
        case photo(LinearImage)
    }

    init(_ memory: FusionMemory) { self.memory = memory }

    /// Discards the current burst and returns which it was.
    @discardableResult
    mutating func reset() -> Key? {
        defer { (fusion, key, taken) = (nil, nil, 0) }
        return fusion == nil ? nil : key
    }

    /// Discards a burst and marks it as failed, so that frames still to arrive are dropped. Other exposures of its
    /// capture do not fail. Returns false if it had failed already, so that its failure is not reported twice.
    @discardableResult
    mutating func fail(_ key: Key?) -> Bool {
        if self.key == key { reset() }
        if hasFailed(key) { return false }
        failed = key ?? failed
        return true
    }

    /// Discards the current burst, whose further frames are dropped. Returns which it was, so that the caller can
    /// report its photo as failed; nil if there is none, or it belongs to no capture.
    mutating func abandon() -> Key? {
        guard let key = reset() else { return nil }
        return fail(key) ? key : nil
    }

    /// Returns whether this burst has failed, so that its frames can be dropped.
    func hasFailed(_ key: Key?) -> Bool { key != nil && key == failed }

    /// Whether no burst is in progress, so that the next frame starts one.
    var isIdle: Bool { fusion == nil }

    /// Returns whether a frame of this burst arrives while another burst is incomplete.
    func isInterrupted(by key: Key?) -> Bool { fusion != nil && self.key != key }

    /// Adds a frame to the current burst, or starts that of the key.
    mutating func add(
        _ codes: Span<UInt16>, of key: Key?, format: MosaicFormat, metadata: FrameMetadata, settings: FusionSettings,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(GscapError) -> Step {
        let count = metadata.capture?.count ?? settings.frames
        if fusion == nil, count <= 1, metadata.capture?.isBracket != true {
            let options = settings.options(mode: metadata.capture?.fusionMode)
            if !options.preparesSuperResolution {
                let mosaic = try BurstFusion.fuse(
                    alone: codes, format: format, metadata: metadata, options, isCancelled: isCancelled
                ).mosaic
                return Step(merged: count, count: count, result: .mosaic(mosaic))
            }
        }
        let fusion = fusion ?? begin(key, metadata.capture, settings, isCancelled)
        switch fusion {
        case .burst(let fusion): try fusion.add(codes, format: format, metadata: metadata)
        case .bracket(let fusion): try fusion.add(codes, format: format, metadata: metadata)
        }
        taken += 1
        return Step(merged: taken, count: count)
    }

    /// Starts a burst with the current fusion options, which stay fixed until the burst ends.
    private mutating func begin(
        _ key: Key?, _ tag: CaptureTag?, _ settings: FusionSettings, _ isCancelled: @escaping @Sendable () -> Bool
    ) -> Merging {
        let fusion: Merging
        if tag?.isBracket == true {
            fusion = .bracket(BracketFusion(isCancelled: isCancelled))
        } else {
            let options = settings.options(mode: tag?.fusionMode)
            fusion = .burst(BurstFusion(options, memory: memory, isCancelled: isCancelled))
            usesSuperResolution = options.preparesSuperResolution
        }
        self.fusion = fusion
        self.key = key
        return fusion
    }

    /// Fuses the frames added so far and ends the burst; returns nil if there is no current burst.
    mutating func finish() throws(GscapError) -> Result? {
        guard let fusion else { return nil }
        let result: Result =
            switch fusion {
            case .burst(let fusion) where usesSuperResolution: .photo(try fusion.finishLinearPhoto().photo)
            case .burst(let fusion): .mosaic(try fusion.finish().mosaic)
            case .bracket(let fusion): .mosaic(try fusion.finish().mosaic)
            }
        reset()
        return result
    }
}

extension CapturePlace {
    init(_ key: BurstFusionState.Key) { self.init(id: key.id, exposure: key.exposure, ticket: key.ticket) }
}

extension BurstFusionState.Key {
    /// Reads the burst that a frame belongs to, without decoding the other metadata; nil for a frame without a capture.
    init?(_ frame: borrowing Buffer) {
        guard let id = frame.captureIdentifier else { return nil }
        self.init(id: id, exposure: frame.captureExposure, ticket: frame.captureTicket)
    }
}
