public import RawImage

/// Fuses a burst into one mosaic with less noise: frames are aligned with one of them, tile by tile, and averaged where
/// they agree with it, frequency by frequency.
///
/// Frames are aligned and merged as they come, so memory does not grow with the burst: the reference, its grey pyramid,
/// and the sums (10 bytes a pixel); before the reference is chosen, the frames so far. Thread-bound: one thread adds
/// and finishes; the work itself is done on all cores.
public final class BurstFusion {
    private let options: FusionOptions
    private let cores: Int?
    private let latch: CancelLatch
    /// Frames that came before the reference was chosen.
    private var waiting: [Mosaic] = []
    private var merger: BurstMerger?
    private var taken = 0
    /// The photo was made.
    private var isSpent = false

    /// The most frames of a burst: the sums hold no more.
    public static let mostFrames = 64

    /// So many frames are looked at before one becomes the reference: they tell which is sharpest, and of defects.
    private static let candidates = 3

    /// A fusion without frames. `isCancelled` is asked from all threads that work.
    public init(
        _ options: FusionOptions = FusionOptions(), cores: Int? = nil,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.options = options
        self.cores = cores
        latch = CancelLatch(isCancelled)
    }

    /// Takes a frame: aligned and merged at once when the reference is known. A frame that cannot help is left out, and
    /// the report says why.
    public func add(_ frame: Mosaic) throws(FusionError) {
        let codes = frame.codes
        try take(codes.span, frame.format, frame.metadata) { frame }
    }

    /// Takes a frame that lies in the caller's memory; it is copied only when it must be kept.
    public func add(
        _ codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata
    ) throws(FusionError) {
        try take(codes, format, metadata) { () throws(FusionError) in
            let copy = unsafe codes.withUnsafeBufferPointer { unsafe Array($0.prefix(format.codeCount)) }
            do throws(RawImageError) {
                return try Mosaic(format: format, metadata: metadata, codes: copy)
            } catch {
                throw FusionError(.badFrame, error.message)
            }
        }
    }

    /// The merged mosaic, 16 bits deep, with its noise and its report.
    public func finish() throws(FusionError) -> (mosaic: Mosaic, report: FusionReport) {
        try checkUsable()
        if merger == nil { try begin() }
        guard let merger else { throw FusionError(.empty, "the burst has no frame: add one") }
        return try merger.finish()
    }

    /// The photo: with detail finer than one frame has where frames were kept and their shifts show it, and a demosaic
    /// of the merged mosaic elsewhere. A scale asks for the first wherever it can be had, and for its size; without one
    /// the shifts must cover most of the picture.
    public func finishPhoto(
        _ scale: DetailScale? = nil
    ) throws(FusionError) -> (photo: LinearImage, report: FusionReport) {
        try checkUsable()
        if merger == nil { try begin() }
        guard let merger else { throw FusionError(.empty, "the burst has no frame: add one") }
        // It gives the memory of what was merged back.
        isSpent = true
        return try merger.finishPhoto(scale)
    }

    private func checkUsable() throws(FusionError) {
        try latch.check()
        guard !isSpent else {
            throw FusionError(.badOptions, "the photo of this burst is made already: begin a new fusion")
        }
    }

    private func take(
        _ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata,
        _ kept: () throws(FusionError) -> Mosaic
    ) throws(FusionError) {
        try checkUsable()
        if let problem = options.problem { throw FusionError(.badOptions, problem) }
        guard taken < Self.mostFrames else {
            throw FusionError(.tooManyFrames, "a burst has \(Self.mostFrames) frames at most")
        }
        try FrameCheck.check(codes, format, metadata)
        if let first = merger?.format ?? waiting.first?.format {
            try FrameCheck.check(format, isLike: first, number: taken)
        }
        if let merger {
            try merger.add(codes, format, metadata, index: taken)
        } else {
            waiting.append(try kept())
        }
        taken += 1
        if merger == nil, waiting.count == max(Self.candidates, (options.reference ?? 0) + 1) { try begin() }
    }

    /// Chooses the reference among the frames that wait and merges the others with it.
    private func begin() throws(FusionError) {
        guard !waiting.isEmpty else { return }
        if let asked = options.reference, !waiting.indices.contains(asked) {
            throw FusionError(
                .badOptions, "the burst has \(waiting.count) frames, from 0; frame \(asked) cannot be its reference")
        }
        let reference = options.reference ?? ReferenceChoice.sharpest(of: waiting)
        let merger = BurstMerger(
            reference: waiting[reference], index: reference, options: options, cores: cores, latch: latch)
        self.merger = merger
        let others = waiting.enumerated().filter { $0.offset != reference }
        waiting = []
        try merger.add(others.map { (index: $0.offset, mosaic: $0.element) })
    }
}
