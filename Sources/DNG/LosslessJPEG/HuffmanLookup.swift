extension HuffmanCode {
    /// Words that the kernels' table for decoding takes.
    static let lookupCount = 2048 + 17 + 17 + 256 + 2048 / 4

    /// Fills in a table for decoding, as the kernels describe it.
    func fillLookup(_ table: UnsafeMutablePointer<UInt32>) {
        let closerLook: UInt32 = 1 << 31
        for index in 0..<2048 { unsafe table[index] = closerLook }
        unsafe fillSearch(table + 2048)
        let lengths = unsafe UnsafeMutableRawPointer(table + 2048 + 17 + 17 + 256)
        // The kernels rely on the limit of 22 bits.
        for (symbol, code, length) in entries where length <= 11 && symbol < 16 && length + symbol <= 22 {
            let first = Int(code << (11 - length))
            for index in first..<first + 1 << (11 - Int(length)) {
                unsafe table[index] = (63 - symbol) << 16 | length << 8
                unsafe lengths.storeBytes(of: UInt8(length + symbol), toByteOffset: index, as: UInt8.self)
            }
        }
    }

    /// The part of the table for codes that take a closer look.
    private func fillSearch(_ table: UnsafeMutablePointer<UInt32>) {
        var (code, place): (UInt32, UInt32) = (0, 0)
        for length in 1...16 {
            unsafe table[17 + length] = place &- code
            code += UInt32(counts[length - 1])
            place += UInt32(counts[length - 1])
            unsafe table[length] = code << UInt32(16 - length)
            code <<= 1
        }
        for (index, symbol) in symbols.enumerated() { unsafe table[34 + index] = UInt32(symbol) }
    }
}
