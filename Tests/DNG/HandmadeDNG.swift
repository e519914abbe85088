/// A builder of small DNG files in either byte order, for features that `DNGWriter` does not use.
struct HandmadeDNG {
    enum Values {
        case bytes([UInt8])
        case shorts([UInt16])
        case longs([UInt32])
        case text(String)
        /// The bytes of an ASCII value with its NUL, for texts that are not UTF-8.
        case ascii([UInt8])
        /// Alternating numerators and denominators.
        case rationals([UInt32])
        case signedRationals([Int32])
        case undefined([UInt8])
        case floats([Float])
        case doubles([Double])
    }

    var isBigEndian = false
    /// The values of the directory's tags by tag number, without the offsets and byte counts of strips or tiles.
    var tags: [UInt16: Values] = [
        50_706: .bytes([1, 4, 0, 0]), 254: .longs([0]), 259: .shorts([1]), 284: .shorts([1]),
    ]
    /// The stored bytes of each strip or tile, in order.
    var parts: [[UInt8]] = []
    var isTiled = false
    /// The byte offset of the next directory (IFD) in the chain; nil at its end.
    var next: UInt32?
    /// Child directories by the number of the tag that points to them: Exif, GPS or SubIFDs.
    var children: [UInt16: [HandmadeDNG]] = [:]

    /// Creates a file of a Bayer picture whose pixels are one strip; change its tags for other layouts.
    static func bayer(width: Int, height: Int, bits: Int, isBigEndian: Bool = false) -> HandmadeDNG {
        var dng = HandmadeDNG(isBigEndian: isBigEndian)
        dng.tags[256] = .shorts([UInt16(width)])
        dng.tags[257] = .shorts([UInt16(height)])
        dng.tags[258] = .shorts([UInt16(bits)])
        dng.tags[262] = .shorts([32_803])
        dng.tags[277] = .shorts([1])
        dng.tags[278] = .shorts([UInt16(height)])
        dng.tags[33_421] = .shorts([2, 2])
        dng.tags[33_422] = .bytes([0, 1, 1, 2])
        return dng
    }

    /// Encodes 16-bit codes in the file's byte order.
    func bytes(_ codes: [UInt16]) -> [UInt8] {
        codes.flatMap { ordered([UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)]) }
    }

    /// Packs codes of fewer than 16 bits, high bits first; each row starts at a byte boundary.
    static func packed(_ codes: [UInt16], bits: Int, width: Int) -> [UInt8] {
        stride(from: 0, to: codes.count, by: width).flatMap { start -> [UInt8] in
            let row = codes[start..<start + width].flatMap { code in (0..<bits).reversed().map { code >> $0 & 1 } }
            return stride(from: 0, to: row.count, by: 8).map { at in
                (0..<8).reduce(0) { $0 << 1 | (at + $1 < row.count ? UInt8(row[at + $1]) : 0) }
            }
        }
    }

    /// Creates a directory without pixels, such as Exif, with this file's byte order.
    static func directory(isBigEndian: Bool = false, _ tags: [UInt16: Values]) -> HandmadeDNG {
        HandmadeDNG(isBigEndian: isBigEndian, tags: tags)
    }

    /// The complete file: header, directory, pixels and child directories.
    var file: [UInt8] {
        (isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]) + ordered16(42) + ordered32(8) + directory(at: 8)
    }

    /// Encodes the directory with its values, pixels and child directories, for the byte offset `start`.
    private func directory(at start: Int) -> [UInt8] {
        var entries = tags
        let pixelTags = parts.isEmpty ? 0 : 2
        let valuesStart = start + 2 + (entries.count + pixelTags + children.count) * 12 + 4
        let partsSize = parts.reduce(0) { $0 + $1.count }
        if !parts.isEmpty {
            let offsets = parts.indices.map { valuesStart + parts[..<$0].reduce(0) { $0 + $1.count } }
            entries[isTiled ? 324 : 273] = .longs(offsets.map { UInt32($0) })
            entries[isTiled ? 325 : 279] = .longs(parts.map { UInt32($0.count) })
        }
        let outsideSize = (Array(entries.values) + children.values.map { .longs($0.map { _ in 0 }) }).reduce(0) {
            let size = encoded($1).data.count
            return $0 + (size <= 4 ? 0 : size + size % 2)
        }
        var descendants: [UInt8] = []
        for (tag, directories) in children.sorted(by: { $0.key < $1.key }) {
            var offsets: [UInt32] = []
            for child in directories {
                let at = valuesStart + partsSize + outsideSize + descendants.count
                offsets.append(UInt32(at))
                descendants += child.directory(at: at)
            }
            entries[tag] = .longs(offsets)
        }
        var bytes = ordered16(UInt16(entries.count))
        var outside: [UInt8] = []
        for (tag, values) in entries.sorted(by: { $0.key < $1.key }) {
            let (type, count, data) = encoded(values)
            bytes += ordered16(tag) + ordered16(type) + ordered32(UInt32(count))
            if data.count <= 4 {
                bytes += data + [UInt8](repeating: 0, count: 4 - data.count)
            } else {
                bytes += ordered32(UInt32(valuesStart + partsSize + outside.count))
                outside += data + (data.count % 2 == 1 ? [0] : [])
            }
        }
        return bytes + ordered32(next ?? 0) + parts.flatMap(\.self) + outside + descendants
    }

    private func encoded(_ values: Values) -> (type: UInt16, count: Int, data: [UInt8]) {
        switch values {
        case .bytes(let bytes): (1, bytes.count, bytes)
        case .text(let text): (2, text.utf8.count + 1, Array(text.utf8) + [0])
        case .ascii(let bytes): (2, bytes.count, bytes)
        case .shorts(let shorts): (3, shorts.count, shorts.flatMap(ordered16))
        case .longs(let longs): (4, longs.count, longs.flatMap(ordered32))
        case .rationals(let parts): (5, parts.count / 2, parts.flatMap(ordered32))
        case .signedRationals(let parts): (10, parts.count / 2, parts.flatMap { ordered32(UInt32(bitPattern: $0)) })
        case .undefined(let bytes): (7, bytes.count, bytes)
        case .floats(let floats): (11, floats.count, floats.flatMap { ordered32($0.bitPattern) })
        case .doubles(let doubles): (12, doubles.count, doubles.flatMap { ordered64($0.bitPattern) })
        }
    }

    private func ordered64(_ number: UInt64) -> [UInt8] {
        ordered((0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
    }

    private func ordered16(_ number: UInt16) -> [UInt8] { ordered([UInt8(number & 255), UInt8(number >> 8)]) }

    private func ordered32(_ number: UInt32) -> [UInt8] {
        ordered((0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
    }

    private func ordered(_ littleEndian: [UInt8]) -> [UInt8] {
        isBigEndian ? littleEndian.reversed() : littleEndian
    }
}
