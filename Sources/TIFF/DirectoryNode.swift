internal import PhotoMetadata

/// A directory (IFD) of a file that is written again: the values of its tags as bytes, the data that it points to, and
/// its subdirectories.
///
/// All bytes are in the byte order of the file, which a copy keeps. Therefore the values of all types, also those of
/// unknown tags and of UNDEFINED data, are copied exactly.
package final class DirectoryNode {
    /// The values of a tag.
    package struct Value {
        /// The type.
        package let type: TIFFType
        /// The number of values.
        package let count: Int
        /// The values in the file's byte order.
        package let bytes: [UInt8]
        /// The position of the bytes in the source; nil for a new value.
        package var offset: Int?

        /// Creates the values of a tag.
        package init(type: TIFFType, count: Int, bytes: [UInt8], offset: Int? = nil) {
            (self.type, self.count, self.bytes, self.offset) = (type, count, bytes, offset)
        }
    }

    /// Data outside the directory that a tag points to: a strip, a tile, a table or a camera profile.
    package enum Piece {
        /// A range of bytes of the source.
        case stored(offset: Int, count: Int)
        /// New bytes.
        case new([UInt8])
        /// A piece that is encoded after the directories have their positions.
        case encoded
    }

    /// The pieces that a pair of tags describes: one has their offsets, the other their sizes.
    package struct Pieces {
        /// The tag with the offsets.
        package let offsets: TIFFTag
        /// The tag with the sizes; nil if the data gives its size itself.
        package let counts: TIFFTag?
        /// The pieces in the order of the tags' values.
        package var pieces: [Piece]

        /// Creates a list of pieces.
        package init(offsets: TIFFTag, counts: TIFFTag?, pieces: [Piece]) {
            (self.offsets, self.counts, self.pieces) = (offsets, counts, pieces)
        }
    }

    /// Whether numbers are big-endian.
    package let isBigEndian: Bool
    /// The directory's position in the source; nil for a new directory.
    package let sourceOffset: Int?
    /// The values of all tags that are not offsets of data or directories.
    package var values: [TIFFTag: Value] = [:]
    /// The lists of data that tags point to.
    package var pieces: [Pieces] = []
    /// The subdirectories by the tag that points to them.
    package var children: [TIFFTag: [DirectoryNode]] = [:]
    /// The next directory of the chain.
    package var next: DirectoryNode?

    /// Creates an empty directory.
    package init(isBigEndian: Bool, sourceOffset: Int? = nil) {
        self.isBigEndian = isBigEndian
        self.sourceOffset = sourceOffset
    }

    /// This directory and all below and after it, in the order in which they are written.
    package var all: [DirectoryNode] {
        let below = children.sorted { $0.key.number < $1.key.number }.flatMap(\.value).flatMap(\.all)
        return [self] + below + (next?.all ?? [])
    }

    /// Removes the subdirectories and chained directories for which `isUnwanted` returns true.
    package func removeDirectories(where isUnwanted: (DirectoryNode) -> Bool) {
        for (tag, nodes) in children {
            let kept = nodes.filter { !isUnwanted($0) }
            children[tag] = kept.isEmpty ? nil : kept
            for node in kept { node.removeDirectories(where: isUnwanted) }
        }
        while let following = next, isUnwanted(following) { next = following.next }
        next?.removeDirectories(where: isUnwanted)
    }

    /// Removes tags with the data that they point to.
    package func remove(_ tags: some Sequence<TIFFTag>) {
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
    /// Sets a tag of a type whose values are bytes in the file's byte order.
    package func set(_ tag: TIFFTag, bytes: [UInt8], type: TIFFType = .byte) {
        values[tag] = Value(type: type, count: bytes.count / type.size, bytes: bytes)
    }

    /// Sets a tag of type SHORT; larger numbers are clamped.
    package func set(_ tag: TIFFTag, shorts: [Int]) {
        set(tag, bytes: shorts.flatMap { ordered(UInt16(clamping: $0).littleEndianBytes) }, type: .short)
    }

    /// Sets a tag of type LONG; larger numbers are clamped.
    package func set(_ tag: TIFFTag, longs: [Int]) {
        set(tag, bytes: longs.flatMap { ordered(UInt32(clamping: $0).littleEndianBytes) }, type: .long)
    }

    /// Sets an ASCII tag; an empty text removes the tag.
    package func set(_ tag: TIFFTag, text: String) {
        values[tag] = nil
        if !text.isEmpty { set(tag, bytes: text.utf8.filter { $0 != 0 } + [0], type: .ascii) }
    }

    /// Sets a tag of type RATIONAL; numbers below 0 become 0.
    package func set(_ tag: TIFFTag, ratios: [Double]) {
        let parts = ratios.map(UnsignedRational.init).flatMap { [$0.numerator, $0.denominator] }
        set(tag, bytes: parts.flatMap { ordered($0.littleEndianBytes) }, type: .rational)
    }

    /// Sets a tag of type FLOAT.
    package func set(_ tag: TIFFTag, float: Float) {
        set(tag, bytes: ordered(float.bitPattern.littleEndianBytes), type: .float)
    }

    /// Returns the bytes of a number in the file's byte order.
    package func ordered(_ littleEndian: [UInt8]) -> [UInt8] {
        isBigEndian ? littleEndian.reversed() : littleEndian
    }
}
