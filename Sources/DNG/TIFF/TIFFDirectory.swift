/// A directory (IFD) of a TIFF file; the values of its tags are read on demand.
struct TIFFDirectory: Sendable {
    /// The type, number and offset of a tag's values.
    struct Entry: Sendable {
        let type: TIFFType
        let count: Int
        let offset: Int
    }

    /// The directory's byte offset in the file.
    let offset: Int
    /// The byte offset of the next directory of the chain; 0 at its end.
    let next: Int
    let container: TIFFContainer
    let entries: [TIFFTag: Entry]

    /// The maximum number of values decoded from a tag; no supported tag has more.
    private static let mostNumbers = 1 << 20

    /// Returns whether the directory contains a tag.
    func has(_ tag: TIFFTag) -> Bool { entries[tag] != nil }

    /// Returns the bytes of a tag's values in the file's byte order; empty if the tag is missing.
    func bytes(_ tag: TIFFTag) -> [UInt8] {
        guard let entry = entries[tag] else { return [] }
        return container.source.bytes(at: entry.offset, count: entry.count * entry.type.size) ?? []
    }

    /// Returns a tag's text up to the first NUL, without trailing spaces; nil if the tag is missing, empty or numeric.
    func text(_ tag: TIFFTag) -> String? {
        // Some Exif texts have type UNDEFINED, and XMP has type BYTE.
        guard let type = entries[tag]?.type, [.ascii, .byte, .undefined].contains(type) else { return nil }
        var text = Substring(String(decoding: bytes(tag).prefix { $0 != 0 }, as: UTF8.self))
        while text.last == " " { text.removeLast() }
        return text.isEmpty ? nil : String(text)
    }

    /// Returns a tag's values as numbers; empty if the tag is missing or an ASCII text.
    func numbers(_ tag: TIFFTag) -> [Double] {
        guard let entry = entries[tag], entry.type != .ascii else { return [] }
        let count = min(entry.count, Self.mostNumbers)
        guard let bytes = container.source.bytes(at: entry.offset, count: count * entry.type.size) else { return [] }
        var reader = ByteReader(bytes, isBigEndian: container.isBigEndian)
        return (0..<count).compactMap { _ in try? entry.type.number(&reader) }
    }

    /// Returns a tag's values rounded to integers; empty if the tag is missing. Values that do not fit are clamped, and
    /// NaN becomes 0, so that no file content can trap.
    func integers(_ tag: TIFFTag) -> [Int] {
        numbers(tag).map { $0.isNaN ? 0 : Int(max(-0x1p53, min(0x1p53, $0)).rounded()) }
    }

    /// Returns a tag's first value, rounded; nil if there is none.
    func integer(_ tag: TIFFTag) -> Int? { integers(tag).first }

    /// Returns a tag's first value; nil if there is none or it is not finite.
    func number(_ tag: TIFFTag) -> Double? { numbers(tag).first.flatMap { $0.isFinite ? $0 : nil } }
}

/// A TIFF field type, with the type codes of TIFF 6.0.
enum TIFFType: UInt16, Sendable {
    case byte = 1
    case ascii, short, long, rational, signedByte, undefined, signedShort, signedLong, signedRational, float, double
    case directory

    /// The size of one value in bytes.
    var size: Int {
        switch self {
        case .byte, .ascii, .signedByte, .undefined: 1
        case .short, .signedShort: 2
        case .long, .signedLong, .float, .directory: 4
        case .rational, .signedRational, .double: 8
        }
    }

    /// Reads one value as a number; a rational with denominator 0 becomes infinity or NaN.
    func number(_ reader: inout ByteReader) throws(DNGError) -> Double {
        switch self {
        case .byte, .ascii, .undefined: Double(try reader.uint8())
        case .short: Double(try reader.uint16())
        case .long, .directory: Double(try reader.uint32())
        case .rational: Double(try reader.uint32()) / Double(try reader.uint32())
        case .signedByte: Double(Int8(bitPattern: try reader.uint8()))
        case .signedShort: Double(Int16(bitPattern: try reader.uint16()))
        case .signedLong: Double(Int32(bitPattern: try reader.uint32()))
        case .signedRational:
            Double(Int32(bitPattern: try reader.uint32())) / Double(Int32(bitPattern: try reader.uint32()))
        case .float: Double(try reader.float32())
        case .double: try reader.float64()
        }
    }
}
