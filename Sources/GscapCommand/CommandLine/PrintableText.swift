internal import Files

extension String {
    /// The text as it is printed: control characters, which a terminal would obey, and bytes of file names that are not
    /// UTF-8 are written as `\x1B`, and characters that reverse the order of the text as `\u{202E}`. Lines and tabs
    /// stay.
    var printable: String {
        guard unicodeScalars.contains(where: { $0.escapeSequence != nil }) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if let sequence = scalar.escapeSequence { text += sequence } else { text.unicodeScalars.append(scalar) }
        }
    }
}

extension Unicode.Scalar {
    /// The text that stands for a character that is not printed; nil for others.
    fileprivate var escapeSequence: String? {
        if let byte = pathByte { return Self.hexadecimal(byte) }
        if isControl { return self == "\n" || self == "\t" ? nil : Self.hexadecimal(UInt8(truncatingIfNeeded: value)) }
        let reversesText = (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
        return reversesText ? "\\u{\(String(value, radix: 16, uppercase: true))}" : nil
    }

    /// Returns a byte as `\x1B`.
    fileprivate static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "\\x0" : "\\x") + String(byte, radix: 16, uppercase: true)
    }
}
