/// An encoding of float arrays as strings: little-endian 32-bit floats in base64 (RFC 4648) without padding.
///
/// GStreamer copies an array field value by value: for the 50,000 gains of a map that takes longer than copying the
/// photo's pixels. A string is copied at once.
enum PackedFloats {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The 6-bit value of each ASCII code; 64 for characters outside the base64 alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 64, count: 256)
        for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()

    /// Encodes numbers as a string.
    static func pack(_ numbers: [Float]) -> String {
        var letters: [UInt8] = []
        letters.reserveCapacity(numbers.count * 16 / 3 + 1)
        let alphabet = Self.alphabet
        var (bits, count): (UInt64, Int) = (0, 0)
        for number in numbers {
            bits = bits << 32 | UInt64(number.bitPattern.byteSwapped)
            count += 32
            while count >= 6 {
                count -= 6
                letters.append(alphabet[Int(bits >> UInt64(count) & 63)])
            }
        }
        if count > 0 { letters.append(alphabet[Int(bits << UInt64(6 - count) & 63)]) }
        return String(decoding: letters, as: UTF8.self)
    }

    /// Decodes a packed string; returns nil if it is not valid base64 of whole floats.
    static func unpack(_ text: String) -> [Float]? {
        var numbers: [Float] = []
        numbers.reserveCapacity(text.utf8.count * 3 / 16)
        let values = Self.values
        var (bits, count): (UInt64, Int) = (0, 0)
        for letter in text.utf8 {
            let value = values[Int(letter)]
            guard value < 64 else { return nil }
            bits = bits << 6 | UInt64(value)
            count += 6
            if count >= 32 {
                count -= 32
                numbers.append(Float(bitPattern: UInt32(truncatingIfNeeded: bits >> UInt64(count)).byteSwapped))
            }
        }
        return count < 6 ? numbers : nil
    }
}
