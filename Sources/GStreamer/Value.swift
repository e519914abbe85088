internal import CGStreamer
internal import CGStreamerShims

/// A value of a property, of a caps field or of a structure's field.
public enum Value: Sendable, Hashable {
    case boolean(Bool)
    case int(Int32)
    case uint(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case fraction(Fraction)
    /// An ordered set of values that belong together.
    case array([Value])
    /// Alternatives, as in caps that are not fixed.
    case list([Value])
    case intRange(ClosedRange<Int32>)
    case fractionRange(Fraction, Fraction)
    /// An enumeration's number and its short name.
    case enumeration(Int32, nick: String)
    /// A set of flags.
    case flags(UInt32)
    case structure(Structure)
    /// A string without a value.
    case null
    /// A type that this module does not know, as GStreamer writes it.
    case other(type: String, text: String)

    /// The value as an integer, when it is one that fits.
    public var integer: Int? {
        switch self {
        case .int(let value): Int(value)
        case .uint(let value): Int(value)
        case .int64(let value): Int(exactly: value)
        case .uint64(let value): Int(exactly: value)
        case .enumeration(let value, _): Int(value)
        default: nil
        }
    }

    /// The value as a number, when it is one.
    public var number: Double? {
        switch self {
        case .double(let value): value
        case .uint64(let value): Double(value)
        case .fraction(let value): value.number
        default: integer.map(Double.init)
        }
    }

    /// The value as unsigned 64 bits, when it is a whole number that fits.
    public var unsigned: UInt64? {
        if case .uint64(let value) = self { return value }
        return integer.flatMap(UInt64.init(exactly:))
    }

    /// The value as text, when it is text or an enumeration's name.
    public var text: String? {
        switch self {
        case .string(let value): value
        case .enumeration(_, let nick): nick
        default: nil
        }
    }

    /// The value as truth, when it is that.
    public var truth: Bool? {
        if case .boolean(let value) = self { return value }
        return nil
    }

    /// The values of an array or of a list of alternatives.
    public var elements: [Value]? {
        switch self {
        case .array(let values), .list(let values): values
        default: nil
        }
    }
}

/// A quotient of two integers, as GStreamer writes rates and aspect ratios.
public struct Fraction: Sendable, Hashable {
    /// Above the line.
    public var numerator: Int32
    /// Below the line.
    public var denominator: Int32

    /// A fraction of two integers.
    public init(_ numerator: Int32, _ denominator: Int32) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// The quotient; 0 when the denominator is 0.
    public var number: Double {
        denominator == 0 ? 0 : Double(numerator) / Double(denominator)
    }
}

extension Value: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral
{
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }

    /// A 32-bit integer where it fits, else a 64-bit one.
    public init(integerLiteral value: Int64) {
        self = Int32(exactly: value).map(Value.int) ?? .int64(value)
    }

    /// A double.
    public init(floatLiteral value: Double) { self = .double(value) }

    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
}
