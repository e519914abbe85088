import BurstScenes
import Fusion
import RawImage
import Testing

/// Tests of what a fusion mode gives.
@Suite struct ModeTests {
    private static let scenes: [TestScene] = [.texture, .text, .star]

    /// Returns the mean quality of a mode's photos over some scenes.
    private func quality(_ mode: FusionMode, frames: Int = 8) throws -> Double {
        let found = try Self.scenes.enumerated().map { seed, scene in
            let burst = ModeBurst(scene, seed: seed, frames: frames)
            return try burst.quality(burst.photo(FusionOptions(photoIn: mode), frames: frames))
        }
        return found.reduce(0, +) / Double(found.count)
    }

    /// The limits lie 0.3 dB below the measured results.
    @Test(arguments: [(FusionMode.speed, 37.05), (.balanced, 38.25), (.quality, 40.4)])
    func aModeIsGoodInTheDark(_ mode: FusionMode, _ bar: Double) throws {
        let quality = try quality(mode)
        #expect(quality > bar, "\(quality) dB")
    }

    @Test func sixteenFramesAreBetterThanEight() throws {
        let (eight, sixteen) = (try quality(.quality), try quality(.quality, frames: 16))
        #expect(sixteen > eight + 1.4, "\(sixteen - eight) dB")
    }

    /// Whether detail is made or not, denoising removes noise, and 0 leaves it.
    @Test(arguments: FusionMode.allCases) func denoisingWorks(_ mode: FusionMode) throws {
        let burst = ModeBurst(.gradients, seed: 2)
        let qualities = try [0.0, 1, 2].map { amount in
            var options = FusionOptions(photoIn: mode)
            options.spatialDenoise = amount
            return try burst.quality(burst.photo(options))
        }
        #expect(qualities[1] > qualities[0] + 0.5 && qualities[2] > qualities[1], "\(qualities)")
    }

    @Test func onlyQualityMakesDetail() throws {
        let burst = ModeBurst(.texture, seed: 5)
        for mode in FusionMode.allCases {
            let report = try #require(try burst.photo(FusionOptions(photoIn: mode)).metadata.fusion)
            #expect((report.superResolvedFraction != nil) == (mode == .quality))
            #expect(report.usedFrames == (mode == .speed ? 4 : 8))
        }
    }
}
