internal import Fusion
internal import GStreamer
internal import RawImage

/// The burst under work in a `rawfusion`.
struct BurstWorker {
    /// Whose burst it is; nil for frames without a ticket.
    private(set) var ticket: UInt64?
    private var fusion: BurstFusion?
    private var keepsDetail = false
    private var taken = 0
    /// A capture that failed: its further frames are let go.
    private var failed: UInt64?
    private var buffers: BufferPool?

    /// What a frame led to.
    struct Step {
        var merged: Int
        var count: Int
        var result: Result?
    }

    /// What a burst became, with its receipt in the metadata.
    enum Result {
        /// To be demosaiced.
        case mosaic(Mosaic)
        case photo(LinearImage)
    }

    /// Forgets the burst under work; gives its ticket, whose photo will never be.
    @discardableResult
    mutating func reset() -> UInt64? {
        defer { (fusion, ticket, taken) = (nil, nil, 0) }
        return fusion == nil ? nil : ticket
    }

    /// Forgets a burst that failed, with all frames of it that are still to come.
    mutating func fail(_ id: UInt64?) {
        reset()
        failed = id
    }

    /// Whether a frame is of a burst that has failed.
    func hasFailed(_ id: UInt64?) -> Bool { id != nil && id == failed }

    /// Whether a frame of a capture begins a burst while another is not whole.
    func isInterrupted(by id: UInt64?) -> Bool { fusion != nil && ticket != id }

    /// Adds a frame; the last of a burst gives the result.
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

    /// Begins a burst: its options stay as they are now until it ends.
    private mutating func begin(
        _ tag: CaptureTag?, _ settings: FusionSettings, _ isCancelled: @escaping @Sendable () -> Bool
    ) -> BurstFusion {
        let options = settings.options(mode: tag?.fusionMode)
        let fusion = BurstFusion(options, isCancelled: isCancelled)
        keepsDetail = options.keepsDetail
        self.fusion = fusion
        ticket = tag?.id
        return fusion
    }

    /// What the frames so far give; nil when there are none.
    mutating func finish() throws(FusionError) -> Result? {
        guard let fusion else { return nil }
        let result = keepsDetail ? Result.photo(try fusion.finishPhoto().photo) : .mosaic(try fusion.finish().mosaic)
        reset()
        return result
    }

    /// Buffers for photos of a size.
    mutating func pool(size: Int) throws(GStreamerError) -> BufferPool {
        if let buffers, buffers.size == size { return buffers }
        let made = try BufferPool(size: size)
        buffers = made
        return made
    }
}
