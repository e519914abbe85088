internal import Kernels
public import RawImage
internal import Synchronization

/// Fuses a burst into one mosaic with less noise: aligned, weighted averaging.
///
/// Frames are aligned and merged as they come, so memory does not grow with the burst: the reference's grey pyramid, one
/// frame's, and the sums. The first frame is the reference. Thread-bound: one thread adds and finishes.
public final class BurstFusion {
    private let format: MosaicFormat
    private let metadata: FrameMetadata
    private let reference: GreyPyramid
    private let isCancelled: () -> Bool
    /// Weighted codes of the reference's black and exposure, without gaps between rows; odd edges keep the reference's.
    private var sums: [Float]
    /// The reference's codes, without gaps between rows.
    private let ownCodes: [UInt16]
    /// The weight in `sums` of each quad.
    private var weights: [Float]
    private var report = FusionReport()

    /// Frames that agree less than this with the reference show something else.
    private static let leastShare: Float = 0.2

    /// The fusion of a burst that begins with this frame.
    public init(
        reference codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata,
        isCancelled: @escaping () -> Bool = { false }
    ) throws(FusionError) {
        try Self.check(codes, format, metadata)
        self.format = format
        self.metadata = metadata
        self.isCancelled = isCancelled
        let (width, height) = (format.width, format.height)
        let began = ContinuousClock.now
        reference = unsafe codes.withUnsafeBufferPointer { buffer in
            unsafe Self.pyramid(buffer, format, metadata, gain: 1)
        }
        report.alignmentTime = seconds(since: began)
        ownCodes = unsafe codes.withUnsafeBufferPointer { source in
            unsafe (0..<height).flatMap { row in unsafe source[row * format.stride..<row * format.stride + width] }
        }
        sums = ownCodes.map(Float.init)
        weights = [Float](repeating: 1, count: (width / 2) * (height / 2))
        report.frames = [FusionReport.Frame(index: 0, rejection: nil, motion: .zero, mergedShare: 1)]
    }

    /// Aligns a frame with the reference and merges it; a frame of another scene is left out, and the report says so.
    public func add(_ codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata) throws(FusionError) {
        guard format == self.format else {
            throw FusionError(.differentFormat, "a frame of another size, order or depth than the burst's first")
        }
        try Self.check(codes, format, metadata)
        guard let base = reference.levels.first, base.width >= 16, base.height >= 16 else {
            reject("too small a picture to align", .zero, 0)
            return
        }
        let gain = exposureRatio(of: metadata)
        guard gain.isFinite, (1.0 / 64...64).contains(gain) else {
            reject("exposed too differently", .zero, 0)
            return
        }
        try unsafe codes.withUnsafeBufferPointer { (buffer) throws(FusionError) in
            guard let start = buffer.baseAddress else { return }
            try unsafe merge(start, buffer, metadata, gain: gain)
        }
    }

    /// The merged mosaic, 16 bits deep, with its noise, and what became of the frames.
    public func finish() throws(FusionError) -> (mosaic: Mosaic, report: FusionReport) {
        if isCancelled() { throw FusionError(.cancelled, "the fusion was cancelled") }
        let mean = weights.isEmpty ? 1 : Double(weights.reduce(0, +)) / Double(weights.count)
        report.effectiveFrames = max(1, mean)
        let scale = Double(1 << (16 - format.bitDepth))
        let merged = MosaicFormat(width: format.width, height: format.height, pattern: format.pattern, bitDepth: 16)
        var result = metadata
        result.blackLevel = metadata.blackLevel.map { $0 * scale }
        result.whiteLevel = metadata.whiteLevel * scale
        result.noise = metadata.noise.map { $0.averaged(over: report.effectiveFrames) }
        result.fusedFrames = report.frames.filter { $0.rejection == nil }.count
        let codes = mergedCodes(scale: Float(scale))
        do {
            return (try Mosaic(format: merged, metadata: result, codes: codes), report)
        } catch {
            throw FusionError(.badFrame, error.message)
        }
    }
}

// MARK: - Steps

extension BurstFusion {
    private static func check(
        _ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata
    ) throws(FusionError) {
        if let problem = metadata.problem { throw FusionError(.badFrame, problem) }
        do {
            try format.check(count: codes.count)
        } catch {
            throw FusionError(.badFrame, error.message)
        }
    }

    private static func pyramid(
        _ buffer: UnsafeBufferPointer<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, gain: Double
    ) -> GreyPyramid {
        let black = metadata.blackLevel.reduce(0, +) / 4
        guard let start = buffer.baseAddress, format.width >= 2, format.height >= 2 else {
            // One row or column has no quads: nothing to align, and `add` says so.
            return GreyPyramid(empty: ())
        }
        return unsafe GreyPyramid(start, format, black: black, white: metadata.whiteLevel, gain: gain)
    }

