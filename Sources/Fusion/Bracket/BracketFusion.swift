internal import Glibc
internal import PixelMemory
public import RawImage

/// Fuses two to nine exposures of a scene into one mosaic with the highlights of the short exposures and the shadows of
/// the long ones.
///
/// Frames are added in any order and buffered until `finish`. The result has the exposure of the reference (the middle
/// exposure), but a higher white level, so that highlights of shorter exposures do not clip: the report's `headroom` is
/// the difference in EV. Thread-bound: one thread adds frames and finishes; the work itself runs on all cores.
public final class BracketFusion {
    private let requestedReference: Int?
    private let cores: Int?
    private let latch: CancelLatch
    private var frames: [BracketFrame] = []
    /// The noise of each frame.
    private var noises: [FrameNoise] = []

    /// The most exposures of a bracket.
    public static let mostFrames = FusionMode.mostBracketFrames

    /// The smallest fraction of a frame's tiles that must match the reference: a frame with less shows another scene or
    /// is too blurred.
    private static let leastAgreement = 0.2
    /// The ratios of a frame's exposure to the reference's with which it can be merged. The factor between their
    /// signals, which is that ratio times the ratio of their code ranges, must lie in this range as well.
    private static let gains = 1.0 / 4096...4096
    /// The black level of the merged mosaic in codes; above 0, so that noise below black is not clipped.
    private static let black = 512.0
    /// The smallest mean merge weight of a useful frame.
    private static let leastMeanWeight = 1e-4

    /// Creates a fusion without frames. `reference` is the index of the reference frame, from 0; nil chooses the middle
    /// exposure. `isCancelled` is polled from all working threads.
    public init(reference: Int? = nil, cores: Int? = nil, isCancelled: @escaping @Sendable () -> Bool = { false }) {
        requestedReference = reference
        self.cores = cores
        latch = CancelLatch(isCancelled)
    }

    /// Adds an exposure.
    public func add(_ frame: Mosaic) throws(GscapError) {
        try add(frame.codes.span, format: frame.format, metadata: frame.metadata)
    }

    /// Adds an exposure from the caller's memory, which is copied.
    public func add(_ codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata) throws(GscapError) {
        try latch.check()
        guard frames.count < Self.mostFrames else {
            throw GscapError(.tooManyFrames, "a bracket has at most \(Self.mostFrames) exposures")
        }
        if let first = frames.first?.format { try FrameCheck.check(format, isLike: first, number: frames.count) }
        try FrameCheck.check(codes, format, metadata)
        var metadata = metadata
        let noise = codes.withView { FrameNoise($0, format, metadata, cores: cores) }
        metadata = noise.applied(to: metadata)
        frames.append(BracketFrame(index: frames.count, codes, format, metadata))
        noises.append(noise)
    }

    /// Returns the merged 16-bit mosaic with its noise profile, and the report on all frames.
    public func finish() throws(GscapError) -> (mosaic: Mosaic, report: FusionReport) {
        try latch.check()
        guard !frames.isEmpty else { throw GscapError(.empty, "the bracket has no frames: add at least one") }
        if let requestedReference, !frames.indices.contains(requestedReference) {
            throw GscapError(
                .badOptions,
                "reference \(requestedReference) is out of range: the bracket has \(frames.count) frames, from 0"
            )
        }
        var report = FusionReport()
        let alignment = Stopwatch()
        let exposures = BracketExposures(frames)
        let reference = frames[requestedReference ?? exposures.middle(of: frames)]
        report.reference = reference.index
        noises[reference.index].note(in: &report)
        report.frames = frames.map { .init(index: $0.index, mergedShare: 1) }
        let views = try align(with: reference, exposures, &report)
        report.add(alignment.seconds, to: "alignment")
        let merging = Stopwatch()
        let merge = BracketMerge(reference: reference, views: views, cores: cores, latch: latch)
        let widest = views.map { $0.gain * $0.frame.range / reference.range }.max() ?? 1
        let headroom = max(1, widest)
        let scale = (65_535 - Self.black) / (headroom * reference.range)
        var codes = [UInt16](repeating: 0, count: reference.format.width * reference.format.height)
        let outcome = merge.merge(scale: Float(scale), black: Float(Self.black), into: &codes)
        try latch.check()
        for (view, meanWeight) in zip(views, outcome.meanWeights) { note(view, meanWeight, &report) }
        report.headroom = log2(headroom)
        report.effectiveFrames = 1 / outcome.remainingVariance
        report.expectedNoiseGain = 10 * log10(report.effectiveFrames)
        report.add(merging.seconds, to: "merge")
        return (try mosaic(codes, reference, views, outcome, headroom, report), report)
    }
}

