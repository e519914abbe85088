internal import Demosaic
internal import Glibc
internal import RawImage

/// The part of a fusion that knows its reference: aligns frames with it and sums what agrees.
final class BurstMerger {
    private var reference: Mosaic
    private var defects = DefectivePixels()
    private let options: FusionOptions
    private let pyramid: GreyPyramid?
    private let cores: Int?
    private let latch: CancelLatch
    private var sums: FrequencySums?
    /// What the super-resolved demosaic reads, the reference first; empty unless frames are kept.
    private var detailFrames: [DetailFrame] = []
    private var report = FusionReport()
    /// Why no frame can add anything to the reference; nil when some can.
    private let futility: String?
    /// Of the frames that were used.
    private var sensorDigests: [String]

    /// Frames of which less agrees with the reference show something else.
    private static let leastAgreement = 0.2
    /// Frames of which less could be merged helped nothing.
    private static let leastShare = 0.001
    /// Brackets are wider; they are not averaged.
    private static let gains = 1.0 / 64...64
    /// So many frames are enough for the mode "speed".
    private static let framesForSpeed = 4
    /// Where shifts cover less of the picture, the super-resolved demosaic is not worth its time.
    private static let leastCoverage = 0.5

    var format: MosaicFormat { reference.format }

    init(reference: Mosaic, index: Int, options: FusionOptions, cores: Int?, latch: CancelLatch) {
        self.reference = reference
        self.options = options
        self.cores = cores
        self.latch = latch
        sensorDigests = reference.metadata.sensorDigests
        let clock = Stopwatch()
        let codes = reference.codes
        futility =
            options.strength > 0
            ? Self.futility(codes.span, reference.format, reference.metadata) : "a strength of 0 merges nothing"
        pyramid = Self.pyramid(codes.span, reference.format, reference.metadata, gain: 1, cores: cores)
        report.reference = index
        report.frames = [FusionReport.Frame(index: index, mergedShare: 1)]
        report.add(clock.seconds, to: "alignment")
    }

    /// Aligns a frame with the reference and merges it, or notes why not.
    func add(
        _ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, index: Int
    ) throws(FusionError) {
        let aligned = try align(codes, format, metadata, index: index)
        try merge(aligned, codes, format, metadata)
    }

    /// Aligns and merges frames that came before the reference was chosen, which tell of defective pixels too.
    func add(_ frames: [(index: Int, mosaic: Mosaic)]) throws(FusionError) {
        var aligned: [Aligned] = []
        for (index, frame) in frames {
            aligned.append(try align(frame.codes.span, frame.format, frame.metadata, index: index))
        }
        let clock = Stopwatch()
        let witnesses = zip(frames, aligned).compactMap { frame, aligned in
            aligned.field.map { DefectivePixels.Witness(frame: frame.mosaic, field: $0) }
        }
        defects = DefectivePixels(in: reference, witnesses, cores: cores)
        defects.repair(&reference.codes, reference.format)
        report.repairedPixels = defects.places.count
        report.add(clock.seconds, to: "defects")
        for ((_, frame), aligned) in zip(frames, aligned) {
            try merge(aligned, frame.codes.span, frame.format, frame.metadata)
        }
    }

    /// The merged mosaic, 16 bits deep, with its noise, and what became of the frames.
    func finish(denoises: Bool = true) throws(FusionError) -> (mosaic: Mosaic, report: FusionReport) {
        let clock = Stopwatch()
        let scale = Double(1 << (16 - format.bitDepth))
        var result = reference.metadata
        result.blackLevel = result.blackLevel.map { $0 * scale }
        result.whiteLevel *= scale
        let deep = MosaicFormat(width: format.width, height: format.height, pattern: format.pattern, bitDepth: 16)
        let (codes, rests) = merged(by: scale, denoises: denoises)
        try latch.check()
        report.frames.sort { $0.index < $1.index }
        report.note(rests, sums?.grid)
        report.measuredNoiseGain = NoiseGain.measured(reference, codes, scale: scale)
        result.noise = result.noise.map { $0.averaged(over: report.effectiveFrames) }
        result.fusedFrames = report.usedFrames
        result.sensorDigests = sensorDigests
        report.add(clock.seconds, to: "finish")
        result.fusion = report
        do {
            return (try Mosaic(format: deep, metadata: result, codes: codes), report)
        } catch {
            throw FusionError(.badFrame, error.message)
        }
    }
}

// MARK: - The photo

