/// The declaration of an element's property, as shown by gst-inspect-1.0.
public struct ElementProperty: Sendable {
    /// The type of a property's value, with its range and default.
    public enum Kind: Sendable {
        case boolean(default: Bool)
        case int32(ClosedRange<Int32>, default: Int32)
        case uint32(ClosedRange<UInt32>, default: UInt32)
        case int64(ClosedRange<Int64>, default: Int64)
        case uint64(ClosedRange<UInt64>, default: UInt64)
        case double(ClosedRange<Double>, default: Double)
        case string(default: String?)
        case fraction(from: Fraction, to: Fraction, default: Fraction)
        case enumeration(EnumerationType, default: Int32)
        /// A structure; the default is null.
        case structure
    }

    /// Access rights and the states in which the property may be changed.
    public struct Options: OptionSet, Sendable {
        /// The combined option bits.
        public let rawValue: UInt32

        /// Creates options from their bits.
        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// The property can be read.
        public static let readable = Options(rawValue: 1 << 0)
        /// The property can be set.
        public static let writable = Options(rawValue: 1 << 1)
        /// The property is set while the element is constructed, to its default if no value is given.
        public static let construct = Options(rawValue: 1 << 2)
        /// The property can only be set while the element is constructed.
        public static let constructOnly = Options(rawValue: 1 << 3)
        /// A control source (GstController) may change the property over time.
        public static let controllable = Options(rawValue: 1 << 4)
        /// The property can be changed in the states NULL and READY.
        public static let mutableReady = Options(rawValue: 1 << 5)
        /// The property can be changed in the states NULL, READY and PAUSED.
        public static let mutablePaused = Options(rawValue: 1 << 6)
        /// The property can be changed in every state.
        public static let mutablePlaying = Options(rawValue: 1 << 7)
        /// The property can be read and set.
        public static let readWrite: Options = [.readable, .writable]
    }

    /// The property's name, in lower case with dashes.
    public var name: String
    /// The property's name for people.
    public var nick: String
    /// The description of the property for people (its GObject blurb).
    public var blurb: String
    /// The type of the property's value, with its range and default.
    public var kind: Kind
    /// Access rights and the states in which the property may be changed.
    public var options: Options

    /// Creates a property; `nick` defaults to the name.
    public init(
        _ name: String, _ kind: Kind, nick: String? = nil, blurb: String, options: Options = .readWrite
    ) {
        self.name = name
        self.kind = kind
        self.nick = nick ?? name
        self.blurb = blurb
        self.options = options
    }

    /// The default value of the property.
    public var defaultValue: Value {
        switch kind {
        case .boolean(let value): .boolean(value)
        case .int32(_, let value): .int(value)
        case .uint32(_, let value): .uint(value)
        case .int64(_, let value): .int64(value)
        case .uint64(_, let value): .uint64(value)
        case .double(_, let value): .double(value)
        case .string(let value): value.map(Value.string) ?? .null
        case .fraction(_, _, let value): .fraction(value)
        case .enumeration(let type, let value): .enumeration(value, nick: type.nick(of: value))
        case .structure: .null
        }
    }
}

/// An enumeration type for properties, registered with GObject.
public struct EnumerationType: Sendable {
    /// A value of the enumeration.
    public struct Case: Sendable {
        /// The numeric value.
        public var value: Int32
        /// The description of the value for people (its GObject value name).
        public var name: String
        /// The nick, as used in pipeline text.
        public var nick: String

        /// Creates an enumeration value.
        public init(_ value: Int32, nick: String, name: String) {
            self.value = value
            self.nick = nick
            self.name = name
        }
    }

    /// The name of the GObject type, unique in the process.
    public var typeName: String
    /// The values of the enumeration.
    public var cases: [Case]

    /// Creates an enumeration type.
    public init(_ typeName: String, _ cases: [Case]) {
        self.typeName = typeName
        self.cases = cases
    }

    /// Returns the nick of a value; empty for a number that is not a value of the enumeration.
    public func nick(of value: Int32) -> String {
        cases.first { $0.value == value }?.nick ?? ""
    }
}
