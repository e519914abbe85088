internal import KernelTypes

extension HuffmanCode {
    /// The size in 32-bit words of the table from which the kernel `decodeRow` decodes Huffman codes.
    static let lookupCount = HuffmanTable.count

    /// Fills a decoding table in the layout that the kernel `decodeRow` expects.
    func fillLookup(_ table: UnsafeMutablePointer<UInt32>) {
        let needsSearch: UInt32 = 1 << 31
        for index in 0..<HuffmanTable.directCount { unsafe table[index] = needsSearch }
        unsafe fillSearch(table)
        let lengths = unsafe UnsafeMutableRawPointer(table + HuffmanTable.totalLengths)
        // The table is indexed by the next 11 bits. Only codes of at most 11 bits whose code and difference bits
        // together are at most 22, a limit that the kernels rely on, have entries; for all others the kernels search.
        let bits = UInt32(HuffmanTable.directBits)
        for (symbol, code, length) in entries where length <= bits && symbol < 16 && length + symbol <= 22 {
            let first = Int(code << (bits - length))
            for index in first..<first + 1 << Int(bits - length) {
                unsafe table[index] = (63 - symbol) << 16 | length << 8
                unsafe lengths.storeBytes(of: UInt8(length + symbol), toByteOffset: index, as: UInt8.self)
            }
        }
    }

    /// Fills the part of the decoding table in which the kernels search for codes without a direct entry: they find the
    /// code's length by comparing the next 16 bits with the end of the range of codes of each length.
    private func fillSearch(_ table: UnsafeMutablePointer<UInt32>) {
        var (code, index): (UInt32, UInt32) = (0, 0)
        for length in 1...16 {
            unsafe table[HuffmanTable.offsets + length] = index &- code
            code += UInt32(counts[length - 1])
            index += UInt32(counts[length - 1])
            unsafe table[HuffmanTable.limits + length] = code << UInt32(16 - length)
            code <<= 1
        }
        for (index, symbol) in symbols.enumerated() { unsafe table[HuffmanTable.symbols + index] = UInt32(symbol) }
    }
}
