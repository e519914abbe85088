import BurstScenes
import Foundation
import Fusion
import RawImage
import Testing

@Suite struct BracketFusionTests {
    @Test(arguments: [0.0, 1.0])
    func highlightsOfTheShortFrameAreKept(_ shift: Double) throws {
        var bracket = SyntheticBracket(320, 256)
        bracket.exposeThree(shift: shift)
        let result = try bracket.fuse()
        let signals = bracket.signals(result)
        let bright = bracket.errors(signals, margin: 16) { $2 > 1.2 && $2 < 3.8 }
        let clipped = bracket.errors(bracket.signals(ofFrame: 0), margin: 16) { $2 > 1.2 && $2 < 3.8 }
        #expect(clipped.deviation > 0.4)
        #expect(bright.deviation < 0.06, "\(bright)")
        #expect(abs(bright.mean) < 0.01)
        #expect(result.report.headroom == 2)
    }

    /// The ratios of the colours are correct both where only some colours of the reference frame are clipped and where
    /// all are.
    @Test func highlightsHaveNoCast() throws {
        var bracket = SyntheticBracket(320, 256)
        bracket.exposeThree(shift: 1)
        let signals = bracket.signals(try bracket.fuse())
        for (low, high) in [(0.7, 1.0), (1.0, 1.6), (1.6, 2.5), (2.5, 3.3)] {
            let means = [(0, 0), (1, 0), (1, 1)].map { x, y in
                bracket.errors(signals, margin: 16) { column, row, truth in
                    let light = bracket.burst.scene(Double(column), Double(row))
                    return column & 1 == x && row & 1 == y && light > low && light < high
                }.mean
            }
            #expect(means.allSatisfy { abs($0) < 0.015 * high }, "\(low)…\(high): \(means)")
        }
    }

    @Test(arguments: [0.0, 1.0])
    func shadowsOfTheLongFrameAreKept(_ shift: Double) throws {
        var bracket = SyntheticBracket(320, 256)
        bracket.exposeThree(shift: shift)
        let result = try bracket.fuse()
        let dark = bracket.errors(bracket.signals(result), margin: 16) { $2 < 0.03 }
        let one = bracket.errors(bracket.signals(ofFrame: 0), margin: 16) { $2 < 0.03 }
        #expect(one.deviation / dark.deviation > 2, "\(one) \(dark)")
        #expect(result.report.effectiveFrames > 1.3)
    }

    /// Of two exposures that are far apart, the long one clips nearly all of a scene, and the short one has few codes
    /// where the long one shows something: what the long one clips is as in the short one.
    @Test(arguments: [-8.0, -10]) func highlightsOfAFarExposureAreItsOwn(stops: Double) throws {
        var bracket = SyntheticBracket(320, 256)
        let range = pow(2, -stops)
        bracket.burst.scene = { x, y in
            let hills = SyntheticBurst.hills(x, y)
            let print = Int(x / 3) % 2 == 0 && Int(y / 7) % 2 == 0 ? 0.3 : 1
            return range * (0.0005 + 0.8 * hills * hills * print)
        }
        bracket.expose(0, seed: 1)
        bracket.expose(stops, seed: 2)
        let fused = bracket.errors(bracket.signals(try bracket.fuse(reference: 0)), margin: 16) { $2 > 4 }
        let short = bracket.errors(bracket.signals(ofFrame: 1).map { $0 * range }, margin: 16) { $2 > 4 }
        #expect(fused.deviation < 1.15 * short.deviation, "\(fused) \(short)")
    }

    /// The error is smaller than the reference frame's at every signal level, not only in shadows and highlights.
    @Test func nothingIsWorseThanTheReference() throws {
        var bracket = SyntheticBracket(384, 320)
        bracket.exposeThree(shift: 1)
        let signals = bracket.signals(try bracket.fuse())
        let one = bracket.signals(ofFrame: 0)
        for (low, high) in [(0, 0.02), (0.02, 0.1), (0.1, 0.2), (0.2, 0.3), (0.3, 0.6), (0.6, 0.9), (0.9, 1.1)] {
            let fused = bracket.errors(signals, margin: 0) { $2 >= low && $2 < high }
            let single = bracket.errors(one, margin: 0) { $2 >= low && $2 < high }
            #expect(fused.deviation < single.deviation, "\(low)…\(high)")
        }
    }

