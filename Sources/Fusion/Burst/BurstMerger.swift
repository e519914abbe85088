internal import Demosaic
internal import Glibc
internal import PixelMemory
internal import RawImage

/// Aligns frames with a known reference frame and accumulates what agrees with it.
final class BurstMerger {
    private var reference: Mosaic
    private let isReferenceCopy: Bool
    private var defects = DefectivePixels()
    private let options: FusionOptions
    /// The reference's grey pyramid, built when the first frame is aligned; nil for a reference smaller than one quad.
    private lazy var pyramid = Self.pyramid(
        reference.codes.span, format, reference.metadata, gain: 1, memory, cores: cores
    ).map { ReferencePyramid($0, cores: cores) }
    /// The reference's sharpness with the current noise profile; nil until a frame is compared with it.
    private var sharpness: Sharpness?
    private let cores: Int?
    private let latch: CancelLatch
    private let memory: FusionMemory
    private var sums: FrequencySums?
    /// The frames retained for super-resolution, the reference first; empty unless super-resolution is enabled.
    private var superResolutionFrames: [SuperResolutionFrame] = []
    private var report = FusionReport()
    /// The reason why no frame can improve the reference, such as a black one; nil if frames can.
    private let obstacle: String?
    /// The sensor data digests of the merged frames.
    private var sensorDigests: [String]
    /// The index of the frame with these digests, for frames that have any.
    private var framesByDigests: [[String]: Int] = [:]
    private var history: FileHistory
    private var noise: FrameNoise
    /// The reference's metadata as its file or camera states it.
    private let stated: FrameMetadata

    /// The smallest fraction of a frame's tiles that must match the reference: a frame with less shows another scene or
    /// is too blurred.
    private static let leastAgreement = 0.2
    /// The smallest mean merge weight of a useful frame.
    private static let leastMeanWeight = 0.001
    /// The range of a frame's exposure as a multiple of the reference's. Wider ratios belong to a bracket.
    private static let gains = 1.0 / 64...64
    /// The number of frames whose differences from the reference measure its noise, and the gains of such frames.
    private static let (framesForNoise, gainsForNoise) = (2, 0.99...1.01)

    var format: MosaicFormat { reference.format }

    /// Creates a merger without frames. `noise` is the noise of the burst's first frame.
    init(
        reference frame: BurstFrame, _ noise: FrameNoise, options: FusionOptions, _ memory: FusionMemory, cores: Int?,
        latch: CancelLatch
    ) {
        (reference, isReferenceCopy) = (frame.mosaic, frame.isCopy)
        self.noise = noise
        stated = reference.metadata
        reference.metadata = noise.applied(to: stated)
        self.options = options
        self.cores = cores
        self.latch = latch
        self.memory = memory
        sensorDigests = reference.metadata.sensorDigests
        framesByDigests[sensorDigests] = frame.index
        history = reference.metadata.history
        let clock = Stopwatch()
        let codes = reference.codes
        obstacle =
            options.strength > 0
            ? Self.obstacle(codes.span, reference.format, reference.metadata) : "strength 0 merges nothing"
        report.reference = frame.index
        report.frames = [FusionReport.Frame(index: frame.index, mergedShare: 1)]
        report.add(clock.seconds, to: "alignment")
        noise.note(in: &report)
    }

    deinit {
        if isReferenceCopy { memory.give(reference.codes) }
    }

    /// Aligns a frame with the reference and merges it, or records in the report why it was rejected.
    func add(
        _ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, index: Int
    ) throws(GscapError) {
        let isReplaced = noise.isReplaced(in: metadata)
        let metadata = noise.applied(to: metadata)
        var aligned = try align(codes, format, metadata, index: index, merged: report.usedFrames)
        if isReplaced { aligned.note.hasReplacedNoise = true }
        try merge(aligned, codes, format, metadata)
    }

