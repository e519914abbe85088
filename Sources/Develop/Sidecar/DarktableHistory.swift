internal import PhotoMetadata

/// The crop and the rotation in the history of a darktable sidecar, its list of edits.
///
/// darktable stores the parameters of an edit as the bytes of a C structure, in hexadecimal digits.
struct DarktableHistory {
    /// The part of the upright photo to show; nil for all.
    let crop: DevelopSidecar.Crop?
    /// The Exif orientation, 1…8; nil for that of the raw file.
    let orientation: Int?

    private static let mostEdits = 10_000

    init(_ packet: XMPReader) {
        let end = packet.text("darktable:history_end").flatMap { Int($0) } ?? 0
        // A later edit of a module replaces an earlier one; edits from `end` on are undone.
        var edits: [String: [UInt8]] = [:]
        for edit in packet.itemTags(of: "darktable:history", most: Self.mostEdits) {
            guard let number = edit.text("darktable:num").flatMap({ Int($0) }), number < end,
                let module = edit.text("darktable:operation")
            else { continue }
            let isEnabled = edit.text("darktable:enabled") == "1"
            edits[module] = isEnabled ? edit.text("darktable:params").flatMap(Self.bytes) : nil
        }
        crop = Self.crop(edits)
        // Bits 0 and 1 mirror rows and columns, bit 2 transposes before; -1 stands for the file's orientation.
        let orientations = [1, 4, 2, 3, 5, 6, 8, 7]
        let turn = edits["flip"].flatMap { Self.words($0, count: 1)?.first }
        orientation = turn.flatMap { $0 < 8 ? orientations[Int($0)] : nil }
    }

    /// Returns the crop of the module crop, or of the older one, clipping, unless that also rotates by an angle.
    private static func crop(_ edits: [String: [UInt8]]) -> DevelopSidecar.Crop? {
        let edges: [Double]
        if let numbers = edits["crop"].flatMap({ words($0, count: 4) }) {
            edges = numbers.map { Double(Float(bitPattern: $0)) }
        } else if let numbers = edits["clipping"].flatMap({ words($0, count: 5) }), Float(bitPattern: numbers[0]) == 0 {
            // The signs of the last two state whether the photo is mirrored.
            edges = numbers[1...].map { Double(Float(bitPattern: $0).magnitude) }
        } else {
            return nil
        }
        if edges == [0, 0, 1, 1] { return nil }
        var crop = DevelopSidecar.Crop(left: edges[0], top: edges[1], right: edges[2], bottom: edges[3])
        crop?.isUpright = true
        return crop
    }

    /// Decodes hexadecimal digits; nil for other texts, such as compressed parameters.
    private static func bytes(_ digits: String) -> [UInt8]? {
        let values = digits.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard values.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: values.count, by: 2) {
            guard let high = values[index], let low = values[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }

    /// Returns the first 32-bit words of little-endian bytes; nil if there are fewer than `count`.
    private static func words(_ bytes: [UInt8], count: Int) -> [UInt32]? {
        guard bytes.count >= count * 4 else { return nil }
        return (0..<count).map { word in (0..<4).reduce(0) { $0 | UInt32(bytes[word * 4 + $1]) << ($1 * 8) } }
    }
}
