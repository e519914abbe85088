/// The layout of a Huffman table of the lossless JPEG decoder, in 32-bit words.
///
/// The sizes are public and inlinable, because only then are they constants in the loops of the kernels' modules.
public enum HuffmanTable {
    /// The number of bits that select a direct entry.
    @inlinable @inline(__always) public static var directBits: Int { 11 }
    /// The number of direct entries, which come first.
    @inlinable @inline(__always) public static var directCount: Int { 1 &<< directBits }
    /// The offset of 17 limits, by code length 0 to 16.
    @inlinable @inline(__always) public static var limits: Int { directCount }
    /// The offset of 17 numbers that turn a code into the index of its symbol, by code length 0 to 16.
    @inlinable @inline(__always) public static var offsets: Int { limits &+ 17 }
    /// The offset of 256 symbols.
    @inlinable @inline(__always) public static var symbols: Int { offsets &+ 17 }
    /// The offset of the combined lengths of code and difference: one byte for each direct entry.
    @inlinable @inline(__always) public static var totalLengths: Int { symbols &+ 256 }
    /// The size of a table.
    @inlinable @inline(__always) public static var count: Int { totalLengths &+ directCount / 4 }
}
