/// The packings of codes with 9 to 12 bits in cameras of the GenICam standards.
///
/// Each function packs or unpacks one row. Its last group of bytes is complete, and the bytes that are packed into are
/// 0 before.
enum GenICamPacking {
    /// Unpacks codes that follow each other from the lowest bit of the first byte on (GenICam's Pixel Format Naming
    /// Convention, `10p` and `12p`), and returns the bitwise OR of all codes.
    static func unpackLowest(
        _ bytes: UnsafePointer<UInt8>, _ codes: UnsafeMutablePointer<UInt16>, _ width: Int, _ bits: Int
    ) -> UInt16 {
        let mask = UInt16(1 << bits) - 1
        var used: UInt16 = 0
        for column in 0..<width {
            let (byte, shift) = (column * bits / 8, UInt16(column * bits % 8))
            let pair = unsafe UInt16(bytes[byte]) | UInt16(bytes[byte + 1]) << 8
            let code = pair >> shift & mask
            unsafe codes[column] = code
            used |= code
        }
        return used
    }

    /// Packs codes in the same way.
    static func packLowest(
        _ codes: UnsafePointer<UInt16>, _ bytes: UnsafeMutablePointer<UInt8>, _ width: Int, _ bits: Int
    ) {
        for column in 0..<width {
            let (byte, shift) = (column * bits / 8, UInt16(column * bits % 8))
            let pair = unsafe codes[column] << shift
            unsafe bytes[byte] |= UInt8(truncatingIfNeeded: pair)
            unsafe bytes[byte + 1] |= UInt8(truncatingIfNeeded: pair >> 8)
        }
    }

    /// Unpacks pairs of codes in three bytes: the high 8 bits of the first code, the low bits of both in the halves of
    /// the second byte, the high 8 bits of the second code (GigE Vision's `10Packed` and `12Packed`). Returns the
    /// bitwise OR of all codes.
    static func unpackGigE(
        _ bytes: UnsafePointer<UInt8>, _ codes: UnsafeMutablePointer<UInt16>, _ width: Int, _ bits: Int
    ) -> UInt16 {
        let low = UInt16(bits - 8)
        var used: UInt16 = 0
        for column in 0..<width {
            let (group, isOdd) = (column / 2 * 3, column & 1)
            let high = unsafe UInt16(bytes[group + 2 * isOdd]) << low
            let code = unsafe high | UInt16(bytes[group + 1] >> UInt8(4 * isOdd)) & ((1 << low) - 1)
            unsafe codes[column] = code
            used |= code
        }
        return used
    }

    /// Packs codes in the same way.
    static func packGigE(
        _ codes: UnsafePointer<UInt16>, _ bytes: UnsafeMutablePointer<UInt8>, _ width: Int, _ bits: Int
    ) {
        let low = UInt16(bits - 8)
        for column in 0..<width {
            let (group, isOdd) = (column / 2 * 3, column & 1)
            unsafe bytes[group + 2 * isOdd] = UInt8(truncatingIfNeeded: codes[column] >> low)
            let rest = unsafe codes[column] & ((1 << low) - 1)
            unsafe bytes[group + 1] |= UInt8(truncatingIfNeeded: rest << UInt16(4 * isOdd))
        }
    }
}
