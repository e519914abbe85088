import BurstScenes
import Fusion
import RawImage
import Testing

/// Tests that small lights in the dark keep their light, and that nothing among them is repaired without a defect.
@Suite(.timeLimit(.minutes(10))) struct SmallLightTests {
    /// The fraction of a light's true flux below which it counts as lost.
    private static let least: Float = 0.6

    /// Lights and defects of several bursts, and how many of them a photo shows wrongly.
    private struct Tally {
        var lights = 0
        /// The lights that are lost in the photo, and in the reference frame.
        var lost = 0
        var lostInFrame = 0
        var defects = 0
        var repaired = 0
        /// The pixels that the fusion repaired, defective or not.
        var repairs = 0

        mutating func add(_ burst: NightBurst) throws {
            let fusion = BurstFusion(FusionOptions(reference: 0))
            let frames = burst.views.indices.map { burst.codes($0) }
            for frame in frames { try fusion.add(frame.span, format: burst.format, metadata: burst.metadata) }
            let (mosaic, report) = try fusion.finish()
            let photo = mosaic.codes.map { Float($0) / 16 }
            lights += burst.lights.count
            lost += burst.fluxes(photo).count { $0 < SmallLightTests.least }
            lostInFrame += burst.fluxes(frames[0].map(Float.init)).count { $0 < SmallLightTests.least }
            defects += burst.defects.count
            repaired += burst.repairedCount(photo)
            repairs += report.repairedPixels
        }
    }

    /// Returns the tally of six bursts of lights, and of 40 defects each if their excesses are given.
    private func tally(
        iso: Double, frames: Int = 8, reach: Float, lights: Int = 60, peaks: ClosedRange<Float>,
        defects: ClosedRange<Float>? = nil
    ) throws -> Tally {
        var tally = Tally()
        for seed in 0..<6 {
            var burst = NightBurst(seed: seed, iso: iso, frames: frames, reach: reach, lights: lights, peaks: peaks)
            if let defects { burst.addDefects(40, deviations: defects) }
            try tally.add(burst)
        }
        return tally
    }

    /// Frames of hand-held bursts are aligned although most tiles are dark, and lights that fall between the pixels of
    /// a colour in some frames are not averaged away.
    @Test(arguments: [800.0, 3200])
    func handHeldLightsKeepTheirLight(_ iso: Double) throws {
        let tally = try tally(iso: iso, reach: 20, peaks: 12...60)
        // 7 of 360 are lost, 1 of them in the reference frame already.
        #expect(tally.lost * 45 <= tally.lights, "\(tally)")
        #expect(tally.repairs == 0, "\(tally)")
    }

    /// In a frame alone and on a tripod, the sharpest lens spreads a light over the next pixels. The mean of a burst
    /// shows that more clearly than a frame does.
    @Test(arguments: [800.0, 3200], [1, 8])
    func stillLightsAreNoDefects(_ iso: Double, _ frames: Int) throws {
        let tally = try tally(iso: iso, frames: frames, reach: 0, lights: 300, peaks: 8...200)
        #expect(tally.repairs * (frames == 1 ? 200 : 500) <= tally.lights, "\(tally)")
    }

    /// Where nothing moves, a defect differs from a light by being one pixel of one colour.
    @Test(arguments: [800.0, 3200], [1, 8])
    func stillDefectsAreRepaired(_ iso: Double, _ frames: Int) throws {
        let tally = try tally(iso: iso, frames: frames, reach: 0, lights: 60, peaks: 8...60, defects: 10...100)
        let share = frames == 1 ? 0.9 : 0.98
        #expect(Double(tally.repaired) >= share * Double(tally.defects), "\(tally)")
    }
}
