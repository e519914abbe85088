import DNG
import PhotoMetadata
import RawImage
import Testing

/// Round-trip tests of everything besides pixels: look, lens, mattes, depth, previews, location and names.
@Suite struct CompanionTests {
    private func file(_ set: (inout DNGWriter, inout FrameMetadata) throws -> Void) throws -> DNGFile {
        var mosaic = try TestPictures.mosaic(61, 43)
        var writer = DNGWriter()
        try set(&writer, &mosaic.metadata)
        let file = try DNGFile(bytes: writer.encode(mosaic))
        #expect(file.verify().isEmpty, "\(file.verify())")
        return file
    }

    private func gainTableMap(gamma: Float = 1) throws -> GainTableMap {
        try GainTableMap(
            rows: 3, columns: 5, tableLength: 4, weights: [0.125, 0.5, 0.125, 0, 0.25],
            gains: (0..<60).map { 1 + Float($0) / 32 }, gamma: gamma)
    }

    @Test func lookRoundTrips() throws {
        let recipe = Recipe(
            exposure: -0.75, sharpness: 1.5, gainTableMap: try gainTableMap(),
            toneCurve: try ToneCurve(points: [SIMD2(0, 0), SIMD2(0.25, 0.5), SIMD2(1, 1)]), name: "Evening")
        let file = try file { writer, _ in writer.recipe = recipe }
        #expect(file.recipe == recipe)
        #expect(file.disablesBlackRender)
    }

    @Test func gainMapWithGammaUsesProfileGainTableMap2() throws {
        let map = try gainTableMap(gamma: 0.5)
        let file = try file { writer, _ in writer.recipe.gainTableMap = map }
        #expect(file.recipe.gainTableMap == map)
    }

    @Test func lensCorrectionsRoundTrip() throws {
        let shading = try ShadingMap(
            area: PixelGrid(top: 0, left: 1, bottom: 43, right: 61, rowPitch: 2, columnPitch: 2), rows: 3, columns: 2,
            spacing: GainTableMap.RelativePoint(down: 0.5, across: 1),
            origin: GainTableMap.RelativePoint(down: 0, across: 0),
            gains: [1, 1.5, 1.25, 1, 2, 3])
        let warp = try LensWarp(
            planes: [
                LensWarp.Plane(radial: [1, 0.5, -0.25, 0.125], tangential: [0.5, 0.25]), LensWarp.Plane(),
                LensWarp.Plane(radial: [1.5, 0, 0, 0]),
            ], center: GainTableMap.RelativePoint(down: 0.5, across: 0.25))
        let lens = LensCorrection(shading: [shading, shading], warp: warp)
        let file = try file { _, metadata in metadata.lens = lens }
        #expect(file.metadata.lens == lens)
    }

    @Test(arguments: [LensWarp.Model.fisheye, .polynomial, .reciprocal])
    func everyWarpRoundTrips(_ model: LensWarp.Model) throws {
        var plane = LensWarp.Plane(radial: (0..<model.count).map { 1 / Double($0 + 1) })
        if model != .fisheye { (plane.tangential, plane.validRadii) = ([0.5, 0.25], 0.125...0.75) }
        let warp = try LensWarp(model, planes: [plane], center: GainTableMap.RelativePoint(down: 0.5, across: 0.25))
        let file = try file { _, metadata in metadata.lens.warp = warp }
        #expect(file.metadata.lens.warp == warp)
        #expect(file.version == (model == .fisheye ? "1.4.0.0" : "1.6.0.0"))
    }

    @Test func colorCubeRoundTrips() throws {
        let colors = (0..<27).map { SIMD3<Float>(repeating: Float($0 * 9)) / 255 }
        let cube = try ColorCube(side: 3, colors: colors, encoding: .rec2020, primaries: .adobeRGB, extendsGamut: true)
        let file = try file { writer, _ in writer.recipe.colorCube = cube }
        #expect(file.recipe.colorCube == cube)
        #expect(file.version == "1.6.0.0")
    }