    /// Neither rounding nor signal-dependent noise biases the brightness of a fused bracket.
    @Test func nothingIsDarkerOrBrighter() throws {
        var bias = 0.0
        for seed in 0..<4 {
            var bracket = SyntheticBracket(320, 256)
            bracket.burst.scene = { x, y in 0.004 + 0.0007 * x }
            for (index, stops) in [0.0, -2, 2].enumerated() { bracket.expose(stops, seed: UInt64(10 * seed + index)) }
            bias += bracket.errors(bracket.signals(try bracket.fuse())) { _, _, _ in true }.mean / 4
        }
        #expect(abs(bias * (4095 - 256)) < 0.05, "\(bias * (4095 - 256)) counts")
    }

    /// A bright square that crosses a still scene leaves no ghost where it was or where it moves to.
    @Test func movingThingsLeaveNoGhosts() throws {
        var bracket = SyntheticBracket(384, 256)
        let still = bracket.burst.scene
        func scene(_ left: Double) -> (Double, Double) -> Double {
            { x, y in (left..<left + 40).contains(x) && (100..<140).contains(y) ? 0.4 : still(x, y) }
        }
        bracket.expose(0, seed: 1, scene: scene(60))
        bracket.expose(-2, seed: 2, scene: scene(130))
        bracket.expose(2, seed: 3, scene: scene(220))
        let result = try bracket.fuse()
        bracket.burst.scene = scene(60)
        let path = { (x: Int, y: Int, _: Double) in (56..<264).contains(x) && (96..<144).contains(y) }
        let (fused, single) = (
            bracket.errors(bracket.signals(result)) { path($0, $1, $2) && $2 < 0.9 },
            bracket.errors(bracket.signals(ofFrame: 0)) { path($0, $1, $2) && $2 < 0.9 }
        )
        #expect(fused.deviation < single.deviation, "\(fused) \(single)")
        #expect(abs(fused.mean) < 0.001)
    }

    /// A lamp that only the reference shows is clipped there: it stays bright and white, not magenta, whatever the
    /// short frame shows at its position.
    @Test func aLampThatMovedStaysWhite() throws {
        var bracket = SyntheticBracket(256, 192)
        let still = { (x: Double, y: Double) in 0.1 + 0.1 * SyntheticBurst.hills(x, y) }
        let lamp = { (x: Double, y: Double) in
            (x - 100) * (x - 100) + (y - 90) * (y - 90) < 400 ? 3.0 : still(x, y)
        }
        bracket.expose(0, seed: 1, scene: lamp)
        bracket.expose(-2, seed: 2, scene: still)
        bracket.expose(2, seed: 3, scene: still)
        let signals = bracket.signals(try bracket.fuse())
        for row in 78..<102 {
            for column in 88..<112 {
                let plane = bracket.burst.format.pattern.plane(row: row, column: column)
                let light = signals[row * 256 + column] / bracket.response[plane]
                #expect(light > 1.85 && light < 2.15, "\(column) \(row): \(light)")
            }
        }
    }

    /// A wide clipped area has no texture to align, so its motion is taken from its surroundings.
    @Test func wideClippedAreasAreFilled() throws {
        var bracket = SyntheticBracket(384, 320)
        bracket.burst.scene = { x, y in
            (90..<300).contains(x) && (80..<250).contains(y) ? 2.5 : SyntheticBurst.hills(x, y) * 0.3
        }
        bracket.exposeThree(shift: 2)
        let signals = bracket.signals(try bracket.fuse())
        let inner = bracket.errors(signals) { x, y, _ in (96..<294).contains(x) && (86..<244).contains(y) }
        #expect(inner.deviation < 0.06 && abs(inner.mean) < 0.01, "\(inner)")
    }

