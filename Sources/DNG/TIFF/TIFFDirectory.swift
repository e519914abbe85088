/// A directory of a TIFF file: tags and their values, which are read when asked for.
struct TIFFDirectory: Sendable {
    /// Where the values of a tag lie.
    struct Entry: Sendable {
        let type: TIFFType
        let count: Int
        let offset: Int
    }

    /// Where it lies in the file.
    let offset: Int
    /// Where the next one of its chain lies, 0 at the end.
    let next: Int
    let container: TIFFContainer
    let entries: [TIFFTag: Entry]

    /// No tag that is read has more numbers.
    private static let mostNumbers = 1 << 20

    /// Whether the directory has a tag.
    func has(_ tag: TIFFTag) -> Bool { entries[tag] != nil }

    /// The bytes of a tag's values as they lie in the file; empty when the tag is missing.
    func bytes(_ tag: TIFFTag) -> [UInt8] {
        guard let entry = entries[tag] else { return [] }
        return container.source.bytes(at: entry.offset, count: entry.count * entry.type.size) ?? []
    }

    /// A text; nil when the tag is missing, empty or none.
    func text(_ tag: TIFFTag) -> String? {
        // Exif and XMP have texts of undefined type or of bytes.
        guard let type = entries[tag]?.type, [.ascii, .byte, .undefined].contains(type) else { return nil }
        var text = Substring(String(decoding: bytes(tag).prefix { $0 != 0 }, as: UTF8.self))
        while text.last == " " { text.removeLast() }
        return text.isEmpty ? nil : String(text)
    }

    /// The numbers of a tag; empty when it is missing or a text.
    func numbers(_ tag: TIFFTag) -> [Double] {
        guard let entry = entries[tag], entry.type != .ascii else { return [] }
        let count = min(entry.count, Self.mostNumbers)
        guard let bytes = container.source.bytes(at: entry.offset, count: count * entry.type.size) else { return [] }
        var reader = ByteReader(bytes, isBigEndian: container.isBigEndian)
        return (0..<count).compactMap { _ in try? entry.type.number(&reader) }
    }

    /// The numbers of a tag, rounded to whole ones; empty when it is missing. No number that a file can hold traps.
    func integers(_ tag: TIFFTag) -> [Int] {
        numbers(tag).map { $0.isNaN ? 0 : Int(max(-0x1p53, min(0x1p53, $0)).rounded()) }
    }

    /// The first number of a tag, rounded; nil when there is none.
    func integer(_ tag: TIFFTag) -> Int? { integers(tag).first }

    /// The first number of a tag; nil when there is none or it is not finite.
    func number(_ tag: TIFFTag) -> Double? { numbers(tag).first.flatMap { $0.isFinite ? $0 : nil } }
}

/// The types of values that TIFF has.
enum TIFFType: UInt16, Sendable {
    case byte = 1
    case ascii, short, long, rational, signedByte, undefined, signedShort, signedLong, signedRational, float, double
    case directory

    /// Bytes of a value.
    var size: Int {
        switch self {
        case .byte, .ascii, .signedByte, .undefined: 1
        case .short, .signedShort: 2
        case .long, .signedLong, .float, .directory: 4
        case .rational, .signedRational, .double: 8
        }
    }

    /// Reads a value; a fraction with nothing below is infinite or no number.
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