    /// What a frame's codes are to be multiplied with to be exposed as the reference.
    private func exposureRatio(of other: FrameMetadata) -> Double {
        let (mine, its) = (metadata.exposureTime * metadata.iso, other.exposureTime * other.iso)
        return mine > 0 && its > 0 ? mine / its : 1
    }

    private func reject(_ reason: String, _ motion: SIMD2<Double>, _ share: Double) {
        report.frames.append(
            FusionReport.Frame(index: report.frames.count, rejection: reason, motion: motion, mergedShare: share))
    }

    private func merge(
        _ start: UnsafePointer<UInt16>, _ buffer: UnsafeBufferPointer<UInt16>, _ other: FrameMetadata, gain: Double
    ) throws(FusionError) {
        let began = ContinuousClock.now
        let pyramid = unsafe Self.pyramid(buffer, format, other, gain: gain)
        if isCancelled() { throw FusionError(.cancelled, "the fusion was cancelled") }
        let field = MotionField(of: pyramid, in: reference)
        report.alignmentTime += seconds(since: began)
        if isCancelled() { throw FusionError(.cancelled, "the fusion was cancelled") }
        let mergeBegan = ContinuousClock.now
        let motion = SIMD2(Double(field.global.right) * 2, Double(field.global.down) * 2)
        let merge = MergePass(
            format: format, field: field, reference: reference.levels[0], frame: pyramid.levels[0],
            noise: greyNoise(gain: gain), black: metadata.blackLevel.map(Float.init), gain: Float(gain))
        var trust = [Float](repeating: 0, count: weights.count)
        let share = merge.measureTrust(into: &trust)
        unsafe ownCodes.withUnsafeBufferPointer { own in
            guard let own = own.baseAddress else { return }
            unsafe merge.doubt(start, against: own, codeNoise: codeNoise(), trust: &trust)
        }
        if share < Self.leastShare {
            reject("shows another scene, or is too blurred", motion, Double(share))
        } else {
            unsafe merge.accumulate(start, trust: trust, sums: &sums, weights: &weights)
            report.frames.append(
                FusionReport.Frame(
                    index: report.frames.count, rejection: nil, motion: motion, mergedShare: Double(share)))
        }
        report.mergeTime += seconds(since: mergeBegan)
    }

    /// The noise of the difference of two smoothed grey planes; where no profile is known, that of a middling sensor.
    private func greyNoise(gain: Double) -> NoiseProfile {
        let known = metadata.noise.filter { $0.shot.isFinite && $0.read.isFinite && $0.shot >= 0 && $0.read >= 0 }
        let count = Double(known.count)
        let mean =
            known.isEmpty
            ? NoiseProfile(shot: 4e-4, read: 1e-6)
            : NoiseProfile(
                shot: known.map(\.shot).reduce(0, +) / count, read: known.map(\.read).reduce(0, +) / count)
        // Four pixels make a grey one, nine of those a smooth one.
        let both = (1 + gain) / (4 * 9)
        return NoiseProfile(shot: mean.shot * both + 1e-7, read: mean.read * both + 1e-8)
    }

    /// The noise of one pixel in codes: variance = shot · code + read, with `code` counted from zero light's own zero.
    private func codeNoise() -> NoiseProfile {
        let range = metadata.whiteLevel - metadata.blackLevel.reduce(0, +) / 4
        let known = metadata.noise.filter { $0.shot.isFinite && $0.read.isFinite && $0.shot >= 0 && $0.read >= 0 }
        let shot = known.isEmpty ? 4e-4 : known.map(\.shot).reduce(0, +) / Double(known.count)
        let read = known.isEmpty ? 1e-6 : known.map(\.read).reduce(0, +) / Double(known.count)
        // Codes carry the black level, whose share of the shot noise is taken off again.
        let black = metadata.blackLevel.reduce(0, +) / 4
        return NoiseProfile(shot: shot * range, read: max(read * range * range - shot * range * black, 0) + 0.1)
    }

    private func mergedCodes(scale: Float) -> [UInt16] {
        let (width, height) = (format.width, format.height)
        let quads = width / 2
        return unsafe [UInt16](unsafeUninitializedCapacity: width * height) { target, count in
            count = width * height
            unsafe sums.withUnsafeBufferPointer { sums in
                unsafe weights.withUnsafeBufferPointer { weights in
                    guard let codes = target.baseAddress, let sums = sums.baseAddress else { return }
                    for row in 0..<height {
                        let line = unsafe (codes + row * width, sums + row * width)
                        let hasQuads = row / 2 < height / 2
                        if hasQuads, let weight = weights.baseAddress {
                            unsafe finishRow(line.1, weight + row / 2 * quads, scale, line.0, quads)
                        }
                        // An odd last column or row belongs to no quad and stays the reference's.
                        for column in (hasQuads ? 2 * quads : 0)..<width {
                            unsafe line.0[column] = UInt16(min(line.1[column] * scale + 0.5, 65535))
                        }
                    }
                }
            }
        }
    }
}

private func seconds(since start: ContinuousClock.Instant) -> Double {
    let duration = ContinuousClock.now - start
    return Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
}
