internal import Glibc

/// A directory of TIFF tags as bytes, low byte first: what Exif is in every format, and the head of a TIFF file.
package struct TIFFBlock {
    /// The values of a tag.
    package enum Value {
        case bytes([UInt8])
        case text(String)
        case shorts([Int])
        case longs([Int])
        case ratios([Double])
        case undefined([UInt8])
        case directory(TIFFBlock)

        /// TIFF's number of the type.
        var type: UInt16 {
            switch self {
            case .bytes: 1
            case .text: 2
            case .shorts: 3
            case .longs, .directory: 4
            case .ratios: 5
            case .undefined: 7
            }
        }

        /// How many there are.
        var count: Int {
            switch self {
            case .bytes(let bytes), .undefined(let bytes): bytes.count
            case .text(let text): text.utf8.count + 1
            case .shorts(let numbers), .longs(let numbers): numbers.count
            case .ratios(let numbers): numbers.count
            case .directory: 1
            }
        }

        /// The bytes of the values; those of a directory lie at `offset` in the file.
        func bytes(at offset: Int) -> [UInt8] {
            switch self {
            case .bytes(let bytes), .undefined(let bytes): bytes
            case .text(let text): text.utf8.filter { $0 != 0 } + [0]
            case .shorts(let numbers): numbers.flatMap { UInt16(clamping: $0).littleEndianBytes }
            case .longs(let numbers): numbers.flatMap { UInt32(clamping: $0).littleEndianBytes }
            case .ratios(let numbers): numbers.flatMap { Ratio($0).bytes }
            case .directory(let block): block.directory(at: offset)
            }
        }
    }

    private var values: [UInt16: Value] = [:]

    /// A block without tags.
    package init() {}

    /// The values of a tag.
    package subscript(tag: UInt16) -> Value? {
        get { values[tag] }
        set { values[tag] = newValue }
    }

    /// A whole file without pixels: the head, and the directory right behind it.
    package var bytes: [UInt8] {
        [0x49, 0x49, 42, 0, 8, 0, 0, 0] + directory(at: 8)
    }

    /// The directory with all that its tags point to, for a place in the file.
    private func directory(at offset: Int) -> [UInt8] {
        let tags = values.sorted { $0.key < $1.key }
        var entries = UInt16(tags.count).littleEndianBytes
        var outside: [UInt8] = []
        let start = offset + 2 + tags.count * 12 + 4
        for (tag, value) in tags {
            entries += tag.littleEndianBytes + value.type.littleEndianBytes
            var bytes = value.bytes(at: start + outside.count)
            let isInside = bytes.count <= 4 && !value.isDirectory
            entries += UInt32(value.isText ? bytes.count : value.count).littleEndianBytes
            if isInside {
                entries += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
            } else {
                entries += UInt32(clamping: start + outside.count).littleEndianBytes
                if bytes.count % 2 == 1 { bytes.append(0) }
                outside += bytes
            }
        }
        // No directory follows.
        return entries + [0, 0, 0, 0] + outside
    }
}

extension TIFFBlock.Value {
    fileprivate var isDirectory: Bool { if case .directory = self { true } else { false } }
    fileprivate var isText: Bool { if case .text = self { true } else { false } }
}

/// A number as a fraction of two whole numbers, as Exif stores it.
package struct Ratio: Equatable {
    package let numerator: UInt32
    package let denominator: UInt32

    /// The simplest fraction that is as near to a number as a camera can tell. Times below a second become 1/n where they are
    /// that.
    package init(_ value: Double) {
        guard value.isFinite, value > 0 else {
            (numerator, denominator) = (0, 1)
            return
        }
        if value >= 0xFFFF_FFFF {
            (numerator, denominator) = (.max, 1)
            return
        }
        // The fractions of a continued fraction are the best of their size.
        var (before, now) = ((0.0, 1.0), (1.0, 0.0))
        var rest = value
        while true {
            let whole = rest.rounded(.down)
            let next = (whole * now.0 + before.0, whole * now.1 + before.1)
            if next.0 > 0xFFFF_FFFF || next.1 > 0xFFFF_FFFF { break }
            (before, now) = (now, next)
            if abs(now.0 / now.1 - value) <= value * 1e-9 || rest - whole < 1e-9 { break }
            rest = 1 / (rest - whole)
        }
        (numerator, denominator) = (UInt32(now.0), UInt32(max(1, now.1)))
    }

    /// Both numbers, low byte first.
    package var bytes: [UInt8] { numerator.littleEndianBytes + denominator.littleEndianBytes }
}
