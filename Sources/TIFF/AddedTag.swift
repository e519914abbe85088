internal import Glibc
internal import PhotoMetadata

/// A tag that is added to the first directory of a finished file.
package struct AddedTag: Sendable {
    let tag: TIFFTag
    let type: TIFFType
    /// The values, which are single bytes.
    let bytes: [UInt8]

    /// Creates a tag of a type whose values are single bytes.
    package init(_ tag: TIFFTag, _ type: TIFFType, _ bytes: [UInt8]) {
        self.tag = tag
        self.type = type
        self.bytes = bytes
    }

    /// Creates a tag of a text.
    package init(_ tag: TIFFTag, text: String) {
        self.init(tag, .ascii, text.utf8.filter { $0 != 0 } + [0])
    }
}

extension TIFFData {
    /// Returns the file with further tags in its first directory, in place of tags of the same numbers. The new values
    /// and the new directory follow the old file, whose other directories stay where they are:
    ///
    ///     header │ old file, with the old first directory unused │ values │ new first directory
    package func adding(_ tags: [AddedTag]) throws(GscapError) -> TIFFData {
        let container = try TIFFContainer(ByteSource(self), magics: [42])
        var entries = try container.rawEntries(at: container.first)
        entries.entries.removeAll { entry in tags.contains { $0.tag.number == UInt32(entry.number) } }
        var values: [UInt8] = []
        let start = count + count % 2
        for tag in tags {
            var value = tag.bytes
            if value.count > 4 {
                let offset = start + values.count
                values += value + (value.count % 2 == 1 ? [0] : [])
                value = container.bytes(UInt32(clamping: offset))
            }
            let number = UInt16(truncatingIfNeeded: tag.tag.number)
            let head = container.bytes(number) + container.bytes(tag.type.rawValue)
            let size = container.bytes(UInt32(clamping: tag.bytes.count))
            let padding = [UInt8](repeating: 0, count: 4 - value.count)
            entries.entries.append((number, head + size + value + padding))
        }
        entries.entries.sort { $0.number < $1.number }
        let directory =
            container.bytes(UInt16(clamping: entries.entries.count)) + entries.entries.flatMap(\.bytes) + entries.next
        let position = start + values.count
        guard position + directory.count <= Int(UInt32.max) else {
            throw GscapError(
                .badPicture, "the file with the original raw file in it exceeds a DNG file's limit of 4 GB")
        }
        let data = try appending([(start, values), (position, directory)])
        // The header's offset of the first directory.
        for (index, byte) in container.bytes(UInt32(position)).enumerated() {
            unsafe data.base.storeBytes(of: byte, toByteOffset: 4 + index, as: UInt8.self)
        }
        return data
    }

    /// Returns a copy of the file with bytes added behind its end, at rising offsets.
    private func appending(_ pieces: [(offset: Int, bytes: [UInt8])]) throws(GscapError) -> TIFFData {
        let size = pieces.reduce(count) { max($0, $1.offset + $1.bytes.count) }
        guard let memory = unsafe malloc(size) else {
            throw GscapError(.noMemory, "there is no memory for a file of \(size) bytes")
        }
        unsafe memcpy(memory, base, count)
        unsafe memset(memory + count, 0, size - count)
        for (offset, bytes) in pieces {
            unsafe bytes.withUnsafeBytes { bytes in
                if let base = bytes.baseAddress { unsafe memcpy(memory + offset, base, bytes.count) }
            }
        }
        return unsafe TIFFData(takingMalloced: memory, count: size)
    }
}

extension TIFFContainer {
    /// Returns the entries of a directory as they are stored, 12 bytes each, and its link to the next directory.
    fileprivate func rawEntries(
        at offset: Int
    ) throws(GscapError) -> (entries: [(number: UInt16, bytes: [UInt8])], next: [UInt8]) {
        let failure = GscapError(.malformed, "the file ends within the directory at byte \(offset)")
        guard let head = source.bytes(at: offset, count: 2) else { throw failure }
        var reader = ByteReader(head, isBigEndian: isBigEndian)
        let count = Int(try reader.uint16())
        guard let bytes = source.bytes(at: offset + 2, count: 12 * count),
            let next = source.bytes(at: offset + 2 + 12 * count, count: 4)
        else { throw failure }
        let entries = try (0..<count).map { index throws(GscapError) -> (number: UInt16, bytes: [UInt8]) in
            let entry = Array(bytes[12 * index..<12 * index + 12])
            var reader = ByteReader(entry, isBigEndian: isBigEndian)
            return (try reader.uint16(), entry)
        }
        return (entries, next)
    }

    /// Returns the bytes of a number in the file's byte order.
    fileprivate func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        isBigEndian ? number.bigEndianBytes : number.littleEndianBytes
    }
}
