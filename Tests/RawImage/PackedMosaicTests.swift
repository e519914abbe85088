import RawImage
import Testing

@Suite struct PackedMosaicTests {
    /// Unpacks a single row of bytes in the given layout to codes.
    private func codes(_ bytes: [UInt8], _ layout: CodeLayout, _ depth: Int, width: Int) throws -> [UInt16] {
        let format = PackedMosaicFormat(width: width, height: 1, pattern: .rggb, bitDepth: depth, layout: layout)
        var codes = [UInt16](repeating: 0xDEAD, count: width)
        #expect(try unpack(format, bytes, &codes, stride: width) == 0)
        return codes
    }

    @Test func wordsAndBytesByHand() throws {
        #expect(try codes([0, 1, 128, 255], .bytes, 8, width: 4) == [0, 1, 128, 255])
        #expect(try codes([0x34, 0x12, 0xFF, 0x0F], .littleEndian, 16, width: 2) == [0x1234, 0x0FFF])
        #expect(try codes([0x12, 0x34, 0x0F, 0xFF], .bigEndian, 16, width: 2) == [0x1234, 0x0FFF])
    }

    /// Checks MIPI CSI-2 groups written by hand: the high 8 bits of each code in order, then the low bits, those of the
    /// first pixel lowest.
    @Test func packedBytesByHand() throws {
        #expect(
            try codes([0xFF, 0x00, 0x80, 0x01, 0b11_10_01_00], .mipi10, 10, width: 4) == [0x3FC, 0x001, 0x202, 0x007])
        #expect(try codes([0xAB, 0x12, 0x3C], .mipi12, 12, width: 2) == [0xABC, 0x123])
        // RAW14: the low six bits of the codes are 1, 2, 3 and 63, packed into 24 bits from the lowest.
        #expect(
            try codes([0xFF, 0x00, 0x80, 0x01, 0b10_000001, 0b0011_0000, 0b111111_00], .mipi14, 14, width: 4)
                == [0x3FC1, 0x0002, 0x2003, 0x007F])
    }

    /// Checks groups of GenICam's and GigE Vision's packings written by hand.
    @Test func genICamPackingsByHand() throws {
        // 10p: codes follow each other from the lowest bit on.
        #expect(
            try codes([0xFD, 0x1B, 0x20, 0xE0, 0x01], .lowest10, 10, width: 4) == [0x3FD, 0x006, 0x202, 0x007])
        #expect(try codes([0xBC, 0x3A, 0x12], .lowest12, 12, width: 2) == [0xABC, 0x123])
        // Packed: the low bits of both codes in the halves of the middle byte.
        #expect(try codes([0xFF, 0b0010_0001, 0x01], .gige10, 10, width: 2) == [0x3FD, 0x006])
        #expect(try codes([0xAB, 0x3C, 0x12], .gige12, 12, width: 2) == [0xABC, 0x123])
    }

    @Test func lastGroupsThatAreNotFull() throws {
        #expect(try codes([0xFF, 0x01, 0, 0, 0b00_00_10_01], .mipi10, 10, width: 2) == [0x3FD, 0x006])
        #expect(try codes([0xAB, 0, 0x0C], .mipi12, 12, width: 1) == [0xABC])
        #expect(try codes([0xFF, 0, 0, 0, 1, 0, 0], .mipi14, 14, width: 1) == [0x3FC1])
    }

    /// Packs a row bit by bit as MIPI CSI-2, GenICam and GigE Vision specify: the reference for the optimised
    /// implementation.
    private func packSlowly(_ codes: [UInt16], _ layout: CodeLayout) -> [UInt8] {
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
                    let position = index % group * low + bit
                    bytes[start + group + position / 8] |= 1 << UInt8(position % 8)
                }
            case .lowest10, .lowest12:
                for bit in 0..<layout.codeBits where code >> bit & 1 == 1 {
                    let position = index * layout.codeBits + bit
                    bytes[position / 8] |= 1 << UInt8(position % 8)
                }
            case .gige10, .gige12:
                let low = layout.codeBits - 8
                let (start, isSecond) = (index / 2 * 3, index % 2 == 1)
                bytes[isSecond ? start + 2 : start] = UInt8(code >> low)
                bytes[start + 1] |= UInt8(code % (1 << UInt16(low))) * (isSecond ? 16 : 1)
            }
        }
        return bytes
    }

    @Test(arguments: CodeLayout.allCases)
    func bothWaysAreAsTheStandardsSay(_ layout: CodeLayout) throws {
        for width in 1...33 {
            let format = PackedMosaicFormat(
                width: width, height: 1, pattern: .grbg, bitDepth: layout.codeBits, layout: layout)
            let row = (0..<width).map { UInt16(truncatingIfNeeded: ($0 * 7919 + width * 31) % (1 << layout.codeBits)) }
            var bytes = [UInt8](repeating: 0xFF, count: format.byteCount)
            #expect(try pack(format, row, &bytes, stride: width) == 0)
            #expect(bytes == packSlowly(row, layout))
            #expect(try codes(bytes, layout, layout.codeBits, width: width) == row)
        }
    }

    /// Packing and unpacking restores the codes for every width and bit depth, with padded rows, and leaves the padding
    /// unchanged.
    @Test(arguments: CodeLayout.allCases)
    func roundTrips(_ layout: CodeLayout) throws {
        let isWide = layout == .littleEndian || layout == .bigEndian
        for pattern in BayerPattern.allCases {
            for depth in isWide ? [8, 10, 12, 14, 16] : [layout.codeBits] {
                for width in 1...33 { try roundTrip(layout, pattern, depth, width, gap: width % 5) }
            }
        }
    }

    private func roundTrip(
        _ layout: CodeLayout, _ pattern: BayerPattern, _ depth: Int, _ width: Int, gap: Int
    ) throws {
        let rowBytes = layout.rowBytes(width: width)
        let packed = PackedMosaicFormat(
            width: width, height: 3, pattern: pattern, bitDepth: depth, layout: layout, stride: rowBytes + gap)
        let canonical = packed.canonical(stride: width + gap)
        #expect(canonical.pattern == pattern && canonical.bitDepth == depth)
        let codes = (0..<canonical.codeCount).map { UInt16(truncatingIfNeeded: ($0 * 40503 + width) % (1 << depth)) }
        var bytes = [UInt8](repeating: 0xA5, count: packed.byteCount)
        #expect(try pack(packed, codes, &bytes, stride: canonical.stride) == 0)
        var back = [UInt16](repeating: 0xBEEF, count: canonical.codeCount)
        #expect(try unpack(packed, bytes, &back, stride: canonical.stride) == 0)
        for row in 0..<3 {
            let line = row * canonical.stride
            #expect(back[line..<line + width] == codes[line..<line + width])
        }
        for row in 0..<2 {
            let (codesEnd, bytesEnd) = (row * canonical.stride + width, row * packed.stride + rowBytes)
            #expect(back[codesEnd..<codesEnd + gap].allSatisfy { $0 == 0xBEEF })
            #expect(bytes[bytesEnd..<bytesEnd + gap].allSatisfy { $0 == 0xA5 })
        }
    }

    @Test func codesBeyondTheDepthAreCutAndCounted() throws {
        let format = PackedMosaicFormat(width: 3, height: 2, pattern: .rggb, bitDepth: 10, layout: .littleEndian)
        let bytes: [UInt8] = [0xFF, 0x03, 0x00, 0x04, 0x01, 0x00, 0xFF, 0xFF, 0x02, 0x00, 0x00, 0x80]
        var codes = [UInt16](repeating: 0, count: 6)
        #expect(try unpack(format, bytes, &codes, stride: 3) == 3)
        #expect(codes == [1023, 1023, 1, 1023, 2, 1023])
    }

    @Test func packingCutsToTheDepth() throws {
        let format = PackedMosaicFormat(width: 4, height: 1, pattern: .rggb, bitDepth: 8, layout: .bytes)
        var bytes = [UInt8](repeating: 7, count: 4)
        #expect(try pack(format, [0, 255, 256, 65535], &bytes, stride: 4) == 2)
        #expect(bytes == [0, 255, 255, 255])
    }

    @Test func theLastRowMayBeShort() throws {
        let format = PackedMosaicFormat(
            width: 5, height: 2, pattern: .rggb, bitDepth: 10, layout: .mipi10, stride: 17)
        #expect(format.byteCount == 17 + 10)
        try format.check(byteCount: 27)
        #expect(throws: RawImageError.self) { try format.check(byteCount: 26) }
    }

    /// Strides of drivers: none, padded evenly, padded before data that fill the last page, and before other data.
    @Test(arguments: [
        (6084 * 3040, 6084), (6112 * 3040, 6112), (6112 * 3040 + 3072, 6112), (6144 * 3040 + 4095, 6144),
        (6084 * 3040 + 100_001, 6084), (6100 * 3040, 6100), (1, 6084), (0, 6084),
    ]) func theStrideIsDerivedFromTheSize(byteCount: Int, stride: Int) {
        let format = PackedMosaicFormat(width: 4056, height: 3040, pattern: .rggb, bitDepth: 12, layout: .mipi12)
        #expect(format.likelyStride(byteCount: byteCount) == stride)
    }

    @Test(arguments: CodeLayout.allCases)
    func buffersThatAreTooShort(_ layout: CodeLayout) {
        let format = PackedMosaicFormat(
            width: 9, height: 4, pattern: .bggr, bitDepth: layout.codeBits, layout: layout)
        let bytes = [UInt8](repeating: 0, count: format.byteCount)
        var codes = [UInt16](repeating: 0, count: 36)
        var few = [UInt16](repeating: 0, count: 35)
        #expect(failure { _ = try unpack(format, bytes.dropLast(), &codes, stride: 9) } == .tooShort)
        #expect(failure { _ = try unpack(format, bytes, &few, stride: 9) } == .tooShort)
        #expect(failure { _ = try unpack(format, bytes, &codes, stride: 8) } == .badFormat)
        var target = [UInt8](bytes.dropLast())
        #expect(failure { _ = try pack(format, codes, &target, stride: 9) } == .tooShort)
    }

    /// Invalid sizes, depths and strides, as files or caps can contain them, throw instead of trapping.
    @Test(arguments: [
        (0, 1, 12, 100), (1, 0, 12, 100), (-4, 4, 12, 100), (Int.max, 2, 12, 100), (2, Int.max, 12, Int.max),
        (2, 2, 12, Int.max), (2, 2, 12, -1), (2, 2, 17, 100), (2, 2, 7, 100), (65536, 1, 12, 1 << 20),
        (65535, 65535, 12, 1 << 24), (Int.min, Int.min, Int.min, Int.min),
    ])
    func numbersWithoutSense(_ width: Int, _ height: Int, _ depth: Int, _ stride: Int) {
        let format = PackedMosaicFormat(
            width: width, height: height, pattern: .rggb, bitDepth: depth, layout: .littleEndian, stride: stride)
        #expect(format.byteCount >= 0)
        #expect(failure { try format.check(byteCount: 8) } != nil)
    }

    @Test func depthsThatALayoutCannotHold() {
        let format = PackedMosaicFormat(width: 4, height: 1, pattern: .rggb, bitDepth: 12, layout: .mipi10)
        #expect(failure { try format.check(byteCount: 100) } == .badFormat)
    }

    private func unpack(
        _ format: PackedMosaicFormat, _ bytes: [UInt8], _ codes: inout [UInt16], stride: Int
    ) throws(RawImageError) -> Int {
        var span = codes.mutableSpan
        // Not `span.bytes`, which Swift 6.3 requires to be marked unsafe, while Swift 6.2 warns of the mark.
        return try unsafe bytes.span.withUnsafeBytes { bytes throws(RawImageError) in
            try unsafe format.unpack(RawSpan(_unsafeBytes: bytes), into: &span, stride: stride)
        }
    }

    private func pack(
        _ format: PackedMosaicFormat, _ codes: [UInt16], _ bytes: inout [UInt8], stride: Int
    ) throws(RawImageError) -> Int {
        var span = bytes.mutableSpan
        return try unsafe span.withUnsafeMutableBytes { bytes throws(RawImageError) in
            var target = unsafe MutableRawSpan(_unsafeBytes: bytes)
            return try format.pack(codes.span, stride: stride, into: &target)
        }
    }

    private func failure(_ body: () throws -> Void) -> RawImageError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? RawImageError)?.code
        }
    }
}
