/// A directory (IFD) of a TIFF file; the values of its tags are read on demand.
package struct TIFFDirectory: Sendable {
    /// The TIFF type of a tag's values, how many there are, and their byte offset in the file.
    package struct Entry: Sendable {
        /// The type of the values.
        package let type: TIFFType
        /// The number of values.
        package let count: Int
        /// The byte offset of the values in the file.
        package let offset: Int
    }

    /// The directory's byte offset in the file.
    package let offset: Int
    /// The byte offset of the next directory of the chain; 0 at its end.
    package let next: Int
    /// The file of the directory.
    package let container: TIFFContainer
    /// The entries by tag.
    package let entries: [TIFFTag: Entry]

    /// The maximum number of values decoded from a tag; no supported tag has more.
    private static let mostNumbers = 1 << 20

    /// Returns whether this is the directory at the same offset of the same source.
    package func isSame(as other: TIFFDirectory) -> Bool {
        offset == other.offset && container.source === other.container.source
    }

    /// Returns whether the directory contains a tag.
    package func has(_ tag: TIFFTag) -> Bool { entries[tag] != nil }

    /// Returns the bytes of a tag's values in the file's byte order; empty if the tag is missing.
    package func bytes(_ tag: TIFFTag) -> [UInt8] {
        guard let entry = entries[tag] else { return [] }
        return container.source.bytes(at: entry.offset, count: entry.count * entry.type.size) ?? []
    }

    /// Returns a tag's text up to the first NUL, without trailing spaces; nil if the tag is missing, empty or numeric.
    package func text(_ tag: TIFFTag) -> String? {
        // Some Exif texts have type UNDEFINED, and XMP has type BYTE.
        guard let type = entries[tag]?.type, [.ascii, .byte, .undefined, .utf8].contains(type) else { return nil }
        let bytes = bytes(tag).prefix { $0 != 0 }
        // Texts that are not UTF-8 are taken as Latin-1, in which older programs store accented letters.
        let latin = { String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })) }
        var text = Substring(String(validating: bytes, as: UTF8.self) ?? latin())
        while text.last == " " { text.removeLast() }
        return text.isEmpty ? nil : String(text)
    }

    /// Returns a tag's values as numbers; empty if the tag is missing or an ASCII text.
    package func numbers(_ tag: TIFFTag) -> [Double] {
        guard let entry = entries[tag], entry.type != .ascii, entry.type != .utf8 else { return [] }
        let count = min(entry.count, Self.mostNumbers)
        guard let bytes = container.source.bytes(at: entry.offset, count: count * entry.type.size) else { return [] }
        var reader = ByteReader(bytes, isBigEndian: container.isBigEndian)
        return (0..<count).compactMap { _ in try? entry.type.number(&reader) }
    }

    /// Returns a tag's values rounded to integers; empty if the tag is missing. Values that do not fit are clamped, and
    /// NaN becomes 0, so that no file content can trap.
    package func integers(_ tag: TIFFTag) -> [Int] {
        numbers(tag).map { $0.isNaN ? 0 : Int(max(-0x1p53, min(0x1p53, $0)).rounded()) }
    }

    /// Returns a tag's first value, rounded; nil if there is none.
    package func integer(_ tag: TIFFTag) -> Int? { integers(tag).first }

    /// Returns a tag's first value; nil if there is none or it is not finite.
    package func number(_ tag: TIFFTag) -> Double? { numbers(tag).first.flatMap { $0.isFinite ? $0 : nil } }
}

extension TIFFContainer {
    /// The maximum number of entries accepted in a directory, far above what any camera writes.
    private static let mostEntries = 4096