    /// Aligns and merges the frames buffered before the reference was chosen. They are also searched for defective
    /// pixels, which are repaired in the reference and in all later frames.
    func add(_ frames: [BurstFrame]) throws(GscapError) {
        let aligned = try alignWithPlausibleNoise(frames)
        var frames = frames.map(\.mosaic)
        measureNoise(zip(frames, aligned).map { ($0, $1) })
        for index in frames.indices { frames[index].metadata = noise.applied(to: frames[index].metadata) }
        let clock = Stopwatch()
        let alignedFrames = zip(frames, aligned).compactMap { frame, aligned in
            aligned.field.map {
                DefectivePixels.AlignedFrame(frame: frame, field: $0, gain: Float(aligned.gain))
            }
        }
        defects = DefectivePixels(in: reference, alignedFrames, cores: cores)
        defects.repair(&reference.codes, reference.format)
        report.repairedPixels = defects.positions.count
        report.add(clock.seconds, to: "defects")
        for (frame, aligned) in zip(frames, aligned) {
            try merge(aligned, frame.codes.span, frame.format, frame.metadata)
        }
    }

    /// Aligns frames. If none agrees with the reference, and the reference by itself shows more noise than it states,
    /// they are aligned again with that noise; another scene disagrees then, too.
    private func alignWithPlausibleNoise(_ frames: [BurstFrame]) throws(GscapError) -> [Aligned] {
        let aligned = try align(frames)
        guard !aligned.contains(where: { $0.field != nil }), let measured = noise.withEstimate else {
            return aligned
        }
        let believed = noise
        setNoise(measured)
        let again = try align(frames)
        if again.contains(where: { $0.field != nil }) { return again }
        setNoise(believed)
        return aligned
    }

    private func align(_ frames: [BurstFrame]) throws(GscapError) -> [Aligned] {
        var aligned: [Aligned] = []
        for frame in frames {
            let mosaic = frame.mosaic
            let merged = report.usedFrames + aligned.count { $0.field != nil }
            let metadata = noise.applied(to: mosaic.metadata)
            var result = try align(mosaic.codes.span, mosaic.format, metadata, index: frame.index, merged: merged)
            if noise.isReplaced(in: mosaic.metadata) { result.note.hasReplacedNoise = true }
            aligned.append(result)
        }
        return aligned
    }

    /// Sets the noise of the frames, which the reference's sharpness depends on.
    private func setNoise(_ noise: FrameNoise) {
        self.noise = noise
        reference.metadata = noise.applied(to: stated)
        sharpness = nil
    }

    /// Returns the merged 16-bit mosaic with its noise profile, and the report on all frames.
    func finish() throws(GscapError) -> (mosaic: Mosaic, report: FusionReport) {
        let (mosaic, _) = try mosaic(denoises: true)
        return (mosaic, report)
    }

    /// Returns the merged 16-bit mosaic and, for each tile, the remaining fraction of the reference's noise variance.
    private func mosaic(denoises: Bool) throws(GscapError) -> (mosaic: Mosaic, variances: [Float]) {
        let clock = Stopwatch()
        let scale = Double(1 << (16 - format.bitDepth))
        if denoises { prepareReferenceAlone() }
        let (codes, variances) = merged(by: scale, denoises: denoises)
        report.denoising = denoises && sums != nil ? options.spatialDenoise : 0
        try latch.check()
        report.frames.sort { $0.index < $1.index }
        report.note(variances, sums?.grid)
        report.measuredNoiseGain =
            sums == nil
            ? reference.codes.withView { NoiseGain.unmerged($0, reference.format, reference.metadata) }
            : NoiseGain.measured(reference, codes, scale: scale)
        report.add(clock.seconds, to: "finish")
        var metadata = reference.metadata
        metadata.sensorDigests = sensorDigests
        metadata.history = history
        return (try Mosaic(merged: codes, from: format, metadata, report), variances)
    }
}

// MARK: - Photo