// MARK: - Steps

extension BracketFusion {
    /// Aligns all frames with the reference and returns the usable ones: first the shorter exposures, from the longest
    /// of them to the shortest, then the longer exposures, the longest first.
    private func align(
        with reference: BracketFrame, _ exposures: BracketExposures, _ report: inout FusionReport
    ) throws(GscapError) -> [BracketView] {
        var views: [BracketView] = []
        for frame in frames where frame.index != reference.index {
            let gain = exposures.gain(of: frame, to: reference)
            let exposureRatio = gain * frame.range / reference.range
            let digests = frame.metadata.sensorDigests
            let earlier = [reference] + frames.prefix(frame.index)
            if !digests.isEmpty, let same = earlier.first(where: { $0.metadata.sensorDigests == digests }) {
                report.frames[frame.index].reject(asCopyOf: same.index)
                continue
            }
            guard min(frame.format.width, frame.format.height) >= 2 else {
                report.frames[frame.index].reject("too small to align")
                continue
            }
            guard Self.gains.contains(gain), Self.gains.contains(exposureRatio) else {
                report.frames[frame.index].reject("exposed too differently from the reference")
                continue
            }
            let view = try BracketView(frame, in: reference, gain: gain, cores: cores, latch: latch)
            try latch.check()
            report.frames[frame.index].motion = view.field.global
            guard view.field.agreement >= Self.leastAgreement else {
                report.frames[frame.index].reject("shows a different scene than the reference, or is too blurred")
                continue
            }
            views.append(view)
        }
        let shorter = views.filter { !$0.isLonger }.sorted { $0.gain < $1.gain }
        return shorter + views.filter(\.isLonger).sorted { $0.gain < $1.gain }
    }

    private func note(_ view: BracketView, _ meanWeight: Double, _ report: inout FusionReport) {
        report.frames[view.frame.index].mergedShare = min(meanWeight, 1)
        if meanWeight < Self.leastMeanWeight {
            report.frames[view.frame.index].reject(
                "has nothing to merge: it is clipped, too dark, or shows a different scene")
        }
    }

    private func mosaic(
        _ codes: [UInt16], _ reference: BracketFrame, _ views: [BracketView], _ outcome: BracketMerge.Outcome,
        _ headroom: Double, _ report: FusionReport
    ) throws(GscapError) -> Mosaic {
        var metadata = reference.metadata
        metadata.blackLevel = [Double](repeating: Self.black, count: 4)
        metadata.whiteLevel = 65_535
        let used = report.frames.filter { $0.rejection == nil }.map(\.index)
        metadata.fusedFrames = used.count
        metadata.receipt = nil
        // The merged photo has the light of all exposures, whichever of them is the reference.
        metadata.exposureBias = nil
        metadata.fusion = report
        metadata.sensorDigests = used.flatMap { frames[$0].metadata.sensorDigests }
        for index in used { metadata.history.merge(frames[index].metadata.history) }
        metadata.noise = BracketNoise(reference, zip(views, outcome.meanWeights)).profiles(headroom: headroom)
        let format = reference.format.unpadded(bitDepth: 16)
        return try GscapError.recoding(
            as: .badFrame, try Mosaic(format: format, metadata: metadata, codes: codes))
    }
}

extension FusionReport.Frame {
    fileprivate mutating func reject(_ reason: String) {
        rejection = reason
        mergedShare = 0
    }
}
