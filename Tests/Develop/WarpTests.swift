import Develop
import Glibc
import RawImage
import Testing

/// Tests of distortion correction: every colour ends up in its position with every lens model.
@Suite struct WarpTests {
    private static let (width, height) = (400, 300)
    private static let planes: [LensWarp.Plane] = [
        .init(radial: [1.004, -0.05, 0.015, -0.004], tangential: [0.002, -0.001]),
        .init(radial: [1, -0.05, 0.015, -0.004], tangential: [0.002, -0.001]),
        .init(radial: [0.995, -0.048, 0.012, -0.003], tangential: [0.0015, -0.0005]),
    ]
    private static let center = GainTableMap.RelativePoint(down: 0.47, across: 0.54)

    /// Returns the position in the recorded picture of a position in the corrected one, computed from the DNG
    /// specification.
    private func recorded(
        _ place: SIMD2<Double>, _ plane: LensWarp.Plane, _ model: LensWarp.Model = .rectilinear
    ) -> SIMD2<Double> {
        let (width, height) = (Double(Self.width), Double(Self.height))
        let centre = SIMD2(width * Self.center.across, height * Self.center.down)
        let far = SIMD2(max(centre.x, width - centre.x), max(centre.y, height - centre.y))
        let radius = (far * far).sum().squareRoot()
        let at = (place - centre) / radius
        let square = (at * at).sum()
        let k = plane.radial
        let distance = max(square.squareRoot(), 1e-9)
        let angle = atan(distance)
        let inside = min(max(distance, plane.validRadii.lowerBound), plane.validRadii.upperBound)
        func sum(_ power: Double) -> Double { k.reversed().reduce(0) { $0 * power + $1 } }
        let ratio =
            switch model {
            case .rectilinear: sum(square)
            case .fisheye: sum(angle * angle) * angle / distance
            case .polynomial: sum(inside)
            case .reciprocal: 1 / sum(inside)
            }
        let (t0, t1) = (plane.tangential[0], plane.tangential[1])
        let x = at.x * ratio + t0 * 2 * at.x * at.y + t1 * (square + 2 * at.x * at.x)
        let y = at.y * ratio + t1 * 2 * at.x * at.y + t0 * (square + 2 * at.y * at.y)
        return SIMD2(x, y) * radius + centre
    }

    /// Returns the position in the corrected picture of a recorded one: inverts `recorded` by fixed-point iteration, of
    /// which each step reduces the error many times.
    private func straight(
        _ place: SIMD2<Double>, _ plane: LensWarp.Plane, _ model: LensWarp.Model = .rectilinear
    ) -> SIMD2<Double> {
        var guess = place
        for _ in 0..<16 { guess += place - recorded(guess, plane, model) }
        return guess
    }

    private func scene(_ place: SIMD2<Double>) -> Double {
        0.4 + 0.15 * wave(place.x / 17) + 0.15 * wave(place.y / 13) + 0.05 * wave((place.x + place.y) / 29)
    }

    /// Returns by how many pixels one colour is displaced against the scene in part of the picture, by least squares.
    private func displacement(
        of light: (Int, Int) -> Double, rows: Range<Int>, columns: Range<Int>
    ) -> SIMD2<Double> {
        var (xx, yy, xy, xe, ye) = (0.0, 0.0, 0.0, 0.0, 0.0)
        // Every other pixel of every other row suffices, because the scene is smooth.
        for row in stride(from: rows.lowerBound, to: rows.upperBound, by: 2) {
            for column in stride(from: columns.lowerBound, to: columns.upperBound, by: 2) {
                let place = SIMD2(Double(column), Double(row))
                let dx = (scene(place + SIMD2(0.5, 0)) - scene(place - SIMD2(0.5, 0)))
                let dy = (scene(place + SIMD2(0, 0.5)) - scene(place - SIMD2(0, 0.5)))
                let error = light(row, column) - scene(place)
                xx += dx * dx
                yy += dy * dy
                xy += dx * dy
                xe += dx * error
                ye += dy * error
            }
        }
        let determinant = xx * yy - xy * xy
        return SIMD2((yy * xe - xy * ye) / determinant, (xx * ye - xy * xe) / determinant)
    }

