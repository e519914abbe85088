internal import Kernels
public import RawImage

/// Fuses a burst into one mosaic with less noise: frames are aligned with the first, tile by tile, and averaged where
/// they agree with it, frequency by frequency.
///
/// Frames are aligned and merged as they come, so memory does not grow with the burst: the reference, its grey pyramid,
/// and the sums (20 bytes a pixel). The first frame is the reference. Thread-bound: one thread adds and finishes; the
/// work itself is done on all cores.
public final class BurstFusion {
    private let format: MosaicFormat
    private let metadata: FrameMetadata
    private let reference: [UInt16]
    private let pyramid: GreyPyramid?
    private let cores: Int?
    private let latch: CancelLatch
    private var sums: FrequencySums?
    /// What the super-resolved demosaic reads, the reference first; nil when it was not asked for.
    private var detailFrames: [DetailFrame]?
    private var report = FusionReport()
    /// Of the frames that were used.
    private var sensorDigests: [String]

    /// Frames of which less agrees with the reference show something else.
    private static let leastAgreement = 0.2
    /// Brackets are wider; they are not averaged.
    private static let gains = 1.0 / 64...64

    /// Black may be a little below 0 and white above all codes, within reason.
    private static let highestLevel = 1e6

    /// The fusion of a burst that begins with this frame. `isCancelled` is asked from all threads that work.
    public init(
        reference codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata, keepsFrames: Bool = false,
        cores: Int? = nil, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(FusionError) {
        try Self.check(codes, format, metadata)
        self.format = format
        self.metadata = metadata
        self.cores = cores
        latch = CancelLatch(isCancelled)
        sensorDigests = metadata.sensorDigests
        let began = ContinuousClock.now
        // The caller's codes may be gone when the next frame comes.
        reference = unsafe codes.withUnsafeBufferPointer { unsafe Array($0.prefix(format.codeCount)) }
        pyramid = Self.pyramid(codes, format, metadata, gain: 1, cores: cores)
        report.frames = [FusionReport.Frame(index: 0, rejection: nil, motion: .zero, mergedShare: 1)]
        detailFrames = keepsFrames ? [DetailFrame(codes, format, metadata, gain: 1, field: nil)] : nil
        report.alignmentTime = seconds(since: began)
    }

    /// Aligns a frame with the reference and merges it. A frame that cannot help is left out, and the result says why.
    @discardableResult
    public func add(
        _ codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata
    ) throws(FusionError) -> FusionReport.Frame {
        try checkCancelled()
        guard format.isSameShape(as: self.format) else {
            throw FusionError(
                .differentFormat,
                "frame \(report.frames.count) is \(format.words), the burst's first is \(self.format.words): fuse frames "
                    + "of one kind")
        }
        try Self.check(codes, format, metadata)
        let gain = gain(of: metadata)
        guard gain.isFinite, Self.gains.contains(gain) else { return note(rejection: "exposed too differently") }
        let began = ContinuousClock.now
        guard let pyramid, let its = Self.pyramid(codes, format, metadata, gain: gain, cores: cores) else {
            return note(rejection: "too small to be fused")
        }
        let field = MotionField(
            of: its, in: pyramid, noise: CodeNoise.mean(self.metadata), cores: cores, latch: latch)
        report.alignmentTime += seconds(since: began)
        try checkCancelled()
        guard field.agreement >= Self.leastAgreement else {
            return note(rejection: "shows something else than the first frame, or is too blurred", motion: field.global)
        }
        let share = merge(codes, format, metadata, gain: gain, field)
        if let count = detailFrames?.count, count < DetailFusion.mostFrames, DetailFrame.gains.contains(gain) {
            detailFrames?.append(DetailFrame(codes, format, metadata, gain: gain, field: field))
        }
        try checkCancelled()
        sensorDigests += metadata.sensorDigests
        return note(motion: field.global, share: share)
    }

    /// The merged mosaic, 16 bits deep, with its noise, and what became of the frames.
    public func finish() throws(FusionError) -> (mosaic: Mosaic, report: FusionReport) {
        try checkCancelled()
        let began = ContinuousClock.now
        let scale = Double(1 << (16 - format.bitDepth))
        var result = metadata
        result.blackLevel = metadata.blackLevel.map { $0 * scale }
        result.whiteLevel = metadata.whiteLevel * scale
        let merged = MosaicFormat(width: format.width, height: format.height, pattern: format.pattern, bitDepth: 16)
        var codes = referenceCodes()
        let rest = sums?.finish(
            scale: Float(scale), black: result.blackLevel.map(Float.init), into: &codes, latch: latch)
        try checkCancelled()
        report.effectiveFrames = 1 / (rest ?? 1)
        result.noise = metadata.noise.map { $0.averaged(over: report.effectiveFrames) }
        result.fusedFrames = report.frames.count { $0.rejection == nil }
        result.sensorDigests = sensorDigests
        report.mergeTime += seconds(since: began)
        do {
            return (try Mosaic(format: merged, metadata: result, codes: codes), report)
        } catch {
            throw FusionError(.badFrame, error.message)
        }
    }

    /// The share of the picture where the shifts of the frames that were added bring samples of each colour to every
    /// pixel: what a super-resolved photo gains most from. 0 unless frames are kept.
    public var coveredShare: Double {
        guard let detailFrames else { return 0 }
        return DetailFusion(frames: detailFrames, cores: cores, latch: latch).coveredShare(of: format)
    }

    /// The super-resolved photo of the merged mosaic, and what became of the frames; a plain demosaic of it unless frames
    /// were kept.
    public func finishDetail(
        scale: DetailScale = .one
    ) throws(FusionError) -> (image: LinearImage, report: FusionReport) {
        let mosaic = try finish().mosaic
        // Their memory is needed now.
        sums = nil
        let began = ContinuousClock.now
        do {
            guard let detailFrames else { return (try Demosaic.linear(mosaic), report) }
            let fusion = DetailFusion(frames: detailFrames, cores: cores, latch: latch)
            let photo = try fusion.photo(of: mosaic, reference: metadata, scale: scale)
            try checkCancelled()
            report.detailShare = photo.coveredShare
            report.detailTime = seconds(since: began)
            return (photo.image, report)
        } catch let error as RawImageError {
            throw FusionError(.badFrame, error.message)
        } catch {
            throw FusionError(.cancelled, "the fusion was cancelled")
        }
    }
}

// MARK: - Steps

extension BurstFusion {
    private static func check(
        _ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata
    ) throws(FusionError) {
        if let problem = metadata.problem { throw FusionError(.badFrame, problem) }
        guard (metadata.blackLevel + [metadata.whiteLevel]).allSatisfy({ abs($0) <= Self.highestLevel }) else {
            throw FusionError(.badFrame, "black and white levels are far beyond 16 bits")
        }
        do {
            try format.check(count: codes.count)
        } catch {
            throw FusionError(.badFrame, error.message)
        }
    }