    /// Reads the directory at a byte offset; throws unless it and its values lie in the file.
    package func directory(at offset: Int) throws(GscapError) -> TIFFDirectory {
        guard let head = source.bytes(at: offset, count: layout.countSize) else {
            throw GscapError(
                .malformed, "a directory should start at byte \(offset), but the file has \(source.count) bytes",
                at: TIFFLocation(path: source.path, offset: offset))
        }
        var reader = ByteReader(head, isBigEndian: isBigEndian)
        let count = try layout.entryCount(&reader)
        guard (1...Self.mostEntries).contains(count) else {
            throw GscapError(
                .malformed, "the directory at byte \(offset) has \(count) entries, not 1 to \(Self.mostEntries)",
                at: TIFFLocation(path: source.path, offset: offset))
        }
        let start = offset + layout.countSize
        guard let bytes = source.bytes(at: start, count: count * layout.entrySize) else {
            throw GscapError(
                .malformed, "the file ends within the directory at byte \(offset)",
                at: TIFFLocation(path: source.path, offset: offset))
        }
        let entries = try entries(of: bytes, directory: offset)
        // Some encoders omit the last directory's link; treat it as 0, the end of the chain.
        var next = 0
        if let link = source.bytes(at: start + count * layout.entrySize, count: layout.linkSize) {
            var reader = ByteReader(link, isBigEndian: isBigEndian)
            next = try layout.link(&reader)
        }
        return TIFFDirectory(offset: offset, next: next, container: self, entries: entries)
    }

    private func entries(of bytes: [UInt8], directory: Int) throws(GscapError) -> [TIFFTag: TIFFDirectory.Entry] {
        var entries: [TIFFTag: TIFFDirectory.Entry] = [:]
        var total = 0
        var reader = ByteReader(bytes, isBigEndian: isBigEndian)
        while reader.remaining > 0 {
            let inlineOffset = directory + layout.countSize + reader.position + layout.valueStart
            let tag = TIFFTag(UInt32(try reader.uint16()))
            let type = TIFFType(rawValue: try reader.uint16())
            let (count, link) = (try layout.link(&reader), try layout.link(&reader))
            // TIFF 6.0, section 2: readers skip entries of unknown types.
            guard let type else { continue }
            let (size, isHuge) = count.multipliedReportingOverflow(by: type.size)
            let isOutside = isHuge || size > layout.linkSize
            guard !isOutside || (!isHuge && link <= source.count && size <= source.count - link) else {
                throw GscapError(
                    .malformed,
                    "\(tag) of the directory at byte \(directory) points outside the file; it may be cut off",
                    at: TIFFLocation(path: source.path, tag: Int(tag.number), offset: directory))
            }
            total += isOutside ? size : 0
            // When a tag occurs twice, the first entry is used.
            if entries[tag] == nil {
                entries[tag] = TIFFDirectory.Entry(type: type, count: count, offset: isOutside ? link : inlineOffset)
            }
        }
        guard total <= source.count else {
            throw GscapError(
                .malformed, "the values of the directory at byte \(directory) are more than the whole file",
                at: TIFFLocation(path: source.path, offset: directory))
        }
        return entries
    }
}

/// A TIFF field type, with the type codes of TIFF 6.0, BigTIFF and Exif 3.0.
package enum TIFFType: UInt16, Sendable {
    case byte = 1
    case ascii, short, long, rational, signedByte, undefined, signedShort, signedLong, signedRational, float, double
    case directory
    /// 64-bit numbers (BigTIFF): unsigned, signed, and the offset of a directory.
    case long8 = 16
    case signedLong8, directory8
    /// Text in UTF-8 (Exif 3.0).
    case utf8 = 129

    /// The size of one value in bytes.
    package var size: Int {
        switch self {
        case .byte, .ascii, .signedByte, .undefined, .utf8: 1
        case .short, .signedShort: 2
        case .long, .signedLong, .float, .directory: 4
        case .rational, .signedRational, .double, .long8, .signedLong8, .directory8: 8
        }
    }

    /// Reads one value as a number; a rational with denominator 0 becomes infinity or NaN.
    package func number(_ reader: inout ByteReader) throws(GscapError) -> Double {
        switch self {
        case .byte, .ascii, .undefined, .utf8: Double(try reader.uint8())
        case .short: Double(try reader.uint16())
        case .long, .directory: Double(try reader.uint32())
        case .long8, .directory8: Double(try reader.uint64())
        case .signedLong8: Double(Int64(bitPattern: try reader.uint64()))
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