extension BurstMerger {
    /// Returns the demosaiced photo: super-resolved if a scale is given, or if frames were retained. Where their shifts
    /// do not suffice, as on a tripod, super-resolution still removes noise better than merging does.
    func finishLinearPhoto(_ scale: SuperResolutionScale?) throws(GscapError) -> (
        photo: LinearImage, report: FusionReport
    ) {
        if scale != nil {
            guard !format.isMonochrome else {
                throw GscapError(.badOptions, "photos of a camera without colour filters are not super-resolved")
            }
            retainReference()
        }
        let fusion = SuperResolutionFusion(frames: superResolutionFrames, cores: cores, latch: latch)
        guard scale != nil || superResolutionFrames.count > 1 else {
            let (mosaic, report) = try finish()
            return try (photo { () throws(GscapError) in try Demosaic.linear(mosaic) }, report)
        }
        // Super-resolution removes noise itself and needs to know the true noise of the mosaic.
        let (mosaic, variances) = try mosaic(denoises: false)
        // Frees the sums (10 bytes a pixel) before super-resolution allocates its planes.
        sums = nil
        memory.freeIdle()
        let clock = Stopwatch()
        var coveredFraction = 0.0
        var image = try photo { () throws(GscapError) in
            let result = try fusion.photo(
                of: mosaic, variances: variances, reference: reference.metadata, scale: scale ?? .one,
                denoising: options.spatialDenoise)
            coveredFraction = result.coveredFraction
            return result.image
        }
        report.superResolvedFraction = coveredFraction
        report.superResolutionScale = (scale ?? .one).factor
        report.denoising = options.spatialDenoise
        report.add(clock.seconds, to: "super-resolution")
        image.metadata.fusion = report
        return (image, report)
    }

    private func photo(_ make: () throws(GscapError) -> LinearImage) throws(GscapError) -> LinearImage {
        let image: LinearImage
        do throws(GscapError) {
            image = try make()
        } catch {
            throw GscapError(.badFrame, error.message)
        }
        try latch.check()
        return image
    }
}

// MARK: - Steps

extension BurstMerger {
    /// A frame and its alignment with the reference; `field` is nil if the frame is rejected, and its note states why.
    private struct Aligned {
        var note: FusionReport.Frame
        var gain = 1.0
        var field: MotionField?
        /// The factors for the fusion's strength, and for the weight in super-resolution: 1, or less for a blurred
        /// frame.
        var trust = (merged: 1.0, resolved: 1.0)
    }

    /// Aligns a frame with the reference, unless it is known not to be merged. `merged` is the number of frames before
    /// it that are.
    private func align(
        _ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, index: Int, merged: Int
    ) throws(GscapError) -> Aligned {
        var aligned = Aligned(note: FusionReport.Frame(index: index), gain: gain(of: metadata))
        if let same = sameFrame(as: metadata, index: index) {
            aligned.note.reject(asCopyOf: same)
            return aligned
        }
        if let most = options.mode.mostFrames, merged >= most {
            aligned.note.rejection = "the mode \(options.mode.rawValue) merges \(most) frames at most"
            return aligned
        }
        if let obstacle {
            aligned.note.rejection = obstacle
            return aligned
        }
        guard aligned.gain.isFinite, Self.gains.contains(aligned.gain) else {
            aligned.note.rejection = "exposed too differently from the reference"
            return aligned
        }
        let clock = Stopwatch()
        guard let pyramid,
            let framePyramid = Self.pyramid(codes, format, metadata, gain: aligned.gain, memory, cores: cores)
        else {
            aligned.note.rejection = "too small to align"
            return aligned
        }
        let noise = CodeNoise.mean(reference.metadata)
        let field = MotionField(of: framePyramid, in: pyramid, noise: noise, cores: cores, latch: latch)
        report.add(clock.seconds, to: "alignment")
        try latch.check()
        aligned.note.motion = field.global
        guard field.agreement >= Self.leastAgreement else {
            aligned.note.rejection = "shows a different scene than the reference, or is too blurred"
            return aligned
        }
        let own = sharpness ?? reference.codes.withView { Sharpness($0, self.format, reference.metadata, cores: cores) }
        sharpness = own
        aligned.trust = codes.withView { Sharpness($0, format, metadata, cores: cores) }.trust(in: own)
        if aligned.trust.merged > 0 { aligned.field = field } else { aligned.note.rejection = "is too blurred" }
        return aligned
    }

    /// Measures the noise by the differences of aligned frames from the reference, which are smaller than what the
    /// flattest tiles of a textured scene vary.
    private func measureNoise(_ frames: [(mosaic: Mosaic, aligned: Aligned)]) {
        let clock = Stopwatch()
        let usable = frames.filter { $0.aligned.field != nil && Self.gainsForNoise.contains($0.aligned.gain) }
        let samples = usable.prefix(Self.framesForNoise).compactMap { frame, aligned in
            aligned.field.map { field in
                withReference { reference in
                    frame.codes.withView { codes in
                        let source = TileSource(codes, frame.format, frame.metadata, gain: aligned.gain)
                        return NoiseSamples(reference, source, field, self.reference.metadata, cores: cores)
                    }
                }
            }
        }
        var noise = noise
        noise.add(samples)
        setNoise(noise)
        noise.note(in: &report)
        report.add(clock.seconds, to: "noise")
    }

