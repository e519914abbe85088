import BurstScenes
import Demosaic
import Fusion
import RawImage
import Testing

/// Tests the demosaic with mosaics of pictures that are known at every pixel.
@Suite struct DemosaicTests {
    /// Returns the metadata of a camera with different sensitivities per colour and different black levels per CFA
    /// position.
    static func metadata() -> FrameMetadata {
        var metadata = FrameMetadata(bitDepth: 14)
        metadata.blackLevel = [500, 510, 520, 530]
        metadata.whiteLevel = 15_000
        metadata.neutral = SIMD3(0.5, 1, 0.625)
        return metadata
    }

    /// Returns a noise-free mosaic of a grey scene with the linear values `light(row, column)` in 0…1.
    static func mosaic(
        _ width: Int, _ height: Int, _ pattern: BayerPattern, metadata: FrameMetadata = metadata(), stride: Int? = nil,
        _ light: (Int, Int) -> Double
    ) throws -> Mosaic {
        let format = MosaicFormat(width: width, height: height, pattern: pattern, bitDepth: 14, stride: stride)
        var codes = [UInt16](repeating: 0xDEAD, count: format.codeCount)
        for row in 0..<height {
            for column in 0..<width {
                let black = metadata.blackLevel[2 * (row & 1) + column & 1]
                let response = metadata.neutral[pattern.plane(row: row, column: column)] * light(row, column)
                codes[row * format.stride + column] = UInt16(
                    (black + (metadata.whiteLevel - black) * response).rounded())
            }
        }
        return try Mosaic(format: format, metadata: metadata, codes: codes)
    }

    /// Converts a value of a demosaiced photo to the camera's response: 0 at black, 1 at white.
    static func response(_ value: UInt16) -> Double {
        (Double(value) - Double(Demosaic.pedestal)) / (65_535 - Double(Demosaic.pedestal))
    }

    /// Converts a camera's response, 0 at black and 1 at white, to a value of a demosaiced photo.
    static func value(_ response: Double) -> Double {
        Double(Demosaic.pedestal) + response * (65_535 - Double(Demosaic.pedestal))
    }

    @Test(arguments: BayerPattern.allCases, [(2, 2), (3, 2), (2, 3), (5, 7), (17, 9), (64, 33)])
    func aConstantPictureIsConstantToItsEdges(_ pattern: BayerPattern, _ size: (Int, Int)) throws {
        for method in [Demosaic.Method.fast, .best] { try checkConstant(pattern, size, method) }
    }

    private func checkConstant(_ pattern: BayerPattern, _ size: (Int, Int), _ method: Demosaic.Method) throws {
        let metadata = Self.metadata()
        let photo = try Demosaic.linear(Self.mosaic(size.0, size.1, pattern) { _, _ in 0.4 }, method: method)
        for pixel in 0..<size.0 * size.1 {
            for plane in 0..<3 {
                let found = Double(photo.values[4 * pixel + plane])
                // One code of the mosaic is 4.5 values of the photo.
                #expect(abs(found - Self.value(0.4 * metadata.neutral[plane])) <= 5, "pixel \(pixel), plane \(plane)")
                #expect(abs(found - Double(photo.values[plane])) <= 9, "pixel \(pixel), plane \(plane)")
            }
            #expect(photo.values[4 * pixel + 3] == 65_535)
        }
    }

    @Test func equalCodesGiveEqualValues() throws {
        var metadata = FrameMetadata(bitDepth: 12)
        metadata.blackLevel = [256, 256, 256, 256]
        let format = MosaicFormat(width: 31, height: 21, pattern: .gbrg, bitDepth: 12)
        let codes = [UInt16](repeating: 1000, count: format.codeCount)
        let expected = UInt16(Self.value(744.0 / 3839).rounded())
        for method in Demosaic.Method.allCases {
            let photo = try Demosaic.linear(Mosaic(format: format, metadata: metadata, codes: codes), method: method)
            #expect(photo.values.enumerated().allSatisfy { $1 == ($0 & 3 == 3 ? 65_535 : expected) })
        }
    }