    /// Returns the largest displacement in pixels of any colour in any part of the picture.
    private func worst(_ picture: Picture) -> Double {
        var worst = 0.0
        for top in stride(from: 10, to: Self.height - 60, by: 56) {
            for left in stride(from: 10, to: Self.width - 60, by: 66) {
                for plane in 0..<3 {
                    let moved = displacement(
                        of: { picture.color($0, $1)[plane] }, rows: top..<top + 50, columns: left..<left + 50)
                    worst = max(worst, abs(moved.x), abs(moved.y))
                }
            }
        }
        return worst
    }

    /// Renders scene-linear camera RGB, which equals linear sRGB for this camera.
    private func picture(_ renderer: Renderer, _ crop: PixelRectangle? = nil) throws -> Picture {
        try renderer.picture(.init(color: PictureColor(.sRGB, .linear), depth: .half, crop: crop))
    }

    private var metadata: FrameMetadata {
        get throws {
            var metadata = FrameMetadata(bitDepth: 16)
            (metadata.blackLevel, metadata.whiteLevel) = ([400, 400, 400, 400], 65_000)
            metadata.neutral = SIMD3(0.6, 1, 0.7)
            metadata.lens.warp = try LensWarp(planes: Self.planes, center: Self.center)
            return metadata
        }
    }

    /// Returns the code of a colour plane at a pixel of the recorded picture.
    private func code(_ plane: Int, _ row: Int, _ column: Int, _ metadata: FrameMetadata) -> UInt16 {
        let model = metadata.lens.warp?.model ?? .rectilinear
        let coefficients = model == .rectilinear ? Self.planes[plane] : Self.others[model]?[plane] ?? .init()
        let place = straight(SIMD2(Double(column), Double(row)), coefficients, model)
        return UInt16(400 + scene(place) * metadata.neutral[plane] * 64_600)
    }

    /// The coefficients of the three colour planes for the lens models other than rectilinear.
    private static let others: [LensWarp.Model: [LensWarp.Plane]] = [
        .fisheye: [1.004, 1, 0.99].map { .init(radial: [$0, 0.2, -0.03, 0.01]) },
        .polynomial: [1.004, 1, 0.99].map {
            .init(
                radial: [$0, -0.02, -0.05, 0.02, 0.01] + [Double](repeating: 0, count: 9) + [0.003],
                tangential: [0.002, -0.001], validRadii: 0.1...0.9)
        },
        .reciprocal: [1.004, 1, 0.99].map {
            .init(radial: [$0, 0.02, 0.05, -0.01] + [Double](repeating: 0, count: 11))
        },
    ]

