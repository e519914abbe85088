import Develop
import Glibc
import RawImage
import Testing

/// Tests the brightness of automatically derived looks: scenes come out as a viewer expects them, however the camera
/// exposed them.
@Suite struct BrightnessTests {
    /// Renders a grey scene with its automatic look but without sharpening, and returns the linear display values.
    private func shown(_ scene: (Int, Int) -> Double) throws -> [Double] {
        let photo = try TestPhoto().grey(scene)
        var recipe = try RecipeMaker().recipe(for: photo)
        recipe.sharpness = 0
        let picture = try Renderer(linear: photo, recipe: recipe).picture(Renderer.Output())
        guard case .bytes(let bytes) = picture.samples else { return [] }
        return stride(from: 1, to: bytes.count, by: 3).map { linear(SIMD3(repeating: Double(bytes[$0]))).y }
    }

    private func median(_ light: [Double]) -> Double { light.sorted()[light.count / 2] }

    /// The linear value at a pixel of a room with a typical brightness distribution: detail over seven stops, a tenth
    /// of white on average.
    private func room(_ row: Int, _ column: Int) -> Double {
        let large = wave(Double(row) / 130 + 0.1) + wave(Double(column) / 170)
        return 0.1 * exp2(large + 0.8 * wave(Double(row + column) / 11) + 0.6 * wave(Double(row - 2 * column) / 29))
    }

    private func hasLamp(_ row: Int, _ column: Int) -> Bool {
        let (down, across) = (row - 40, column - 200)
        return down * down + across * across < 150
    }

    @Test(arguments: [-1.0, -2, -3]) func aSceneTooDarkComesOutLikeTheWellExposedOne(stops: Double) throws {
        let wanted = median(try shown(room))
        for lamp in [0.0, 40] {
            let dark = try shown { (hasLamp($0, $1) ? max(lamp, room($0, $1)) : room($0, $1)) * exp2(stops) }
            #expect(abs(log2(median(dark) / wanted)) < 0.7, "\(stops) EV, with a lamp of \(lamp)")
        }
        // The median of the well exposed rendering is near middle grey, 18 %.
        #expect((0.1...0.3).contains(wanted))
    }

    /// Whether a pixel is print, in lines of text on paper that fills the picture.
    private func isPrint(_ row: Int, _ column: Int) -> Bool { row % 16 < 5 && column % 5 < 2 && column % 90 < 70 }

    @Test(arguments: [0.0, -1, -2, -3]) func paperIsWhite(stops: Double) throws {
        let page = try shown { (isPrint($0, $1) ? 0.05 : 0.8 + 0.05 * wave(Double($1) / 300)) * exp2(stops) }
        let paper = (0..<page.count).filter { !isPrint($0 / 256, $0 % 256) }.map { page[$0] }
        // The paper's L* is at least 85, and its gradation remains.
        #expect(median(paper) > 0.66)
        #expect(median(paper) < 0.98)
        #expect(page.min() ?? 1 < 0.2, "print is dark")
    }

    @Test func aBlackGroundStaysBlackAndItsSubjectWhole() throws {
        func isSubject(_ row: Int, _ column: Int) -> Bool { abs(row - 110) < 50 && abs(column - 128) < 25 }
        let light = try shown {
            isSubject($0, $1) ? 0.2 + 0.1 * wave(Double($0) / 23) * wave(Double($1) / 17) : 0.003
        }
        #expect(light[10 * 256 + 10] < 0.03)
        let subject = (0..<light.count).filter { isSubject($0 / 256, $0 % 256) }.map { light[$0] }
        #expect(subject.count { $0 >= 1 } < subject.count / 50)
        #expect(median(subject) < 0.85)
    }

    /// A sky that the sensor did not clip stays below white and keeps the contrast of its clouds.
    @Test(arguments: [0.0, -1, -2]) func aSkyIsHeldAboveALiftedGround(stops: Double) throws {
        func scene(_ row: Int, _ column: Int) -> Double {
            let grass = 0.03 * exp2(0.8 * wave(Double(row) / 7) * wave(Double(column) / 9))
            return exp2(stops) * (row < 96 ? 0.7 + 0.2 * wave(Double(column) / 60) : grass)
        }
        let light = try shown(scene)
        let sky = light[0..<90 * 256]
        #expect(sky.max() ?? 1 < 1)
        #expect((sky.max() ?? 0) - (sky.min() ?? 1) > 0.12)
        #expect(median(Array(light[110 * 256..<180 * 256])) > 1.1 * 0.03)
    }

    /// From a dark wall to a bright window the output increases monotonically, and neither side changes towards the
    /// edge (no halo).
    @Test(arguments: [-2.0, 0]) func lightAcrossAnEdgeOnlyRises(stops: Double) throws {
        let light = try shown { _, column in
            let share = max(0, min(1, (Double(column) - 126) / 4))
            return exp2(stops) * 0.015 * pow(0.9 / 0.015, share)
        }
        let row = Array(light[100 * 256..<101 * 256])
        let step = (row.max() ?? 0) - (row.min() ?? 0)
        #expect(step > 0.3)
        for column in 1..<256 { #expect(row[column] > row[column - 1] - 0.02 * step, "column \(column)") }
        #expect(abs(row[118] - row[20]) < 0.04 * step)
        #expect(abs(row[140] - row[235]) < 0.04 * step)
    }

    /// A stored fused photo without its fusion report gets the same brightness as when it was fused.
    @Test func aFileOfMoreLightThanWhiteGetsALookLikeThatOfItsPhoto() throws {
        let test = TestPhoto().withHeadroom(5)
        let photo = try test.grey { row, column in
            (row < 30 && column > 230 ? 25 : room(row, column)) * exp2(-5)
        }
        let first = try RecipeMaker().recipe(for: photo)
        var stored = photo
        stored.metadata.fusion = nil
        let filter = try RAWFilter(stored, recipe: Recipe(exposure: first.exposure + 5), look: .automatic)
        #expect(abs(filter.recipe.exposure - first.exposure - 5) < 0.3)
        #expect(filter.recipe.gainTableMap != nil)
    }
}