    private func checkCancelled() throws(FusionError) {
        if latch.isCancelled { throw FusionError(.cancelled, "the fusion was cancelled") }
    }

    /// The pyramid of a frame; nil when it has not even one cell.
    private static func pyramid(
        _ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, gain: Double, cores: Int?
    ) -> GreyPyramid? {
        unsafe codes.withUnsafeBufferPointer { codes in
            guard let start = codes.baseAddress, format.width >= 2, format.height >= 2 else { return nil }
            return unsafe GreyPyramid(start, format, metadata, gain: gain, cores: cores)
        }
    }

    /// What a frame's codes above black are to be multiplied with to be exposed and scaled as the reference's.
    private func gain(of other: FrameMetadata) -> Double {
        let (mine, its) = (metadata.exposureTime * metadata.iso, other.exposureTime * other.iso)
        let exposure = mine > 0 && its > 0 ? mine / its : 1
        return exposure * metadata.signalRange / other.signalRange
    }

    private func note(
        rejection: String? = nil, motion: SIMD2<Double> = .zero, share: Double = 0
    ) -> FusionReport.Frame {
        let frame = FusionReport.Frame(
            index: report.frames.count, rejection: rejection, motion: motion, mergedShare: share)
        report.frames.append(frame)
        return frame
    }

    private func merge(
        _ codes: Span<UInt16>, _ format: MosaicFormat, _ other: FrameMetadata, gain: Double, _ field: MotionField
    ) -> Double {
        let began = ContinuousClock.now
        var sums = self.sums.take() ?? FrequencySums(self.format, cores: cores)
        let share = unsafe reference.withUnsafeBufferPointer { mine in
            unsafe codes.withUnsafeBufferPointer { its in
                guard let mine = mine.baseAddress, let its = its.baseAddress else { return 0.0 }
                let frame = unsafe FrequencySums.Frame(
                    reference: TileSource(mine, self.format, metadata, gain: 1),
                    source: TileSource(its, format, other, gain: gain),
                    referenceNoise: CodeNoise(metadata, format.pattern, gain: 1),
                    noise: CodeNoise(other.noise.isEmpty ? metadata : other, format.pattern, gain: gain),
                    field: field)
                return unsafe sums.add(frame, latch: latch)
            }
        }
        self.sums = sums
        report.mergeTime += seconds(since: began)
        return share
    }

    /// The reference's codes on the scale of 16 bits: what is left where nothing was merged.
    private func referenceCodes() -> [UInt16] {
        let (width, shift) = (format.width, UInt16(16 - format.bitDepth))
        return unsafe [UInt16](unsafeUninitializedCapacity: width * format.height) { target, count in
            count = width * format.height
            unsafe reference.withUnsafeBufferPointer { source in
                for row in 0..<format.height {
                    let (to, from) = (row * width, row * format.stride)
                    for column in 0..<width { unsafe target[to + column] = source[from + column] << shift }
                }
            }
        }
    }
}

extension FrameMetadata {
    /// Codes from black to white.
    fileprivate var signalRange: Double { whiteLevel - blackLevel.reduce(0, +) / 4 }
}

extension MosaicFormat {
    /// Whether pixels mean the same; rows may lie otherwise in memory.
    fileprivate func isSameShape(as other: MosaicFormat) -> Bool {
        (width, height, pattern, bitDepth) == (other.width, other.height, other.pattern, other.bitDepth)
    }

    fileprivate var words: String { "\(width)×\(height) \(pattern.rawValue) of \(bitDepth) bits" }
}

private func seconds(since start: ContinuousClock.Instant) -> Double {
    (ContinuousClock.now - start) / .seconds(1)
}