    /// Returns the index of an earlier frame with equal codes, as the digests prove; nil if there is none, or if the
    /// frame has no digest.
    private func sameFrame(as metadata: FrameMetadata, index: Int) -> Int? {
        guard !metadata.sensorDigests.isEmpty else { return nil }
        if let same = framesByDigests[metadata.sensorDigests] { return same == index ? nil : same }
        framesByDigests[metadata.sensorDigests] = index
        return nil
    }

    private func merge(
        _ aligned: Aligned, _ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata
    ) throws(GscapError) {
        var note = aligned.note
        if let field = aligned.field {
            if defects.positions.isEmpty {
                note.mergedShare = use(codes, format, metadata, aligned, field)
            } else {
                let repaired = repaired(codes, format)
                note.mergedShare = use(repaired.span, format, metadata, aligned, field)
                memory.give(repaired)
            }
            if note.mergedShare < Self.leastMeanWeight {
                let isBlurred = aligned.trust.merged < 1
                note.rejection =
                    isBlurred
                    ? "is too blurred" : "differs everywhere by more than its noise: check its NoiseProfile"
            } else {
                sensorDigests += metadata.sensorDigests
                history.merge(metadata.history)
            }
        }
        try latch.check()
        report.frames.append(note)
    }

    /// Merges a frame and, if that makes use of it, retains it for super-resolution. Returns the mean merge weight.
    private func use(
        _ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, _ aligned: Aligned,
        _ field: MotionField
    ) -> Double {
        let share = sum(codes, format, metadata, aligned, field)
        if share >= Self.leastMeanWeight { retain(codes, format, metadata, aligned, field) }
        return share
    }

    /// Returns a copy of a frame, which belongs to the caller, without the defective pixels.
    private func repaired(_ codes: Span<UInt16>, _ format: MosaicFormat) -> [UInt16] {
        var copy = codes.withView { memory.copy($0, cores: cores) }
        defects.repair(&copy, format)
        return copy
    }

    /// Returns why the reference cannot be improved: all its codes are black, or all are clipped. Nil if neither.
    private static func obstacle(
        _ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata
    ) -> String? {
        let (clipping, black) = (metadata.whiteLevel * 0.995, metadata.blackLevel.max() ?? 0)
        var (hasSignal, hasUnclipped) = (false, false)
        for row in 0..<format.height {
            for column in 0..<format.width {
                let code = Double(codes[row * format.stride + column])
                if code > black { hasSignal = true }
                if code < clipping { hasUnclipped = true }
            }
            if hasSignal && hasUnclipped { return nil }
        }
        return hasSignal ? "the reference is entirely clipped" : "the reference is entirely black"
    }

    /// Retains a frame for super-resolution, if that is enabled and the exposure ratio and the sharpness permit.
    private func retain(
        _ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, _ aligned: Aligned,
        _ field: MotionField
    ) {
        // Super-resolution places the samples of three colours, of which a camera without colour filters has none.
        guard options.preparesSuperResolution, !format.isMonochrome,
            superResolutionFrames.count < SuperResolutionFusion.mostFrames,
            SuperResolutionFrame.gains.contains(aligned.gain), aligned.trust.resolved > 0
        else {
            return
        }
        retainReference()
        superResolutionFrames.append(
            SuperResolutionFrame(
                codes, format, metadata, gain: aligned.gain, field: field, sharpness: aligned.trust.resolved))
    }

    private func retainReference() {
        guard superResolutionFrames.isEmpty else { return }
        let codes = reference.codes
        superResolutionFrames = [SuperResolutionFrame(codes.span, format, reference.metadata, gain: 1, field: nil)]
    }

