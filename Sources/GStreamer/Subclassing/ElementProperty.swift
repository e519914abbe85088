/// A property of an element, with all that gst-inspect shows of it.
public struct ElementProperty: Sendable {
    /// What it holds, within which range, and what it holds before anything is set.
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
        /// A structure, none at first.
        case structure
    }

    /// Who may do what with it, and when.
    public struct Options: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt32

        /// Options from bits.
        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// It can be read.
        public static let readable = Options(rawValue: 1 << 0)
        /// It can be set.
        public static let writable = Options(rawValue: 1 << 1)
        /// It is set at birth, to its default if to nothing else.
        public static let construct = Options(rawValue: 1 << 2)
        /// It can be set at birth only.
        public static let constructOnly = Options(rawValue: 1 << 3)
        /// A control source may move it over time.
        public static let controllable = Options(rawValue: 1 << 4)
        /// It can be changed up to the state READY.
        public static let mutableReady = Options(rawValue: 1 << 5)
        /// It can be changed up to the state PAUSED.
        public static let mutablePaused = Options(rawValue: 1 << 6)
        /// It can be changed at any time.
        public static let mutablePlaying = Options(rawValue: 1 << 7)
        /// It can be read and set.
        public static let readWrite: Options = [.readable, .writable]
    }

    /// Its name, lower case with dashes.
    public var name: String
    /// What it is called for people.
    public var nick: String
    /// What it does.
    public var blurb: String
    /// What it holds.
    public var kind: Kind
    /// Who may do what with it.
    public var options: Options

    /// A property; `nick` is the name when it is not given.
    public init(
        _ name: String, _ kind: Kind, nick: String? = nil, blurb: String, options: Options = .readWrite
    ) {
        self.name = name
        self.kind = kind
        self.nick = nick ?? name
        self.blurb = blurb
        self.options = options
    }

    /// What it holds before anything is set.
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

/// A registered enumeration that properties can hold.
public struct EnumerationType: Sendable {
    /// One of its values.
    public struct Case: Sendable {
        /// Its number.
        public var value: Int32
        /// What it means, for people.
        public var name: String
        /// What pipelines write.
        public var nick: String

        /// A value with its name and nick.
        public init(_ value: Int32, nick: String, name: String) {
            self.value = value
            self.nick = nick
            self.name = name
        }
    }

    /// The name of its GObject type, unique in the process.
    public var typeName: String
    /// Its values.
    public var cases: [Case]

    /// An enumeration of values.
    public init(_ typeName: String, _ cases: [Case]) {
        self.typeName = typeName
        self.cases = cases
    }

    /// What pipelines write for a number; empty for one that it has not.
    public func nick(of value: Int32) -> String {
        cases.first { $0.value == value }?.nick ?? ""
    }
}
