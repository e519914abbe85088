internal import Demosaic
internal import PixelMemory
internal import RawImage

/// The noise of a burst's frames: as they state it, or estimated from them if they state none, or one that is plainly
/// wrong.
struct FrameNoise {
    /// The origin of the noise profile; nil if there is none, because none is stated and the frames do not show it.
    private(set) var source: FusionReport.NoiseSource?
    /// The ratio of the variance that the frames have to the one that they state; nil if unknown.
    private(set) var ratio: Double?
    /// The estimated profiles; empty without an estimate.
    private var estimated: [NoiseProfile] = []
    private let format: MosaicFormat
    /// The metadata of the measured frame.
    private let metadata: FrameMetadata
    private var samples: [NoiseSamples]

    /// The ratios of the variance of the frames to that of their noise profile within which the profile is believed. A
    /// single frame cannot prove that there is more noise: fine texture all over the picture looks the same.
    private var plausible: ClosedRange<Double> { 0.5...(samples.count > 1 ? 2 : .infinity) }
    /// The signal at which profiles are compared.
    private static let signal = 0.1
    /// The range of ratios of ISO speeds for which a profile is converted.
    private static let speeds = 1.0 / 64...64

    /// Measures the noise of a frame by itself.
    init(_ codes: MemoryView<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, cores: Int?) {
        self.format = format
        self.metadata = metadata
        samples = [NoiseSamples(codes, format, metadata, cores: cores)]
        estimate()
    }

    /// Measures the noise of the frame by its differences from others as well.
    mutating func add(_ differences: [NoiseSamples]) {
        guard !differences.isEmpty else { return }
        samples.append(NoiseSamples(joining: differences))
        estimate()
    }

    private mutating func estimate() {
        let isKnown = CodeNoise.isKnown(metadata)
        let isStated = isKnown && !metadata.isNoiseEstimated
        guard let estimate = NoiseEstimate(samples, format.pattern, metadata) else {
            // Differences that show nothing leave what the frame by itself has shown.
            if samples.count == 1, isKnown { source = isStated ? .stated : .estimated }
            return
        }
        (source, ratio, estimated) = (isStated ? .stated : .estimated, nil, [])
        if isStated {
            ratio = estimate.ratio(to: metadata.noise)
            guard let ratio, !plausible.contains(ratio) else { return }
            source = .corrected
        }
        estimated = estimate.profiles
    }

    /// The noise with the estimate in place of a stated profile with less than half of it; nil if there is none. A
    /// small picture gives an estimate without a clear ratio.
    var withEstimate: FrameNoise? {
        guard source == .stated, let stated = metadata.noise.first,
            let estimate = NoiseEstimate(samples, format.pattern, metadata), let own = estimate.profiles.first
        else { return nil }
        guard ratio ?? (own.variance(at: Self.signal) / stated.variance(at: Self.signal)) > 2 else { return nil }
        var result = self
        (result.source, result.estimated) = (.corrected, estimate.profiles)
        return result
    }

    /// Returns the metadata of a frame of the same camera with the estimated noise profile, if there is one. `stated`
    /// is what the frame states: the estimate may be withdrawn when more frames have been measured.
    func applied(to stated: FrameMetadata) -> FrameMetadata {
        if isReplaced(in: stated) {
            var result = stated
            result.noise = metadata.noise
            return result
        }
        guard !estimated.isEmpty else { return stated }
        let speeds = metadata.iso > 0 && stated.iso > 0 ? stated.iso / metadata.iso : 1
        let gain = Self.speeds.contains(speeds) ? speeds : 1
        var result = stated
        result.noise = estimated.map { $0.amplified(by: gain) }
        result.isNoiseEstimated = true
        return result
    }

    /// Whether a frame takes the profile of the measured frame, because it states a plainly different one at the same
    /// ISO speed: with too much noise a sharp frame would count as blurred.
    func isReplaced(in stated: FrameMetadata) -> Bool {
        let own = metadata.noise
        guard source == .stated, metadata.iso > 0, stated.iso == metadata.iso, stated.noise.count == own.count
        else { return false }
        return !zip(stated.noise, own).allSatisfy { other, own in
            (0.5...2).contains(other.variance(at: Self.signal) / own.variance(at: Self.signal))
        }
    }

    /// Records the origin of the noise profile in a report.
    func note(in report: inout FusionReport) {
        report.noiseSource = source
        report.statedNoiseRatio = ratio
    }
}
