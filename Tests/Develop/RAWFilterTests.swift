import DNG
import Develop
import RawImage
import Testing

/// Tests of the development settings of a raw photo, and of crops and orientations of its pictures.
@Suite struct RAWFilterTests {
    /// Returns a mosaic of one colour, or, if `isEven` is false, of a scene without repetition.
    private func mosaic(
        _ color: SIMD3<Double> = SIMD3(0.2, 0.4, 0.1), isEven: Bool = true, orientation: Int = 1
    ) throws -> Mosaic {
        let format = MosaicFormat(width: 40, height: 24, pattern: .rggb, bitDepth: 14)
        var metadata = FrameMetadata(bitDepth: 14)
        metadata.blackLevel = [512, 512, 512, 512]
        metadata.orientation = orientation
        metadata.neutral = SIMD3(0.5, 1, 0.6)
        let codes = (0..<40 * 24).map { place -> UInt16 in
            let (row, column) = (place / 40, place % 40)
            let scene: Double = isEven ? 1 : 0.2 + Double(row * 3 + column) / 150
            let light: Double = color[format.pattern.plane(row: row, column: column)] * scene
            return UInt16(512 + light * 15_871)
        }
        return try Mosaic(format: format, metadata: metadata, codes: codes)
    }

    private func halves(_ picture: Picture) -> [Float16] {
        if case .halves(let values) = picture.samples { values } else { [] }
    }

    private func bytes(_ picture: Picture) -> [UInt8] {
        if case .bytes(let values) = picture.samples { values } else { [] }
    }

