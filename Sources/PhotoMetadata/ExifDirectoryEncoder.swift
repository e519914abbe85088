internal import Glibc

/// A TIFF image file directory (IFD) and its encoding, little-endian. Exif metadata in every file format is such a
/// directory.
package struct ExifDirectoryEncoder {
    /// The values of a tag, all of one TIFF type.
    package enum Value {
        case bytes([UInt8])
        case text(String)
        case shorts([Int])
        case longs([Int])
        case ratios([Double])
        case signedHundredths([Double])
        case undefined([UInt8])
        case directory(ExifDirectoryEncoder)
        /// Values of any type that another file has, little-endian.
        case stored(type: UInt16, count: Int, bytes: [UInt8])

        /// The number of the type in TIFF: 1 BYTE, 2 ASCII, 3 SHORT, 4 LONG, 5 RATIONAL, 7 UNDEFINED,
        /// 10 SRATIONAL.
        var type: UInt16 {
            switch self {
            case .bytes: 1
            case .text: 2
            case .shorts: 3
            case .longs, .directory: 4
            case .ratios: 5
            case .undefined: 7
            case .signedHundredths: 10
            case .stored(let type, _, _): type
            }
        }

        /// The number of values as TIFF counts them: for ASCII the bytes with the terminating NUL.
        var count: Int {
            switch self {
            case .bytes(let bytes), .undefined(let bytes): bytes.count
            case .text(let text): text.utf8.count + 1
            case .shorts(let numbers), .longs(let numbers): numbers.count
            case .ratios(let numbers), .signedHundredths(let numbers): numbers.count
            case .directory: 1
            case .stored(_, let count, _): count
            }
        }

        /// Returns the values as bytes; a directory's values depend on `offset`, its position in the file.
        func bytes(at offset: Int) -> [UInt8] {
            switch self {
            case .bytes(let bytes), .undefined(let bytes), .stored(_, _, let bytes): bytes
            case .text(let text): text.utf8.filter { $0 != 0 } + [0]
            case .shorts(let numbers): numbers.flatMap { UInt16(clamping: $0).littleEndianBytes }
            case .longs(let numbers): numbers.flatMap { UInt32(clamping: $0).littleEndianBytes }
            case .ratios(let numbers): numbers.flatMap { UnsignedRational($0).bytes }
            case .signedHundredths(let numbers):
                numbers.flatMap { number in
                    let hundredths = Int32(max(-1e7, min(1e7, (number * 100).rounded())))
                    return UInt32(bitPattern: hundredths).littleEndianBytes + UInt32(100).littleEndianBytes
                }
            case .directory(let block): block.directory(at: offset)
            }
        }
    }

    private var values: [UInt16: Value] = [:]
    /// The thumbnail in the directory after this one (IFD1), of a file's first directory only; nil for none.
    package var thumbnail: ExifThumbnail?

    /// Creates an empty directory.
    package init() {}

    /// The values of a tag; nil when the directory does not have it.
    package subscript(tag: UInt16) -> Value? {
        get { values[tag] }
        set { values[tag] = newValue }
    }

    /// A TIFF file without image data: the header "II", 42, 8, followed by the directory and that of the thumbnail.
    package var bytes: [UInt8] {
        var first = directory(at: 8)
        if let thumbnail {
            let start = 8 + first.count
            let next = 2 + values.count * 12
            first.replaceSubrange(next..<next + 4, with: UInt32(clamping: start).littleEndianBytes)
            first += thumbnail.bytes(at: start)
        }
        return [0x49, 0x49, 42, 0, 8, 0, 0, 0] + first
    }

    /// Encodes the directory and, after it, the values that do not fit into its entries; `offset` is its position in
    /// the file.
    func directory(at offset: Int) -> [UInt8] {
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
        // The offset of the next directory is 0: there is none.
        return entries + [0, 0, 0, 0] + outside
    }
}

extension ExifDirectoryEncoder.Value {
    fileprivate var isDirectory: Bool { if case .directory = self { true } else { false } }
    fileprivate var isText: Bool { if case .text = self { true } else { false } }
}

/// An unsigned fraction of two 32-bit integers (TIFF's RATIONAL).
package struct UnsignedRational: Equatable {
    package let numerator: UInt32
    package let denominator: UInt32

    /// Creates a fraction with a small denominator that differs from `value` by at most one part in a billion, if 32
    /// bits allow it, so that an exposure time of 1/n s is stored as 1/n. Negative numbers, NaN and infinity become 0;
    /// numbers of 2³² - 1 or more become 2³² - 1.
    package init(_ value: Double) {
        guard value.isFinite, value > 0 else {
            (numerator, denominator) = (0, 1)
            return
        }
        if value >= 0xFFFF_FFFF {
            (numerator, denominator) = (.max, 1)
            return
        }
        // The convergents of the continued fraction are the best approximations for the size of their denominators.
        var (previous, current) = ((0.0, 1.0), (1.0, 0.0))
        var rest = value
        while true {
            let whole = rest.rounded(.down)
            let next = (whole * current.0 + previous.0, whole * current.1 + previous.1)
            if next.0 > 0xFFFF_FFFF || next.1 > 0xFFFF_FFFF { break }
            (previous, current) = (current, next)
            if abs(current.0 / current.1 - value) <= value * 1e-9 || rest - whole < 1e-9 { break }
            rest = 1 / (rest - whole)
        }
        (numerator, denominator) = (UInt32(current.0), UInt32(max(1, current.1)))
    }

    /// Numerator and denominator in little-endian order.
    package var bytes: [UInt8] { numerator.littleEndianBytes + denominator.littleEndianBytes }
}
