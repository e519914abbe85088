internal import Fusion
internal import RawImage

/// The state of the burst that a `rawfusion` element is currently merging.
struct BurstFusionState {
    /// The capture id of the current burst; nil for frames without capture metadata.
    private(set) var ticket: UInt64?
    private var fusion: BurstFusion?
    private var usesSuperResolution = false
    private var taken = 0
    /// The id of the capture that failed last; its remaining frames are dropped.
    private var failed: UInt64?

    /// The progress of a burst after a frame was added: the number of frames received so far, including rejected ones,
    /// the number of frames in the burst, and the result after the last one.
    struct Step {
        var merged: Int
        var count: Int
        var result: Result?
    }

    /// The fused burst; its metadata contains the fusion report.
    enum Result {
        /// A merged mosaic that still has to be demosaiced.
        case mosaic(Mosaic)
        case photo(LinearImage)
    }

    /// Discards the current burst and returns its capture id, so that the caller can report the capture as failed.
    @discardableResult
    mutating func reset() -> UInt64? {
        defer { (fusion, ticket, taken) = (nil, nil, 0) }
        return fusion == nil ? nil : ticket
    }

    /// Discards the current burst and marks its capture as failed, so that frames still to arrive are dropped.
    mutating func fail(_ id: UInt64?) {
        reset()
        failed = id
    }

    /// Returns whether this capture has failed, so that its frames can be dropped.
    func hasFailed(_ id: UInt64?) -> Bool { id != nil && id == failed }

    /// Whether no burst is in progress, so that the next frame starts one.
    var isIdle: Bool { fusion == nil }

    /// Returns whether a frame of this capture arrives while the burst of another capture is incomplete.
    func isInterrupted(by id: UInt64?) -> Bool { fusion != nil && ticket != id }

    /// Adds a frame to the current burst, or starts one; the last frame of a burst fuses it.
    mutating func add(
        _ codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata, settings: FusionSettings,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(FusionError) -> Step {
        let count = metadata.capture?.count ?? settings.frames
        let fusion = fusion ?? begin(metadata.capture, settings, isCancelled)
        try fusion.add(codes, format: format, metadata: metadata)
        taken += 1
        let result = taken >= count ? try finish() : nil
        return Step(merged: result == nil ? taken : count, count: count, result: result)
    }

    /// Starts a burst with the current fusion options, which stay fixed until the burst ends.
    private mutating func begin(
        _ tag: CaptureTag?, _ settings: FusionSettings, _ isCancelled: @escaping @Sendable () -> Bool
    ) -> BurstFusion {
        let options = settings.options(mode: tag?.fusionMode)
        let fusion = BurstFusion(options, isCancelled: isCancelled)
        usesSuperResolution = options.preparesSuperResolution
        self.fusion = fusion
        ticket = tag?.id
        return fusion
    }

    /// Fuses the frames added so far and ends the burst; returns nil if there is no current burst.
    mutating func finish() throws(FusionError) -> Result? {
        guard let fusion else { return nil }
        let result: Result =
            usesSuperResolution ? .photo(try fusion.finishLinearPhoto().photo) : .mosaic(try fusion.finish().mosaic)
        reset()
        return result
    }
}
