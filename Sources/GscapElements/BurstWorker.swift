internal import Fusion
internal import GStreamer
internal import RawImage

/// The burst under work in a `rawfusion`.
struct BurstWorker {
    /// How many frames make a burst when they carry no ticket.
    var framesWithoutTicket = 8

    /// Whose burst it is; nil for frames without a ticket.
    private(set) var ticket: UInt64?
    private var fusion: BurstFusion?
    private var taken = 0
    private var buffers: BufferPool?

    /// What a frame led to.
    struct Step {
        var merged: Int
        var count: Int
        var result: (Mosaic, FusionReport)?
    }

    /// Forgets the burst under work.
    mutating func reset() {
        fusion = nil
        ticket = nil
        taken = 0
    }

    /// Adds a frame; the last of a burst gives the result.
    mutating func add(
        _ codes: Span<UInt16>, format: MosaicFormat, metadata: inout FrameMetadata,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(FusionError) -> Step {
        let count = metadata.capture?.count ?? framesWithoutTicket
        if fusion != nil && metadata.capture?.id != ticket { reset() }
        let fusion = self.fusion ?? BurstFusion(isCancelled: isCancelled)
        if self.fusion == nil {
            ticket = metadata.capture?.id
            self.fusion = fusion
        }
        try fusion.add(codes, format: format, metadata: metadata)
        taken += 1
        let result = taken >= count ? try finish() : nil
        return Step(merged: result == nil ? taken : count, count: count, result: result)
    }

    /// What the frames so far give; nil when there are none.
    mutating func finish() throws(FusionError) -> (Mosaic, FusionReport)? {
        guard let fusion else { return nil }
        reset()
        return try fusion.finish()
    }

    /// Buffers for photos of a size.
    mutating func pool(size: Int) throws(GStreamerError) -> BufferPool {
        if let buffers, buffers.size == size { return buffers }
        let made = try BufferPool(size: size)
        buffers = made
        return made
    }
}
