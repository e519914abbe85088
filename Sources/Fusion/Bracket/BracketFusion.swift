internal import Glibc
public import RawImage

/// Fuses two to nine exposures of a scene into one mosaic that shows the highlights of the short ones and the shadows of
/// the long ones.
///
/// Frames come in any order, and are kept until `finish`. The result has the exposure of the reference, the middle one,
/// but its white lies higher, so that nothing clips that any frame saw: the report's `headroom` says by how many stops.
/// Thread-bound: one thread adds and finishes; the work itself is done on all cores.
public final class BracketFusion {
    private let wanted: Int?
    private let cores: Int?
    private let latch: CancelLatch
    private var frames: [BracketFrame] = []

    /// The most exposures of a bracket.
    public static let mostFrames = 9

    /// Frames of which less agrees with the reference show something else.
    private static let leastAgreement = 0.2
    /// Frames further apart, in light or in codes, have nothing in common.
    private static let gains = 1.0 / 4096...4096
    /// The code of no light: below it lies what noise takes away.
    private static let black = 512.0
    /// A frame of which less was merged was of no use.
    private static let leastShare = 1e-4

    /// The fusion of a bracket whose frames are aligned with that of middle exposure, or with the one asked for, counted
    /// from 0. `isCancelled` is asked from all threads that work.
    public init(reference: Int? = nil, cores: Int? = nil, isCancelled: @escaping @Sendable () -> Bool = { false }) {
        wanted = reference
        self.cores = cores
        latch = CancelLatch(isCancelled)
    }

    /// Takes an exposure in.
    public func add(_ frame: Mosaic) throws(FusionError) {
        try add(frame.codes.span, format: frame.format, metadata: frame.metadata)
    }

    /// Takes an exposure in that lies in the caller's memory.
    public func add(_ codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata) throws(FusionError) {
        try latch.check()
        guard frames.count < Self.mostFrames else {
            throw FusionError(.tooManyFrames, "a bracket has \(Self.mostFrames) exposures at most")
        }
        if let first = frames.first?.format { try FrameCheck.check(format, isLike: first, number: frames.count) }
        frames.append(try BracketFrame(index: frames.count, codes, format, metadata))
    }

    /// The merged mosaic, 16 bits deep, with its noise, and what became of the frames.
    public func finish() throws(FusionError) -> (mosaic: Mosaic, report: FusionReport) {
        try latch.check()
        guard !frames.isEmpty else { throw FusionError(.empty, "the bracket has no frame") }
        if let wanted, !frames.indices.contains(wanted) {
            throw FusionError(
                .badOptions, "the bracket has \(frames.count) frames, from 0; frame \(wanted) cannot be its reference")
        }
        var report = FusionReport()
        let alignment = Stopwatch()
        let exposures = BracketExposures(frames)
        let reference = frames[wanted ?? exposures.middle(of: frames)]
        report.reference = reference.index
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
        for (view, share) in zip(views, outcome.shares) { note(view, share, &report) }
        report.headroom = log2(headroom)
        report.effectiveFrames = 1 / outcome.rest
        report.expectedNoiseGain = 10 * log10(report.effectiveFrames)
        report.add(merging.seconds, to: "merge")
        return (try mosaic(codes, reference, views, outcome, headroom, report), report)
    }
}

// MARK: - Steps

extension BracketFusion {
    /// The frames that can help, shorter ones first, the longest of them first of all.
    private func align(
        with reference: BracketFrame, _ exposures: BracketExposures, _ report: inout FusionReport
    ) throws(FusionError) -> [BracketView] {
        var views: [BracketView] = []
        for frame in frames where frame.index != reference.index {
            let gain = exposures.gain(of: frame, to: reference)
            let light = gain * frame.range / reference.range
            guard min(frame.format.width, frame.format.height) >= 2 else {
                report.frames[frame.index].reject("too small to be fused")
                continue
            }
            guard Self.gains.contains(gain), Self.gains.contains(light) else {
                report.frames[frame.index].reject("exposed too differently")
                continue
            }
            let view = try BracketView(frame, in: reference, gain: gain, cores: cores, latch: latch)
            try latch.check()
            report.frames[frame.index].motion = view.field.global
            guard view.field.agreement >= Self.leastAgreement else {
                report.frames[frame.index].reject("shows something else than the reference, or is too blurred")
                continue
            }
            views.append(view)
        }
        let shorter = views.filter { !$0.isLonger }.sorted { $0.gain < $1.gain }
        return shorter + views.filter(\.isLonger).sorted { $0.gain < $1.gain }
    }

    private func note(_ view: BracketView, _ share: Double, _ report: inout FusionReport) {
        report.frames[view.frame.index].mergedShare = min(share, 1)
        if share < Self.leastShare {
            report.frames[view.frame.index].reject("shows nothing that can be merged: clipped, dark, or something else")
        }
    }

    private func mosaic(
        _ codes: [UInt16], _ reference: BracketFrame, _ views: [BracketView], _ outcome: BracketMerge.Outcome,
        _ headroom: Double, _ report: FusionReport
    ) throws(FusionError) -> Mosaic {
        var metadata = reference.metadata
        metadata.blackLevel = [Double](repeating: Self.black, count: 4)
        metadata.whiteLevel = 65_535
        let used = report.frames.filter { $0.rejection == nil }.map(\.index)
        metadata.fusedFrames = used.count
        metadata.fusion = report
        metadata.sensorDigests = used.flatMap { frames[$0].metadata.sensorDigests }
        metadata.noise = BracketNoise(reference, zip(views, outcome.shares)).profiles(headroom: headroom)
        let format = MosaicFormat(
            width: reference.format.width, height: reference.format.height, pattern: reference.format.pattern,
            bitDepth: 16)
        do {
            return try Mosaic(format: format, metadata: metadata, codes: codes)
        } catch {
            throw FusionError(.badFrame, error.message)
        }
    }
}

extension FusionReport.Frame {
    fileprivate mutating func reject(_ reason: String) {
        rejection = reason
        mergedShare = 0
    }
}
