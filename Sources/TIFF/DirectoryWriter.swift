internal import Glibc
internal import PhotoMetadata

/// A writer of a classic TIFF file in memory from its directories.
///
/// The directories and their values come first, then the data in the order of the directories. Values that have to stay
/// where they are in the source, such as a MakerNote with offsets from the start of the file, keep their position: the
/// rest is written around them.
package final class DirectoryWriter {
    private let file: MemoryFile
    private let source: ByteSource
    private let first: DirectoryNode
    /// The position of the next block, if no fixed value is in its way.
    private var end = 8
    /// The values that keep their position, in ascending order.
    private var fixed: [(range: Range<Int>, bytes: [UInt8])] = []
    /// The positions of the values' bytes.
    private var positions: [ObjectIdentifier: [TIFFTag: Int]] = [:]
    private var directoryPositions: [ObjectIdentifier: Int] = [:]

    /// The most unused bytes before a fixed value at the end of the file. A value farther behind all data moves.
    private static let mostUnused = 1 << 18
    /// The limit of 32-bit offsets.
    private static let mostBytes = Int(UInt32.max)

    /// Starts a file with an initial capacity of `capacity` bytes.
    package init(_ first: DirectoryNode, source: ByteSource, capacity: Int) {
        self.first = first
        self.source = source
        file = MemoryFile(capacity: max(capacity, 1 << 16))
    }

    /// Writes all directories and data. Calls `encode` for a list of pieces that are encoded; it stores each of them.
    package func write(
        _ encode: (DirectoryNode, DirectoryNode.Pieces) throws(GscapError) -> Void
    ) throws(GscapError) {
        try store((first.isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]) + first.ordered([42, 0]), at: 0)
        for node in first.all { findFixed(in: node) }
        fixed.sort { $0.range.lowerBound < $1.range.lowerBound }
        try place(first)
        try storeLong(directoryPosition(of: first), at: 4)
        for node in first.all {
            for list in node.pieces {
                if case .encoded? = list.pieces.first {
                    try encode(node, list)
                } else {
                    try storePieces(of: node, list)
                }
            }
        }
        try storeFixed()
    }

    /// Returns the finished file.
    package func takeData() throws(GscapError) -> TIFFData {
        guard let data = file.takeData() else { throw GscapError(.noMemory, "there is no memory for the file") }
        return data
    }

    /// Replaces the values of a tag of a written directory by values of the same size.
    package func replace(_ tag: TIFFTag, of node: DirectoryNode, with bytes: [UInt8]) throws(GscapError) {
        guard let position = positions[ObjectIdentifier(node)]?[tag], node.values[tag]?.bytes.count == bytes.count
        else { return }
        try store(bytes, at: position)
    }

    // MARK: Data

    /// Stores the next piece of a list whose pieces are encoded.
    package func store(
        _ bytes: [UInt8], piece index: Int, of node: DirectoryNode, _ list: DirectoryNode.Pieces
    ) throws(GscapError) {
        let position = try reserve(bytes.count, piece: index, of: node, list)
        try store(bytes, at: position)
    }

    /// Reserves bytes for the next piece of a list; returns their position.
    package func reserve(
        _ count: Int, piece index: Int, of node: DirectoryNode, _ list: DirectoryNode.Pieces
    ) throws(GscapError) -> Int {
        let position = try allocate(count)
        try setEntry(list.offsets, of: node, index, position)
        if let counts = list.counts, case .encoded = list.pieces[index] { try setEntry(counts, of: node, index, count) }
        return position
    }

    /// Calls `fill` with the address of the file, which has all bytes that were reserved.
    package func fill(_ fill: (UnsafeMutableRawPointer) -> Void) throws(GscapError) {
        try extend(to: end)
        guard let base = unsafe file.bytes.baseAddress else {
            throw GscapError(.noMemory, "there is no memory for the file")
        }
        unsafe fill(base)
    }

    private func storePieces(of node: DirectoryNode, _ list: DirectoryNode.Pieces) throws(GscapError) {
        for (index, piece) in list.pieces.enumerated() {
            switch piece {
            case .new(let bytes): try store(bytes, piece: index, of: node, list)
            case .stored(let offset, let count):
                guard let bytes = source.bytes(at: offset, count: count) else {
                    throw GscapError(.malformed, "the file was cut off while it was read")
                }
                try store(bytes, piece: index, of: node, list)
            case .encoded: break
            }
        }
    }

    private func setEntry(_ tag: TIFFTag, of node: DirectoryNode, _ index: Int, _ value: Int) throws(GscapError) {
        guard let position = positions[ObjectIdentifier(node)]?[tag] else { return }
        try storeLong(value, at: position + 4 * index)
    }

    // MARK: Directories

    private func directoryPosition(of node: DirectoryNode) -> Int { directoryPositions[ObjectIdentifier(node)] ?? 0 }

    /// Returns all entries of a directory in ascending order. The offsets of data and subdirectories are zeros, which
    /// are replaced as soon as the offsets are known.
    private func entries(of node: DirectoryNode) -> [(tag: TIFFTag, value: DirectoryNode.Value)] {
        var entries = node.values
        func reserve(_ tag: TIFFTag, _ count: Int) {
            let none = [UInt8](repeating: 0, count: 4 * count)
            entries[tag] = DirectoryNode.Value(type: .long, count: count, bytes: none)
        }
        for list in node.pieces {
            reserve(list.offsets, list.pieces.count)
            if let counts = list.counts, case .encoded? = list.pieces.first { reserve(counts, list.pieces.count) }
        }
        for (tag, nodes) in node.children { reserve(tag, nodes.count) }
        return entries.sorted { $0.key.number < $1.key.number }.map { ($0.key, $0.value) }
    }

    /// Writes a directory with its values, its subdirectories and the directory after it.
    private func place(_ node: DirectoryNode) throws(GscapError) {
        let entries = entries(of: node)
        let start = try allocate(2 + 12 * entries.count + 4)
        directoryPositions[ObjectIdentifier(node)] = start
        var bytes = number16(entries.count)
        for (index, (tag, value)) in entries.enumerated() {
            bytes += number16(Int(tag.number)) + number16(Int(value.type.rawValue)) + number32(value.count)
            let isInside = value.bytes.count <= 4
            let position: Int
            if isInside {
                position = start + 2 + 12 * index + 8
                bytes += value.bytes + [UInt8](repeating: 0, count: 4 - value.bytes.count)
            } else if let range = fixedRange(of: value, tag) {
                position = range.lowerBound
                bytes += number32(position)
            } else {
                position = try allocate(value.bytes.count)
                try store(value.bytes, at: position)
                bytes += number32(position)
            }
            positions[ObjectIdentifier(node), default: [:]][tag] = position
        }
        try store(bytes + number32(0), at: start)
        for (tag, children) in node.children.sorted(by: { $0.key.number < $1.key.number }) {
            for (index, child) in children.enumerated() {
                try place(child)
                try setEntry(tag, of: node, index, directoryPosition(of: child))
            }
        }
        if let next = node.next {
            try place(next)
            try storeLong(directoryPosition(of: next), at: start + 2 + 12 * entries.count)
        }
    }

    // MARK: Values that keep their position

    /// Notes the MakerNote of a directory, whose offsets usually count from the start of the file.
    private func findFixed(in node: DirectoryNode) {
        guard let note = node.values[.makerNote], let offset = note.offset, note.bytes.count > 4, offset >= 8 else {
            return
        }
        let range = offset..<offset + note.bytes.count
        guard !fixed.contains(where: { $0.range.overlaps(range) }) else { return }
        fixed.append((range, note.bytes))
    }

    private func fixedRange(of value: DirectoryNode.Value, _ tag: TIFFTag) -> Range<Int>? {
        guard tag == .makerNote, let offset = value.offset else { return nil }
        return fixed.first { $0.range == offset..<offset + value.bytes.count }?.range
    }

    /// Stores the fixed values. One that lies far behind all data moves to the end of the data.
    private func storeFixed() throws(GscapError) {
        for (range, bytes) in fixed {
            if range.lowerBound <= end + Self.mostUnused {
                try extend(to: range.lowerBound)
                try store(bytes, at: range.lowerBound)
                end = max(end, range.upperBound)
                continue
            }
            let position = try allocate(bytes.count, ignoring: range)
            try store(bytes, at: position)
            for node in first.all where node.values[.makerNote]?.offset == range.lowerBound {
                try relink(.makerNote, of: node, to: position)
            }
        }
    }

    /// Changes the offset in a directory entry.
    private func relink(_ tag: TIFFTag, of node: DirectoryNode, to position: Int) throws(GscapError) {
        guard let index = entries(of: node).firstIndex(where: { $0.tag == tag }) else { return }
        try storeLong(position, at: directoryPosition(of: node) + 2 + 12 * index + 8)
    }

    // MARK: Bytes

    /// Returns the position of a block of bytes that overlaps no other block and no fixed value. It is even, as TIFF
    /// requires.
    private func allocate(_ count: Int, ignoring ignored: Range<Int>? = nil) throws(GscapError) -> Int {
        var start = end + end % 2
        for (range, _) in fixed where range != ignored && start < range.upperBound && range.lowerBound < start + count {
            start = range.upperBound + range.upperBound % 2
        }
        guard start + count <= Self.mostBytes else {
            throw GscapError(.badPicture, "the file exceeds a DNG file's limit of 4 GB")
        }
        end = start + count
        return start
    }

    private func extend(to count: Int) throws(GscapError) {
        guard count > file.count else { return }
        guard file.seek(UInt64(count), from: SEEK_SET) == UInt64(count) else {
            throw GscapError(.noMemory, "there is no memory for the file")
        }
    }

    private func store(_ bytes: [UInt8], at position: Int) throws(GscapError) {
        guard !bytes.isEmpty else { return }
        let stored = unsafe bytes.withUnsafeBytes { bytes in
            guard file.seek(UInt64(position), from: SEEK_SET) == UInt64(position) else { return false }
            return unsafe file.write(bytes.baseAddress, count: bytes.count) == bytes.count
        }
        guard stored else { throw GscapError(.noMemory, "there is no memory for the file") }
    }

    private func storeLong(_ value: Int, at position: Int) throws(GscapError) {
        try store(number32(value), at: position)
    }

    private func number16(_ number: Int) -> [UInt8] { first.ordered(UInt16(clamping: number).littleEndianBytes) }
    private func number32(_ number: Int) -> [UInt8] { first.ordered(UInt32(clamping: number).littleEndianBytes) }
}
