/// A signal of an element: something it tells, or something it can be told to do.
public struct ElementSignal: Sendable {
    /// What a parameter or a result is.
    public enum ValueType: Sendable {
        case boolean
        case int32
        case uint32
        case int64
        case uint64
        case double
        case string
        case structure
    }

    /// Who emits it.
    public enum Kind: Sendable {
        /// The application emits it, and the element acts.
        case action
        /// The element emits it, and whoever connected hears of it.
        case notification
    }

    /// Its name, lower case with dashes.
    public var name: String
    /// Who emits it.
    public var kind: Kind
    /// What goes with it.
    public var parameters: [ValueType]
    /// What comes back, if something does.
    public var result: ValueType?

    /// A signal with its parameters.
    public init(_ name: String, _ kind: Kind, parameters: [ValueType] = [], result: ValueType? = nil) {
        self.name = name
        self.kind = kind
        self.parameters = parameters
        self.result = result
    }
}
