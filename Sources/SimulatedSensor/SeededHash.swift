/// A hash function for reproducible pseudo-random numbers: the same seed and arguments give the same number.
enum SeededHash {
    /// Returns 64 pseudo-random bits for a seed and two numbers.
    static func bits(_ seed: UInt64, _ first: UInt64, _ second: UInt64) -> UInt64 {
        mixed(mixed(mixed(seed &+ 0x9e37_79b9_7f4a_7c15) ^ first) &+ 0x632b_e59b_d9b4_e019 ^ second)
    }

    /// Returns a pseudo-random number in 0..<1 for a seed and two numbers.
    static func unit(_ seed: UInt64, _ first: UInt64, _ second: UInt64) -> Double {
        Double(bits(seed, first, second) >> 11) / 9_007_199_254_740_992
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = value &* 0xd6e8_feb8_6659_fd93
        value ^= value >> 32
        value = value &* 0xd6e8_feb8_6659_fd93
        value ^= value >> 32
        value = value &* 0xd6e8_feb8_6659_fd93
        return value ^ value >> 32
    }
}
