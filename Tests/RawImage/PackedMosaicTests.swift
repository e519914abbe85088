import RawImage
import Testing

@Suite struct PackedMosaicTests {
    private func unpack(
        _ bytes: [UInt8], width: Int, height: Int = 1, bitDepth: Int, layout: CodeLayout, stride: Int? = nil
    ) throws -> (codes: [UInt16], clamped: Int) {
        let packed = PackedMosaicFormat(
            width: width, height: height, pattern: .rggb, bitDepth: bitDepth, layout: layout, stride: stride)
        var codes = [UInt16](repeating: 0, count: width * height)
        var span = codes.mutableSpan
        let clamped = unsafe try packed.unpack(bytes.span.bytes, into: &span, stride: width)
        return (codes, clamped)
    }

    @Test func bytesByHand() throws {
        #expect(try unpack([0, 7, 255], width: 3, bitDepth: 8, layout: .bytes).codes == [0, 7, 255])
        #expect(
            try unpack([0x34, 0x02, 0xFF, 0x03], width: 2, bitDepth: 10, layout: .littleEndian).codes == [0x234, 0x3FF])
        #expect(
            try unpack([0x02, 0x34, 0x03, 0xFF], width: 2, bitDepth: 10, layout: .bigEndian).codes == [0x234, 0x3FF])
        // Four high bytes, then the low pairs, the first pixel's lowest.
        let ten: [UInt8] = [0x01, 0x02, 0x03, 0xFF, 0b11_10_01_00]
        #expect(try unpack(ten, width: 4, bitDepth: 10, layout: .mipi10).codes == [0x04, 0x09, 0x0E, 0x3FF])
        let twelve: [UInt8] = [0x12, 0xAB, 0xC3]
        #expect(try unpack(twelve, width: 2, bitDepth: 12, layout: .mipi12).codes == [0x123, 0xABC])
        let fourteen: [UInt8] = [0xFF, 0x00, 0x80, 0x01, 0b01_111111, 0b0000_0000, 0b111111_00]
        #expect(try unpack(fourteen, width: 4, bitDepth: 14, layout: .mipi14).codes == [0x3FFF, 0x0001, 0x2000, 0x7F])
    }

    /// Packs as the standards say, one code at a time: the slow way, to judge the fast one by.
    private func pack(_ codes: [UInt16], _ layout: CodeLayout) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: layout.rowBytes(width: codes.count))
        for (index, code) in codes.enumerated() {
            switch layout {
            case .bytes: bytes[index] = UInt8(code)
            case .littleEndian: (bytes[2 * index], bytes[2 * index + 1]) = (UInt8(code & 255), UInt8(code >> 8))
            case .bigEndian: (bytes[2 * index], bytes[2 * index + 1]) = (UInt8(code >> 8), UInt8(code & 255))
            case .mipi10, .mipi12, .mipi14:
                let (group, low) = layout == .mipi10 ? (4, 2) : layout == .mipi12 ? (2, 4) : (4, 6)
                let start = index / group * layout.rowBytes(width: group)
                bytes[start + index % group] = UInt8(code >> low)
                for bit in 0..<low where code >> bit & 1 == 1 {
                    let place = index % group * low + bit
                    bytes[start + group + place / 8] |= 1 << UInt8(place % 8)
                }
            }
        }
        return bytes
    }

    @Test(arguments: [
        (CodeLayout.bytes, 8), (.littleEndian, 10), (.littleEndian, 16), (.bigEndian, 12), (.bigEndian, 14),
        (.mipi10, 10), (.mipi12, 12), (.mipi14, 14),
    ])
    func everyWidthAndStride(layout: CodeLayout, bitDepth: Int) throws {
        for width in 1...33 {
            for gap in [0, 1, 5] {
                let rows = (0..<3).map { row in
                    (0..<width).map { UInt16(truncatingIfNeeded: ($0 * 7919 + row * 104_729) & ((1 << bitDepth) - 1)) }
                }
                let stride = layout.rowBytes(width: width) + gap
                let bytes = rows.flatMap { pack($0, layout) + [UInt8](repeating: 0xAA, count: gap) }.dropLast(gap)
                let result = try unpack(
                    Array(bytes), width: width, height: 3, bitDepth: bitDepth, layout: layout, stride: stride)
                #expect(result.codes == rows.flatMap { $0 })
                #expect(result.clamped == 0)
            }
        }
    }

    @Test func bitsBeyondTheDepthAreCutAndCounted() throws {
        let result = try unpack([0xFF, 0x03, 0x00, 0x04, 0xFF, 0xFF], width: 3, bitDepth: 10, layout: .littleEndian)
        #expect(result.codes == [0x3FF, 0x3FF, 0x3FF])
        #expect(result.clamped == 2)
    }

    @Test func shortBuffersAreErrors() {
        #expect(throws: RawImageError.self) { try unpack([1, 2, 3], width: 2, bitDepth: 10, layout: .littleEndian) }
        #expect(throws: RawImageError.self) { try unpack([1, 2, 3, 4], width: 4, bitDepth: 10, layout: .mipi10) }
        #expect(throws: RawImageError.self) {
            try unpack([1, 2, 3, 4], width: 4, bitDepth: 8, layout: .bytes, stride: 3)
        }
    }

    @Test func namesAreUnderstood() throws {
        let known: [(String, Int?, BayerPattern, Int, CodeLayout)] = [
            ("rggb", nil, .rggb, 8, .bytes), ("bggr12le", nil, .bggr, 12, .littleEndian),
            ("gbrg16be", nil, .gbrg, 16, .bigEndian), ("rggb16", nil, .rggb, 16, .littleEndian),
            ("rggb10le", 10, .rggb, 10, .littleEndian), ("rggb16le", 8, .rggb, 8, .littleEndian),
            ("grbg10p", nil, .grbg, 10, .mipi10), ("SRGGB12P", nil, .rggb, 12, .mipi12),
            ("pBEE", nil, .bggr, 14, .mipi14), ("pgAA", nil, .grbg, 10, .mipi10),
        ]
        for (name, bits, pattern, depth, layout) in known {
            let meaning = BayerDialect.meaning(of: name, significantBits: bits)
            #expect(meaning?.pattern == pattern, "\(name)")
            #expect(meaning?.bitDepth == depth, "\(name)")
            #expect(meaning?.layout == layout, "\(name)")
        }
        for name in ["", "rgb", "rggb11le", "rggb12xx", "xyzw", "rggb8p"] {
            #expect(BayerDialect.meaning(of: name) == nil, "\(name)")
        }
        #expect(BayerDialect.names.allSatisfy { BayerDialect.meaning(of: $0) != nil })
    }

    @Test func matricesInvert() throws {
        let matrix = Matrix3(SIMD3(2, 1, 0), SIMD3(0, 3, 1), SIMD3(1, 0, 4))
        let product = matrix * (try #require(matrix.inverse))
        for (value, wanted) in zip(product.values, Matrix3.identity.values) { #expect(abs(value - wanted) < 1e-12) }
        #expect(Matrix3(diagonal: SIMD3(1, 0, 1)).inverse == nil)
    }
}