    /// A raw image whose pixels are not square (DefaultScale) is shown in square ones, as by LibRaw and the Adobe DNG
    /// SDK: a circle stays a circle.
    @Test(arguments: [(UInt32(1), UInt32(2), 1), (2, 1, 1), (1, 2, 6)])
    func pixelsBecomeSquare(across: UInt32, down: UInt32, orientation: Int) throws {
        var dng = HandmadeDNG.bayer(width: 40, height: 24, bits: 16)
        dng.tags[50_707] = .bytes([1, 3, 0, 0])
        dng.tags[50_721] = .signedRationals([1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1])
        dng.tags[50_728] = .rationals([1, 1, 1, 1, 1, 1])
        dng.tags[274] = .shorts([UInt16(orientation)])
        // The right half and the lower half are brighter.
        let codes = (0..<960).map { place -> UInt16 in
            let (row, column): (Int, Int) = (place / 40, place % 40)
            return (column < 20 ? 4000 : 20_000) + (row < 12 ? 0 : 30_000)
        }
        dng.parts = [dng.bytes(codes)]
        let narrow = try RAWFilter(file: DNGFile(bytes: dng.file))
        dng.tags[50_718] = .rationals([across, 1, down, 1])
        let filter = try RAWFilter(file: DNGFile(bytes: dng.file))
        let wide = orientation == 6 ? (down, across) : (across, down)
        let size = (width: narrow.nativeSize.width * Int(wide.0), height: narrow.nativeSize.height * Int(wide.1))
        #expect(filter.nativeSize == size)
        let (picture, raw) = (try filter.picture(), try narrow.picture())
        #expect((picture.width, picture.height) == size)
        // Corners, edges and middle have the colours of the raw image.
        let (values, plain) = (bytes(picture), bytes(raw))
        for (row, column) in [(0, 0), (0, 7), (3, 1), (7, 7), (4, 0), (5, 7)] {
            let (y, x) = (row * (picture.height - 1) / 7, column * (picture.width - 1) / 7)
            let place = (y * raw.height / picture.height) * raw.width + x * raw.width / picture.width
            #expect(abs(Int(values[3 * (y * picture.width + x)]) - Int(plain[3 * place])) < 30, "\(row), \(column)")
        }
        // A part, and a picture that is scaled down in both directions.
        let part = try filter.picture(crop: PixelRectangle(left: 4, top: 6, width: 10, height: 12))
        #expect((part.width, part.height) == (10, 12))
        let box = (width: size.width / 4, height: size.height / 4)
        let small = try filter.picture(fitting: box)
        #expect((small.width, small.height) == box)
        #expect(try filter.rows() == nil)
        #expect(throws: DevelopError.self) {
            try filter.picture(crop: PixelRectangle(left: 0, top: 0, width: size.width + 1, height: 1))
        }
    }

    @Test func aPickedAreaBecomesGrey() throws {
        var filter = try RAWFilter(try mosaic())
        let before = halves(try filter.sceneLinearPicture())
        #expect(abs(before[300] / before[301] - 1) > 0.01)
        try filter.setNeutral(column: 20, row: 12)
        let after = halves(try filter.sceneLinearPicture())
        let pixel = after[1500..<1503].map(Double.init)
        #expect(pixel.allSatisfy { abs($0 / pixel[1] - 1) < 0.004 })
        #expect(throws: DevelopError.self) { try filter.setNeutral(column: 40, row: 3) }
    }

    /// Rows computed on demand equal those of the whole picture.
    @Test(arguments: [nil, PixelRectangle(left: 3, top: 5, width: 30, height: 17)])
    func rowsAreThePictures(crop: PixelRectangle?) throws {
        let filter = try RAWFilter(try mosaic(isEven: false))
        let whole = try filter.picture(crop: crop)
        let rows = try #require(try filter.rows(crop: crop))
        #expect((rows.width, rows.height) == (whole.width, whole.height))
        var joined: [UInt8] = []
        for top in stride(from: 0, to: rows.height, by: 7) {
            rows.forEach(in: top..<min(top + 7, rows.height), pieceHeight: 3) { piece in
                for index in piece.indices { joined.append(piece[index]) }
            }
        }
        let isSame = joined == bytes(whole)
        #expect(isSame)
        #expect(try RAWFilter(try mosaic(orientation: 6)).rows() == nil)
    }

    @Test func theLightIsFound() throws {
        var filter = try RAWFilter(try mosaic(isEven: false))
        try filter.setAutomaticWhiteBalance()
        let values = halves(try filter.sceneLinearPicture())
        let pixel = values[1500..<1503].map(Double.init)
        #expect(pixel.allSatisfy { abs($0 / pixel[1] - 1) < 0.05 })
        var dark = try RAWFilter(try mosaic(.zero))
        #expect(throws: DevelopError.self) { try dark.setAutomaticWhiteBalance() }
    }

    @Test func exposureIsBesideThatOfTheLook() throws {
        var filter = try RAWFilter(try mosaic(), recipe: Recipe(exposure: 0.75))
        #expect(filter.exposure == 0 && filter.baselineExposure == 0.75)
        let before = halves(try filter.sceneLinearPicture())
        filter.exposure = 1
        #expect(filter.recipe.exposure == 1.75)
        let after = halves(try filter.sceneLinearPicture())
        #expect(zip(before, after).allSatisfy { abs(Double($1) / Double($0) - 2) < 0.005 })
        filter.baselineExposure = 0
        #expect(filter.exposure == 1 && filter.recipe.exposure == 1)
    }

    @Test func temperatureAndTint() throws {
        var filter = try RAWFilter(try mosaic())
        filter.neutralTemperature = 3200
        filter.neutralTint = 12
        #expect(abs(filter.neutralTemperature - 3200) < 1 && abs(filter.neutralTint - 12) < 0.1)
        let (x, y) = filter.neutralChromaticity
        filter.setNeutral(x: x, y: y)
        #expect(abs(filter.neutralTemperature - 3200) < 5 && abs(filter.neutralTint - 12) < 0.5)
    }

    /// A crop of the upright photo equals the same part of the whole, for every orientation.
    @Test(arguments: 1...8) func partsOfTurnedPhotos(_ orientation: Int) throws {
        var filter = try RAWFilter(try mosaic(isEven: false, orientation: orientation))
        // The filters that read neighbouring pixels are off, since they give other results at the edges of a crop.
        filter.sharpnessAmount = 0
        filter.luminanceNoiseReductionAmount = 0
        filter.colorNoiseReductionAmount = 0
        let whole = try filter.picture()
        let size = filter.nativeSize
        #expect(size == (orientation > 4 ? (24, 40) : (40, 24)))
        #expect(whole.width == size.width && whole.height == size.height)
        let part = PixelRectangle(left: 5, top: 7, width: 9, height: 11)
        let shown = bytes(try filter.picture(crop: part))
        let all = bytes(whole)
        let wanted = (7..<18).flatMap { (row: Int) -> ArraySlice<UInt8> in
            let start = 3 * (row * size.width + 5)
            return all[start..<start + 27]
        }
        let isSame = shown.count == wanted.count && zip(shown, wanted).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
        #expect(isSame)
        let small = try filter.picture(fitting: (10, 10))
        #expect(max(small.width, small.height) == 10)
    }

    /// Invalid levels are rejected at once instead of trapping later.
    @Test func invalidLevelsAreRejected() throws {
        for levels in [[], [512.0], [.nan, 512, 512, 512], [20_000, 512, 512, 512]] {
            var mosaic = try mosaic()
            mosaic.metadata.blackLevel = levels
            #expect(throws: DevelopError.self) { _ = try RAWFilter(mosaic) }
            #expect(throws: DevelopError.self) { _ = try RAWFilter(mosaic, look: .automatic) }
        }
    }

    @Test func histogramsCount() throws {
        let filter = try RAWFilter(try mosaic(SIMD3(0.5, 1, 0.6) * 0.25))
        let histogram = try filter.histogram()
        #expect(histogram.pixelCount == 40 * 24)
        for channel in 0..<3 {
            let total: Int = histogram.counts[channel].reduce(0, +)
            #expect(total == 40 * 24)
            // The picture is even, so all its pixels are near two stops below white.
            let near = histogram.counts[channel].indices.filter { abs(Histogram.stop(of: $0) + 2) <= 0.25 }
            let count = near.reduce(0) { (sum: Int, bin: Int) -> Int in sum + histogram.counts[channel][bin] }
            #expect(count == 40 * 24)
            #expect(abs(histogram.means[channel] - 0.25) < 0.01)
        }
    }
}
