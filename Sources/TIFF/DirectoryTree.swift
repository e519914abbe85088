/// The directories of a file, read completely so that they can be written again.
package struct DirectoryTree {
    /// The first directory (IFD0), from which all others are reached.
    package let first: DirectoryNode
    /// Descriptions of what cannot be copied, such as a subdirectory that is damaged.
    package let notes: [String]

    /// Reads all directories of a file.
    package init(_ container: TIFFContainer) throws(GscapError) {
        var reader = TreeReader(container)
        first = try reader.node(at: container.first)
        notes = reader.notes
    }
}

/// The tags that point to data, each with the tag that has the data's sizes.
private let pieceTags: [(offsets: TIFFTag, counts: TIFFTag)] = [
    (.stripOffsets, .stripByteCounts), (.tileOffsets, .tileByteCounts), (.jpegOffset, .jpegByteCount),
    (.bigTableOffsets, .bigTableByteCounts),
]

/// Reads directories and all below them.
private struct TreeReader {
    private(set) var notes: [String] = []
    private let container: TIFFContainer
    private var visited: Set<Int> = []
    /// The number of bytes that may still be copied: directories of a malicious file may refer to the same bytes many
    /// times.
    private var budget: Int

    /// The maximum number of directories, far above what any camera writes.
    private static let mostDirectories = 256

    init(_ container: TIFFContainer) {
        self.container = container
        budget = 2 * container.source.count
    }

    mutating func node(at offset: Int) throws(GscapError) -> DirectoryNode {
        guard visited.insert(offset).inserted, visited.count <= Self.mostDirectories else {
            throw GscapError(
                .malformed, "the directory at byte \(offset) is listed twice, or there are too many directories",
                at: TIFFLocation(path: container.source.path, offset: offset))
        }
        let directory = try container.directory(at: offset)
        let node = DirectoryNode(isBigEndian: container.isBigEndian, sourceOffset: offset)
        for (offsets, counts) in pieceTags where directory.has(offsets) {
            node.pieces.append(
                DirectoryNode.Pieces(offsets: offsets, counts: counts, pieces: try pieces(directory, offsets, counts)))
        }
        if directory.has(.extraCameraProfiles) { try readProfiles(directory, into: node) }
        for (tag, entry) in directory.entries where !isPointer(tag) {
            if isDirectoryTag(tag, entry) {
                try readChildren(directory, tag, into: node)
            } else {
                try spend(entry.count * entry.type.size, directory, tag)
                node.values[tag] = try value(of: entry, directory, tag)
            }
        }
        if directory.next != 0 { node.next = try self.node(at: directory.next) }
        return node
    }

    /// Returns the value of an entry. The 64-bit numbers of a BigTIFF file become 32-bit numbers, because the copy is a
    /// classic TIFF file.
    private func value(
        of entry: TIFFDirectory.Entry, _ directory: TIFFDirectory, _ tag: TIFFTag
    ) throws(GscapError) -> DirectoryNode.Value {
        let narrowTypes: [TIFFType: TIFFType] = [.long8: .long, .signedLong8: .signedLong, .directory8: .directory]
        guard let narrow = narrowTypes[entry.type] else {
            return DirectoryNode.Value(
                type: entry.type, count: entry.count, bytes: directory.bytes(tag), offset: entry.offset)
        }
        var reader = ByteReader(directory.bytes(tag), isBigEndian: container.isBigEndian)
        var bytes: [UInt8] = []
        for _ in 0..<entry.count {
            let number = try reader.uint64()
            let isNarrow =
                narrow == .signedLong ? Int32(exactly: Int64(bitPattern: number)) != nil : number >> 32 == 0
            guard isNarrow else {
                throw GscapError(
                    .unsupported, "\(tag) has a number of more than 32 bits, which a classic TIFF file cannot have",
                    at: TIFFLocation(directory, tag))
            }
            let low = UInt32(truncatingIfNeeded: number)
            for shift in container.isBigEndian ? [24, 16, 8, 0] : [0, 8, 16, 24] {
                bytes.append(UInt8(truncatingIfNeeded: low >> UInt32(shift)))
            }
        }
        return DirectoryNode.Value(type: narrow, count: entry.count, bytes: bytes, offset: entry.offset)
    }

    private func isPointer(_ tag: TIFFTag) -> Bool {
        // FreeOffsets and FreeByteCounts describe unused bytes of the source, which the copy does not have.
        [TIFFTag.extraCameraProfiles, .freeOffsets, .freeByteCounts].contains(tag)
            || pieceTags.contains { $0.offsets == tag }
    }

