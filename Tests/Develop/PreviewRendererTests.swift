import Demosaic
import Develop
import Fusion
import RawImage
import Testing

@Suite struct PreviewRendererTests {
    private let developer: PreviewRenderer

    init() throws {
        developer = try PreviewRenderer(metadata: TestCamera.metadata)
    }

    /// Renders a mosaic in every way that yields a display picture: as a preview, at full size, and from a demosaiced
    /// linear image at full and reduced size.
    private func all(_ mosaic: Mosaic, recipe: Recipe = Recipe()) throws -> [DisplayPicture] {
        let developer = try PreviewRenderer(metadata: mosaic.metadata, recipe: recipe)
        let photo = try Demosaic.linear(mosaic)
        let photoDeveloper = try PreviewRenderer(metadata: photo.metadata, recipe: recipe)
        let (width, height) = (mosaic.format.width, mosaic.format.height)
        return [
            try developer.preview(mosaic, (width + 1) / 2, (height + 1) / 2), try developer.rendered(mosaic),
            try photoDeveloper.develop(photo, width, height),
            try photoDeveloper.develop(photo, (width + 2) / 3, (height + 2) / 3),
        ]
    }

    @Test(arguments: BayerPattern.allCases) func knownColoursComeOut(_ pattern: BayerPattern) throws {
        let colors: [SIMD3<Double>] = [
            SIMD3(0.18, 0.18, 0.18), SIMD3(1, 1, 1), SIMD3(0.7, 0.05, 0.04), SIMD3(0.05, 0.5, 0.08),
            SIMD3(0.03, 0.06, 0.4), SIMD3(0.55, 0.3, 0.2), SIMD3(0.8, 0.6, 0.02), SIMD3(0.002, 0.002, 0.002),
        ]
        for color in colors {
            let mosaic = try TestCamera.mosaic(36, 26, pattern) { _, _ in color }
            let expected = SIMD3(display(color.x), display(color.y), display(color.z))
            for picture in try all(mosaic) {
                for pixel in picture.pixels { #expect(distance(pixel, expected) <= 1.6) }
            }
        }
    }

    @Test(arguments: [(2, 2), (3, 2), (2, 5), (7, 3), (33, 21), (100, 75)])
    func aGreySurfaceIsGreyToItsEdges(_ size: (Int, Int)) throws {
        let mosaic = try TestCamera.mosaic(size.0, size.1, .gbrg) { _, _ in SIMD3(repeating: 0.35) }
        for picture in try all(mosaic) {
            for pixel in picture.pixels {
                #expect(pixel.max() - pixel.min() <= 1)
                #expect(abs(pixel.x - display(0.35)) <= 1)
            }
        }
    }

    @Test func exposureIsInStops() throws {
        let mosaic = try TestCamera.mosaic(20, 20) { _, _ in SIMD3(repeating: 0.1) }
        for exposure in [-2.0, -0.5, 1, 3] {
            let expected = display(0.1 * [-2: 0.25, -0.5: 0.70711, 1: 2, 3: 8][exposure, default: 0])
            for picture in try all(mosaic, recipe: Recipe(exposure: exposure)) {
                #expect(picture.pixels.allSatisfy { distance($0, SIMD3(repeating: expected)) <= 1 })
            }
        }
    }

    /// Highlights stay neutral in a ramp up to eight times the sensor's white, and in stripes far beyond it.
    @Test(arguments: BayerPattern.allCases) func highlightsAreNeutral(_ pattern: BayerPattern) throws {
        let ramp = try TestCamera.mosaic(256, 32, pattern) { _, column in SIMD3(repeating: Double(column) / 32) }
        let stripes = try TestCamera.mosaic(256, 32, pattern) { _, column in
            SIMD3(repeating: column / 16 % 2 == 0 ? 0.1 : 8)
        }
        for mosaic in [ramp, stripes] {
            for picture in try all(mosaic) {
                // The preview samples each colour of a sharp edge at a different position. Magenta means green below
                // red and blue.
                for pixel in picture.pixels { #expect(pixel.y - min(pixel.x, pixel.z) >= -12) }
                #expect(picture[2, picture.format.width - 4] == SIMD3(repeating: 255))
            }
        }
    }

    @Test func thePreviewIsTheFullPictureMadeSmaller() throws {
        let mosaic = try TestCamera.mosaic(400, 300, .grbg) { row, column in
            let (y, x) = (Double(row), Double(column))
            return SIMD3(
                0.4 + 0.3 * wave(x / 70 + y / 90), 0.4 + 0.3 * wave(x / 60 - y / 110), 0.4 + 0.3 * wave(y / 80))
        }
        let full = try developer.rendered(mosaic)
        for (width, height) in [(200, 150), (100, 100), (137, 91), (300, 290), (400, 300), (16, 12)] {
            let preview = try developer.preview(mosaic, width, height)
            var (worst, sum) = (0.0, SIMD3<Double>())
            // The outermost pixels are skipped, because preview and full rendering extrapolate differently there.
            for row in 1..<height - 1 {
                for column in 1..<width - 1 {
                    let difference = preview[row, column] - full.average(row, column, width, height)
                    worst = max(worst, distance(difference, SIMD3()))
                    sum += difference
                }
            }
            // A preview with more pixels than the mosaic has cells is softer.
            #expect(worst < (width > 200 ? 8 : 3), "\(width)×\(height): \(worst)")
            #expect(distance(sum / Double(width * height), SIMD3()) < 0.3, "\(width)×\(height)")
        }
    }

    /// A smooth grey picture stays grey: colour would appear if the samples averaged for each colour had different mean
    /// positions.
    @Test(arguments: BayerPattern.allCases) func thePreviewDoesNotShiftColours(_ pattern: BayerPattern) throws {
        let mosaic = try TestCamera.mosaic(302, 202, pattern) { row, column in
            SIMD3(repeating: 0.5 + 0.2 * wave(Double(column) / 36) + 0.15 * wave(Double(row) / 36))
        }
        for (width, height) in [(151, 101), (200, 120), (107, 61)] {
            let preview = try developer.preview(mosaic, width, height)
            for row in 2..<height - 2 {
                for column in 2..<width - 2 {
                    let pixel = preview[row, column]
                    #expect(pixel.max() - pixel.min() <= 3, "\(width)×\(height), row \(row), column \(column)")
                }
            }
        }
    }

    /// Detail finer than the preview's pixels averages to grey without aliasing.
    @Test func thePreviewHasNoMoire() throws {
        let mosaic = try TestCamera.mosaic(600, 400) { _, column in
            SIMD3(repeating: 0.4 + 0.35 * wave(Double(column) / 4.4))
        }
        let preview = try developer.preview(mosaic, 75, 50)
        let reds = preview.pixels.map(\.x)
        #expect((reds.max() ?? 255) - (reds.min() ?? 0) < 30)
    }

    @Test(arguments: DisplayPixelFormat.allCases) func layoutsHoldTheSamePicture(_ layout: DisplayPixelFormat) throws {
        let mosaic = try TestCamera.mosaic(31, 22) { row, column in
            SIMD3(Double(row) / 22, Double(column) / 31, Double(row + column) / 53)
        }
        let order: [Int] = layout.rawValue.lowercased().map { ["r": 0, "g": 1, "b": 2][$0, default: 3] }
        #expect(layout.bytes == order.count)
        for isPreview in [true, false] {
            let (width, height) = isPreview ? (13, 9) : (31, 22)
            let plain = DisplayFormat(width: width, height: height, layout: .rgb)
            let padded = DisplayFormat(width: width, height: height, layout: layout, stride: width * layout.bytes + 5)
            let make = isPreview ? developer.preview(_:_:cores:) : developer.rendered(_:_:cores:)
            let (expected, found) = (try make(mosaic, plain, nil), try make(mosaic, padded, nil))
            for row in 0..<height {
                for column in 0..<width {
                    for (offset, plane) in order.enumerated() {
                        let byte = found.bytes[row * padded.stride + column * layout.bytes + offset]
                        #expect(plane == 3 ? byte == 255 : Double(byte) == expected[row, column][plane])
                    }
                }
                let gap = row * padded.stride + width * layout.bytes
                #expect(row == height - 1 || found.bytes[gap..<gap + 5].allSatisfy { $0 == 99 })
            }
        }
    }

    @Test func stridesAndCoresChangeNothing() throws {
        let scene = { (row: Int, column: Int) in SIMD3(Double(row % 9) / 9, Double(column % 7) / 7, 0.3) }
        let plain = try TestCamera.mosaic(91, 307, .bggr, scene)
        let padded = try TestCamera.mosaic(91, 307, .bggr, stride: 131, scene)
        for (width, height) in [(45, 153), (91, 307), (3, 200), (1, 1)] {
            let output = DisplayFormat(width: width, height: height, layout: .bgr)
            let expected = try developer.preview(plain, output, cores: 1)
            #expect(try developer.preview(padded, output, cores: nil) == expected)
        }
        let output = DisplayFormat(width: 91, height: 307, layout: .bgrx)
        let expected = try developer.rendered(plain, output, cores: 1)
        #expect(try developer.rendered(padded, output, cores: nil) == expected)
    }

    @Test func everySizeIsMade() throws {
        for (width, height) in [(2, 2), (3, 3), (4, 2), (2, 9), (5, 4), (17, 16)] {
            let mosaic = try TestCamera.mosaic(width, height) { _, _ in SIMD3(repeating: 0.5) }
            for outputWidth in 1...width {
                for outputHeight in 1...height {
                    let preview = try developer.preview(mosaic, outputWidth, outputHeight)
                    #expect(preview.pixels.allSatisfy { distance($0, SIMD3(repeating: display(0.5))) <= 1 })
                }
            }
        }
    }

    @Test func aDeveloperServesFramesOfTheSameColour() {
        var metadata = TestCamera.metadata
        metadata.frameNumber = 17
        metadata.exposureTime = 0.5
        #expect(developer.serves(metadata, recipe: Recipe()))
        #expect(!developer.serves(metadata, recipe: Recipe(exposure: 1)))
        metadata.neutral.x *= 1.01
        #expect(!developer.serves(metadata, recipe: Recipe()))
    }
}

extension DisplayPicture {
    /// Returns the display value of the mean linear value of the pixels under one pixel of a smaller picture.
    fileprivate func average(_ row: Int, _ column: Int, _ width: Int, _ height: Int) -> SIMD3<Double> {
        let (down, across) = (Double(format.height) / Double(height), Double(format.width) / Double(width))
        var (sum, total) = (SIMD3<Double>(), 0.0)
        for y in Int(Double(row) * down)..<min(format.height, Int((Double(row + 1) * down).rounded(.up))) {
            let tall = min(Double(y + 1), Double(row + 1) * down) - max(Double(y), Double(row) * down)
            for x in Int(Double(column) * across)..<min(format.width, Int((Double(column + 1) * across).rounded(.up))) {
                let wide = min(Double(x + 1), Double(column + 1) * across) - max(Double(x), Double(column) * across)
                sum += linear(self[y, x]) * (tall * wide)
                total += tall * wide
            }
        }
        let mean = sum / total
        return SIMD3(display(mean.x), display(mean.y), display(mean.z))
    }
}