    @Test func theOrderOfFramesDoesNotMatter() throws {
        var bracket = SyntheticBracket(200, 160)
        bracket.exposeThree(shift: 0.7)
        let result = try bracket.fuse()
        for order in [[2, 1, 0], [1, 0, 2], [1, 2, 0]] {
            let other = try bracket.fuse(order: order)
            #expect(other.mosaic.codes == result.mosaic.codes)
            #expect(order[other.report.reference] == 0)
            #expect(other.report.frames.map(\.mergedShare) == order.map { result.report.frames[$0].mergedShare })
        }
    }

    @Test(arguments: 2...9)
    func anyNumberOfExposures(_ count: Int) throws {
        var bracket = SyntheticBracket(224, 192)
        let middle = count / 2
        for index in 0..<count {
            bracket.expose(Double(index - middle), right: Double(index - middle), seed: UInt64(index))
        }
        let result = try bracket.fuse(reference: middle)
        #expect(result.report.frames.count == count && result.report.frames.allSatisfy { $0.rejection == nil })
        #expect(result.report.headroom == Double(middle))
        #expect(result.mosaic.metadata.fusedFrames == count)
        let (fused, single) = (
            bracket.errors(bracket.signals(result), margin: 16) { $2 < 0.9 },
            bracket.errors(bracket.signals(ofFrame: middle), margin: 16) { $2 < 0.9 }
        )
        #expect(fused.deviation < 0.9 * single.deviation)
    }

    @Test(arguments: [(0.0, 0.0), (0.5, -0.25), (-11.75, 8.4), (27.2, 21.9)])
    func shiftsAreFound(_ right: Double, _ down: Double) throws {
        var bracket = SyntheticBracket(512, 384)
        bracket.expose(0, seed: 1)
        bracket.expose(-2, right: right, down: down, seed: 2)
        bracket.expose(2, right: -right, down: -down, seed: 3)
        let motions = try bracket.fuse().report.frames.map(\.motion)
        #expect(abs(motions[1].x - right) < 0.15 && abs(motions[1].y - down) < 0.15, "\(motions[1])")
        #expect(abs(motions[2].x + right) < 0.15 && abs(motions[2].y + down) < 0.15, "\(motions[2])")
    }
}

/// Tests of the result's metadata and of its dependence on the frames' metadata.
@Suite struct BracketMetadataTests {
    @Test func metadataDescribesTheResult() throws {
        var bracket = SyntheticBracket(256, 192)
        bracket.exposeThree()
        let (mosaic, report) = try bracket.fuse()
        #expect(mosaic.metadata.blackLevel == [512, 512, 512, 512])
        #expect(mosaic.metadata.whiteLevel == 65_535)
        #expect(mosaic.metadata.exposureTime == bracket.frames[0].metadata.exposureTime)
        #expect(mosaic.metadata.fusedFrames == 3)
        #expect(mosaic.metadata.sensorDigests == ["0.0", "-2.0", "2.0"])
        #expect(mosaic.format.bitDepth == 16)
        #expect(report.reference == 0 && report.frames.map(\.index) == [0, 1, 2])
        #expect(report.seconds(of: "alignment") > 0 && report.seconds(of: "merge") > 0)
    }