    private func isDirectoryTag(_ tag: TIFFTag, _ entry: TIFFDirectory.Entry) -> Bool {
        let isDirectory = entry.type == .directory || entry.type == .directory8
        let isLong = isDirectory || entry.type == .long || entry.type == .long8
        return isLong && [.subIFDs, .exifIFD, .gpsIFD, .interoperabilityIFD].contains(tag) || isDirectory
    }

    /// Reads the directories that a tag points to. Those that are damaged are left out with a note, unless they are of
    /// pictures.
    private mutating func readChildren(
        _ directory: TIFFDirectory, _ tag: TIFFTag, into node: DirectoryNode
    ) throws(GscapError) {
        for offset in directory.integers(tag) {
            do throws(GscapError) {
                node.children[tag, default: []].append(try self.node(at: offset))
            } catch {
                if tag == .subIFDs { throw error }
                notes.append("\(tag) is left out: \(error.message)")
            }
        }
    }

    // MARK: Data

    private mutating func pieces(
        _ directory: TIFFDirectory, _ offsets: TIFFTag, _ counts: TIFFTag
    ) throws(GscapError) -> [DirectoryNode.Piece] {
        let (starts, sizes) = (directory.integers(offsets), directory.integers(counts))
        guard starts.count == sizes.count else {
            throw GscapError(
                .malformed, "\(offsets) has \(starts.count) values, but \(counts) has \(sizes.count)",
                at: TIFFLocation(directory, offsets))
        }
        var pieces: [DirectoryNode.Piece] = []
        for (start, size) in zip(starts, sizes) {
            guard size >= 0, start >= 0, size <= container.source.count, start <= container.source.count - size else {
                throw GscapError(
                    .malformed, "\(offsets) points outside the file; it may be cut off",
                    at: TIFFLocation(directory, offsets))
            }
            try spend(size, directory, offsets)
            pieces.append(.stored(offset: start, count: size))
        }
        return pieces
    }

    /// Reads ExtraCameraProfiles. A profile is a small TIFF structure with its own byte order, in which offsets are
    /// relative to its start, so that it can be copied as it is.
    private mutating func readProfiles(_ directory: TIFFDirectory, into node: DirectoryNode) throws(GscapError) {
        var profiles: [DirectoryNode.Piece] = []
        for offset in directory.integers(.extraCameraProfiles) {
            do throws(GscapError) {
                let size = try profileSize(at: offset)
                try spend(size, directory, .extraCameraProfiles)
                profiles.append(.stored(offset: offset, count: size))
            } catch {
                notes.append("a camera profile of \(TIFFTag.extraCameraProfiles) is left out: \(error.message)")
            }
        }
        guard !profiles.isEmpty else { return }
        node.pieces.append(DirectoryNode.Pieces(offsets: .extraCameraProfiles, counts: nil, pieces: profiles))
    }

    /// Returns the size in bytes of the camera profile at a position of the file.
    private func profileSize(at offset: Int) throws(GscapError) -> Int {
        let source = container.source
        guard let header = source.bytes(at: offset, count: 8), header[0] == header[1],
            header[0] == UInt8(ascii: "M") || header[0] == UInt8(ascii: "I")
        else {
            throw GscapError(.malformed, "there is no profile at byte \(offset)")
        }
        let isBigEndian = header[0] == UInt8(ascii: "M")
        var reader = ByteReader(header, isBigEndian: isBigEndian, start: 4)
        let start = Int(try reader.uint32())
        guard let countBytes = source.bytes(at: offset + start, count: 2) else {
            throw GscapError(.malformed, "the file ends within the profile at byte \(offset)")
        }
        var countReader = ByteReader(countBytes, isBigEndian: isBigEndian)
        let count = Int(try countReader.uint16())
        var end = start + 2 + 12 * count
        guard let entries = source.bytes(at: offset + start + 2, count: 12 * count) else {
            throw GscapError(.malformed, "the file ends within the profile at byte \(offset)")
        }
        // The link to a next directory is 0, or missing at the end of the file.
        if source.bytes(at: offset + end, count: 4) != nil { end += 4 }
        reader = ByteReader(entries, isBigEndian: isBigEndian)
        while reader.remaining > 0 {
            _ = try reader.uint16()
            let type = TIFFType(rawValue: try reader.uint16())
            let (values, link) = (Int(try reader.uint32()), Int(try reader.uint32()))
            let size = values * (type?.size ?? 0)
            if size > 4 { end = max(end, link + size) }
        }
        guard end <= source.count - offset else {
            throw GscapError(.malformed, "the profile at byte \(offset) reaches beyond the file's end")
        }
        return end
    }

    private mutating func spend(_ size: Int, _ directory: TIFFDirectory, _ tag: TIFFTag) throws(GscapError) {
        budget -= size
        guard budget >= 0 else {
            throw GscapError(
                .malformed, "the file's tags refer to more bytes than it has", at: TIFFLocation(directory, tag))
        }
    }
}