    @Test func threeIlluminantsAndCameraCalibrationRoundTrip() throws {
        func matrix(_ size: Double) -> Matrix3 {
            Matrix3(SIMD3(size, -0.25, 0), SIMD3(-0.25, 1, 0.125), SIMD3(0, 0.25, 0.5))
        }
        let shifts = (0..<4).map { SIMD3(Float($0), 1, 1) }
        let maps = try (0..<3).map { number in
            try HueSatMap(hues: 2, saturations: 2, values: 1, shifts: shifts.map { $0 + Float(number) })
        }
        let lights = [Illuminant.standardA, .d65, .d50]
        let wanted = lights.indices.map { number in
            let cameraCalibration = Matrix3(SIMD3(1, 0.25, 0), SIMD3(0, 1, 0), SIMD3(0, -0.5, Double(number + 1)))
            return ColorCalibration(
                illuminant: lights[number], colorMatrix: cameraCalibration * matrix(1 + Double(number) / 4),
                forwardMatrix: matrix(0.5 + Double(number) / 8), cameraCalibration: cameraCalibration)
        }
        let file = try file { writer, metadata in
            metadata.calibrations = wanted
            metadata.calibrations[1].illuminant = .other
            metadata.calibrations[1].lightColor = Chromaticity(x: 0.35, y: 0.4)
            writer.recipe.hueSatMaps = maps
        }
        #expect(file.version == "1.6.0.0")
        for (x, y) in [(Double.nan, 0.4), (1e300, 0.4), (0.6, 0.6)] {
            #expect(throws: DNGError.self) {
                try self.file { _, metadata in
                    metadata.calibrations = wanted
                    metadata.calibrations[1].lightColor = Chromaticity(x: x, y: y)
                }
            }
        }
        #expect(file.recipe.hueSatMaps == maps)
        #expect(file.metadata.calibrations.map(\.illuminant) == [.standardA, .other, .d50])
        #expect(file.metadata.calibrations.map(\.lightColor) == [nil, Chromaticity(x: 0.35, y: 0.4), nil])
        for (found, wanted) in zip(file.metadata.calibrations, wanted) {
            for (one, other) in [
                (found.colorMatrix, wanted.colorMatrix), (found.cameraCalibration, wanted.cameraCalibration),
                (found.forwardMatrix ?? .identity, wanted.forwardMatrix ?? .identity),
            ] {
                let isSame = zip(one.values, other.values).allSatisfy { abs($0 - $1) < 1e-6 }
                #expect(isSame, "\(one.values) \(other.values)")
            }
        }
    }

    @Test func mattesAndDepthRoundTrip() throws {
        let mattes = try [
            Matte(kind: .sky, width: 33, height: 20, shares: (0..<660).map { UInt8(truncatingIfNeeded: $0) }),
            Matte(kind: .person, instance: "2", width: 4, height: 3, shares: [UInt8](repeating: 200, count: 12)),
        ]
        for bits in [8, 16] {
            let codes = (0..<77).map { UInt16($0 * (bits == 8 ? 3 : 800)) }
            let depth = try DepthMap(
                width: 11, height: 7, bitDepth: bits, codes: codes, scale: .inverse, measure: .opticalAxis, near: 0.5,
                far: 12.5)
            let file = try file { writer, _ in (writer.mattes, writer.depthMap) = (mattes, depth) }
            #expect(try file.mattes() == mattes)
            #expect(try file.depthMap() == depth)
        }
    }

    @Test func previewsComeInTheirSizes() throws {
        func preview(_ width: Int, _ height: Int) throws -> DNGPreview {
            try DNGPreview(width: width, height: height, rgb: [UInt8](repeating: 128, count: width * height * 3))
        }
        let file = try file { writer, _ in
            writer.preview = try preview(61, 43)
            writer.furtherPreviews = [try preview(30, 21), try preview(15, 10)]
        }
        let previews = file.images.filter { $0.kind == .preview }
        #expect(previews.map(\.width) == [61, 30, 15])
        #expect(try previews.map { try file.preview($0).height } == [43, 21, 10])
        let jpeg = try #require(try file.previewJPEG())
        #expect(jpeg.prefix(2) == [0xFF, 0xD8])
    }

    @Test(arguments: [-1.5, 0, 2.25, nil] as [Double?]) func theExposureBiasRoundTrips(bias: Double?) throws {
        let file = try file { _, metadata in metadata.exposureBias = bias }
        #expect(file.metadata.exposureBias == bias)
    }

    @Test func locationLensAndNamesRoundTrip() throws {
        var details = DescriptiveMetadata()
        details.focalLength = 6.765
        details.focalLengthIn35mm = 26
        details.fNumber = 1.78
        details.lensMake = "Glaswerk"
        details.lensModel = "Normal 6.8 mm f/1.8"
        details.artist = "Zoë <Söhne> & Co"
        details.copyright = "© \"all\" rights"
        details.title = "Dusk]]>"
        details.location = Location(latitude: -33.8568, longitude: 151.2153, altitude: -4.5)
        let file = try file { _, metadata in metadata.details = details }
        let found = file.metadata.details
        #expect(
            abs(found.focalLength - 6.765) < 1e-6 && found.focalLengthIn35mm == 26 && abs(found.fNumber - 1.78) < 1e-6)
        #expect((found.lensMake, found.lensModel) == (details.lensMake, details.lensModel))
        #expect((found.artist, found.copyright, found.title) == (details.artist, details.copyright, details.title))
        let location = try #require(found.location)
        #expect(abs(location.latitude + 33.8568) < 1e-5 && abs(location.longitude - 151.2153) < 1e-5)
        #expect(abs((location.altitude ?? 0) + 4.5) < 1e-6)
        #expect(file.xmp?.contains("&lt;Söhne&gt; &amp; Co") == true)
    }

    /// The ratio holds for the crop that shows it: in a file whose pixels are all shown, it is that of the camera.
    @Test func theDigitalZoomOfACropRoundTrips() throws {
        let zoomed = PixelRectangle(width: 61, height: 43, zoomedBy: 1.5)
        let cases: [(PixelRectangle?, Double)] = [(zoomed, 1.5), (nil, 1)]
        for (crop, ratio) in cases {
            let file = try file { writer, metadata in
                writer.defaultCrop = crop
                metadata.details.focalLengthIn35mm = 39
                metadata.details.digitalZoomRatio = 1.5
            }
            #expect(file.metadata.details.focalLengthIn35mm == 39)
            #expect(abs(file.metadata.details.digitalZoomRatio - ratio) < 1e-6)
        }
    }

    /// Finished pictures have the tag only if they are zoomed.
    @Test(arguments: [1, 1.5]) func exifStatesTheDigitalZoom(ratio: Double) throws {
        var metadata = FrameMetadata()
        metadata.details.digitalZoomRatio = ratio
        let block = ExifBlock(metadata: metadata, software: "", color: .sRGB, width: 1, height: 1, isYCbCr: false)
        guard case .directory(let exif)? = block.tags[0x8769] else {
            Issue.record("the Exif directory is missing")
            return
        }
        guard case .ratios(let values)? = exif[0xA404] else {
            #expect(ratio == 1)
            return
        }
        #expect(values == [1.5] && ratio == 1.5)
    }

    @Test func sensorFrameDigestsAreStored() throws {
        let digests = ["00112233445566778899aabbccddeeff", "ffeeddccbbaa99887766554433221100"]
        let file = try file { _, metadata in metadata.sensorDigests = digests }
        #expect(file.metadata.sensorDigests == digests)
        #expect(file.metadata.fusedFrames == 2)
    }

    @Test func callersXMPPacketIsStored() throws {
        let packet = "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/>"
        let file = try file { writer, _ in writer.xmp = packet }
        #expect(file.xmp == packet)
    }

    @Test func versionsRiseWithUsedFeatures() throws {
        let mosaic = try TestPictures.mosaic(61, 43)
        var writer = DNGWriter()
        #expect(try DNGFile(bytes: writer.encode(mosaic)).version == "1.4.0.0")
        writer.recipe.gainTableMap = try gainTableMap()
        #expect(try DNGFile(bytes: writer.encode(mosaic)).version == "1.6.0.0")
        writer.storage = .jpegXL()
        // A mosaic's planes are stored one after another, which is DNG 1.7.1.
        #expect(try DNGFile(bytes: writer.encode(mosaic)).version == "1.7.1.0")
    }
}