    /// Builds the grey pyramid of a frame; nil for a frame smaller than one 2×2 quad.
    private static func pyramid(
        _ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, gain: Double,
        _ memory: FusionMemory, cores: Int?
    ) -> GreyPyramid? {
        guard format.width >= 2, format.height >= 2 else { return nil }
        return codes.withView { GreyPyramid($0, format, metadata, gain: gain, memory, cores: cores) }
    }

    /// Returns the factor that scales a frame's codes above black to the exposure and code range of the reference.
    private func gain(of other: FrameMetadata) -> Double {
        let referenceExposure = reference.metadata.exposureTime * reference.metadata.iso
        let frameExposure = other.exposureTime * other.iso
        let exposure = referenceExposure > 0 && frameExposure > 0 ? referenceExposure / frameExposure : 1
        return exposure * reference.metadata.signalRange / other.signalRange
    }

    private func sum(
        _ codes: Span<UInt16>, _ format: MosaicFormat, _ other: FrameMetadata, _ aligned: Aligned, _ field: MotionField
    ) -> Double {
        let clock = Stopwatch()
        let gain = aligned.gain
        var options = options
        options.strength *= aligned.trust.merged
        let sums = self.sums ?? FrequencySums(self.format, memory, cores: cores)
        let metadata = reference.metadata
        let meanWeight = withReference { referenceSource in
            codes.withView { codes in
                var frame = TileMerge(
                    reference: referenceSource, source: TileSource(codes, format, other, gain: gain),
                    referenceNoise: CodeNoise(metadata, format.pattern, gain: 1),
                    noise: CodeNoise(other.noise.isEmpty ? metadata : other, format.pattern, gain: gain),
                    field: field, options: options, balance: metadata.balance(format.pattern))
                frame.noiseScale = frame.measuredNoise(sums.grid)
                return sums.add(frame, latch: latch)
            }
        }
        self.sums = sums
        report.add(clock.seconds, to: "merge")
        return meanWeight
    }

    private func withReference<R>(_ body: (TileSource) -> R) -> R {
        reference.codes.withView { body(TileSource($0, format, reference.metadata, gain: 1)) }
    }

    /// Prepares to denoise the reference if no frame was merged with it.
    private func prepareReferenceAlone() {
        guard sums == nil, options.denoisesFrameAlone, options.spatialDenoise > 0 else { return }
        let sums = FrequencySums(format, memory, cores: cores)
        guard sums.grid.canAlign else { return }
        sums.setToZero()
        self.sums = sums
    }

    /// Returns the merged codes times `scale`, and for each tile the remaining fraction of the reference's noise
    /// variance.
    private func merged(by scale: Double, denoises: Bool) -> (codes: [UInt16], variances: [Float]) {
        guard let sums else { return (referenceCodes(), []) }
        let noise = CodeNoise(reference.metadata, format.pattern, gain: 1)
        var variances: [Float] = []
        let size = format.width * format.height
        // `finish` fills the whole buffer, unless it was cancelled: then the caller throws before the codes are read.
        let codes = [UInt16](fillingLarge: size) { codes in
            variances = withReference {
                sums.finish(
                    $0, noise: noise, denoising: denoises ? options.spatialDenoise : 0, scale: Float(scale),
                    into: codes, latch: latch)
            }
        }
        return (codes, variances)
    }

    /// Returns the reference's codes scaled to 16 bits: the result if no frame was merged.
    private func referenceCodes() -> [UInt16] {
        let format = format
        return reference.codes.withView { codes in
            [UInt16](fillingLarge: format.width * format.height) { target in
                // Each band writes only its own rows.
                concurrentBands(rows: format.height, of: 64, cores: cores) { rows in
                    Mosaic.deepen(rows, of: codes, format, to: target)
                }
            }
        }
    }
}

extension FrameMetadata {
    /// The number of codes from black to white.
    fileprivate var signalRange: Double { whiteLevel - blackLevel.reduce(0, +) / 4 }

    /// Returns the factor for each CFA position that turns signals into white-balanced values, equal for a grey scene.
    fileprivate func balance(_ pattern: BayerPattern) -> SIMD4<Float> {
        var balance = SIMD4<Float>()
        for (position, plane) in pattern.planes.enumerated() {
            balance[position] = Float(signalRange / (whiteLevel - blackLevel[position]) / relativeSensitivity[plane])
        }
        return balance
    }
}
