internal import RawImage

/// The metadata in the directories of a TIFF structure that a picture made of it inherits, with values as bytes: tags
/// of the primary directory, Exif and GPS.
///
/// The structure may come from any program. Entries of unknown types, or with values outside the bytes, are left out.
struct ExifFields {
    /// The values of a tag in little-endian byte order.
    struct Field: Equatable {
        let type: UInt16
        let count: Int
        let bytes: [UInt8]
    }

    /// The tags of the primary directory that describe the photo or the camera.
    private(set) var primary: [UInt16: Field] = [:]
    /// The tags of Exif that hold for every picture made of the raw one.
    private(set) var exif: [UInt16: Field] = [:]
    /// The tags of GPS.
    private(set) var gps: [UInt16: Field] = [:]

    /// Reads a structure with one of TIFF's headers; has no fields if the bytes have none.
    init(_ bytes: [UInt8]) {
        guard let reader = Reader(bytes), let first = reader.number(at: 4, size: 4) else { return }
        primary = reader.directory(at: first) { ExifTags.primary.contains($0) && $0 != ExifTags.iptc }
        exif = reader.directory(at: first) { ExifTags.exifInPrimary.contains($0) }
        let pointers = reader.directory(at: first) { $0 == 0x8769 || $0 == 0x8825 }
        func child(_ tag: UInt16) -> [UInt16: Field] {
            pointers[tag]?.number().map { reader.directory(at: $0) { _ in true } } ?? [:]
        }
        exif.merge(child(0x8769)) { _, own in own }
        exif = exif.filter { !ExifTags.ofStoredPixels.contains($0.key) && !ExifTags.ofPositions.contains($0.key) }
        gps = child(0x8825)
    }

    /// The place that the GPS tags state; nil if they state none, or state that it is void.
    var location: Location? {
        func angle(_ tag: UInt16, _ reference: UInt16, negative: String) -> Double? {
            guard let field = gps[tag], field.type == 5, field.count == 3 else { return nil }
            let parts = (0..<3).compactMap { index -> Double? in
                guard let above = field.number(2 * index), let below = field.number(2 * index + 1), below > 0 else {
                    return nil
                }
                return Double(above) / Double(below)
            }
            guard parts.count == 3 else { return nil }
            let size = parts[0] + parts[1] / 60 + parts[2] / 3600
            return gps[reference]?.text.hasPrefix(negative) == true ? -size : size
        }
        guard let latitude = angle(2, 1, negative: "S"), let longitude = angle(4, 3, negative: "W") else { return nil }
        let isVoid = gps[9]?.text == "V" && latitude == 0 && longitude == 0
        return isVoid ? nil : Location(latitude: latitude, longitude: longitude, altitude: nil)
    }
}

extension ExifFields.Field {
    /// The bytes of a number of this type: 4 for the two of a fraction.
    fileprivate static func numberSize(_ type: UInt16) -> Int? {
        switch type {
        case 1, 2, 6, 7, 129: 1
        case 3, 8: 2
        case 4, 5, 9, 10, 11: 4
        case 12: 8
        default: nil
        }
    }

    /// Returns one of the unsigned integers, or a part of a fraction; nil if there is none.
    func number(_ index: Int = 0) -> Int? {
        guard let size = Self.numberSize(type), size <= 4, index >= 0, (index + 1) * size <= bytes.count else {
            return nil
        }
        return bytes[index * size..<(index + 1) * size].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// The bytes as text up to the first NUL.
    var text: String { String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
}

/// Reads directories with checked offsets.
private struct Reader {
    private let bytes: [UInt8]
    private let isBigEndian: Bool

    /// The most entries of a directory, far above what any camera writes.
    private static let mostEntries = 1024

    init?(_ bytes: [UInt8]) {
        switch Array(bytes.prefix(4)) {
        case [0x4D, 0x4D, 0, 42]: isBigEndian = true
        case [0x49, 0x49, 42, 0]: isBigEndian = false
        default: return nil
        }
        self.bytes = bytes
    }

    func number(at offset: Int, size: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - size else { return nil }
        let part = bytes[offset..<offset + size]
        return isBigEndian
            ? part.reduce(0) { $0 << 8 | Int($1) } : part.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Returns the fields of some tags of the directory at an offset.
    func directory(at offset: Int, where isWanted: (UInt16) -> Bool) -> [UInt16: ExifFields.Field] {
        guard let count = number(at: offset, size: 2), count <= Self.mostEntries else { return [:] }
        var fields: [UInt16: ExifFields.Field] = [:]
        for entry in 0..<count {
            let start = offset + 2 + 12 * entry
            guard let tag = number(at: start, size: 2), let type = number(at: start + 2, size: 2),
                let count = number(at: start + 4, size: 4), let link = number(at: start + 8, size: 4)
            else { break }
            let (number, kind) = (UInt16(truncatingIfNeeded: tag), UInt16(truncatingIfNeeded: type))
            guard isWanted(number), let size = ExifFields.Field.numberSize(kind), fields[number] == nil else {
                continue
            }
            // A fraction has two numbers. 32-bit counts cannot overflow here.
            let total = count * size * (kind == 5 || kind == 10 ? 2 : 1)
            let place = total > 4 ? link : start + 8
            guard place <= bytes.count, total <= bytes.count - place else { continue }
            var value = Array(bytes[place..<place + total])
            if isBigEndian, size > 1 {
                for at in stride(from: 0, to: total, by: size) { value[at..<at + size].reverse() }
            }
            fields[number] = ExifFields.Field(type: kind, count: count, bytes: value)
        }
        return fields
    }
}
