internal import Demosaic
internal import RawImage
internal import Synchronization

/// Learns the noise of a camera that does not state it from the frames of its stream: from the first frame on, and
/// more exactly with those that follow. Most frames are only counted.
final class NoiseLearner: Sendable {
    private struct State {
        /// The metadata and the format of the measured frames.
        var metadata = FrameMetadata()
        var format: MosaicFormat?
        /// The samples of the last measured frames with their ISO speeds, oldest first.
        var samples: [(iso: Double, samples: NoiseSamples)] = []
        var profiles: [NoiseProfile] = []
        /// The number of frames since the camera's settings were last learned again.
        var frames = 0

        /// Whether a frame's codes have the same meaning as those of the measured frames, and nearly the same gain.
        func isLike(_ other: FrameMetadata, _ otherFormat: MosaicFormat) -> Bool {
            format == otherFormat && metadata.whiteLevel == other.whiteLevel && metadata.blackLevel == other.blackLevel
                && NoiseLearner.areSimilar(metadata.iso, other.iso)
        }

        /// Whether the next frame is measured: the first, then fewer and fewer.
        var isDue: Bool { [2, 6].contains(frames) || frames.isMultiple(of: NoiseLearner.interval) }
    }

    private let state = Mutex(State())

    /// The number of frames from one measured to the next.
    private static let interval = 32
    /// The number of frames whose samples are used.
    private static let remembered = 6
    /// The ratios of ISO speeds that are learned together.
    private static let similarSpeeds = 0.8...1.25

    private static func areSimilar(_ iso: Double, _ other: Double) -> Bool {
        similarSpeeds.contains(iso > 0 && other > 0 ? other / iso : 1)
    }

    /// Takes notice of a frame, and measures it if that is due.
    func learn(_ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata) {
        let isDue = state.withLock { state in
            if !state.isLike(metadata, format) { state = State() }
            defer { state.frames += 1 }
            return state.isDue
        }
        guard isDue, metadata.problem == nil, (try? format.check(count: codes.count)) != nil else { return }
        let samples = NoiseSamples(codes, format, metadata, cores: 1)
        state.withLock { state in
            // A speed that rises slowly leaves the first measurements behind.
            state.samples.removeAll { !Self.areSimilar($0.iso, metadata.iso) }
            state.samples.append((metadata.iso, samples))
            if state.samples.count > Self.remembered { state.samples.removeFirst() }
            (state.metadata, state.format) = (metadata, format)
            let all = NoiseSamples(joining: state.samples.map(\.samples))
            guard let estimate = NoiseEstimate([all], format.pattern, metadata) else { return }
            state.profiles = estimate.profiles
        }
    }

    /// Sets the noise profile of a frame to what has been learned, if anything has.
    func apply(to metadata: inout FrameMetadata) {
        let (profiles, iso) = state.withLock { ($0.profiles, $0.metadata.iso) }
        guard !profiles.isEmpty else { return }
        let gain = iso > 0 && metadata.iso > 0 ? metadata.iso / iso : 1
        metadata.noise = profiles.map { $0.amplified(by: gain) }
        metadata.isNoiseEstimated = true
    }
}
