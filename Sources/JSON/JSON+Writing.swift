internal import Files

extension JSON {
    /// The value as JSON text on one line. Infinity and NaN, which JSON lacks, become null.
    package var line: String {
        switch self {
        case .null: "null"
        case .truth(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .number(let value): Self.text(value)
        case .text(let value): Self.quoted(value)
        case .list(let values): "[" + values.map(\.line).joined(separator: ",") + "]"
        case .object(let fields):
            "{" + fields.map { Self.quoted($0.0) + ":" + $0.1.line }.joined(separator: ",") + "}"
        }
    }

    /// Returns a number as JSON text, a whole one without a fraction, as programs expect of an integer.
    private static func text(_ value: Double) -> String {
        if value == value.rounded(), abs(value) < 0x1p53 { return String(Int(value)) }
        return value.isFinite ? String(value) : "null"
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            default:
                if let code = scalar.controlCode {
                    result += "\\u" + hexadecimal(code, digits: 4)
                } else if let byte = scalar.pathByte {
                    // A byte of a file name that is not UTF-8, which no JSON text can hold.
                    result += "\\\\x" + hexadecimal(UInt32(byte), digits: 2).uppercased()
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }

    private static func hexadecimal(_ code: UInt32, digits: Int) -> String {
        let text = String(code, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

extension Unicode.Scalar {
    /// The code of a control character, also of one that stands in a file name; nil for other characters.
    fileprivate var controlCode: UInt32? {
        if let byte = pathByte { return byte < 0x20 || byte == 0x7F ? UInt32(byte) : nil }
        return isControl ? value : nil
    }
}
