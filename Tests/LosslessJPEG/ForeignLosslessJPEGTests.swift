import LosslessJPEG
import Testing

/// Tests of decoding lossless JPEGs by other encoders, and with features that no common encoder uses.
@Suite struct ForeignLosslessJPEGTests {
    private func decode(_ bytes: [UInt8], count: Int) throws -> [UInt16] {
        var decoder = LosslessJPEGDecoder()
        var samples = [UInt16](repeating: 0, count: count)
        var span = samples.mutableSpan
        try decoder.decode(bytes.span, into: &span)
        return samples
    }

    /// The samples from which the JPEGs below were encoded.
    private func formula(_ count: Int, precision: Int) -> [UInt16] {
        (0..<count).map { (index: Int) -> UInt16 in
            let value = (index * 37 + 211) * index + index % 5 * 999
            return UInt16(truncatingIfNeeded: value) & (UInt16.max >> UInt16(16 - precision))
        }
    }

    private func bytes(_ digits: String) -> [UInt8] {
        let digits = Array(digits.utf8).map { $0 < 58 ? $0 - 48 : $0 - 87 }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// Decodes a JPEG encoded by liblj92: one component of 12 bits, predictor 6.
    @Test func grayOf12Bits() throws {
        let file = bytes(
            "ffd8ffc4001900010101010101000000000000000000000b0c0a080509ffc3000b0c0004000701001100ffda000801000006"
                + "00009ffd37d4a55ce5bcd42328a5422d4ab85b96d1113fd69d69797ab173799df9eb1f5978446dc3c9135052678aa0ffd9")
        #expect(try decode(file, count: 28) == formula(28, precision: 12))
    }

    /// Decodes a JPEG encoded by libjpeg-turbo: three components of 16 bits, predictor 7.
    @Test func colorOf16Bits() throws {
        let file = bytes(
            "ffd8ffee000e41646f626500640000000000ffc30011100003000503521100471100421100ffc4001b000003010003010000"
                + "00000000000000000d0e0f0a08090c10ffda000c03520047004200070000fa09bd0a07f7bd9059cd9f523c6f27a252bf415a"
                + "e8de31827320ad9c4e270eb1cd662db96cd46d27ad7aef066f59ae74aec7ef1b34535a3e7db7b2e4857698a91bd53469b535"
                + "043a96ed7ce6c3a75aabaea2afef0c3a1da9ffd9")
        #expect(try decode(file, count: 45) == formula(45, precision: 16))
    }

    /// Decodes a JPEG encoded by libjpeg-turbo: four components of 10 bits, predictor 5.
    @Test func fourComponentsOf10Bits() throws {
        let file = bytes(
            "ffd8ffee000e41646f626500640000000000ffc300140a00040003044311004d11005911004b1100ffc4001c000101010002"
                + "03010000000000000000000a090806070304050bffda000e0443004d0059004b000500003ff37bd8af74e16ef94962559ffa"
                + "96e6a82bf55c8b34f8c9c789fd60a3b88ce63722fafd1ca28d51c1da7f9d25fbd1f296dbc3e273acb9569bada70bb5d3757f"
                + "4a329bffd9")
        #expect(try decode(file, count: 48) == formula(48, precision: 10))
    }

    /// Decodes a JPEG encoded by libjpeg-turbo: one component of 8 bits, predictor 4, with differences of up to 9 bits.
    @Test func grayOf8Bits() throws {
        let file = bytes(
            "ffd8ffe000104a46494600010100000100010000ffc3000b080005000601011100ffc4001800010101010100000000000000"
                + "000000000708060409ffda00080101000400009fedf8a1ccf284ed3baf0ef731f3a9d9dee63eaf33877b9dfd79e5da2ee63e"
                + "3b3baf3fffd9")
        #expect(try decode(file, count: 30) == formula(30, precision: 8))
    }

    @Test(arguments: 1...4, 1...7)
    func tablesOfAllKinds(components: Int, predictor: Int) throws {
        let (short, long) = (HandmadeLosslessJPEG.shortCodes, HandmadeLosslessJPEG.longCodes)
        for counts in [[short], [long], [short, long], [long, long, short, short]] {
            for precision in [2, 7, 12, 16] {
                let jpeg = HandmadeLosslessJPEG(
                    width: 9, height: 5, components: components, precision: precision, predictor: predictor,
                    counts: counts)
                let samples = LosslessJPEGTests.Content.noise.samples(45 * components, precision: precision)
                #expect(try decode(jpeg.bytes(of: samples), count: samples.count) == samples, "\(jpeg)")
            }
        }
    }

    @Test(arguments: 1...7)
    func restartMarkersAndPointTransform(predictor: Int) throws {
        for (rows, transform) in [(1, 0), (2, 3), (7, 0), (40, 1), (0, 11)] {
            let jpeg = HandmadeLosslessJPEG(
                width: 6, height: 23, predictor: predictor, pointTransform: transform, restartRows: rows,
                fillBytes: rows % 3)
            let samples = LosslessJPEGTests.Content.noise.samples(276, precision: 12)
            let expected = samples.map { $0 & UInt16.max << UInt16(transform) }
            #expect(try decode(jpeg.bytes(of: samples), count: 276) == expected, "\(jpeg)")
        }
    }

    /// A JPEG with all its samples decodes without an EOI marker.
    @Test func missingEOIMarkerIsAccepted() throws {
        let samples = formula(40, precision: 12)
        let whole = HandmadeLosslessJPEG().bytes(of: samples)
        #expect(try decode(Array(whole.dropLast(2)), count: 40) == samples)
    }
}
