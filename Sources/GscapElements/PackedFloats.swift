/// Many numbers as one text: 32-bit floats, little-endian, in base 64 (RFC 4648) without padding.
///
/// A structure with a value for each of a map's fifty thousand gains would take longer to copy than the photo.
enum PackedFloats {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The place of each letter in the alphabet; 64 for what is no letter of it.
    private static let places: [UInt8] = {
        var places = [UInt8](repeating: 64, count: 256)
        for (place, letter) in alphabet.enumerated() { places[Int(letter)] = UInt8(place) }
        return places
    }()

    static func pack(_ numbers: [Float]) -> String {
        var letters: [UInt8] = []
        letters.reserveCapacity(numbers.count * 16 / 3 + 1)
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

    /// The numbers of a text; nil when it is not made of them.
    static func unpack(_ text: String) -> [Float]? {
        var numbers: [Float] = []
        numbers.reserveCapacity(text.utf8.count * 3 / 16)
        var (bits, count): (UInt64, Int) = (0, 0)
        for letter in text.utf8 {
            let place = places[Int(letter)]
            guard place < 64 else { return nil }
            bits = bits << 6 | UInt64(place)
            count += 6
            if count >= 32 {
                count -= 32
                numbers.append(Float(bitPattern: UInt32(truncatingIfNeeded: bits >> UInt64(count)).byteSwapped))
            }
        }
        return count < 6 ? numbers : nil
    }
}