    /// The noise profile of a fused bracket matches its measured noise, in shadows and in midtones.
    @Test(arguments: [0.01, 0.05, 0.15])
    func theNoiseProfileIsThatOfTheResult(_ light: Double) throws {
        var bracket = SyntheticBracket(256, 192)
        bracket.burst.scene = { _, _ in light }
        bracket.exposeThree()
        let result = try bracket.fuse()
        let green = bracket.errors(bracket.signals(result)) { x, y, _ in x & 1 != y & 1 }
        let profile = result.mosaic.metadata.noise[1]
        let predicted = 4 * profile.variance(at: light / 4).squareRoot()
        #expect(
            predicted / green.deviation > 0.8 && predicted / green.deviation < 1.4, "\(predicted) \(green.deviation)")
    }

    @Test func theReferenceIsTheMiddleOrTheRequestedFrame() throws {
        var bracket = SyntheticBracket(96, 96)
        for (index, stops) in [2.0, -1, 0, 1, -2].enumerated() { bracket.expose(stops, seed: UInt64(index)) }
        #expect(try bracket.fuse().report.reference == 2)
        #expect(try bracket.fuse(reference: 3).report.reference == 3)
        #expect(try bracket.fuse(reference: 3).report.headroom == 3)
    }

    /// The reference of two frames is the one with fewer clipped and dark pixels: the long exposure clips half of this
    /// scene, the short one none of it.
    @Test func ofTwoFramesTheReferenceIsTheLessClipped() throws {
        var bracket = SyntheticBracket(96, 96)
        bracket.burst.scene = { x, _ in x < 48 ? 0.1 : 1.5 }
        bracket.expose(2, seed: 1)
        bracket.expose(-1, seed: 2)
        #expect(try bracket.fuse().report.reference == 1)
        bracket.burst.scene = { x, _ in x < 48 ? 0.003 : 0.1 }
        bracket.frames = []
        bracket.expose(2, seed: 1)
        bracket.expose(-1, seed: 2)
        #expect(try bracket.fuse().report.reference == 0)
    }

    /// The exposures of frames without exposure times are estimated from the pictures.
    @Test func missingExposuresAreEstimated() throws {
        var bracket = SyntheticBracket(320, 256)
        bracket.exposeThree(shift: 1)
        for index in 0..<3 { bracket.frames[index].metadata.exposureTime = 0 }
        let result = try bracket.fuse()
        #expect(result.report.reference == 0)
        #expect(abs(result.report.headroom - 2) < 0.05, "\(result.report.headroom)")
        #expect(result.report.effectiveFrames > 1.3)
    }

    @Test(arguments: BayerPattern.allCases, [8, 10, 14, 16])
    func allOrdersAndDepths(_ pattern: BayerPattern, _ depth: Int) throws {
        var bracket = SyntheticBracket(131, 97, pattern: pattern, bitDepth: depth)
        bracket.exposeThree(shift: 0.5)
        let signals = bracket.signals(try bracket.fuse())
        let bright = bracket.errors(signals, margin: 12) { $2 > 1.1 && $2 < 3.8 }
        let rest = bracket.errors(signals, margin: 12) { $2 < 0.9 }
        let one = bracket.errors(bracket.signals(ofFrame: 0), margin: 12) { $2 < 0.9 }
        #expect(bright.deviation < 0.08, "\(bright)")
        #expect(rest.deviation < one.deviation)
    }

    @Test(arguments: [(1, 1), (1, 9), (9, 1), (2, 2), (3, 2), (2, 3), (5, 7), (17, 3), (35, 36), (37, 37), (129, 131)])
    func anySizeWorks(_ width: Int, _ height: Int) throws {
        var bracket = SyntheticBracket(width, height)
        bracket.burst.scene = { x, y in 0.2 * SyntheticBurst.hills(x, y) }
        bracket.exposeThree()
        let result = try bracket.fuse()
        #expect(result.mosaic.codes.count == width * height)
        #expect(result.mosaic.metadata.fusedFrames == (min(width, height) >= 2 ? 3 : 1))
        let signals = bracket.signals(result)
        for row in 0..<height {
            for column in 0..<width where bracket.truth(column, row) < 0.9 {
                #expect(abs(signals[row * width + column] - bracket.truth(column, row)) < 0.07)
            }
        }
    }

    @Test func theNumberOfCoresMakesNoDifference() throws {
        var bracket = SyntheticBracket(333, 301)
        bracket.exposeThree(shift: 1)
        let (one, all) = (try bracket.fuse(cores: 1), try bracket.fuse())
        #expect(one.mosaic.codes == all.mosaic.codes)
        #expect(one.report.frames == all.report.frames)
        #expect(one.report.effectiveFrames == all.report.effectiveFrames)
    }
}