    /// A flat colour is reconstructed exactly, however much its components differ.
    @Test(arguments: BayerPattern.allCases) func aFlatColourIsExact(_ pattern: BayerPattern) throws {
        let format = MosaicFormat(width: 26, height: 23, pattern: pattern, bitDepth: 16)
        let color: [UInt16] = [40_000, 9000, 700]
        let codes = (0..<format.codeCount).map { color[pattern.plane(row: $0 / 26, column: $0 % 26)] }
        let mosaic = try Mosaic(format: format, metadata: FrameMetadata(bitDepth: 16), codes: codes)
        for method in Demosaic.Method.allCases {
            let photo = try Demosaic.linear(mosaic, method: method)
            #expect(photo.values.enumerated().allSatisfy { $0 & 3 == 3 || $1 == color[$0 & 3] })
        }
    }

    /// Noise below black does not raise the mean: it is taken from the values around it. Otherwise the picture would be
    /// 1.6 times as bright as its scene.
    @Test(arguments: [(257, 120), (64, 480)]) func noiseBelowBlackKeepsItsMean(_ size: (Int, Int)) throws {
        var metadata = Self.metadata()
        metadata.noise = [NoiseProfile(shot: 4e-3, read: 1e-4)]
        var random = Random(5)
        let mosaic = try Self.mosaic(size.0, size.1, .rggb, metadata: metadata) { _, _ in
            max(-0.03, 0.004 + 0.01 * random.normal())
        }
        for method in [Demosaic.Method.fast, .best] {
            let photo = try Demosaic.linear(mosaic, method: method)
            for plane in 0..<3 {
                let values = (0..<size.0 * size.1).map {
                    Self.response(photo.values[4 * $0 + plane]) / metadata.neutral[plane]
                }
                let mean = values.reduce(0, +) / Double(values.count)
                #expect(abs(mean - 0.004) < 0.0005, "\(method), plane \(plane): \(mean)")
            }
        }
    }

    /// Bright edges beside a black area lose no visible light for the noise below black.
    @Test(arguments: [61, 64, 70]) func noiseBelowBlackDoesNotDarkenEdges(_ edge: Int) throws {
        var metadata = Self.metadata()
        metadata.neutral = SIMD3(repeating: 1)
        var random = Random(6)
        let mosaic = try Self.mosaic(96, 400, .rggb, metadata: metadata) { _, column in
            (column < edge ? 0 : 0.1) + max(-0.03, 0.005 * random.normal())
        }
        let photo = try Demosaic.linear(mosaic)
        for column in edge + 2..<94 {
            let values = (8..<392).map { Self.response(photo.values[4 * ($0 * 96 + column) + 1]) }
            let mean = values.reduce(0, +) / Double(values.count)
            #expect(abs(mean - 0.1) < 0.004, "column \(column): \(mean)")
        }
    }

    @Test func levelsFollowTheMetadata() throws {
        var metadata = Self.metadata()
        metadata.neutral = SIMD3(repeating: 1)
        let dark = try Demosaic.linear(Self.mosaic(8, 8, .rggb, metadata: metadata) { _, _ in 0 })
        let full = try Demosaic.linear(Self.mosaic(8, 8, .rggb, metadata: metadata) { _, _ in 1 })
        #expect(dark.metadata.blackLevel == [Double](repeating: Double(Demosaic.pedestal), count: 4))
        #expect(dark.metadata.whiteLevel == 65_535)
        #expect(dark.metadata.neutral == metadata.neutral)
        #expect(dark.values.enumerated().allSatisfy { $0 & 3 == 3 || $1 == Demosaic.pedestal })
        #expect(full.values.allSatisfy { $0 == 65_535 })
    }

