extension JSON {
    /// The limits within which a JSON text is read. A text of somebody else could otherwise use up memory or the stack.
    package struct Limits: Sendable {
        /// The greatest size of the text in bytes.
        package var size: Int
        /// The greatest number of arrays and objects inside each other.
        package var depth: Int

        /// Creates limits, by default for a message or the settings of a photo.
        package init(size: Int = 1 << 20, depth: Int = 32) {
            (self.size, self.depth) = (size, depth)
        }
    }

    /// Reads a JSON text (RFC 8259) in UTF-8. Refuses two fields of one name in an object, and numbers beyond Double.
    package init(reading text: String, _ limits: Limits = Limits()) throws(GscapError) {
        try self.init(reading: Array(text.utf8), limits)
    }

    /// Reads the bytes of a JSON text.
    package init(reading bytes: [UInt8], _ limits: Limits = Limits()) throws(GscapError) {
        guard bytes.count <= limits.size else {
            throw GscapError("the text has more than \(limits.size) bytes", at: limits.size, of: bytes)
        }
        var reader = JSONReader(bytes: bytes, mostDepth: limits.depth)
        self = try reader.document()
    }
}

/// Reads the values of a JSON text one after another.
private struct JSONReader {
    let bytes: [UInt8]
    let mostDepth: Int
    /// The place of the next byte.
    var position = 0
    /// The number of arrays and objects around the next value.
    var depth = 0

    init(bytes: [UInt8], mostDepth: Int) {
        (self.bytes, self.mostDepth) = (bytes, mostDepth)
    }

    // MARK: Values

    mutating func document() throws(GscapError) -> JSON {
        let value = try value()
        skipSpace()
        guard position == bytes.count else { throw error("there is more text after the value") }
        return value
    }

    private mutating func value() throws(GscapError) -> JSON {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try nested { (reader) throws(GscapError) in try reader.object() }
        case UInt8(ascii: "["): return try nested { (reader) throws(GscapError) in try reader.list() }
        case UInt8(ascii: "\""): return .text(try text())
        case let byte? where byte == UInt8(ascii: "-") || Self.digits.contains(byte): return try number()
        default:
            for (word, value) in [("true", JSON.truth(true)), ("false", .truth(false)), ("null", .null)]
            where bytes[position...].starts(with: word.utf8) {
                position += word.utf8.count
                return value
            }
            throw error("there is no value; a value is an object, an array, a text, a number, true, false or null")
        }
    }

    private mutating func nested(_ read: (inout Self) throws(GscapError) -> JSON) throws(GscapError) -> JSON {
        guard depth < mostDepth else { throw error("more than \(mostDepth) arrays and objects are inside each other") }
        depth += 1
        position += 1
        let value = try read(&self)
        depth -= 1
        return value
    }

    private mutating func list() throws(GscapError) -> JSON {
        var values: [JSON] = []
        guard !accepts("]") else { return .list([]) }
        repeat { values.append(try value()) } while try !ends(with: "]")
        return .list(values)
    }

    private mutating func object() throws(GscapError) -> JSON {
        var fields: [(String, JSON)] = []
        var names: Set<String> = []
        guard !accepts("}") else { return .object([]) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw error("there is no name of a field in quotes") }
            let start = position
            let name = try text()
            guard names.insert(name).inserted else {
                throw GscapError("the object has two fields \"\(name)\"", at: start, of: bytes)
            }
            guard accepts(":") else { throw error("there is no colon after the name of the field") }
            fields.append((name, try value()))
        } while try !ends(with: "}")
        return .object(fields)
    }

    /// Reads what follows an element: a comma, or the end of the array or object.
    private mutating func ends(with bracket: Unicode.Scalar) throws(GscapError) -> Bool {
        if accepts(bracket) { return true }
        guard accepts(",") else { throw error("there is no comma or \(bracket) after the value") }
        return false
    }

    // MARK: Numbers

    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    private mutating func number() throws(GscapError) -> JSON {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        let first = next
        let whole = skipDigits()
        if whole == 0 || (whole > 1 && first == UInt8(ascii: "0")) {
            throw GscapError("a number begins with a digit, and no other follows a 0", at: start, of: bytes)
        }
        var isWhole = true
        if next == UInt8(ascii: ".") {
            (isWhole, position) = (false, position + 1)
            if skipDigits() == 0 { throw error("there is no digit after the point") }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            (isWhole, position) = (false, position + 1)
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            if skipDigits() == 0 { throw error("there is no digit in the exponent") }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let value = Int(text) { return .integer(value) }
        guard let value = Double(text), value.isFinite else {
            throw GscapError("the number is too large", at: start, of: bytes)
        }
        return .number(value)
    }

    /// Skips digits and returns their number.
    private mutating func skipDigits() -> Int {
        let start = position
        while let next, Self.digits.contains(next) { position += 1 }
        return position - start
    }

    // MARK: Texts

    private mutating func text() throws(GscapError) -> String {
        let start = position
        position += 1
        var utf8: [UInt8] = []
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw error("a text has no control characters: write \\n or \\u000A") }
            position += 1
            if byte == UInt8(ascii: "\\") { try appendEscape(&utf8) } else { utf8.append(byte) }
        }
        guard accepts("\"") else { throw GscapError("the text does not end", at: start, of: bytes) }
        guard let text = String(validating: utf8, as: UTF8.self) else {
            throw GscapError("the text is not valid UTF-8", at: start, of: bytes)
        }
        return text
    }

    private mutating func appendEscape(_ utf8: inout [UInt8]) throws(GscapError) {
        let start = position - 1
        let letter = next
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): utf8.append(letter ?? 0)
        case UInt8(ascii: "b"): utf8.append(0x08)
        case UInt8(ascii: "f"): utf8.append(0x0C)
        case UInt8(ascii: "n"): utf8.append(0x0A)
        case UInt8(ascii: "r"): utf8.append(0x0D)
        case UInt8(ascii: "t"): utf8.append(0x09)
        case UInt8(ascii: "u"): utf8 += Array(String(try character()).utf8)
        default: throw GscapError("after \\ stands one of \" \\ / b f n r t u", at: start, of: bytes)
        }
    }

    /// Reads the digits of an escape, and with half of a surrogate pair those of the other half.
    private mutating func character() throws(GscapError) -> Unicode.Scalar {
        let start = position - 2
        let first = try codeUnit()
        if let character = Unicode.Scalar(first) { return character }
        if (0xD800...0xDBFF).contains(first), next == UInt8(ascii: "\\") {
            position += 1
            if next == UInt8(ascii: "u") {
                position += 1
                let second = try codeUnit()
                let code: UInt32 = 0x1_0000 + (first & 0x3FF) << 10 | second & 0x3FF
                if (0xDC00...0xDFFF).contains(second), let character = Unicode.Scalar(code) { return character }
            }
        }
        throw GscapError("half of a surrogate pair stands alone", at: start, of: bytes)
    }

    private mutating func codeUnit() throws(GscapError) -> UInt32 {
        let digits = bytes[position...].prefix(4)
        let isHexadecimal = digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        guard digits.count == 4, isHexadecimal, let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else {
            throw error("after \\u stand four hexadecimal digits")
        }
        position += 4
        return code
    }

    // MARK: Bytes

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let next, [0x20, 0x09, 0x0A, 0x0D].contains(next) { position += 1 }
    }

    /// Skips white space and this byte, if it is the next one; returns whether it is.
    private mutating func accepts(_ byte: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    private func error(_ message: String) -> GscapError { GscapError(message, at: position, of: bytes) }
}
