/// A JSON value.
package enum JSON: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral
{
    case null
    case truth(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([JSON])
    case object([(String, JSON)])

    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(booleanLiteral value: Bool) { self = .truth(value) }
    package init(arrayLiteral elements: JSON...) { self = .list(elements) }
    package init(dictionaryLiteral elements: (String, JSON)...) { self = .object(elements) }
}

// MARK: - Contents

extension JSON {
    /// The number; nil for other values.
    package var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The number if it is whole, as 4, 4.0 and 4e0 are; nil for other values.
    package var integer: Int? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The truth value; nil for other values.
    package var truth: Bool? { if case .truth(let value) = self { value } else { nil } }

    /// The text; nil for other values.
    package var text: String? { if case .text(let value) = self { value } else { nil } }

    /// The elements of an array; nil for other values.
    package var list: [JSON]? { if case .list(let values) = self { values } else { nil } }

    /// The fields of an object in their order; nil for other values.
    package var object: [(String, JSON)]? { if case .object(let fields) = self { fields } else { nil } }

    /// The value of the field of this name; nil if there is none, and for other values than objects.
    package subscript(_ name: String) -> JSON? { object?.first { $0.0 == name }?.1 }

    /// Creates an object with those fields that have a value.
    package init(present fields: [(String, JSON?)]) {
        self = .object(fields.compactMap { name, value in value.map { (name, $0) } })
    }

    /// Whether the value is null.
    package var isNull: Bool { if case .null = self { true } else { false } }
}