    /// Where red and blue exceed the level at which green clips, the excess is preserved inside the highlight but does
    /// not spread beyond it.
    @Test(arguments: BayerPattern.allCases) func highlightsKeepEachColoursExcess(_ pattern: BayerPattern) throws {
        let edge = 20
        let mosaic = try Self.mosaic(40, 40, pattern) { row, column in
            // On this scale green saturates at 1 and red at 2.
            column < edge ? 0.1 : pattern.plane(row: row, column: column) == 1 ? 1 : 1.5
        }
        let photo = try Demosaic.linear(mosaic)
        let neutral = Self.metadata().neutral
        for row in 0..<40 {
            for column in 0..<40 {
                let pixel = (0..<3).map { plane in
                    Self.response(photo.values[4 * (40 * row + column) + plane]) / neutral[plane]
                }
                let expected = column < edge ? [0.1, 0.1, 0.1] : [1.5, 1, 1.5]
                if column < edge - 1 || column > edge {
                    #expect(zip(pixel, expected).allSatisfy { abs($0 - $1) < 0.001 }, "row \(row), column \(column)")
                } else {
                    #expect(min(pixel[0], 1) - pixel[1] < 0.1 && min(pixel[2], 1) - pixel[1] < 0.1)
                }
            }
        }
    }

    /// Codes far below black and far above white give values clipped to the range of 16 bits, without overflow.
    @Test func codesOutOfRangeEndAtTheScale() throws {
        var metadata = FrameMetadata(bitDepth: 12)
        metadata.blackLevel = [2000, 2000, 2000, 2000]
        let format = MosaicFormat(width: 20, height: 20, pattern: .rggb, bitDepth: 12)
        for (code, value) in [(UInt16(0), UInt16(0)), (65_535, 65_535)] {
            let codes = [UInt16](repeating: code, count: format.codeCount)
            let photo = try Demosaic.linear(Mosaic(format: format, metadata: metadata, codes: codes))
            #expect(photo.values.enumerated().allSatisfy { $0 & 3 == 3 || $1 == value })
        }
    }

    @Test(arguments: BayerPattern.allCases) func aLinearRampIsReproduced(_ pattern: BayerPattern) throws {
        let light = { (row: Int, column: Int) in 0.1 + 0.004 * Double(column) + 0.003 * Double(row) }
        let photo = try Demosaic.linear(Self.mosaic(80, 60, pattern, light))
        for row in 4..<56 {
            for column in 4..<76 {
                for plane in 0..<3 {
                    let expected = Self.value(light(row, column) * Self.metadata().neutral[plane])
                    let found = Double(photo.values[4 * (80 * row + column) + plane])
                    #expect(abs(found - expected) < 9, "row \(row), column \(column), plane \(plane)")
                }
            }
        }
    }

    @Test(arguments: [Demosaic.Method.fast, .best])
    func ordersOfColourAreEquivalent(_ method: Demosaic.Method) throws {
        var metadata = Self.metadata()
        metadata.blackLevel = [512, 512, 512, 512]
        let light = { (row: Int, column: Int) -> Double in
            let phase = Double(row * row + 2 * column * column) / 900
            return 0.5 + 0.4 * wave(phase)
        }
        let whole = try Demosaic.linear(Self.mosaic(72, 64, .rggb, metadata: metadata, light), method: method)
        for (rows, columns) in [(0, 1), (1, 0), (1, 1)] {
            let pattern = BayerPattern.rggb.shifted(rows: rows, columns: columns)
            let part = try Demosaic.linear(
                Self.mosaic(70, 62, pattern, metadata: metadata) { light($0 + rows, $1 + columns) }, method: method)
            // Only rows away from the edges are compared, because mirrored pixels contribute to the others.
            for row in 16..<46 {
                for value in 4 * 16..<54 * 4 {
                    let expected = whole.values[4 * (72 * (row + rows) + columns) + value]
                    #expect(part.values[4 * 70 * row + value] == expected)
                }
            }
        }
    }

    @Test(arguments: [Demosaic.Method.fast, .best]) func stridesAndCoresChangeNothing(_ method: Demosaic.Method) throws
    {
        let light = { (row: Int, column: Int) in 0.5 + 0.3 * wave(Double(row + 3 * column) / 11) }
        let plain = try Demosaic.linear(Self.mosaic(75, 301, .grbg, light), method: method)
        let padded = try Self.mosaic(75, 301, .grbg, stride: 91, light)
        let output = LinearFormat(width: 75, height: 301, stride: 4 * 75 + 6)
        for cores in [1, nil] {
            var values = [UInt16](repeating: 77, count: output.valueCount)
            var span = values.mutableSpan
            try Demosaic.linear(
                padded.codes.span, format: padded.format, metadata: padded.metadata, into: &span, output: output,
                method: method, cores: cores)
            for row in 0..<301 {
                let start = row * output.stride
                #expect(values[start..<start + 300] == plain.values[row * 300..<row * 300 + 300])
                #expect(row == 300 || values[start + 300..<start + 306].allSatisfy { $0 == 77 })
            }
        }
    }

