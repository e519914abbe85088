internal import PixelMemory
public import RawImage

/// Fuses a burst into one mosaic with less noise: each frame is aligned with a reference frame tile by tile, and
/// averaged frequency by frequency where both agree.
///
/// Frames are aligned and merged as they arrive, so the memory is bounded: it holds the reference, its grey pyramid and
/// the frequency sums (10 bytes a pixel), the frames so far until the reference is chosen, and with
/// `preparesSuperResolution` up to sixteen frames. Thread-bound: one thread adds frames and finishes; the work itself
/// runs on all cores.
public final class BurstFusion {
    private let options: FusionOptions
    private let cores: Int?
    private let latch: CancelLatch
    private let memory: FusionMemory
    /// Frames that arrived before the reference was chosen.
    private var pending: [BurstFrame] = []
    private var merger: BurstMerger?
    private var frameCount = 0
    /// Whether the photo was computed, which freed the merged data.
    private var isFinished = false

    /// The most frames of a burst: the 16-bit frequency sums would overflow beyond.
    public static let mostFrames = 64

    /// The number of frames buffered before the reference is chosen, more if the options demand a later one. They are
    /// compared for sharpness, unless the options set the reference, and searched for defective pixels.
    private static let candidates = 3

    /// Creates a fusion without frames. `isCancelled` is polled from all working threads.
    public convenience init(
        _ options: FusionOptions = FusionOptions(), cores: Int? = nil,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.init(options, cores: cores, memory: FusionMemory(), isCancelled: isCancelled)
    }

    /// Creates a fusion without frames, which takes its working memory from `memory` and returns it at its end.
    package init(
        _ options: FusionOptions, cores: Int? = nil, memory: FusionMemory,
        isCancelled: @escaping @Sendable () -> Bool
    ) {
        self.options = options
        self.cores = cores
        self.memory = memory
        latch = CancelLatch(isCancelled)
    }

    /// Adds a frame; it is aligned and merged at once if the reference is known. A frame that cannot be merged is
    /// skipped, and the report states why.
    public func add(_ frame: Mosaic) throws(GscapError) {
        let codes = frame.codes
        try accept(codes.span, frame.format, frame.metadata) { BurstFrame(mosaic: frame, index: $0) }
    }

    /// Adds a frame from the caller's memory, which is copied only if the frame must be buffered.
    public func add(
        _ codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata
    ) throws(GscapError) {
        try accept(codes, format, metadata) { (index) throws(GscapError) in
            let copy = codes.extracting(first: format.codeCount).withView { memory.copy($0, cores: cores) }
            do throws(GscapError) {
                let mosaic = try Mosaic(format: format, metadata: metadata, codes: copy)
                return BurstFrame(mosaic: mosaic, index: index, isCopy: true)
            } catch {
                throw GscapError(.badFrame, error.message)
            }
        }
    }

    /// Returns the merged 16-bit mosaic with its noise profile, and the fusion report.
    public func finish() throws(GscapError) -> (mosaic: Mosaic, report: FusionReport) {
        try checkUsable()
        if merger == nil { try begin() }
        guard let merger else { throw GscapError(.empty, "the burst has no frames: add at least one") }
        return try merger.finish()
    }

    /// Returns the demosaiced photo. It is super-resolved where frames were retained and their sub-pixel shifts cover
    /// the tile, and a demosaic of the merged mosaic elsewhere. Without a `scale`, super-resolution runs at the
    /// mosaic's size if frames were retained; with one it always runs, at that scale.
    public func finishLinearPhoto(
        _ scale: SuperResolutionScale? = nil
    ) throws(GscapError) -> (photo: LinearImage, report: FusionReport) {
        try checkUsable()
        if merger == nil { try begin() }
        guard let merger else { throw GscapError(.empty, "the burst has no frames: add at least one") }
        // The merger frees its frequency sums, so it cannot finish a second time.
        isFinished = true
        return try merger.finishLinearPhoto(scale)
    }

    private func checkUsable() throws(GscapError) {
        try latch.check()
        guard !isFinished else {
            throw GscapError(.badOptions, "this fusion has already returned its photo: create a new one")
        }
    }

    private func accept(
        _ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata,
        _ keep: (_ index: Int) throws(GscapError) -> BurstFrame
    ) throws(GscapError) {
        try checkUsable()
        if let problem = options.problem { throw GscapError(.badOptions, problem) }
        guard frameCount < Self.mostFrames else {
            throw GscapError(.tooManyFrames, "a burst has at most \(Self.mostFrames) frames")
        }
        try FrameCheck.check(codes, format, metadata)
        if let first = merger?.format ?? pending.first?.mosaic.format {
            try FrameCheck.check(format, isLike: first, number: frameCount)
        }
        if let merger {
            try merger.add(codes, format, metadata, index: frameCount)
        } else {
            pending.append(try keep(frameCount))
        }
        frameCount += 1
        if merger == nil, pending.count == max(Self.candidates, (options.reference ?? 0) + 1) { try begin() }
    }

    /// Chooses the reference among the buffered frames and merges the others with it.
    private func begin() throws(GscapError) {
        guard !pending.isEmpty else { return }
        if let requested = options.reference, !pending.indices.contains(requested) {
            throw GscapError(
                .badOptions,
                "reference \(requested) is out of range: the burst has \(pending.count) frames, from 0"
            )
        }
        let first = pending[0].mosaic
        let noise = first.codes.withView { FrameNoise($0, first.format, first.metadata, cores: cores) }
        let candidates = pending.map { frame in
            var mosaic = frame.mosaic
            mosaic.metadata = noise.applied(to: mosaic.metadata)
            return mosaic
        }
        let reference =
            options.reference
            ?? ReferenceChoice.sharpest(
                of: candidates.prefix { $0.metadata.capture?.mayBeReference ?? true }, cores: cores)
        let merger = BurstMerger(
            reference: pending.remove(at: reference), noise, options: options, memory, cores: cores, latch: latch)
        self.merger = merger
        let others = pending
        pending = []
        try merger.add(others)
        for frame in others where frame.isCopy { memory.give(frame.mosaic.codes) }
    }
}

/// A frame that is kept while others arrive.
struct BurstFrame {
    var mosaic: Mosaic
    /// The place of the frame in the burst.
    let index: Int
    /// Whether the codes are in memory of the fusion, not of its caller.
    var isCopy = false
}