extension BurstMerger {
    /// The demosaiced photo, super-resolved where that was prepared and pays, or where a scale asks for it.
    func finishPhoto(_ scale: DetailScale?) throws(FusionError) -> (photo: LinearImage, report: FusionReport) {
        if scale != nil { keepReference() }
        let fusion = DetailFusion(frames: detailFrames, cores: cores, latch: latch)
        let isDetailed = scale != nil || detailFrames.count > 1 && fusion.coveredShare(of: format) >= Self.leastCoverage
        guard isDetailed else {
            let (mosaic, report) = try finish()
            return try (photo { () throws(RawImageError) in try Demosaic.linear(mosaic) }, report)
        }
        // It takes noise off itself, and knows how much there is.
        let mosaic = try finish(denoises: false).mosaic
        // Their memory is needed now.
        sums = nil
        let clock = Stopwatch()
        var share = 0.0
        var image = try photo { () throws(RawImageError) in
            let made = try fusion.photo(of: mosaic, reference: reference.metadata, scale: scale ?? .one)
            share = made.coveredShare
            return made.image
        }
        report.detailShare = share
        report.add(clock.seconds, to: "detail")
        image.metadata.fusion = report
        return (image, report)
    }

    private func photo(_ make: () throws(RawImageError) -> LinearImage) throws(FusionError) -> LinearImage {
        let image: LinearImage
        do throws(RawImageError) {
            image = try make()
        } catch {
            throw FusionError(.badFrame, error.message)
        }
        try latch.check()
        return image
    }
}

// MARK: - Steps

extension BurstMerger {
    /// A frame and where it shows the reference's tiles; no field when it cannot help, and its note says why.
    private struct Aligned {
        var note: FusionReport.Frame
        var gain = 1.0
        var field: MotionField?
    }

    private func align(
        _ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, index: Int
    ) throws(FusionError) -> Aligned {
        var aligned = Aligned(note: FusionReport.Frame(index: index), gain: gain(of: metadata))
        if options.mode == .speed, report.usedFrames >= Self.framesForSpeed {
            aligned.note.rejection = "not needed for the mode speed"
            return aligned
        }
        if let futility {
            aligned.note.rejection = futility
            return aligned
        }
        guard aligned.gain.isFinite, Self.gains.contains(aligned.gain) else {
            aligned.note.rejection = "exposed too differently"
            return aligned
        }
        let clock = Stopwatch()
        guard let pyramid, let its = Self.pyramid(codes, format, metadata, gain: aligned.gain, cores: cores) else {
            aligned.note.rejection = "too small to be fused"
            return aligned
        }
        let noise = CodeNoise.mean(reference.metadata)
        let field = MotionField(of: its, in: pyramid, noise: noise, cores: cores, latch: latch)
        report.add(clock.seconds, to: "alignment")
        try latch.check()
        aligned.note.motion = field.global
        if field.agreement >= Self.leastAgreement {
            aligned.field = field
        } else {
            aligned.note.rejection = "shows something else than the reference, or is too blurred"
        }
        return aligned
    }

    private func merge(
        _ aligned: Aligned, _ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata
    ) throws(FusionError) {
        var note = aligned.note
        if let field = aligned.field {
            if defects.places.isEmpty {
                note.mergedShare = sum(codes, format, metadata, gain: aligned.gain, field)
                keep(codes, format, metadata, gain: aligned.gain, field)
            } else {
                // The caller's codes are not ours to repair.
                var repaired = unsafe codes.withUnsafeBufferPointer { unsafe Array($0) }
                defects.repair(&repaired, format)
                note.mergedShare = sum(repaired.span, format, metadata, gain: aligned.gain, field)
                keep(repaired.span, format, metadata, gain: aligned.gain, field)
            }
            if note.mergedShare < Self.leastShare {
                note.rejection = "differs all over by more than the noise that is told: check its NoiseProfile"
            } else {
                sensorDigests += metadata.sensorDigests
            }
        }
        try latch.check()
        report.frames.append(note)
    }

    /// Whether a reference shows nothing, in words: all black, or all clipped.
    private static func futility(
        _ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata
    ) -> String? {
        let (clipping, black) = (metadata.whiteLevel * 0.995, metadata.blackLevel.max() ?? 0)
        var (hasLight, hasMiddle) = (false, false)
        for row in 0..<format.height {
            for column in 0..<format.width {
                let code = Double(codes[row * format.stride + column])
                if code > black { hasLight = true }
                if code < clipping { hasMiddle = true }
            }
            if hasLight && hasMiddle { return nil }
        }
        return hasLight ? "the reference is clipped all over" : "the reference is black all over"
    }

