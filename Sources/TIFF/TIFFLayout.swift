/// The sizes of the numbers in the directories of a TIFF file: classic TIFF has 32-bit offsets, BigTIFF 64-bit ones.
package struct TIFFLayout: Sendable, Hashable {
    /// The bytes of the number of entries, at a directory's start.
    package let countSize: Int
    /// The bytes of an offset, and of the number of values of an entry; values that fit into so many bytes are stored
    /// in the entry itself.
    package let linkSize: Int

    /// Classic TIFF, with the magic number 42.
    package static let classic = TIFFLayout(countSize: 2, linkSize: 4)
    /// BigTIFF, with the magic number 43.
    package static let big = TIFFLayout(countSize: 8, linkSize: 8)

    /// The bytes of an entry: tag, type, number of values, and the values or their offset.
    package var entrySize: Int { 4 + 2 * linkSize }
    /// The bytes of an entry before its values.
    package var valueStart: Int { 4 + linkSize }

    /// Reads the number of entries of a directory. A number that no file can have becomes the largest integer.
    package func entryCount(_ reader: inout ByteReader) throws(GscapError) -> Int {
        countSize == 2 ? Int(try reader.uint16()) : Int(clamping: try reader.uint64())
    }

    /// Reads an offset or the number of values of an entry. A number that no file can have becomes the largest integer.
    package func link(_ reader: inout ByteReader) throws(GscapError) -> Int {
        linkSize == 4 ? Int(try reader.uint32()) : Int(clamping: try reader.uint64())
    }
}
