import Develop
import Glibc
import RawImage
import Testing

/// Tests of the renderer on scenes of known colours.
@Suite struct RendererTests {
    /// A recipe that changes nothing except for applying the output's transfer function.
    private var plain: Recipe {
        var recipe = Recipe(sharpness: 0)
        recipe.boost = 0
        return recipe
    }

    private func patches(_ colors: [SIMD3<Double>], _ pattern: BayerPattern = .rggb, side: Int = 24) throws -> Mosaic {
        try TestCamera.mosaic(side * colors.count, side, pattern) { _, column in colors[column / side] }
    }

    /// Returns the mean colour of the middle of a patch, 0…1.
    private func patch(_ index: Int, of picture: Picture, side: Int = 24) -> SIMD3<Double> {
        var sum = SIMD3<Double>()
        for row in 8..<side - 8 {
            for column in index * side + 8..<(index + 1) * side - 8 { sum += picture.color(row, column) }
        }
        return sum / Double((side - 16) * (side - 16))
    }

    @Test(arguments: BayerPattern.allCases) func knownColoursComeOut(_ pattern: BayerPattern) throws {
        let colors: [SIMD3<Double>] = [
            SIMD3(0.18, 0.18, 0.18), SIMD3(0.7, 0.05, 0.04), SIMD3(0.05, 0.5, 0.08), SIMD3(0.03, 0.06, 0.4),
            SIMD3(0.55, 0.3, 0.2), SIMD3(0.8, 0.6, 0.02), SIMD3(0.9, 0.9, 0.9),
        ]
        let renderer = try Renderer(mosaic: try patches(colors, pattern), recipe: plain)
        for depth in Renderer.Output.Depth.allCases {
            let picture = try renderer.picture(Renderer.Output(depth: depth))
            for (index, color) in colors.enumerated() {
                let wanted = SIMD3(display(color.x), display(color.y), display(color.z))
                #expect(distance(patch(index, of: picture) * 255, wanted) < 1, "\(depth) \(color)")
            }
        }
    }

