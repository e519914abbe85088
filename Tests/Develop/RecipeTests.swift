import Develop
import Glibc
import RawImage
import Testing

/// Creates linear images of scenes for a camera whose RGB is linear sRGB.
struct TestPhoto {
    var metadata: FrameMetadata = {
        var metadata = FrameMetadata()
        metadata.noise = [NoiseProfile(shot: 1e-6, read: 1e-10)]
        return metadata
    }()
    var width = 256
    var height = 192

    /// Returns an image of a scene of linear values; 1 is the sensor's white.
    func photo(_ scene: (Int, Int) -> SIMD3<Double>) throws -> LinearImage {
        let format = LinearFormat(width: width, height: height)
        var values = [UInt16](repeating: 65_535, count: format.valueCount)
        for row in 0..<height {
            for column in 0..<width {
                let light = scene(row, column)
                for plane in 0..<3 {
                    values[row * format.stride + 4 * column + plane] =
                        UInt16(max(0, min(65_535, (light[plane] * 65_535).rounded())))
                }
            }
        }
        return try LinearImage(format: format, metadata: metadata, values: values)
    }

    func grey(_ scene: (Int, Int) -> Double) throws -> LinearImage {
        try photo { SIMD3(repeating: scene($0, $1)) }
    }

    func recipe(strength: Double = 1, _ scene: (Int, Int) -> Double) throws -> Recipe {
        try RecipeMaker(strength: strength).recipe(for: grey(scene))
    }

    /// Returns a copy of the photo whose white lies `stops` above the display's white.
    func withHeadroom(_ stops: Double) -> TestPhoto {
        var photo = self
        photo.metadata.fusion = FusionReport()
        photo.metadata.fusion?.headroom = stops
        return photo
    }
}

extension Recipe {
    /// Returns the result of the recipe for a grey linear value at a position relative to the picture's size, as the
    /// DNG specification and Adobe's DNG SDK define it: gain by weighted brightness, exposure, clipping at 1. The tone
    /// curve is not applied.
    func light(_ light: Double, down: Double = 0.5, across: Double = 0.5, headroom: Double = 0) -> Double {
        let exposed = light * exp2(exposure + headroom)
        guard let map = gainTableMap else { return min(1, exposed) }
        let sum = map.weights.reduce(0) { $0 + Double($1) }
        let weight = pow(max(0, min(1, sum * exposed)), Double(map.gamma))
        let place = min(weight * Double(map.tableLength), Double(map.tableLength - 1))
        func mix(_ position: Double, _ last: Int, _ value: (Int) -> Double) -> Double {
            let inside = max(0, min(Double(last), position))
            let first = min(Int(inside), last)
            let share = inside - Double(first)
            return value(first) * (1 - share) + (share > 0 ? value(first + 1) * share : 0)
        }
        let gain = mix((down - map.origin.down) / map.spacing.down, map.rows - 1) { row in
            mix((across - map.origin.across) / map.spacing.across, map.columns - 1) { column in
                mix(place, map.tableLength - 1) { index in
                    Double(map.gains[(row * map.columns + column) * map.tableLength + index])
                }
            }
        }
        return min(1, exposed * gain)
    }
}

/// Tests of the recipes (looks) that are derived from a photo.
@Suite struct RecipeTests {
    /// The linear value at a pixel of a room with a window: shadows at the left and bottom, and a bright sky with soft
    /// clouds.
    private func room(_ row: Int, _ column: Int) -> Double {
        let detail = 1 + 0.15 * wave(Double(row) / 7) * wave(Double(column) / 9)
        return (row < 96 && column > 90 ? 0.7 : 0.006) * detail
    }

    @Test func aGreyCardStaysAsItIs() throws {
        let recipe = try TestPhoto().recipe { _, _ in 0.15 }
        #expect(abs(recipe.exposure) < 0.1)
        #expect(recipe.gainTableMap == nil)
        #expect(recipe.name == RecipeMaker.name)
        #expect(recipe.problemOfMap == nil)
    }

    /// The fault: the map of a picture of 96×64 pixels had 180 kB.
    @Test(arguments: [(96, 64), (64, 96), (240, 160), (40, 16), (384, 288), (800, 600)])
    func theGainsOfASmallPictureAreSmall(width: Int, height: Int) throws {
        let photo = TestPhoto(width: width, height: height)
        let recipe = try photo.recipe { room($0 * 192 / height, $1 * 256 / width) }
        let map = try #require(recipe.gainTableMap)
        // A gain is stored in 4 bytes, a code of a mosaic in 2.
        #expect(map.gains.count * 4 <= width * height * 2 || max(width, height) < 48)
        #expect(max(map.rows, map.columns) == min(16, max(width, height) / 24))
        #expect(map.problem == nil)
    }

