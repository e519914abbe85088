import DNG
import GscapElements
import RawImage
import Testing

/// Tests that converting a damaged file does not give an undamaged one.
@Suite(.timeLimit(.minutes(10))) struct DamagedConversionTests {
    private func file() throws -> [UInt8] {
        let format = MosaicFormat(width: 48, height: 32, pattern: .rggb, bitDepth: 12)
        let codes = (0..<format.codeCount).map { UInt16(($0 &* 2_654_435_761) >> 8 & 1023) + 100 }
        var metadata = FrameMetadata(bitDepth: 12)
        metadata.make = "A maker"
        var writer = DNGWriter()
        writer.mattes = [
            try Matte(kind: .sky, width: 16, height: 16, shares: (0..<256).map { UInt8(truncatingIfNeeded: $0) })
        ]
        return try writer.encode(mosaic: codes.span, format: format, metadata: metadata).withBytes { bytes in
            unsafe bytes.withUnsafeBytes { unsafe Array($0) }
        }
    }

    /// No conversion of a file that verification refuses is sound, whichever bit is flipped.
    @Test func noConversionHidesDamage() throws {
        let bytes = try file()
        #expect(try DNGFile(bytes: bytes).verification().verdict == .sound)
        #expect(try DNGFile(DNGConversion().encode(DNGFile(bytes: bytes))).verification().verdict == .sound)
        var hidden: [String] = []
        var (refused, accepted) = (0, 0)
        var state: UInt64 = 17
        for _ in 0..<150 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let bit = Int(state >> 33) % (bytes.count * 8)
            var damaged = bytes
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            guard var file = try? DNGFile(bytes: damaged), file.verification().verdict == .damaged else { continue }
            refused += 1
            for conversion in [DNGConversion(), DNGConversion(bitDepth: 10)] {
                guard let copy = try? DNGFile(conversion.encode(file)) else { continue }
                if copy.verification().verdict == .sound { hidden.append("bit \(bit % 8) of byte \(bit / 8)") }
            }
            file.acceptsDamage = true
            guard let copy = try? DNGFile(DNGConversion().encode(file)) else { continue }
            accepted += 1
            if copy.verification().verdict == .sound { hidden.append("accepted: bit \(bit % 8) of byte \(bit / 8)") }
        }
        #expect(hidden.isEmpty, "\(hidden)")
        #expect(refused > 50 && accepted > 5, "\(refused) refused, \(accepted) accepted")
    }

    @Test func anInvalidGainMapIsNotLeftOut() throws {
        // The signature of the XMP property hides the digests, as in a file of another program.
        let format = MosaicFormat(width: 48, height: 32, pattern: .rggb, bitDepth: 12)
        let codes = [UInt16](repeating: 700, count: format.codeCount)
        var writer = DNGWriter()
        writer.recipe.gainTableMap = try GainTableMap(
            rows: 2, columns: 2, tableLength: 2, weights: [0.125, 0.5, 0.125, 0, 0.25], gains: [1, 2, 1, 2, 1, 2, 1, 2])
        let map = try #require(writer.recipe.gainTableMap)
        var bytes = try writer.encode(mosaic: codes.span, format: format, metadata: FrameMetadata(bitDepth: 12))
            .withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
        let property = Array("gscap:PartDigests".utf8)
        for start in bytes.indices.dropLast(property.count)
        where bytes[start..<start + property.count].elementsEqual(property) {
            bytes[start + 6] = UInt8(ascii: "Q")
        }
        // Rows, columns, then the spacing of 1 and 1: the head of the map.
        let head: [UInt8] = [0, 0, 0, UInt8(map.rows), 0, 0, 0, UInt8(map.columns)]
        let start = try #require(
            bytes.indices.dropLast(8).first {
                bytes[$0..<$0 + 8].elementsEqual(head) && bytes[$0 + 8] & 0x7F == 0x3F
            })
        bytes[start] = 0xFF
        var file = try DNGFile(bytes: bytes)
        #expect(file.tagProblems.count == 1)
        #expect(throws: DNGError.self) { try DNGConversion().encode(file) }
        file.acceptsDamage = true
        let copy = try DNGFile(DNGConversion().encode(file))
        // The map is copied as it is, so that the copy is refused as well, and names the accepted damage.
        #expect(copy.verification().verdict == .damaged)
        #expect(copy.metadata.history.acceptedDamage.count == 1)
    }
}
