import LosslessJPEG
import RandomSequences
import Testing

/// Round-trip tests of the lossless JPEG codec.
@Suite struct LosslessJPEGTests {
    /// Kinds of sample data that exercise different parts of the codec.
    enum Content: CaseIterable {
        case soft
        case noise
        case extreme
        case flat
        /// Samples whose differences are 32768 at 16 bits, which have the separate Huffman category 16.
        case half

        func samples(_ count: Int, precision: Int) -> [UInt16] {
            let top = UInt16.max >> UInt16(16 - precision)
            var dice = SeededRandom(UInt64(count * 17 + precision))
            return (0..<count).map { index in
                switch self {
                case .soft: min(top, top / 2 + UInt16(index % 9) / 3)
                case .noise: UInt16.random(in: 0...top, using: &dice)
                case .extreme: Bool.random(using: &dice) ? top : 0
                case .flat: top / 3
                case .half: index % 5 < 2 ? (top >> 1) + 1 : 0
                }
            }
        }
    }

    private func encode(_ frame: LosslessJPEGFrame, _ samples: [UInt16]) throws -> [UInt8] {
        var encoder = try LosslessJPEGEncoder(frame)
        var bytes: [UInt8] = []
        try encoder.encode(samples.span, stride: frame.samplesInRow, into: &bytes)
        return bytes
    }

    private func decode(_ bytes: [UInt8], count: Int) throws -> [UInt16] {
        var decoder = LosslessJPEGDecoder()
        var samples = [UInt16](repeating: 0xAAAA, count: count)
        var span = samples.mutableSpan
        try decoder.decode(bytes.span, into: &span)
        return samples
    }

    @Test(arguments: 1...4, 1...7)
    func roundTrip(components: Int, predictor: Int) throws {
        for precision in [2, 3, 8, 10, 12, 14, 15, 16] {
            for (width, height) in [(1, 1), (1, 6), (9, 1), (13, 7), (64, 3)] {
                let frame = LosslessJPEGFrame(
                    width: width, height: height, components: components, precision: precision, predictor: predictor)
                for content in Content.allCases {
                    let samples = content.samples(frame.sampleCount, precision: precision)
                    let bytes = try encode(frame, samples)
                    #expect(try LosslessJPEGDecoder.frame(of: bytes.span) == frame)
                    #expect(try decode(bytes, count: samples.count) == samples, "\(frame) \(content)")
                }
            }
        }
    }

    @Test func bigRowsAndManyBytes() throws {
        for frame in [
            LosslessJPEGFrame(width: 65_535, height: 2, components: 1, precision: 16),
            LosslessJPEGFrame(width: 300, height: 200, components: 3, precision: 12, predictor: 7),
        ] {
            let samples = Content.noise.samples(frame.sampleCount, precision: frame.precision)
            #expect(try decode(encode(frame, samples), count: samples.count) == samples)
        }
    }

    @Test func oneEncoderAndOneDecoderServeManyTiles() throws {
        var encoder = try LosslessJPEGEncoder(LosslessJPEGFrame(width: 16, height: 8, components: 2, precision: 14))
        var decoder = LosslessJPEGDecoder()
        for content in Content.allCases + Content.allCases.reversed() {
            let samples = content.samples(256, precision: 14)
            var bytes: [UInt8] = [1, 2, 3]
            try encoder.encode(samples.span, stride: 32, into: &bytes)
            #expect(bytes.prefix(3) == [1, 2, 3])
            bytes.removeFirst(3)
            var back = [UInt16](repeating: 0, count: 256)
            var span = back.mutableSpan
            try decoder.decode(bytes.span, into: &span)
            #expect(back == samples)
        }
    }

    /// Tiles are encoded directly from a picture with its stride; the padding of tiles at its edge adds almost no
    /// bytes.
    @Test(arguments: 1...7)
    func edgeTiles(predictor: Int) throws {
        let (width, height, side) = (70, 50, 32)
        let picture = Content.noise.samples(width * height, precision: 12)
        var encoder = try LosslessJPEGEncoder(
            LosslessJPEGFrame(width: side / 2, height: side, components: 2, precision: 12, predictor: predictor))
        for top in stride(from: 0, to: height, by: side) {
            for left in stride(from: 0, to: width, by: side) {
                let (columns, rows) = (min(side, width - left), min(side, height - top))
                var bytes: [UInt8] = []
                try encoder.encode(
                    picture.span.extracting((top * width + left)...), stride: width, columns: columns, rows: rows,
                    into: &bytes)
                #expect(bytes.count < columns * rows * 16 / 8 + side * side / 8 + 200)
                let tile = try decode(bytes, count: side * side)
                #expect(tile.allSatisfy { $0 < 4096 })
                for row in 0..<rows {
                    let present = (top + row) * width + left
                    #expect(tile[row * side..<row * side + columns] == picture[present..<present + columns])
                }
                if predictor == 1, columns % 2 == 0, columns < side {
                    #expect(tile[columns..<columns + 2] == tile[columns - 2..<columns])
                }
            }
        }
    }

    @Test func flatTileTakesOneBitPerSample() throws {
        let frame = LosslessJPEGFrame(width: 256, height: 256, components: 1, precision: 12)
        let bytes = try encode(frame, Content.flat.samples(frame.sampleCount, precision: 12))
        #expect(bytes.count < 256 * 256 / 8 * 2 + 100)
    }

    @Test func invalidInputIsReported() throws {
        func complaint(_ body: () throws -> Void) -> String {
            do { try body() } catch { return "\(error)" }
            return ""
        }
        for (frame, words) in [
            (LosslessJPEGFrame(width: 0, height: 4, components: 1, precision: 12), "0×4 pixels"),
            (LosslessJPEGFrame(width: 4, height: 65_536, components: 1, precision: 12), "4×65536 pixels"),
            (LosslessJPEGFrame(width: 4, height: 4, components: 5, precision: 12), "5 components"),
            (LosslessJPEGFrame(width: 4, height: 4, components: 1, precision: 17), "17 bits"),
            (LosslessJPEGFrame(width: 4, height: 4, components: 1, precision: 12, predictor: 0), "predictor 0"),
        ] {
            #expect(complaint { _ = try LosslessJPEGEncoder(frame) }.contains(words))
        }
        var encoder = try LosslessJPEGEncoder(LosslessJPEGFrame(width: 4, height: 4, components: 1, precision: 12))
        var bytes: [UInt8] = []
        let (small, wide) = ([UInt16](repeating: 4095, count: 15), [UInt16](repeating: 4096, count: 16))
        #expect(complaint { try encoder.encode(small.span, stride: 4, into: &bytes) }.contains("15 samples"))
        #expect(complaint { try encoder.encode(wide.span, stride: 4, into: &bytes) }.contains("more bits than the 12"))
        #expect(complaint { try encoder.encode(wide.span, stride: .max, into: &bytes) }.contains("samples do not hold"))
        #expect(complaint { try encoder.encode(wide.span, stride: 3, into: &bytes) }.contains("samples do not hold"))
        #expect(complaint { try encoder.encode(wide.span, stride: 4, columns: 5, into: &bytes) }.contains("no part"))
        #expect(complaint { try encoder.encode(wide.span, stride: 4, rows: 0, into: &bytes) }.contains("no part"))
        #expect(bytes.isEmpty)
    }
}