    @Test func withoutStrengthNothingIsDone() throws {
        let recipe = try TestPhoto().recipe(strength: 0, room)
        #expect(recipe.exposure == 0 && recipe.gainTableMap == nil)
        let points = try #require(recipe.toneCurve?.points)
        #expect(points.allSatisfy { abs($0.x - $0.y) < 1e-6 })
    }

    @Test func exposureKeepsItsBounds() throws {
        for light in [0, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 0.3, 0.6, 0.9, 1] {
            for headroom in [0.0, 1, 4] {
                let recipe = try TestPhoto().withHeadroom(headroom).recipe { _, _ in light }
                #expect((-1...4).contains(recipe.exposure))
                #expect(recipe.exposure + headroom >= 0, "converters end at the sensor's white")
            }
        }
    }

    @Test func nightStaysNightAndSnowWhite() throws {
        let night = try TestPhoto().recipe { row, column in (row / 8 + column / 8) % 7 == 0 ? 0.02 : 0.002 }
        #expect(night.exposure > 0.5)
        #expect(night.light(0.002) < 0.05)
        let snow = try TestPhoto().recipe { row, column in 0.75 + 0.15 * wave(Double(row + column) / 40) }
        #expect(snow.exposure == 0)
        #expect(snow.light(0.75) > 0.6)
    }

    @Test func noiseHoldsExposureAndShadowsBack() throws {
        var noisy = TestPhoto()
        noisy.metadata.noise = [NoiseProfile(shot: 4e-3, read: 1e-4)]
        #expect(try noisy.recipe { _, _ in 0.01 }.exposure < TestPhoto().recipe { _, _ in 0.01 }.exposure)
        let (dark, clean) = try (noisy.recipe(room), TestPhoto().recipe(room))
        #expect(dark.light(0.006, down: 0.9, across: 0.2) < clean.light(0.006, down: 0.9, across: 0.2))
        #expect(dark.sharpness < clean.sharpness)
        #expect((0.3...1.3).contains(dark.sharpness) && (0.3...1.3).contains(clean.sharpness))
    }

    @Test func shadowsAreLiftedAndTheSkyIsHeld() throws {
        let recipe = try TestPhoto().withHeadroom(1).recipe(room)
        let plain = exp2(recipe.exposure + 1)
        #expect(recipe.light(0.006, down: 0.9, across: 0.2, headroom: 1) > 1.2 * 0.006 * plain)
        // The clouds range from 0.6 to 0.8 of a white that is twice the display's.
        let (dark, bright) = (
            recipe.light(0.61, down: 0.2, across: 0.8, headroom: 1),
            recipe.light(0.79, down: 0.2, across: 0.8, headroom: 1)
        )
        #expect(bright < 1)
        #expect(bright / dark > 1.1, "clouds can still be seen")
        #expect(0.61 * plain > 1, "without the map they were white")
    }

    /// A bright or dark side has the same brightness next to an edge as far from it.
    @Test func anEdgeHasNoHalo() throws {
        let recipe = try TestPhoto().withHeadroom(2).recipe { _, column in column < 128 ? 0.008 : 0.5 }
        for (light, far) in [(0.008, 0.03), (0.5, 0.97)] {
            let wanted = recipe.light(light, across: far, headroom: 2)
            for across in stride(from: 0.3, through: 0.7, by: 0.01) {
                let level = recipe.light(light, across: across, headroom: 2)
                #expect(abs(log2(level / wanted)) < 0.08, "\(light) at \(across): \(level), not \(wanted)")
            }
        }
    }

    /// The looks' gain tables let the output increase with the input everywhere, without inversion or visible steps.
    @Test(arguments: [0.0, 1, 3, 6]) func tablesRise(headroom: Double) throws {
        let recipe = try TestPhoto().withHeadroom(headroom).recipe { row, column in
            row < 60 ? 0.9 : column < 100 ? 0.0004 * Double(1 + column % 20) : 0.03 + 0.2 * Double(row % 17) / 17
        }
        #expect(recipe.problemOfMap == nil)
        for (down, across) in [(0.1, 0.1), (0.5, 0.3), (0.4, 0.6), (0.9, 0.9)] {
            var last = 0.0
            for step in 0...4000 {
                let light = Double(step) / 4000
                let shown = recipe.light(light, down: down, across: across, headroom: headroom)
                #expect(shown >= last)
                #expect(shown - last < 0.06 || step < 8)
                last = shown
            }
            #expect(last > 0.5 && last <= 1)
        }
    }

