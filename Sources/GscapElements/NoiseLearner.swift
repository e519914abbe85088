internal import Demosaic
package import RawImage
internal import Synchronization

/// Learns the noise of a camera that does not state it from the frames of its stream: from the first frame on, and
/// more exactly with those that follow. Most frames are only counted: a stream of which no photo is taken costs next to
/// nothing.
package final class NoiseLearner: Sendable {
    private struct State {
        /// The metadata and the format of the measured frames.
        var metadata = FrameMetadata()
        var format: MosaicFormat?
        /// The samples of the last measured frames with their numbers and ISO speeds, oldest first.
        var samples: [(frame: Int, iso: Double, samples: NoiseSamples)] = []
        var profiles: [NoiseProfile] = []
        /// The number of frames since the camera's settings were last learned again.
        var frames = 0
        /// The number of the frame to be measured next, and the number of frames from that to the one after it.
        var (next, gap) = (0, 2)

        /// Whether a frame's codes have the same meaning as those of the measured frames, and nearly the same gain.
        func isLike(_ other: FrameMetadata, _ otherFormat: MosaicFormat) -> Bool {
            format == otherFormat && metadata.whiteLevel == other.whiteLevel && metadata.blackLevel == other.blackLevel
                && NoiseLearner.areSimilar(metadata.iso, other.iso)
        }

        /// Counts a frame. Returns its number if it is to be measured: the first, then fewer and fewer.
        mutating func count() -> Int? {
            defer { frames += 1 }
            guard frames == next else { return nil }
            (next, gap) = (frames + gap, min(2 * gap, NoiseLearner.mostApart))
            return frames
        }
    }

    private let state = Mutex(State())
    private let measured = Atomic(0)

    /// The most frames from one measured to the next.
    package static let mostApart = 256
    /// The number of frames whose samples are used, at most.
    private static let remembered = 6
    /// The ratios of ISO speeds that are learned together.
    private static let similarSpeeds = 0.8...1.25

    private static func areSimilar(_ iso: Double, _ other: Double) -> Bool {
        similarSpeeds.contains(iso > 0 && other > 0 ? other / iso : 1)
    }

    /// Creates a learner of a camera that has delivered no frame.
    package init() {}

    /// The number of frames that were measured.
    package var measuredFrames: Int { measured.load(ordering: .relaxed) }

    /// Takes notice of a frame, and measures it if that is due.
    package func learn(_ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata) {
        let due = state.withLock { state in
            if !state.isLike(metadata, format) { state = State() }
            return state.count()
        }
        guard let due, metadata.problem == nil, (try? format.check(count: codes.count)) != nil else { return }
        measured.add(1, ordering: .relaxed)
        let samples = NoiseSamples(codes, format, metadata, cores: 1)
        state.withLock { state in
            // A speed that rises slowly leaves the first measurements behind, and so does one that is not stated.
            state.samples.removeAll {
                !Self.areSimilar($0.iso, metadata.iso) || $0.frame < due - 2 * Self.mostApart
            }
            state.samples.append((due, metadata.iso, samples))
            if state.samples.count > Self.remembered { state.samples.removeFirst() }
            (state.metadata, state.format) = (metadata, format)
            let all = NoiseSamples(joining: state.samples.map(\.samples))
            guard let estimate = NoiseEstimate([all], format.pattern, metadata) else { return }
            state.profiles = estimate.profiles
        }
    }

    /// Sets the noise profile of a frame to what has been learned, if anything has.
    package func apply(to metadata: inout FrameMetadata) {
        let (profiles, iso) = state.withLock { ($0.profiles, $0.metadata.iso) }
        guard !profiles.isEmpty else { return }
        let gain = iso > 0 && metadata.iso > 0 ? metadata.iso / iso : 1
        metadata.noise = profiles.map { $0.amplified(by: gain) }
        metadata.isNoiseEstimated = true
    }
}
