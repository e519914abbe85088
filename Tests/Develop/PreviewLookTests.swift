import Develop
import Glibc
import RawImage
import Testing

/// Tests that a live view looks like the photo that would be taken.
@Suite struct PreviewLookTests {
    private let width = 320
    private let height = 240

    /// Coloured scenes of 640×480 pixels: a room with a window, print on paper, dusk, a lamp.
    private static let scenes: [String: @Sendable (Int, Int) -> SIMD3<Double>] = [
        "window": { row, column in
            let detail = exp2(0.7 * wave(Double(row) / 41) * wave(Double(column) / 53))
            let isSky = row < 220 && column > 300
            return (isSky ? SIMD3(0.6, 0.75, 0.95) : SIMD3(0.03, 0.018, 0.012)) * detail * 0.9
        },
        "page": { row, column in
            SIMD3(0.22, 0.21, 0.2) * (row % 40 < 12 && column % 25 < 8 ? 0.07 : 1)
        },
        "dusk": { row, column in
            let color = [SIMD3(0.9, 0.1, 0.1), SIMD3(0.1, 0.6, 0.2), SIMD3(0.1, 0.2, 0.8), SIMD3(0.6, 0.6, 0.6)]
            return color[(row / 60 + column / 80) % 4] * 0.03 * exp2(wave(Double(row + column) / 97))
        },
        "lamp": { row, column in
            let isLamp = (row - 100) * (row - 100) + (column - 500) * (column - 500) < 900
            return isLamp ? SIMD3(4, 3, 2) : SIMD3(0.05, 0.04, 0.03) * exp2(1.5 * wave(Double(row - column) / 160))
        },
    ]

    private func mosaic(_ name: String, light: Double = 1) throws -> Mosaic {
        let scene = try #require(Self.scenes[name])
        return try TestCamera.mosaic(640, 480) { scene($0, $1) * light }
    }

    /// Renders a frame as the live view shows it and returns its pixels.
    private func shown(_ mosaic: Mosaic, _ look: inout LiveLook) throws -> [SIMD3<Double>] {
        let codes = mosaic.codes
        let state = try look.next(
            mosaic: codes.span, format: mosaic.format, metadata: mosaic.metadata, after: 1.0 / 30)
        var metadata = mosaic.metadata
        metadata.neutral = state.neutral
        return try PreviewRenderer(metadata: metadata, recipe: state.recipe).preview(mosaic, width, height).pixels
    }

    @Test(arguments: ["window", "page", "dusk", "lamp"]) func theLiveViewMatchesThePhoto(name: String) throws {
        let mosaic = try mosaic(name)
        var look = LiveLook()
        let seen = try shown(mosaic, &look)
        var output = Renderer.Output()
        output.size = .init(width: width, height: height)
        let photo = try Renderer(mosaic: mosaic, recipe: RecipeMaker().recipe(for: mosaic)).picture(output)
        guard case .bytes(let bytes) = photo.samples else { throw DevelopError(.badOutput, "no bytes") }
        let differences = seen.indices.map { place in
            let taken = SIMD3(Double(bytes[3 * place]), Double(bytes[3 * place + 1]), Double(bytes[3 * place + 2]))
            return Lab(linear(seen[place])).difference(Lab(linear(taken)))
        }
        let mean = differences.reduce(0, +) / Double(differences.count)
        // At the hard edges of print the preview shows colour fringes, because it does not demosaic.
        #expect(mean < 3)
        #expect(differences.sorted()[differences.count / 2] < 1.5)
        let plain = try PreviewRenderer(metadata: mosaic.metadata).preview(mosaic, width, height).pixels
        let change = zip(seen, plain).reduce(0) { $0 + Lab(linear($1.0)).difference(Lab(linear($1.1))) }
        #expect(change / Double(seen.count) > 3, "there is a look to be seen")
    }

    /// When the scene's brightness changes, the picture follows at once and then recovers without a jump or
    /// overshoot.
    @Test(arguments: [0.2, 4]) func aStepOfLightIsFollowedSmoothly(step: Double) throws {
        let before = try mosaic("window", light: step > 1 ? 1 / step : 1)
        let after = try mosaic("window", light: step > 1 ? 1 : step)
        var look = LiveLook()
        _ = try shown(before, &look)
        let frames = try (0..<40).map { _ in try shown(after, &look) }
        // The indices of one pixel in the room, and of one in the sky.
        for place in [200 * width + 60, 40 * width + 240] {
            let light = frames.map { linear($0[place]).y }
            let ways = zip(light, light.dropFirst()).map { log2(max($1, 1e-3) / max($0, 1e-3)) }
            let direction = step > 1 ? -1.0 : 1
            #expect(ways.allSatisfy { $0 * direction > -0.06 }, "\(ways)")
            #expect(ways.allSatisfy { abs($0) < 0.5 }, "no more than half a stop from frame to frame")
        }
        var fresh = LiveLook()
        let settled = try zip(#require(frames.last), shown(after, &fresh)).reduce(0) {
            $0 + Lab(linear($1.0)).difference(Lab(linear($1.1)))
        }
        #expect(settled / Double(width * height) < 1.5, "it comes to rest where a view begins that starts there")
    }

    @Test func aStillSceneIsShownStill() throws {
        var look = LiveLook()
        let frames = try (0..<12).map { frame in
            // The scene's illumination flickers by 2 %.
            try shown(mosaic("lamp", light: 1 + 0.02 * wave(Double(frame) / 5)), &look)
        }
        let light = frames.map { linear($0[120 * width + 160]).y }
        #expect(light.allSatisfy { abs(log2($0 / light[0])) < 0.1 })
    }

    @Test func aLinearPhotoIsShownWithItsLookToo() throws {
        var test = TestPhoto()
        (test.width, test.height) = (320, 240)
        let photo = try test.photo { row, column in
            (row < 110 ? SIMD3(0.7, 0.8, 0.9) : SIMD3(0.02, 0.03, 0.01)) * exp2(0.5 * wave(Double(column) / 31))
        }
        let recipe = try RecipeMaker().recipe(for: photo)
        #expect(recipe.gainTableMap != nil)
        let quick = try PreviewRenderer(metadata: photo.metadata, recipe: recipe).develop(photo, 320, 240)
        var whole = recipe
        whole.sharpness = 0
        guard case .bytes(let bytes) = try Renderer(linear: photo, recipe: whole).picture(Renderer.Output()).samples
        else { throw DevelopError(.badOutput, "no bytes") }
        let mean =
            quick.pixels.enumerated().reduce(0) { sum, pixel in
                let place = 3 * pixel.offset
                let finished = SIMD3(Double(bytes[place]), Double(bytes[place + 1]), Double(bytes[place + 2]))
                return sum + Lab(linear(pixel.element)).difference(Lab(linear(finished)))
            } / Double(320 * 240)
        #expect(mean < 1.5)
    }
}
