internal import PhotoMetadata

/// A directory (IFD) of a file that is written again: the values of its tags as bytes, the data that it points to, and
/// its subdirectories.
///
/// All bytes are in the byte order of the file, which a copy keeps. Therefore the values of all types, also those of
/// unknown tags and of UNDEFINED data, are copied exactly.
final class DirectoryNode {
    /// The values of a tag.
    struct Value {
        let type: TIFFType
        let count: Int
        let bytes: [UInt8]
        /// The position of the bytes in the source; nil for a new value.
        var offset: Int?
    }

    /// Data outside the directory that a tag points to: a strip, a tile, a table or a camera profile.
    enum Piece {
        /// A range of bytes of the source.
        case stored(offset: Int, count: Int)
        /// New bytes.
        case new([UInt8])
        /// A piece that is encoded after the directories have their positions.
        case encoded
    }

    /// The pieces that a pair of tags describes: one has their offsets, the other their sizes.
    struct Pieces {
        let offsets: TIFFTag
        /// The tag with the sizes; nil if the data gives its size itself.
        let counts: TIFFTag?
        var pieces: [Piece]
    }

    let isBigEndian: Bool
    /// The directory's position in the source; nil for a new directory.
    let sourceOffset: Int?
    var values: [TIFFTag: Value] = [:]
    var pieces: [Pieces] = []
    /// The subdirectories by the tag that points to them.
    var children: [TIFFTag: [DirectoryNode]] = [:]
    /// The next directory of the chain.
    var next: DirectoryNode?

    init(isBigEndian: Bool, sourceOffset: Int? = nil) {
        self.isBigEndian = isBigEndian
        self.sourceOffset = sourceOffset
    }

    /// This directory and all below and after it, in the order in which they are written.
    var all: [DirectoryNode] {
        let below = children.sorted { $0.key.number < $1.key.number }.flatMap(\.value).flatMap(\.all)
        return [self] + below + (next?.all ?? [])
    }

    /// Removes the subdirectories and chained directories for which `isUnwanted` returns true.
    func removeDirectories(where isUnwanted: (DirectoryNode) -> Bool) {
        for (tag, nodes) in children {
            let kept = nodes.filter { !isUnwanted($0) }
            children[tag] = kept.isEmpty ? nil : kept
            for node in kept { node.removeDirectories(where: isUnwanted) }
        }
        while let following = next, isUnwanted(following) { next = following.next }
        next?.removeDirectories(where: isUnwanted)
    }

    /// Removes tags with the data that they point to.
    func remove(_ tags: some Sequence<TIFFTag>) {
        let tags = Set(tags)
        for tag in tags {
            values[tag] = nil
            children[tag] = nil
        }
        pieces.removeAll { tags.contains($0.offsets) }
    }
}

// MARK: - New values

extension DirectoryNode {
    func set(_ tag: TIFFTag, bytes: [UInt8], type: TIFFType = .byte) {
        values[tag] = Value(type: type, count: bytes.count / type.size, bytes: bytes)
    }

    func set(_ tag: TIFFTag, shorts: [Int]) {
        set(tag, bytes: shorts.flatMap { ordered(UInt16(clamping: $0).littleEndianBytes) }, type: .short)
    }

    func set(_ tag: TIFFTag, longs: [Int]) {
        set(tag, bytes: longs.flatMap { ordered(UInt32(clamping: $0).littleEndianBytes) }, type: .long)
    }

    /// Sets an ASCII tag; an empty text removes the tag.
    func set(_ tag: TIFFTag, text: String) {
        values[tag] = nil
        if !text.isEmpty { set(tag, bytes: text.utf8.filter { $0 != 0 } + [0], type: .ascii) }
    }

    /// Sets a tag of type RATIONAL; numbers below 0 become 0.
    func set(_ tag: TIFFTag, ratios: [Double]) {
        let parts = ratios.map(UnsignedRational.init).flatMap { [$0.numerator, $0.denominator] }
        set(tag, bytes: parts.flatMap { ordered($0.littleEndianBytes) }, type: .rational)
    }

    func set(_ tag: TIFFTag, float: Float) {
        set(tag, bytes: ordered(float.bitPattern.littleEndianBytes), type: .float)
    }

    func ordered(_ littleEndian: [UInt8]) -> [UInt8] {
        isBigEndian ? littleEndian.reversed() : littleEndian
    }
}
