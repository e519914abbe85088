/// The layout of a Huffman table of the lossless JPEG decoder, in 32-bit words.
///
/// The sizes are public and inlinable, because only then are they constants in the loops of the kernels' modules.
public enum HuffmanTable {
    /// The number of leading bits of the input that index the direct entries, so that short codes are decoded by one
    /// lookup.
    @inlinable @inline(__always) public static var directBits: Int { 11 }
    /// The number of direct entries, which come first in the table.
    @inlinable @inline(__always) public static var directCount: Int { 1 &<< directBits }
    /// The offset in words of 17 limits, by code length 0 to 16: the first 16-bit input that belongs to a longer code.
    @inlinable @inline(__always) public static var limits: Int { directCount }
    /// The offset in words of 17 numbers, by code length 0 to 16, that are added to a code to give the index of its
    /// symbol.
    @inlinable @inline(__always) public static var offsets: Int { limits &+ 17 }
    /// The offset in words of the 256 symbols.
    @inlinable @inline(__always) public static var symbols: Int { offsets &+ 17 }
    /// The offset in words of the combined lengths of a code and its difference, in bits: one byte for each direct
    /// entry.
    @inlinable @inline(__always) public static var totalLengths: Int { symbols &+ 256 }
    /// The size of a table, in 32-bit words.
    @inlinable @inline(__always) public static var count: Int { totalLengths &+ directCount / 4 }
}
