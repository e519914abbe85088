import CHarness
import DNG
import Develop
import FrameStream
import GStreamer
import GscapElements
import RawImage
import Testing

/// The look of a photo: computed once, attached to the buffer as a recipe, and stored in the file.
@Suite(.timeLimit(.minutes(10)), .serialized) struct LookTests {
    init() throws { try GscapPlugin.register() }

    private let width = 96
    private let height = 64

    /// Returns a frame of a dark, textured room with a bright window, as codes of a mosaic or values of a linear photo.
    private func frame(bytesPerPixel: Int, white: Double, headroom: Double? = nil) throws -> Buffer {
        var buffer = try Buffer(size: width * height * bytesPerPixel)
        let samples = bytesPerPixel / 2
        buffer.withMutableValues(of: UInt16.self) { codes in
            for index in codes.indices {
                let (row, column) = (index / samples / width, index / samples % width)
                let wall = (row / 2 + column / 2) % 2 == 0 ? 0.012 : 0.008
                codes[index] = UInt16((row < 30 && column > 40 ? 0.8 : wall) * white)
            }
        }
        var metadata = FrameMetadata()
        metadata.whiteLevel = white
        metadata.noise = [NoiseProfile(shot: 1e-6, read: 1e-9)]
        if let headroom {
            metadata.fusion = FusionReport()
            metadata.fusion?.headroom = headroom
        }
        try buffer.setFrameMetadata(metadata)
        buffer.presentationTime = 0
        return buffer
    }

    private var linearCaps: String {
        "video/x-raw,format=RGBA64_LE,colorimetry=1:1:1:0,width=\(width),height=\(height),framerate=10/1"
    }

    private var bayerCaps: String {
        "video/x-bayer,format=rggb12le,width=\(width),height=\(height),framerate=10/1"
    }

    /// Returns the recipe in the DNG file from the encoder.
    private func recipe(from harness: Harness) throws -> Recipe {
        guard let file = harness.waitAndPull() else { throw GStreamerError(message: "no file came out") }
        let bytes = file.withValues(of: UInt8.self) { bytes in bytes.indices.map { bytes[$0] } }
        return try DNGFile(bytes: bytes).recipe
    }

    @Test func aRecipeSurvivesTheBufferMetadata() throws {
        let gains = (0..<3 * 2 * 5).map { (index: Int) -> Float in Float(index) / 7 + 0.1 }
        var recipe = Recipe(exposure: 1.25, sharpness: 0.7, name: "a look")
        recipe.gainTableMap = try GainTableMap(
            rows: 3, columns: 2, tableLength: 5, weights: [0.1, 0.3, 0.1, 0, 0.5], gains: gains, gamma: 0.5,
            spacing: .init(down: 0.3, across: 0.5), origin: .init(down: 0.1, across: 0.2))
        recipe.toneCurve = try ToneCurve(points: [SIMD2(0, 0), SIMD2(0.1, 0.3), SIMD2(1, 1)])
        for expected in [recipe, Recipe(), nil] {
            var metadata = FrameMetadata()
            metadata.recipe = expected
            var buffer = try Buffer(size: 1)
            try buffer.setFrameMetadata(metadata)
            let same = buffer.frameMetadata?.recipe == expected
            #expect(same)
        }
    }

    /// Returns a recipe in which every property differs from its default.
    private func unusual() throws -> Recipe {
        var recipe = Recipe(exposure: 1.25, sharpness: 0.7, name: "a look")
        recipe.gainTableMap = try GainTableMap(
            rows: 1, columns: 2, tableLength: 2, weights: [0.1, 0.3, 0.1, 0, 0.5], gains: [1, 2, 3, 4])
        recipe.toneCurve = try ToneCurve(points: [SIMD2(0, 0), SIMD2(0.1, 0.3), SIMD2(1, 1)])
        recipe.whiteBalance = .temperature(5100, tint: -7)
        let shifts = (0..<6 * 2).map { (index: Int) -> SIMD3<Float> in SIMD3(Float(index), 1 + Float(index) / 16, 0.5) }
        recipe.hueSatMaps = [
            try HueSatMap(hues: 6, saturations: 2, values: 1, shifts: shifts),
            try HueSatMap(hues: 3, saturations: 2, values: 2, shifts: shifts, isEncoded: true),
        ]
        recipe.lookTable = try HueSatMap(hues: 6, saturations: 2, values: 1, shifts: shifts.reversed())
        recipe.colorCube = try ColorCube(
            side: 2, colors: (0..<8).map { (index: Int) -> SIMD3<Float> in SIMD3(repeating: Float(index * 17) / 255) },
            encoding: .gamma18,
            primaries: .displayP3,
            extendsGamut: true)
        recipe.shadowBias = 0.0078125
        (recipe.boost, recipe.localToneMapAmount, recipe.extendedRangeAmount) = (0.75, 0.5, 0.25)
        (recipe.luminanceNoiseReduction, recipe.colorNoiseReduction) = (0.125, 0.375)
        recipe.mapsGamut = false
        return recipe
    }

    /// Checks that every property of a recipe is encoded: each differs from its default and is decoded unchanged.
    @Test func everyRecipePropertySurvivesTheBufferMetadata() throws {
        let unusual = try unusual()
        for (value, standard) in zip(Mirror(reflecting: unusual).children, Mirror(reflecting: Recipe()).children) {
            let differs = "\(value.value)" != "\(standard.value)"
            #expect(differs, "\(value.label ?? "") has its default value")
        }
        for white in [unusual.whiteBalance, .neutral(SIMD3(0.5, 1, 0.75)), .chromaticity(x: 0.31, y: 0.33)] {
            var metadata = FrameMetadata()
            metadata.recipe = unusual
            metadata.recipe?.whiteBalance = white
            var buffer = try Buffer(size: 1)
            try buffer.setFrameMetadata(metadata)
            let same = buffer.frameMetadata?.recipe == metadata.recipe
            #expect(same)
        }
    }

    @Test func cameraCalibrationSurvivesTheBufferMetadata() throws {
        let matrix = Matrix3(SIMD3(1, 0.25, 0), SIMD3(0, 1, 0.5), SIMD3(0, 0, 2))
        let calibrations = [Illuminant.standardA, .d65, .d50].map {
            var calibration = ColorCalibration(
                illuminant: $0, colorMatrix: matrix, forwardMatrix: matrix.transposed, cameraCalibration: matrix)
            if $0 == .d50 { calibration.lightColor = Chromaticity(x: 0.35, y: 0.4) }
            return calibration
        }
        for model in LensWarp.Model.allCases {
            var plane = LensWarp.Plane(radial: (0..<model.count).map { Double($0) / 8 })
            if model != .fisheye { plane.tangential = [0.5, 0.25] }
            if model.count > 4 { plane.validRadii = 0.25...0.75 }
            var metadata = FrameMetadata()
            metadata.calibrations = calibrations
            metadata.lens.warp = try LensWarp(model, planes: [plane, plane, plane])
            var buffer = try Buffer(size: 1)
            try buffer.setFrameMetadata(metadata)
            let read = buffer.frameMetadata
            #expect(read?.lens.warp == metadata.lens.warp)
            #expect(read?.calibrations == calibrations)
        }
    }

    /// `rawdevelop` passes the recipe of a frame on to the rendered picture unchanged.
    @Test func everyRecipePropertySurvivesRawdevelop() throws {
        for (caps, bytes) in [(bayerCaps, 2), (linearCaps, 8)] {
            let expected = try unusual()
            let harness = try Harness(factory: "rawdevelop")
            harness.accept(caps: "video/x-raw,format=RGB,width=\(width),height=\(height)")
            harness.send(caps: caps)
            var frame = try frame(bytesPerPixel: bytes, white: bytes == 8 ? 65_535 : 4095)
            let attached = frame.frameMetadata
            var metadata = try #require(attached)
            metadata.recipe = expected
            try frame.setFrameMetadata(metadata)
            harness.push(frame)
            guard let picture = harness.pull() else { throw GStreamerError(message: "no picture came out") }
            let same = picture.frameMetadata?.recipe == expected
            #expect(same)
        }
    }

    /// The DNG file contains every part of the recipe for which DNG has tags.
    @Test func aRecipeGoesIntoTheFile() throws {
        var photo = try frame(bytesPerPixel: 8, white: 65_535)
        let attached = photo.frameMetadata
        var metadata = try #require(attached)
        var expected = try unusual()
        // A DNG has one hue/saturation table per calibration, all with the same dimensions.
        let shifts = (0..<6 * 2).map { (index: Int) -> SIMD3<Float> in SIMD3(Float(index), 1 - Float(index) / 16, 0.5) }
        expected.hueSatMaps[1] = try HueSatMap(hues: 6, saturations: 2, values: 1, shifts: shifts)
        metadata.calibrations = [
            ColorCalibration(illuminant: .standardA, colorMatrix: .identity),
            ColorCalibration(illuminant: .d65, colorMatrix: .identity),
        ]
        metadata.recipe = expected
        try photo.setFrameMetadata(metadata)
        let harness = try Harness(factory: "dngenc")
        harness.send(caps: linearCaps)
        harness.push(photo)
        let stored = try recipe(from: harness)
        #expect(stored.exposure == expected.exposure && stored.name == expected.name)
        let isSameLook = stored.toneCurve == expected.toneCurve && stored.gainTableMap == expected.gainTableMap
        #expect(isSameLook)
        let hasSameTables = stored.hueSatMaps == expected.hueSatMaps && stored.lookTable == expected.lookTable
        #expect(hasSameTables && stored.colorCube == expected.colorCube)
    }

    @Test func invalidPartsOfARecipeAreIgnored() throws {
        for (field, value) in [
            ("tone-curve", Value.string("!!!")), ("tone-curve", "AAAA"), ("gain-table-map", 3),
            ("gain-table-map", .structure(Structure("GscapGainTableMap", ["gains": "AAAAAA", "rows": 9]))),
        ] {
            var look = Structure("GscapRecipe", ["exposure": 1.5])
            look[field] = value
            var buffer = try Buffer(size: 1)
            buffer.setStructure(
                Structure("GscapFrame", ["recipe": .structure(look)]), of: try FrameCustomMeta.kind())
            let read = buffer.frameMetadata?.recipe
            #expect(read == Recipe(exposure: 1.5))
        }
    }

    @Test(arguments: [("auto", true), ("always", true), ("none", false)])
    func aLinearPhotoHasALook(look: String, hasOne: Bool) throws {
        let element = try Element(factory: "dngenc")
        try element.set("look", .string(look))
        let harness = try Harness(element)
        harness.send(caps: linearCaps)
        harness.push(try frame(bytesPerPixel: 8, white: 65_535, headroom: 1))
        let recipe = try recipe(from: harness)
        #expect((recipe.toneCurve != nil) == hasOne)
        #expect((recipe.gainTableMap != nil) == hasOne)
        #expect(recipe.name == (hasOne ? RecipeMaker.name : "gscap"))
        #expect(hasOne || recipe.exposure == 1)
    }

    @Test(arguments: [("auto", false), ("always", true), ("none", false)])
    func aBayerFrameHasALookOnRequest(look: String, hasOne: Bool) throws {
        let element = try Element(factory: "dngenc")
        try element.set("look", .string(look))
        let harness = try Harness(element)
        harness.send(caps: bayerCaps)
        harness.push(try frame(bytesPerPixel: 2, white: 4095))
        let recipe = try recipe(from: harness)
        #expect((recipe.toneCurve != nil) == hasOne)
        #expect((recipe.exposure != 0) == hasOne)
    }

    @Test func theFileHasTheLookOfThePhoto() throws {
        var photo = try frame(bytesPerPixel: 8, white: 65_535)
        let attached = photo.frameMetadata
        var metadata = try #require(attached)
        metadata.recipe = Recipe(exposure: 2.5, sharpness: 0.5, name: "custom")
        try photo.setFrameMetadata(metadata)
        let harness = try Harness(factory: "dngenc")
        harness.send(caps: linearCaps)
        harness.push(photo)
        let recipe = try recipe(from: harness)
        #expect(recipe.exposure == 2.5 && recipe.name == "custom" && recipe.toneCurve == nil)
    }

    @Test func fusionComputesTheLookOnce() throws {
        let harness = try Harness(factory: "rawfusion")
        harness.send(caps: bayerCaps)
        for index in 0..<4 {
            var frame = try frame(bytesPerPixel: 2, white: 4095)
            let attached = frame.frameMetadata
            var metadata = try #require(attached)
            metadata.capture = CaptureTag(id: 1, index: index, count: 4)
            try frame.setFrameMetadata(metadata)
            harness.push(frame)
        }
        guard let photo = harness.waitAndPull() else { throw GStreamerError(message: "no photo came out") }
        let attached = photo.frameMetadata
        let metadata = try #require(attached)
        let format = LinearFormat(width: width, height: height)
        let recipe = try photo.withValues(of: UInt16.self) { values throws in
            try RecipeMaker().recipe(linear: values, format: format, metadata: metadata)
        }
        let same = metadata.recipe == recipe
        #expect(same)
        #expect(recipe.gainTableMap != nil)
    }

    /// Returns the mean sample of a rendered picture and the exposure in its metadata.
    private func developed(
        _ caps: String, bytesPerPixel: Int, look: String, quality: String = "full"
    ) throws -> (mean: Double, exposure: Double?) {
        let element = try Element(factory: "rawdevelop")
        try element.set("look", .string(look))
        try element.set("quality", .string(quality))
        let harness = try Harness(element)
        harness.accept(caps: "video/x-raw,format=RGB,width=\(width),height=\(height)")
        harness.send(caps: caps)
        harness.push(try frame(bytesPerPixel: bytesPerPixel, white: bytesPerPixel == 8 ? 65_535 : 4095))
        guard let picture = harness.pull() else { throw GStreamerError(message: "no picture came out") }
        let mean = picture.withValues(of: UInt8.self) { bytes in
            var sum = 0
            for index in bytes.indices { sum += Int(bytes[index]) }
            return Double(sum) / Double(bytes.count)
        }
        return (mean, picture.frameMetadata?.recipe?.exposure)
    }

    @Test func picturesAreShownWithTheLook() throws {
        for (caps, bytes, quality) in [(linearCaps, 8, "full"), (bayerCaps, 2, "full"), (bayerCaps, 2, "preview")] {
            let with = try developed(caps, bytesPerPixel: bytes, look: "auto", quality: quality)
            let without = try developed(caps, bytesPerPixel: bytes, look: "none", quality: quality)
            #expect(with.mean > without.mean + 3)
            #expect(try #require(with.exposure) > 0.3)
            #expect(without.exposure == nil)
        }
    }
}
