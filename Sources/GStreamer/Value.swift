internal import CGStreamer
internal import CGStreamerShims

/// The value of a property, or of a field of caps or a structure (GValue).
public enum Value: Sendable, Hashable {
    case boolean(Bool)
    case int(Int32)
    case uint(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case fraction(Fraction)
    /// An ordered array (GstValueArray), such as the coordinates of a point.
    case array([Value])
    /// A list of alternatives (GstValueList), as in caps that are not fixed.
    case list([Value])
    case intRange(ClosedRange<Int32>)
    case fractionRange(Fraction, Fraction)
    /// An enumeration value and its nick, the name used in pipeline text.
    case enumeration(Int32, nick: String)
    /// A combination of flags (GFlags) as bits.
    case flags(UInt32)
    case structure(Structure)
    /// A buffer with its caps.
    case sample(Sample)
    /// A Swift object.
    case object(SharedObject)
    /// A null string.
    case null
    /// A value of any other type, as its type name and GStreamer's serialization.
    case other(type: String, text: String)

    /// The value as an `Int`; nil unless the value is an integer that fits or an enumeration.
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

    /// The value as a `Double`; nil unless the value is a number, a fraction or an enumeration.
    public var number: Double? {
        switch self {
        case .double(let value): value
        case .uint64(let value): Double(value)
        case .fraction(let value): value.number
        default: integer.map(Double.init)
        }
    }

    /// The value as a `UInt64`; nil unless the value is an integer or an enumeration, and not negative.
    public var unsigned: UInt64? {
        if case .uint64(let value) = self { return value }
        return integer.flatMap(UInt64.init(exactly:))
    }

    /// The value as a string; nil unless the value is a string or an enumeration, whose nick is returned.
    public var text: String? {
        switch self {
        case .string(let value): value
        case .enumeration(_, let nick): nick
        default: nil
        }
    }

    /// The value as a `Bool`; nil unless the value is a Boolean.
    public var truth: Bool? {
        if case .boolean(let value) = self { return value }
        return nil
    }

    /// The value as a sample; nil for other values.
    public var sample: Sample? {
        if case .sample(let value) = self { return value }
        return nil
    }

    /// The value as a Swift object; nil for other values.
    public var object: AnyObject? {
        if case .object(let value) = self { return value.object }
        return nil
    }

    /// The elements of an array or list value; nil for other values.
    public var elements: [Value]? {
        switch self {
        case .array(let values), .list(let values): values
        default: nil
        }
    }
}

/// A rational number, such as a frame rate or pixel aspect ratio.
public struct Fraction: Sendable, Hashable {
    /// The dividend.
    public var numerator: Int32
    /// The divisor; 0 for an undefined value.
    public var denominator: Int32

    /// Creates a fraction.
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
    /// Creates a Boolean value from the literal `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }

    /// Creates a 32-bit integer if the literal fits, else a 64-bit one.
    public init(integerLiteral value: Int64) {
        self = Int32(exactly: value).map(Value.int) ?? .int64(value)
    }

    /// Creates a floating-point value.
    public init(floatLiteral value: Double) { self = .double(value) }

    /// Creates a string value.
    public init(stringLiteral value: String) { self = .string(value) }
}
