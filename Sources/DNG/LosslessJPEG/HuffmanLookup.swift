extension HuffmanCode {
    /// The size of a kernel decoding table, in 32-bit words: 2048 direct entries, two arrays by code length, 256
    /// symbols, and 2048 one-byte bit lengths.
    static let lookupCount = 2048 + 17 + 17 + 256 + 2048 / 4

    /// Fills a decoding table in the layout that the kernel `decodeRow` expects.
    func fillLookup(_ table: UnsafeMutablePointer<UInt32>) {
        let needsSearch: UInt32 = 1 << 31
        for index in 0..<2048 { unsafe table[index] = needsSearch }
        unsafe fillSearch(table + 2048)
        let lengths = unsafe UnsafeMutableRawPointer(table + 2048 + 17 + 17 + 256)
        // Direct entries cover codes of up to 11 bits. The kernels rely on code plus difference being at most 22 bits.
        for (symbol, code, length) in entries where length <= 11 && symbol < 16 && length + symbol <= 22 {
            let first = Int(code << (11 - length))
            for index in first..<first + 1 << (11 - Int(length)) {
                unsafe table[index] = (63 - symbol) << 16 | length << 8
                unsafe lengths.storeBytes(of: UInt8(length + symbol), toByteOffset: index, as: UInt8.self)
            }
        }
    }

    /// Fills the part of the table for longer codes, which the kernels find by comparing with the end of each length.
    private func fillSearch(_ table: UnsafeMutablePointer<UInt32>) {
        var (code, index): (UInt32, UInt32) = (0, 0)
        for length in 1...16 {
            unsafe table[17 + length] = index &- code
            code += UInt32(counts[length - 1])
            index += UInt32(counts[length - 1])
            unsafe table[length] = code << UInt32(16 - length)
            code <<= 1
        }
        for (index, symbol) in symbols.enumerated() { unsafe table[34 + index] = UInt32(symbol) }
    }
}
