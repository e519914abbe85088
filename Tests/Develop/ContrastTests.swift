import Develop
import Glibc
import RawImage
import Testing

/// Tests the contrast and the colours of automatically derived looks, in scenes that a plain rendering leaves flat,
/// grey, too bright or too dark.
@Suite struct ContrastTests {
    /// Renders a scene with its automatic look but without sharpening, and returns the linear display colours.
    private func shown(
        _ photo: TestPhoto = TestPhoto(), _ scene: (Int, Int) -> SIMD3<Double>
    ) throws -> [SIMD3<Double>] {
        let image = try photo.photo(scene)
        var recipe = try RecipeMaker().recipe(for: image)
        recipe.sharpness = 0
        let picture = try Renderer(linear: image, recipe: recipe).picture(Renderer.Output())
        guard case .bytes(let bytes) = picture.samples else { return [] }
        return stride(from: 0, to: bytes.count, by: 3).map { pixel in
            linear(SIMD3(Double(bytes[pixel]), Double(bytes[pixel + 1]), Double(bytes[pixel + 2])))
        }
    }

    private func grey(_ value: Double) -> SIMD3<Double> { SIMD3(repeating: value) }

    /// The mean of the green channel over some of the picture's pixels.
    private func mean(_ colors: [SIMD3<Double>], where isPart: (Int, Int) -> Bool) -> Double {
        let part = colors.indices.filter { isPart($0 / 256, $0 % 256) }.map { colors[$0].y }
        return part.reduce(0, +) / Double(max(1, part.count))
    }

    /// A facade in even light, with rows of darker windows.
    private func isWindow(_ row: Int, _ column: Int) -> Bool { row % 24 < 12 && column % 18 < 8 }

    @Test(arguments: [0.0, -1.5]) func aFacadeHasMoreContrastThanTheLightOnIt(stops: Double) throws {
        let colors = try shown { grey(exp2(stops) * (isWindow($0, $1) ? 0.1 : 0.2)) }
        let contrast = log2(mean(colors) { !isWindow($0, $1) } / mean(colors, where: isWindow))
        #expect(contrast > 1.15)
        #expect(contrast < 1.6)
    }

    @Test func noiseTakesTheContrastBack() throws {
        func contrast(_ noise: NoiseProfile) throws -> Double {
            var photo = TestPhoto()
            photo.metadata.noise = [noise]
            let colors = try shown(photo) { grey(isWindow($0, $1) ? 0.1 : 0.2) }
            return log2(mean(colors) { !isWindow($0, $1) } / mean(colors, where: isWindow))
        }
        let (clean, noisy) = try (
            contrast(NoiseProfile(shot: 1e-6, read: 1e-10)), contrast(NoiseProfile(shot: 4e-3, read: 1e-5))
        )
        #expect(noisy < clean - 0.03)
    }

    /// Colours gain saturation, without a change of hue: of skin, brick, leaves and sky. Grey stays grey, and nothing
    /// clips.
    @Test func coloursAreFullerAndKeepTheirHue() throws {
        let paints = [
            SIMD3(0.30, 0.19, 0.14), SIMD3(0.16, 0.08, 0.06), SIMD3(0.06, 0.10, 0.03), SIMD3(0.12, 0.19, 0.32),
            SIMD3(0.35, 0.04, 0.03), SIMD3(0.18, 0.18, 0.18),
        ]
        let colors = try shown { row, column in paints[(row / 64 * 4 + column / 64) % 6] }
        for (index, paint) in paints.enumerated() {
            let color = colors[(index / 4 * 64 + 32) * 256 + index % 4 * 64 + 32]
            func saturation(_ color: SIMD3<Double>) -> Double { 1 - color.min() / color.max() }
            #expect(color.max() < 0.95)
            guard saturation(paint) > 0 else {
                #expect(color.max() - color.min() < 0.005)
                continue
            }
            #expect(saturation(color) > 1.04 * saturation(paint) || saturation(color) > 0.9, "\(paint)")
            // Where the middle channel lies between the smallest and the largest one.
            func middle(_ color: SIMD3<Double>) -> Double {
                (color.sum() - color.max() - 2 * color.min()) / (color.max() - color.min())
            }
            #expect(abs(middle(color) - middle(paint)) < 0.06, "\(paint)")
        }
    }

    /// A scene of detail over two stops, of which the sensor clipped about a sixth if it is exposed too long.
    private func wall(_ row: Int, _ column: Int) -> Double {
        0.45 * exp2(wave(Double(row) / 24) + 0.6 * wave(Double(column) / 18))
    }

    @Test func anOverexposedSceneIsBroughtDownAndItsWhiteStays() throws {
        let colors = try shown { grey(min(1, wall($0, $1))) }
        let dark = mean(colors) { (0.15...0.3).contains(wall($0, $1)) }
        #expect(dark < 0.17)
        #expect(mean(colors) { wall($0, $1) > 1 } > 0.96)
    }

    /// A bright scene that the sensor did not clip, such as snow or fog, is meant to be bright.
    @Test func aBrightSceneWithoutClippingStaysBright() throws {
        let colors = try shown { grey(0.75 + 0.15 * wave(Double($0) / 30) * wave(Double($1) / 40)) }
        #expect(mean(colors) { _, _ in true } > 0.7)
    }

    /// A subject in front of a clipped white background, as in a studio, keeps its exposure.
    @Test func aSubjectBeforeWhiteIsNotDarkened() throws {
        func isSubject(_ row: Int, _ column: Int) -> Bool { (40..<192).contains(row) && (60..<190).contains(column) }
        let colors = try shown { row, column in
            grey(isSubject(row, column) ? 0.1 * exp2(0.9 * wave(Double(row) / 24) * wave(Double(column) / 18)) : 1)
        }
        #expect(mean(colors, where: isSubject) > 0.09)
    }

    /// A photo that was exposed longer on purpose is not brought back.
    @Test func aPhotoMeantToBeBrightIsNotBroughtDown() throws {
        var photo = TestPhoto()
        photo.metadata.exposureBias = 2
        let isDark = { (row: Int, column: Int) in (0.15...0.3).contains(wall(row, column)) }
        let meant = try mean(shown(photo) { grey(min(1, wall($0, $1))) }, where: isDark)
        #expect(try meant > mean(shown { grey(min(1, wall($0, $1))) }, where: isDark) + 0.03)
    }

    /// A room opens up beside its window; the window keeps its contrast, and the wall no bright rim.
    @Test func aRoomOpensUpBesideItsWindow() throws {
        func isView(_ row: Int, _ column: Int) -> Bool { (30..<110).contains(row) && (30..<140).contains(column) }
        let colors = try shown { row, column in
            isView(row, column)
                ? grey(0.5 + 0.3 * wave(Double(row) / 31) * wave(Double(column) / 23))
                : grey(0.008 * exp2(0.8 * wave(Double(row) / 13) * wave(Double(column) / 17)))
        }
        let inside = mean(colors) { _, column in column > 180 }
        #expect(inside > 0.05)
        let view = colors.indices.filter { isView($0 / 256, $0 % 256) }.map { colors[$0].y }
        #expect((view.max() ?? 0) - (view.min() ?? 1) > 0.3)
        let (near, far) = (mean(colors) { $1 > 144 && $1 < 156 }, mean(colors) { $1 > 225 && $1 < 237 })
        #expect(abs(near / far - 1) < 0.15)
    }
}