    @Test func lightIsProportionalOverThirteenStops() throws {
        let format = LinearFormat(width: 14 * 16, height: 16)
        var values = [UInt16](repeating: 65_535, count: format.valueCount)
        for pixel in 0..<format.width * format.height {
            let code = UInt16(65_535 >> (pixel % format.width / 16))
            for plane in 0..<3 { values[4 * pixel + plane] = code }
        }
        let photo = try LinearImage(format: format, metadata: FrameMetadata(), values: values)
        var recipe = Recipe(exposure: 2)
        recipe.shadowBias = 0.005
        let picture = try Renderer(linear: photo, recipe: recipe).picture(
            Renderer.Output(color: PictureColor(.rec2020, .linear), depth: .half))
        for stop in 0..<14 {
            let light = picture.color(8, stop * 16 + 8)
            let wanted = 4 * Double(65_535 >> stop) / 65_535
            for plane in 0..<3 { #expect(abs(light[plane] / wanted - 1) < 0.01, "\(stop) stops down") }
        }
    }

    @Test func highlightsStayNeutral() throws {
        let colors = [0.8, 1.0, 1.5, 2.5, 6].map { SIMD3(repeating: $0) }
        let renderer = try Renderer(mosaic: try patches(colors), recipe: plain)
        let scene = try renderer.picture(Renderer.Output(color: PictureColor(.sRGB, .linear), depth: .half))
        for index in colors.indices {
            let light = patch(index, of: scene)
            #expect(light.max() - light.min() < 0.03 * light.max(), "\(colors[index].x): \(light)")
            #expect(light.x > min(colors[index].x, 1) * 0.98)
        }
        let shown = try renderer.picture(Renderer.Output())
        for index in 1..<5 { #expect(patch(index, of: shown).min() > 0.985) }
    }

    @Test func bothKindsOfGainMapsBrighten() throws {
        var gains: [Float] = []
        for table in 0..<6 { gains += (0..<9).map { 1 + Float(table) / 4 + Float($0) / 16 } }
        let map = try GainTableMap(
            rows: 2, columns: 3, tableLength: 9, weights: [0.2, 0.5, 0.2, 0.05, 0.05], gains: gains)
        let mosaic = try TestCamera.mosaic(96, 64) { row, column in SIMD3(repeating: 0.05 + Double(column) / 400) }
        var recipe = plain
        recipe.boost = 1
        recipe.toneCurve = try ToneCurve(points: [SIMD2(0, 0), SIMD2(1, 1)])
        let before = try Renderer(mosaic: mosaic, recipe: recipe).picture(Renderer.Output(depth: .sixteen))
        recipe.gainTableMap = map
        let after = try Renderer(mosaic: mosaic, recipe: recipe).picture(Renderer.Output(depth: .sixteen))
        for (row, column) in [(3, 3), (31, 50), (60, 90), (10, 70)] {
            let light = linear(before.color(row, column) * 255).y
            let wanted = light * gain(map, row, column, light, 96, 64)
            #expect(abs(linear(after.color(row, column) * 255).y / wanted - 1) < 0.01)
        }
        recipe.localToneMapAmount = 0
        let off = try Renderer(mosaic: mosaic, recipe: recipe).picture(Renderer.Output(depth: .sixteen))
        #expect(distance(off.color(31, 50), before.color(31, 50)) == 0)
    }

    /// Returns the expected gain at a pixel for a brightness 0…1, computed from the DNG specification.
    private func gain(
        _ map: GainTableMap, _ row: Int, _ column: Int, _ light: Double, _ width: Int, _ height: Int
    ) -> Double {
        func place(_ share: Double, _ origin: Double, _ spacing: Double, _ count: Int) -> Double {
            max(0, min(Double(count - 1), (share - origin) / spacing))
        }
        func value(_ row: Int, _ column: Int) -> Double {
            let at = min(light, 1) * Double(map.tableLength)
            func entry(_ index: Int) -> Double {
                Double(
                    map.gains[
                        (min(row, map.rows - 1) * map.columns + min(column, map.columns - 1)) * map.tableLength
                            + min(index, map.tableLength - 1)])
            }
            return entry(Int(at)) + (entry(Int(at) + 1) - entry(Int(at))) * (at - Double(Int(at)))
        }
        let down = place((Double(row) + 0.5) / Double(height), map.origin.down, map.spacing.down, map.rows)
        let across = place((Double(column) + 0.5) / Double(width), map.origin.across, map.spacing.across, map.columns)
        let (y, x) = (Int(down), Int(across))
        let (b, a) = (down - Double(y), across - Double(x))
        return (value(y, x) * (1 - a) + value(y, x + 1) * a) * (1 - b)
            + (value(y + 1, x) * (1 - a) + value(y + 1, x + 1) * a) * b
    }

    @Test func theCurveKeepsTheMiddlesPlace() throws {
        let curve = try ToneCurve(points: [SIMD2(0, 0), SIMD2(0.25, 0.5), SIMD2(1, 1)])
        let smooth = CubicSpline(curve)
        #expect(abs(smooth.value(at: 0.25) - 0.5) < 1e-6)
        var recipe = Recipe(sharpness: 0, toneCurve: curve)
        let mosaic = try patches([SIMD3(repeating: 0.1), SIMD3(repeating: 0.4)])
        let picture = try Renderer(mosaic: mosaic, recipe: recipe).picture(Renderer.Output(depth: .sixteen))
        for (index, light) in [0.1, 0.4].enumerated() {
            #expect(abs(linear(patch(index, of: picture) * 255).y - smooth.value(at: light)) < 0.004)
        }
        // Negative exposure compensation preserves white.
        recipe.exposure = -1
        let white = try Renderer(mosaic: try patches([SIMD3(repeating: 1.2)]), recipe: recipe).picture(
            Renderer.Output())
        #expect(patch(0, of: white).min() > 0.99)
    }

    @Test func whiteCanBeChosen() throws {
        let warm = Chromaticity(temperature: 3500, tint: 10)
        #expect(abs(warm.temperatureAndTint.temperature - 3500) < 5)
        #expect(abs(warm.temperatureAndTint.tint - 10) < 0.5)
        let mosaic = try patches([SIMD3(repeating: 0.3)])
        var recipe = plain
        let asShot = try Renderer(mosaic: mosaic, recipe: recipe)
        recipe.whiteBalance = .chromaticity(x: 0.3127, y: 0.3290)
        let same = try Renderer(mosaic: mosaic, recipe: recipe)
        #expect(distance(patch(0, of: try asShot.picture(.init())), patch(0, of: try same.picture(.init()))) < 0.01)
        recipe.whiteBalance = .temperature(3500, tint: 0)
        let blue = patch(0, of: try Renderer(mosaic: mosaic, recipe: recipe).picture(.init()))
        #expect(blue.z > blue.x * 1.3)
        recipe.whiteBalance = .temperature(.nan, tint: 0)
        #expect(throws: DevelopError.self) { try Renderer(mosaic: mosaic, recipe: recipe) }
    }

    @Test func coloursBeyondTheDisplayBecomePalerNotCut() throws {
        // The colour is more saturated than the sRGB gamut allows.
        let mosaic = try patches([SIMD3(0.5, -0.05, 0.02)])
        var recipe = plain
        let mapped = patch(0, of: try Renderer(mosaic: mosaic, recipe: recipe).picture(.init(depth: .half)))
        recipe.mapsGamut = false
        let cut = patch(0, of: try Renderer(mosaic: mosaic, recipe: recipe).picture(.init(depth: .half)))
        #expect(mapped.min() >= 0 && mapped.x < cut.x)
        #expect(mapped.z > mapped.y - 1e-3)
        // The result stays close to that of converters that clip.
        #expect(distance(mapped, cut) < 0.04)
    }

    /// Returns a linear image of a scene, given as a function of row and column.
    private func linearPhoto(_ metadata: FrameMetadata, _ light: (Int, Int) -> SIMD3<Double>) throws -> LinearImage {
        let format = LinearFormat(width: 64, height: 48)
        var values = [UInt16](repeating: 65_535, count: format.valueCount)
        for row in 0..<format.height {
            for column in 0..<format.width {
                let color = light(row, column)
                for plane in 0..<3 {
                    values[4 * (row * format.width + column) + plane] = UInt16(65_535 * max(0, min(1, color[plane])))
                }
            }
        }
        return try LinearImage(format: format, metadata: metadata, values: values)
    }

    @Test func sharpeningBringsOutTextureAndSparesEdges() throws {
        // The scene has fine texture in its upper half and an edge in its lower half.
        let photo = try linearPhoto(FrameMetadata()) { row, column in
            SIMD3(repeating: row < 24 ? 0.3 + (column & 1 == 0 ? 0.01 : -0.01) : column < 32 ? 0.1 : 0.6)
        }
        var recipe = plain
        let soft = try Renderer(linear: photo, recipe: recipe).picture(.init(depth: .half))
        recipe.sharpness = 1
        let sharp = try Renderer(linear: photo, recipe: recipe).picture(.init(depth: .half))
        func root(_ picture: Picture, _ row: Int, _ column: Int) -> Double {
            linear(picture.color(row, column) * 255).y.squareRoot()
        }
        func contrast(_ picture: Picture) -> Double { root(picture, 12, 20) - root(picture, 12, 21) }
        #expect(contrast(sharp) > 1.2 * contrast(soft))
        let seams = [31, 32].map { abs(root(sharp, 36, $0) - root(soft, 36, $0)) }
        #expect(seams.allSatisfy { $0 > 0.005 && $0 < 0.025 })
    }

    @Test func onlyMosaicsHaveNoiseReducedByDefault() throws {
        var metadata = FrameMetadata()
        metadata.noise = [NoiseProfile(shot: 0.01, read: 1e-5)]
        // Pseudorandom noise 0…0.1 by number, so that the noise of the three colours is independent.
        func noise(_ number: Int) -> Double { Double(number &* 40_503 & 0xFFFF) / 655_360 }
        let photo = try linearPhoto(metadata) { row, column in
            let number = 3 * (64 * row + column)
            return SIMD3(0.3 + noise(number), 0.3 + noise(number + 1), 0.3 + noise(number + 2))
        }
        func colors(_ luminance: Double?, _ color: Double?) throws -> [SIMD3<Double>] {
            var recipe = plain
            (recipe.luminanceNoiseReduction, recipe.colorNoiseReduction) = (luminance, color)
            let picture = try Renderer(linear: photo, recipe: recipe).picture(.init())
            return (0..<64).map { picture.color(20, $0) }
        }
        let (usual, none, all) = (try colors(nil, nil), try colors(0, 0), try colors(0, 1))
        #expect(usual == none)
        #expect(all != none)
        let mosaic = try Renderer(mosaic: try patches([SIMD3(repeating: 0.3)]), recipe: plain)
        #expect(mosaic.recipe.luminanceNoiseReduction == 0.5 && mosaic.recipe.colorNoiseReduction == 1)
    }

    @Test(arguments: [(2, 2), (3, 5), (33, 2), (17, 31), (1025, 9), (2050, 3)]) func everySizeAndCrop(
        _ size: (Int, Int)
    ) throws {
        let mosaic = try TestCamera.mosaic(size.0, size.1, .gbrg) { _, _ in SIMD3(repeating: 0.35) }
        let renderer = try Renderer(mosaic: mosaic, recipe: plain)
        var outputs = [Renderer.Output()]
        for top in 0..<min(size.1, 3) {
            outputs.append(.init(crop: PixelRectangle(left: top % size.0, top: top, width: 1, height: 1)))
            outputs.append(.init(crop: PixelRectangle(left: 0, top: top, width: size.0, height: 1)))
        }
        outputs.append(.init(size: .init(width: 1, height: 1)))
        outputs.append(.init(size: .init(width: (size.0 + 1) / 2, height: (size.1 + 2) / 3)))
        for output in outputs {
            let picture = try renderer.picture(output)
            let size = try renderer.size(of: output)
            #expect(picture.width == size.width && picture.height == size.height)
            for row in 0..<picture.height {
                for column in [0, picture.width / 2, picture.width - 1] {
                    let color = picture.color(row, column) * 255
                    #expect(distance(color, SIMD3(repeating: display(0.35))) <= 1, "\(row) \(column) \(output)")
                }
            }
        }
    }

    @Test func aCropIsAPartOfTheWhole() throws {
        let mosaic = try TestCamera.mosaic(90, 70, .grbg) { row, column in
            SIMD3(0.4 + 0.3 * wave(Double(column) / 20), 0.4 + 0.3 * wave(Double(row) / 15), 0.4)
        }
        let renderer = try Renderer(mosaic: mosaic, recipe: Recipe())
        let whole = try renderer.picture(.init())
        let part = try renderer.picture(.init(crop: PixelRectangle(left: 13, top: 21, width: 40, height: 30)))
        for row in 1..<29 {
            for column in 1..<39 {
                let (first, second) = (part.color(row, column), whole.color(row + 21, column + 13))
                #expect(distance(first, second) < 0.005)
            }
        }
    }

    @Test(arguments: 1...8) func picturesAreTurned(_ orientation: Int) throws {
        var metadata = TestCamera.metadata
        metadata.orientation = orientation
        let mosaic = try TestCamera.mosaic(20, 12, metadata: metadata) { row, column in
            SIMD3(repeating: row < 6 ? (column < 10 ? 0.1 : 0.3) : (column < 10 ? 0.5 : 0.8))
        }
        let renderer = try Renderer(mosaic: mosaic, recipe: plain)
        let picture = try renderer.picture(.init(depth: .half, appliesOrientation: true))
        let corners = [
            (0, 0), (0, picture.width - 1), (picture.height - 1, 0), (picture.height - 1, picture.width - 1),
        ]
        let lights = corners.map { corner in (linear(picture.color(corner.0, corner.1) * 255).y * 10).rounded() }
        let wanted: [[Double]] = [
            [1, 3, 5, 8], [3, 1, 8, 5], [8, 5, 3, 1], [5, 8, 1, 3], [1, 5, 3, 8], [5, 1, 8, 3], [8, 3, 5, 1],
            [3, 8, 1, 5],
        ]
        #expect(lights == wanted[orientation - 1])
        var bytes = [UInt8](repeating: 7, count: picture.height * (picture.width * 4 + 5))
        let format = DisplayFormat(
            width: picture.width, height: picture.height, layout: .bgrx, stride: picture.width * 4 + 5)
        var span = bytes.mutableSpan
        try renderer.render(.init(appliesOrientation: true), into: &span, display: format)
        let isSame = (0..<picture.height).allSatisfy { row in
            (0..<picture.width).allSatisfy { column in
                let at = row * format.stride + column * 4
                return abs(Double(bytes[at]) - picture.color(row, column).z * 255) <= 1 && bytes[at + 3] == 255
            }
        }
        #expect(isSame)
    }

    @Test func highlightsAreEncodedInHighDynamicRange() throws {
        let mosaic = try patches([SIMD3(repeating: 0.18), SIMD3(repeating: 0.9)])
        var recipe = Recipe(exposure: 3, sharpness: 0)
        for transfer in [PictureColor.Transfer.pq, .hlg] {
            recipe.extendedRangeAmount = 1
            let output = Renderer.Output(color: PictureColor(.rec2020, transfer), depth: .sixteen)
            let bright = patch(1, of: try Renderer(mosaic: mosaic, recipe: recipe).picture(output)).y
            recipe.extendedRangeAmount = 0
            let paper = patch(1, of: try Renderer(mosaic: mosaic, recipe: recipe).picture(output)).y
            // Diffuse white is the signal of 203 cd/m² in PQ, and 75 % in HLG.
            #expect(abs(paper - (transfer == .pq ? 0.5807 : 0.75)) < 0.004)
            #expect(bright > paper + 0.08)
        }
    }

    @Test func distortionIsUndone() throws {
        var metadata = TestCamera.metadata
        metadata.lens.warp = try LensWarp(planes: [.init(radial: [1, 0, 0, 0])])
        let scene = { (row: Int, column: Int) in
            SIMD3(repeating: 0.4 + 0.3 * wave(Double(column) / 24) * wave(Double(row) / 24))
        }
        let straight = try Renderer(mosaic: try TestCamera.mosaic(80, 60, .rggb, scene), recipe: plain).picture(.init())
        let same = try Renderer(mosaic: try TestCamera.mosaic(80, 60, .rggb, metadata: metadata, scene), recipe: plain)
            .picture(.init())
        metadata.lens.warp = try LensWarp(planes: [.init(radial: [0.8, 0, 0, 0])])
        let larger = try Renderer(
            mosaic: try TestCamera.mosaic(80, 60, .rggb, metadata: metadata, scene), recipe: plain
        )
        .picture(.init(depth: .half))
        for (row, column) in [(8, 8), (30, 40), (50, 70), (20, 61)] {
            #expect(distance(straight.color(row, column), same.color(row, column)) < 0.012)
            let (y, x) = (Double(row - 30) * 0.8 + 30, Double(column - 40) * 0.8 + 40)
            let wanted = 0.4 + 0.3 * wave(x / 24) * wave(y / 24)
            #expect(abs(linear(larger.color(row, column) * 255).y - wanted) < 0.015)
        }
    }

    /// A colour cube that permutes the colours of the picture does so; an identity cube changes nothing, whatever its
    /// colour space and encoding.
    @Test func colourCubesEndTheLook() throws {
        let mosaic = try TestCamera.mosaic(32, 24) { _, _ in SIMD3(0.5, 0.3, 0.2) }
        func color(_ cube: ColorCube?) throws -> SIMD3<Double> {
            var recipe = Recipe()
            recipe.colorCube = cube
            return try Renderer(mosaic: mosaic, recipe: recipe).picture(.init(depth: .sixteen)).color(12, 16)
        }
        func cube(
            _ encoding: ColorCube.Encoding, _ primaries: ColorCube.Primaries = .sRGB,
            _ change: (SIMD3<Float>) -> SIMD3<Float> = { $0 }
        ) throws -> ColorCube {
            let colors = (0..<729).map { place in
                let places = SIMD3<Float>(Float(place / 81), Float(place / 9 % 9), Float(place % 9))
                return change(places / 8)
            }
            return try ColorCube(side: 9, colors: colors, encoding: encoding, primaries: primaries, extendsGamut: true)
        }
        let plain = try color(nil)
        for (encoding, primaries) in [
            (ColorCube.Encoding.linear, ColorCube.Primaries.proPhoto), (.sRGB, .sRGB), (.gamma18, .displayP3),
            (.gamma22, .adobeRGB), (.rec2020, .rec2020),
        ] {
            #expect(distance(try color(cube(encoding, primaries)), plain) < 0.002)
        }
        let turned = try color(cube(.sRGB) { SIMD3($0.y, $0.z, $0.x) })
        #expect(distance(turned, SIMD3(plain.y, plain.z, plain.x)) < 0.002)
        #expect(distance(turned, plain) > 0.1)
    }

    @Test func shadingIsUndone() throws {
        var metadata = TestCamera.metadata
        let shading = { (column: Int) in 1 - 0.5 * abs(Double(column) - 31.5) / 31.5 }
        let gains = (0..<33).map { Float(1 / shading($0 * 2)) }
        metadata.lens.shading = [
            try ShadingMap(
                area: PixelGrid(top: 0, left: 0, bottom: 40, right: 64), rows: 1, columns: 33,
                spacing: .init(down: 1, across: 2.0 / 64), origin: .init(down: 0, across: 0.5 / 64), gains: gains)
        ]
        let mosaic = try TestCamera.mosaic(64, 40, metadata: metadata) { _, column in
            SIMD3(repeating: 0.4 * shading(column))
        }
        let picture = try Renderer(mosaic: mosaic, recipe: plain).picture(.init(depth: .half))
        for column in 0..<64 { #expect(abs(linear(picture.color(20, column) * 255).y - 0.4) < 0.01, "\(column)") }
    }

    @Test func coresAndBandsChangeNothing() throws {
        let mosaic = try TestCamera.mosaic(61, 700, .bggr) { row, column in
            SIMD3(Double(row % 90) / 90, Double(column % 7) / 7, 0.3)
        }
        let renderer = try Renderer(mosaic: mosaic, recipe: Recipe())
        for size in [nil, Renderer.Output.Size(width: 40, height: 333)] {
            let output = Renderer.Output(size: size)
            let (one, all) = (try renderer.picture(output, cores: 1), try renderer.picture(output))
            #expect(one.isSame(as: all))
        }
    }
}

extension Picture {
    /// Returns the colour of the pixel at a row and a column, 0…1.
    func color(_ row: Int, _ column: Int) -> SIMD3<Double> {
        let at = 3 * (row * width + column)
        return switch samples {
        case .bytes(let values): SIMD3(Double(values[at]), Double(values[at + 1]), Double(values[at + 2])) / 255
        case .words(let values): SIMD3(Double(values[at]), Double(values[at + 1]), Double(values[at + 2])) / 65_535
        case .halves(let values): SIMD3(Double(values[at]), Double(values[at + 1]), Double(values[at + 2]))
        }
    }

    func isSame(as other: Picture) -> Bool {
        switch (samples, other.samples) {
        case (.bytes(let first), .bytes(let second)): first == second
        default: false
        }
    }
}