    /// The automatic choice of the demosaicing method depends on the noise profile.
    @Test func automaticDependsOnTheNoise() throws {
        let light = { (row: Int, column: Int) in 0.5 + 0.3 * wave(Double(row + 3 * column) / 11) }
        for (noise, expected): ([NoiseProfile], Demosaic.Method) in [
            ([], .fast), ([NoiseProfile(shot: 1e-3, read: 1e-6)], .fast),
            ([NoiseProfile(shot: 1e-5, read: 1e-9)], .best), ([NoiseProfile(shot: 0, read: 0)], .fast),
        ] {
            var metadata = Self.metadata()
            metadata.noise = noise
            let mosaic = try Self.mosaic(64, 48, .rggb, metadata: metadata, light)
            let photos = try Demosaic.Method.allCases.map { try Demosaic.linear(mosaic, method: $0).values }
            #expect(photos[0] != photos[1])
            #expect(photos[2] == photos[expected == .fast ? 0 : 1])
        }
    }

    /// Invalid noise profiles and extreme values still give finite results.
    @Test(arguments: Demosaic.Method.allCases) func extremeNoiseProfilesGiveFiniteValues(_ method: Demosaic.Method)
        throws
    {
        let numbers = [0, -1, 1e-30, 1e-3, 1, 1e30, .nan, .infinity]
        for shot in numbers {
            for read in numbers {
                var metadata = Self.metadata()
                metadata.noise = [NoiseProfile(shot: shot, read: read)]
                let photo = try Demosaic.linear(
                    Self.mosaic(20, 14, .grbg, metadata: metadata) { _, column in column < 10 ? 0 : 1 }, method: method)
                for row in 0..<14 {
                    #expect(photo.values[4 * (20 * row + 1)] < 700 && photo.values[4 * (20 * row + 18) + 1] > 64_800)
                }
            }
        }
    }

    @Test func wrongShapesAreErrors() throws {
        let metadata = Self.metadata()
        func attempt(_ format: MosaicFormat, _ metadata: FrameMetadata, codes: Int, _ output: LinearFormat, values: Int)
            -> RawImageError.Code?
        {
            let source = [UInt16](repeating: 0, count: codes)
            var target = [UInt16](repeating: 0, count: values)
            var span = target.mutableSpan
            do throws(RawImageError) {
                try Demosaic.linear(source.span, format: format, metadata: metadata, into: &span, output: output)
                return nil
            } catch {
                return error.code
            }
        }
        let format = MosaicFormat(width: 4, height: 4, pattern: .rggb, bitDepth: 12)
        let output = LinearFormat(width: 4, height: 4)
        #expect(attempt(format, metadata, codes: 16, output, values: 64) == nil)
        #expect(attempt(format, metadata, codes: 15, output, values: 64) == .tooShort)
        #expect(attempt(format, metadata, codes: 16, output, values: 63) == .tooShort)
        #expect(attempt(format, metadata, codes: 16, LinearFormat(width: 4, height: 3), values: 64) == .badFormat)
        let line = MosaicFormat(width: 4, height: 1, pattern: .rggb, bitDepth: 12)
        #expect(attempt(line, metadata, codes: 4, LinearFormat(width: 4, height: 1), values: 16) == .badFormat)
        for spoil: (inout FrameMetadata) -> Void in [
            { $0.neutral.x = .nan }, { $0.neutral = SIMD3() }, { $0.blackLevel = [] }, { $0.whiteLevel = .infinity },
            { $0.whiteLevel = 1e300 }, { $0.blackLevel[2] = -1e300 }, { $0.whiteLevel = 530.000_001 },
        ] {
            var spoiled = metadata
            spoil(&spoiled)
            #expect(attempt(format, spoiled, codes: 16, output, values: 64) == .badMetadata)
        }
    }
}