    /// Keeps a frame for the super-resolved demosaic, if it is asked for and the frame serves it.
    private func keep(
        _ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, gain: Double, _ field: MotionField
    ) {
        guard options.keepsDetail, detailFrames.count < DetailFusion.mostFrames, DetailFrame.gains.contains(gain) else {
            return
        }
        keepReference()
        detailFrames.append(DetailFrame(codes, format, metadata, gain: gain, field: field))
    }

    private func keepReference() {
        guard detailFrames.isEmpty else { return }
        let codes = reference.codes
        detailFrames = [DetailFrame(codes.span, format, reference.metadata, gain: 1, field: nil)]
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
        let mine = reference.metadata.exposureTime * reference.metadata.iso
        let its = other.exposureTime * other.iso
        let exposure = mine > 0 && its > 0 ? mine / its : 1
        return exposure * reference.metadata.signalRange / other.signalRange
    }

    private func sum(
        _ codes: Span<UInt16>, _ format: MosaicFormat, _ other: FrameMetadata, gain: Double, _ field: MotionField
    ) -> Double {
        let clock = Stopwatch()
        let sums = self.sums ?? FrequencySums(self.format, options, cores: cores)
        let metadata = reference.metadata
        let share = unsafe withReference { mine -> Double in
            unsafe codes.withUnsafeBufferPointer { its in
                guard let its = its.baseAddress else { return 0.0 }
                let frame = unsafe TileMerge(
                    reference: mine, source: TileSource(its, format, other, gain: gain),
                    referenceNoise: CodeNoise(metadata, format.pattern, gain: 1),
                    noise: CodeNoise(other.noise.isEmpty ? metadata : other, format.pattern, gain: gain),
                    field: field, options: options, balance: metadata.balance(format.pattern))
                return unsafe sums.add(frame, latch: latch)
            }
        }
        self.sums = sums
        report.add(clock.seconds, to: "merge")
        return share ?? 0
    }

    private func withReference<R>(_ body: (TileSource) -> R) -> R? {
        unsafe reference.codes.withUnsafeBufferPointer { codes in
            guard let start = codes.baseAddress else { return nil }
            return unsafe body(TileSource(start, format, reference.metadata, gain: 1))
        }
    }

    /// The merged codes times `scale`, and the share of noise left for each tile.
    private func merged(by scale: Double, denoises: Bool) -> (codes: [UInt16], rests: [Float]) {
        guard let sums else { return (referenceCodes(), []) }
        let noise = CodeNoise(reference.metadata, format.pattern, gain: 1)
        var rests: [Float] = []
        let size = format.width * format.height
        // All are written, or the work was cancelled and nobody reads them: `finish` asks at once.
        let codes = unsafe [UInt16](large: size) { start in
            let left = unsafe withReference {
                unsafe sums.finish(
                    $0, noise: noise, denoising: denoises ? options.spatialDenoise : 0, scale: Float(scale),
                    into: start,
                    latch: latch)
            }
            rests = left ?? []
        }
        return (codes, rests)
    }

    /// The reference's codes on the scale of 16 bits: the result where nothing was merged.
    private func referenceCodes() -> [UInt16] {
        let (width, shift) = (format.width, UInt16(16 - format.bitDepth))
        return unsafe [UInt16](unsafeUninitializedCapacity: width * format.height) { target, count in
            count = width * format.height
            unsafe reference.codes.withUnsafeBufferPointer { source in
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

    /// What makes the signals of the four places light that is alike where the scene is grey.
    fileprivate func balance(_ pattern: BayerPattern) -> SIMD4<Float> {
        var balance = SIMD4<Float>()
        for (place, plane) in pattern.planes.enumerated() {
            balance[place] = Float(signalRange / (whiteLevel - blackLevel[place]) / relativeSensitivity[plane])
        }
        return balance
    }
}

extension FusionReport {
    /// Notes what is left of the noise, tile by tile.
    fileprivate mutating func note(_ rests: [Float], _ grid: TileGrid?) {
        guard let grid, !rests.isEmpty else { return }
        effectiveFrames = Double(rests.count) / Double(rests.reduce(0, +))
        let sorted = rests.sorted()
        leastEffectiveFrames = 1 / Double(sorted[sorted.count * 95 / 100])
        expectedNoiseGain = 10 * log10(effectiveFrames)
        effectiveFramesMap = EffectiveFramesMap(rests, grid)
    }
}

/// The time since it was made.
struct Stopwatch {
    private let start = ContinuousClock.now

    var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }
}
