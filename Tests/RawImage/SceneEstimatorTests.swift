import RawImage
import Testing

/// The measurements of the scene on synthetic mosaics.
@Suite struct SceneEstimatorTests {
    /// Makes a frame of 128×96 pixels at f/2.8, 1/100 s and ISO 100. `signal` gives each pixel's value by column and
    /// row, 0 at black and 1 at white.
    private func samples(
        exposureTime: Double = 0.01, iso: Double = 100, fNumber: Double = 2.8, noise: [NoiseProfile] = [],
        pattern: BayerPattern = .rggb, _ signal: (Int, Int) -> Double
    ) throws -> SceneSamples {
        let format = MosaicFormat(width: 128, height: 96, pattern: pattern, bitDepth: 12)
        var metadata = FrameMetadata(bitDepth: 12)
        metadata.blackLevel = [256, 256, 256, 256]
        metadata.exposureTime = exposureTime
        metadata.iso = iso
        metadata.details.fNumber = fNumber
        metadata.noise = noise
        let codes = (0..<96).flatMap { row in
            (0..<128).map { column in
                UInt16(min(4095, max(0, (256 + 3839 * signal(column, row)).rounded())))
            }
        }
        let samples = SceneSamples(codes.span, format: format, metadata: metadata)
        return try #require(samples)
    }

    private func state(_ samples: SceneSamples) -> SceneState {
        var estimator = SceneEstimator()
        return estimator.feed(samples)
    }

    /// A pattern of tiles with different brightness, 0.1…0.45.
    private func tiles(_ column: Int, _ row: Int) -> Double { 0.1 + 0.05 * Double((column / 8 + 3 * (row / 8)) % 8) }

    /// The correct exposure of a grey scene: L = 12.5 · 2.8² / (0.01 · 100) = 98 cd/m², and 98 · π / 0.18 = 1710 lux.
    @Test(arguments: BayerPattern.allCases)
    func theMeterEquationGivesLux(pattern: BayerPattern) throws {
        let lux = try #require(try state(samples(pattern: pattern) { _, _ in 10.0 / 78 }).illuminance)
        #expect(abs(lux - 1710) < 20)
    }

    @Test func anUnknownLensCountsAsF28() throws {
        let known = try state(samples { _, _ in 0.2 })
        let unknown = try state(samples(fNumber: 0) { _, _ in 0.2 })
        #expect(known.illuminance == unknown.illuminance)
        let slow = try #require(try state(samples(fNumber: 5.6) { _, _ in 0.2 }).illuminance)
        #expect(abs(slow / (known.illuminance ?? 0) - 4) < 0.001)
    }

    @Test(arguments: [(0.0, 100.0), (0.01, 0), (.nan, 100), (0.01, -.infinity)])
    func anUnknownExposureGivesNoLux(exposureTime: Double, iso: Double) throws {
        let state = try state(samples(exposureTime: exposureTime, iso: iso) { _, _ in 0.2 })
        #expect(state.illuminance == nil)
        #expect(!state.isFlashScene)
    }

    @Test func lampsDoNotRaiseTheIlluminance() throws {
        let plain = try #require(try state(samples { _, _ in 0.2 }).illuminance)
        let withLamps = try state(samples { column, _ in column < 16 ? 1 : 0.2 })
        #expect(abs((withLamps.illuminance ?? 0) / plain - 1) < 0.01)
        #expect(abs(withLamps.clippedFraction - 0.125) < 0.001)
    }

    @Test func clippedAndBlackPartsAreMeasured() throws {
        let state = try state(samples { _, row in row < 48 ? 0 : row < 72 ? 0.3 : 1 })
        #expect(abs(state.blackFraction - 0.5) < 0.001)
        #expect(abs(state.clippedFraction - 0.25) < 0.001)
        #expect(state.exposureTime == 0.01)
        #expect(state.iso == 100)
    }

    /// At f/2.8, 1/30 s at ISO 800 is the exposure of 64 lux, and 1/45 s that of 96 lux.
    @Test func theFlashFlagHasTwoLimits() throws {
        var estimator = SceneEstimator()
        // Signal 0.128 at 1/30 s and ISO 800 is a scene of 64 lux.
        let flags = try [200.0, 80, 60, 80, 90, 110, 80].map { lux in
            try estimator.feed(samples(exposureTime: 1.0 / 30, iso: 800) { _, _ in 0.128 * lux / 64 }).isFlashScene
        }
        #expect(flags == [false, false, true, true, true, false, false])
    }

    @Test func aPictureWithoutChangeBecomesStatic() throws {
        var estimator = SceneEstimator()
        let states = try (0..<4).map { _ in try estimator.feed(samples(tiles)) }
        #expect(states.map(\.motion) == [nil, 0, 0, 0])
        #expect(states.map(\.isStatic) == [false, false, true, true])
    }

    @Test func aMovedPictureIsNotStatic() throws {
        var estimator = SceneEstimator()
        for _ in 0..<3 { _ = try estimator.feed(samples(tiles)) }
        let moved = try estimator.feed(samples { column, row in tiles(column + 4, row) })
        #expect(try #require(moved.motion) > 0.2)
        #expect(!moved.isStatic)
    }

    /// Light that changes evenly, and an exposure that changes, are no motion.
    @Test func aChangeOfBrightnessIsNoMotion() throws {
        var estimator = SceneEstimator()
        _ = try estimator.feed(samples(tiles))
        for factor in [0.5, 2, 0.25, 1.7] {
            let state = try estimator.feed(samples { column, row in factor * tiles(column, row) })
            #expect(try #require(state.motion) < 0.003, "\(factor)")
        }
    }

    /// A small subject that moves changes a small part of the picture.
    @Test func aMovingSubjectIsMotion() throws {
        var estimator = SceneEstimator()
        var motion: [Double] = []
        for place in [16, 16, 40] {
            let state = try estimator.feed(
                samples { column, row in
                    (place..<place + 12).contains(column) && (40..<52).contains(row) ? 0.8 : tiles(column, row)
                })
            motion.append(state.motion ?? -1)
        }
        #expect(motion[1] == 0)
        #expect((0.015...0.05).contains(motion[2]))
    }

    @Test func aWhitePictureHasNoMotion() throws {
        var estimator = SceneEstimator()
        _ = try estimator.feed(samples { _, _ in 1 })
        #expect(try estimator.feed(samples { _, _ in 1 }).motion == nil)
    }

    @Test func invalidFramesHaveNoSamples() {
        let good = FrameMetadata(bitDepth: 12)
        #expect(hasSamples(64, good))
        #expect(!hasSamples(63, good))
        #expect(!hasSamples(64, height: 1, good))
        var noLevel = good
        noLevel.whiteLevel = .nan
        #expect(!hasSamples(64, noLevel))
        var noNoise = good
        noNoise.noise = [NoiseProfile(shot: .nan, read: -1)]
        #expect(hasSamples(64, noNoise))
    }

    /// Returns whether a frame of 8 columns with this many codes can be sampled.
    private func hasSamples(_ count: Int, height: Int = 8, _ metadata: FrameMetadata) -> Bool {
        let codes = [UInt16](repeating: 300, count: count)
        let format = MosaicFormat(width: 8, height: height, pattern: .rggb, bitDepth: 12)
        let samples = SceneSamples(codes.span, format: format, metadata: metadata)
        return samples != nil
    }
}