    @Test(arguments: [LensWarp.Model.fisheye, .polynomial, .reciprocal])
    func everyModelPutsColoursInTheirPlaces(_ model: LensWarp.Model) throws {
        var metadata = try metadata
        metadata.lens.warp = try LensWarp(model, planes: try #require(Self.others[model]), center: Self.center)
        let distorted = try photo(metadata)
        #expect(try worst(picture(Renderer(linear: distorted, recipe: .plain))) < 0.02)
        metadata.lens.warp = nil
        let left = try LinearImage(format: distorted.format, metadata: metadata, values: distorted.values)
        #expect(try worst(picture(Renderer(linear: left, recipe: .plain))) > 1)
    }

    private func photo(_ metadata: FrameMetadata) throws -> LinearImage {
        let format = LinearFormat(width: Self.width, height: Self.height)
        var values = [UInt16](repeating: 65_535, count: format.valueCount)
        for row in 0..<Self.height {
            for column in 0..<Self.width {
                for plane in 0..<3 {
                    values[row * format.stride + 4 * column + plane] = code(plane, row, column, metadata)
                }
            }
        }
        return try LinearImage(format: format, metadata: metadata, values: values)
    }

    @Test func everyColourOfAPhotoIsInItsPlace() throws {
        var metadata = try metadata
        let photo = try photo(metadata)
        let whole = try picture(Renderer(linear: photo, recipe: .plain))
        #expect(worst(whole) < 0.02)
        // A rendered crop equals the same part of the whole picture.
        let part = PixelRectangle(left: 37, top: 50, width: 203, height: 9)
        let small = try picture(Renderer(linear: photo, recipe: .plain), part)
        for row in 0..<9 {
            for column in [0, 1, 7, 100, 202] {
                #expect(distance(small.color(row, column), whole.color(row + 50, column + 37)) < 0.002)
            }
        }
        metadata.lens.warp = nil
        let distorted = try LinearImage(format: photo.format, metadata: metadata, values: photo.values)
        #expect(try worst(picture(Renderer(linear: distorted, recipe: .plain))) > 2)
        // With green's coefficients for all colours, red and blue stay displaced: they were recorded at other
        // positions.
        metadata.lens.warp = try LensWarp(planes: [Self.planes[1]], center: Self.center)
        let fringed = try LinearImage(format: photo.format, metadata: metadata, values: photo.values)
        #expect(try worst(picture(Renderer(linear: fringed, recipe: .plain))) > 0.5)
    }

    @Test func everyColourOfAMosaicIsInItsPlace() throws {
        let metadata = try metadata
        let format = MosaicFormat(width: Self.width, height: Self.height, pattern: .grbg, bitDepth: 16)
        var codes = [UInt16](repeating: 0, count: format.codeCount)
        for row in 0..<Self.height {
            for column in 0..<Self.width {
                codes[row * format.stride + column] = code(
                    format.pattern.plane(row: row, column: column), row, column, metadata)
            }
        }
        let mosaic = try Mosaic(format: format, metadata: metadata, codes: codes)
        var recipe = Recipe.plain
        // Without a noise profile, noise is estimated from the picture.
        (recipe.luminanceNoiseReduction, recipe.colorNoiseReduction) = (0, 0)
        let found = try worst(picture(Renderer(mosaic: mosaic, recipe: recipe)))
        #expect(found < 0.11)
    }

    /// Positions outside the recorded picture take its edge colour, and extreme coefficients do not trap.
    @Test(arguments: [
        [1.3, 0, 0, 0], [0.3, 0, 0, 0], [-1, 0, 0, 0], [1, 4, -9, 2], [0, 0, 0, 0], [1e300, 1e300, 0, 0],
        [1, 1e38, -1e38, 0],
    ]) func edgesAndExtremeCoefficients(_ radial: [Double]) throws {
        var metadata = TestCamera.metadata
        func pixels(_ warp: LensWarp) throws -> Picture {
            metadata.lens.warp = warp
            let mosaic = try TestCamera.mosaic(83, 61, metadata: metadata) { row, column in
                SIMD3(repeating: row < 4 || column < 4 || row >= 57 || column >= 79 ? 0.5 : 0.3)
            }
            return try SensorPictures.picture(mosaic)
        }
        for model in LensWarp.Model.allCases {
            let more = [Double](repeating: 0, count: model.count - 4)
            let picture = try pixels(LensWarp(model, planes: [.init(radial: radial + more)]))
            let isInside = picture.bytes.allSatisfy { display(0.24)...display(0.56) ~= Double($0) }
            #expect(isInside)
        }
        if radial[0] == 1.3 {
            let picture = try pixels(LensWarp(planes: [.init(radial: radial)]))
            let corners = [(0, 0), (0, 82), (60, 0), (60, 82)].map {
                distance(picture.color($0, $1), picture.color(1, 1))
            }
            #expect((corners.max() ?? 1) < 0.02)
            #expect(abs(picture.color(0, 0).x * 255 - display(0.5)) < 3)
        }
    }
}
