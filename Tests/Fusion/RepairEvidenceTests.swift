import BurstScenes
internal import Foundation
import Fusion
import RawImage
import Testing

/// Tests that hand-held bursts of textured scenes show which pixels are defective.
@Suite(.timeLimit(.minutes(10))) struct RepairEvidenceTests {
    /// Returns a hand-held burst, every second one with a moving object.
    private func burst(
        _ scene: TestScene, seed: Int, iso: Double, frames: Int, isStill: Bool = false
    ) -> RandomBurst {
        var random = Random(UInt64(seed) + 9000)
        var burst = RandomBurst(seed: seed)
        (burst.scene, burst.width, burst.height, burst.bitDepth) = (scene, 400, 304, 12)
        (burst.iso, burst.lens, burst.level, burst.glints, burst.reference) = (iso, 0.18, 0.9, 0, 0)
        burst.pattern = .rggb
        burst.views = (0..<frames).map { index in
            let (reach, turn): (Float, Float) = index == 0 || isStill ? (0, 0) : (18, 0.0017)
            return RandomBurst.View(
                right: random.uniform(-reach, reach), down: random.uniform(-reach, reach),
                turn: random.uniform(-turn, turn))
        }
        burst.faults = Array(repeating: nil, count: frames)
        burst.exposures = Array(repeating: 1, count: frames)
        burst.flicker = Array(repeating: 1, count: frames)
        burst.objects = seed % 2 == 0 || isStill ? [] : [MovingDisc(in: SIMD2(400, 304), &random)]
        return burst
    }

    /// Fine print, brick walls and lamps have dots of one pixel, none of which is a defect.
    @Test(arguments: TestScene.allCases, [100.0, 800, 3200])
    func nothingIsRepairedWithoutDefects(_ scene: TestScene, _ iso: Double) throws {
        let repaired = try (0..<5).map {
            try FusedBurst(burst(scene, seed: $0, iso: iso, frames: 3)).report.repairedPixels
        }
        #expect(repaired.allSatisfy { $0 == 0 }, "\(repaired)")
    }

    @Test(arguments: [TestScene.texture, .gradients, .lamps], [100.0, 800, 3200])
    func defectsAreRepaired(_ scene: TestScene, _ iso: Double) throws {
        let tally = try tally(scene, iso: iso)
        #expect(Double(tally.repaired) >= 0.98 * Double(tally.defects), "\(tally)")
        #expect(tally.repairs <= tally.defects, "\(tally)")
    }

    /// Where the scene has as much contrast from pixel to pixel as a defect, no frame may show that it stands out.
    @Test(arguments: zip([TestScene.text, .star, .bricks], [0.4, 0.45, 0.45]))
    func mostDefectsInFineTextureAreRepaired(_ scene: TestScene, _ share: Double) throws {
        for iso in [100.0, 800, 3200] {
            let tally = try tally(scene, iso: iso)
            #expect(Double(tally.repaired) >= share * Double(tally.defects), "ISO \(iso): \(tally)")
            #expect(tally.repairs <= tally.defects, "ISO \(iso): \(tally)")
        }
    }

    /// The mean of the frames of a tripod shows the texture around a defect more clearly than one frame.
    @Test(arguments: [TestScene.texture, .bricks, .gradients])
    func aTripodFindsWhatOneFrameShows(_ scene: TestScene) throws {
        for iso in [100.0, 400, 800] {
            let one = try tally(scene, iso: iso, frames: 1, isStill: true)
            let eight = try tally(scene, iso: iso, frames: 8, isStill: true)
            #expect(eight.repaired >= one.repaired, "ISO \(iso): \(eight), one frame \(one)")
            #expect(eight.repairs <= eight.defects, "ISO \(iso): \(eight)")
        }
    }

    /// Where no other frame shows what the reference shows, as behind a thing that passes, a light leaves its pixel,
    /// and a defect does not.
    @Test func whereTheSceneChangesOnlyDefectsAreRepaired() throws {
        let burst = burst(.gradients, seed: 0, iso: 800, frames: 4)
        let signals = burst.signals()
        // Where the texture of the other frames is bright.
        let dots = stride(from: 114, to: 190, by: 16).flatMap { row in
            stride(from: 116, to: 190, by: 16).map { row * burst.width + $0 }
        }
        func repairs(inFrames bright: Range<Int>) throws -> Int {
            let fusion = BurstFusion(FusionOptions(reference: 0))
            for index in 0..<4 {
                var codes = burst.codes(signals[index], noise: UInt64(index))
                for row in index == 0 ? 0..<0 : 80..<220 {
                    for column in 80..<220 {
                        codes[row * burst.width + column] = (row / 2 + column / 2) % 2 == 0 ? 600 : 1500
                    }
                }
                if bright.contains(index) { for dot in dots { codes[dot] += 1000 } }
                try fusion.add(codes.span, format: burst.format, metadata: burst.metadata)
            }
            return try fusion.finish().report.repairedPixels
        }
        let (once, always) = (try repairs(inFrames: 0..<1), try repairs(inFrames: 0..<4))
        #expect(once == 0)
        #expect(always > dots.count / 4 && always <= dots.count)
    }

    /// The defects of several bursts, those that the photo does not show, and the pixels that the fusion repaired.
    private struct Tally {
        var (defects, repaired, repairs) = (0, 0, 0)
    }

    private func tally(
        _ scene: TestScene, iso: Double, frames count: Int = 8, isStill: Bool = false
    ) throws -> Tally {
        var tally = Tally()
        for seed in 0..<3 {
            let burst = burst(scene, seed: seed, iso: iso, frames: count, isStill: isStill)
            let signals = burst.signals()
            var frames = signals.indices.map { burst.codes(signals[$0], noise: UInt64($0)) }
            let truth = signals[0].map { min($0, 1) * 3839 + 256 }
            let defects = defects(of: burst, signals[0], frames[0])
            for defect in defects {
                for index in frames.indices {
                    let code = Int(frames[index][defect.position]) + defect.excess
                    frames[index][defect.position] = UInt16(min(code, 4095))
                }
            }
            let fusion = BurstFusion(FusionOptions(reference: 0))
            for frame in frames { try fusion.add(frame.span, format: burst.format, metadata: burst.metadata) }
            let (mosaic, report) = try fusion.finish()
            tally.defects += defects.count
            tally.repairs += report.repairedPixels
            tally.repaired += defects.count { defect in
                abs(Float(mosaic.codes[defect.position]) / 16 - truth[defect.position]) < Float(defect.excess) / 2
            }
        }
        return tally
    }

    /// Returns random pixels and the codes by which they are too bright: 12 to 80 standard deviations of the noise,
    /// without those that would be clipped.
    private func defects(
        of burst: RandomBurst, _ signals: [Float], _ frame: [UInt16]
    ) -> [(position: Int, excess: Int)] {
        var random = Random(UInt64(burst.seed) + 77)
        return (0..<80).compactMap { _ in
            let position = random.whole(30...270) * burst.width + random.whole(30...370)
            let deviation = burst.metadata.noise[0].variance(at: Double(signals[position])).squareRoot()
            let excess = Int(exp(Double(random.uniform(2.485, 4.382))) * deviation * 3839)
            return Int(frame[position]) + excess < 4000 ? (position, excess) : nil
        }
    }
}