    @Test func lightBeyondWhiteBendsRatherThanEnds() throws {
        let recipe = try TestPhoto().withHeadroom(3).recipe { row, column in
            row < 50 ? 0.2 + 0.8 * Double(column) / 255 : 0.02
        }
        let shown = [0.2, 0.3, 0.5, 0.7, 0.9, 1].map { recipe.light($0, down: 0.1, headroom: 3) }
        #expect(zip(shown, shown.dropFirst()).allSatisfy { $1 > $0 + 0.005 })
    }

    @Test func theCurveRisesFromBlackToWhite() throws {
        let points = try #require(try TestPhoto().recipe(room).toneCurve?.points)
        #expect(points.count == 257)
        #expect(zip(points, points.dropFirst()).allSatisfy { $0.y < $1.y && $0.x < $1.x })
        let middle = try #require(points.first { $0.x >= 0.18 })
        #expect((0.17...0.26).contains(middle.y))
        let dark = try #require(points.first { $0.x >= 0.004 })
        #expect(dark.y > 0.4 * dark.x, "blacks are not crushed")
    }

    @Test(arguments: [0.0, 1.0]) func blackAndClippedScenesAreScenes(light: Double) throws {
        let recipe = try TestPhoto().recipe { _, _ in light }
        #expect(recipe.problemOfMap == nil)
        #expect(recipe.exposure.isFinite && recipe.sharpness.isFinite)
        #expect(light == 0 || recipe.light(1) > 0.99)
    }

    @Test(arguments: [(1, 1), (1, 7), (2, 2), (3, 500), (500, 3), (17, 31), (1023, 5)])
    func anySizeHasARecipe(width: Int, height: Int) throws {
        var test = TestPhoto()
        (test.width, test.height) = (width, height)
        let recipe = try test.recipe { row, column in (row + column) % 3 == 0 ? 0.9 : 0.003 }
        #expect(recipe.problemOfMap == nil)
        #expect(recipe.exposure.isFinite)
    }

    @Test func strangeMetadataMakeNoStrangeRecipe() throws {
        for noise in [Double.nan, .infinity, -1, 0, 1e300] {
            for headroom in [Double.nan, .infinity, -5, 1e9] {
                var test = TestPhoto().withHeadroom(headroom)
                test.metadata.noise = [NoiseProfile(shot: noise, read: noise)]
                test.metadata.iso = noise
                let recipe = try test.recipe(room)
                #expect((-1...4).contains(recipe.exposure))
                #expect(recipe.sharpness.isFinite && recipe.problemOfMap == nil)
            }
        }
        var test = TestPhoto()
        test.metadata.neutral = SIMD3(0, 1, 1)
        #expect(throws: DevelopError.self) { try test.recipe(room) }
    }

    @Test func theSamePhotoHasTheSameRecipe() throws {
        let photo = try TestPhoto().grey(room)
        let (first, second) = try (RecipeMaker().recipe(for: photo), RecipeMaker().recipe(for: photo))
        let same = first == second
        #expect(same)
    }

    @Test(arguments: BayerPattern.allCases) func aMosaicHasTheRecipeOfItsPhoto(pattern: BayerPattern) throws {
        func scene(_ row: Int, _ column: Int) -> SIMD3<Double> {
            let light = row < 90 ? 0.8 : 0.01
            return SIMD3(light, light * (0.9 + 0.1 * wave(Double(column) / 60)), light * 0.7)
        }
        let mosaic = try TestCamera.mosaic(256, 192, pattern, scene)
        var test = TestPhoto()
        test.metadata = TestCamera.metadata
        test.metadata.blackLevel = [0, 0, 0, 0]
        test.metadata.whiteLevel = 65_535
        let photo = try test.photo { TestCamera.response(scene($0, $1)) }
        let (ours, its) = try (RecipeMaker().recipe(for: mosaic), RecipeMaker().recipe(for: photo))
        #expect(abs(ours.exposure - its.exposure) < 0.05)
        let pairs = zip(try #require(ours.gainTableMap).gains, try #require(its.gainTableMap).gains)
        let worst = pairs.map { abs(log2($0 / $1)) }.max() ?? 9
        #expect(worst < 0.1)
    }
}

extension Recipe {
    fileprivate var problemOfMap: String? { gainTableMap?.problem }
}
