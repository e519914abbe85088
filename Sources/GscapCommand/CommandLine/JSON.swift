/// A JSON value.
enum JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral
{
    case null
    case truth(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([JSON])
    case object([(String, JSON)])

    init(stringLiteral value: String) { self = .text(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(floatLiteral value: Double) { self = .number(value) }
    init(booleanLiteral value: Bool) { self = .truth(value) }
    init(arrayLiteral elements: JSON...) { self = .list(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) { self = .object(elements) }

    /// The value as JSON text on one line. Infinity and NaN, which JSON lacks, become null.
    var line: String {
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
                    let digits = String(code, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                } else if let byte = scalar.foreignByte {
                    result += "\\" + byte
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
}
