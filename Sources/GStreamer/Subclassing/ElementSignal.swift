/// The declaration of an element's signal: a notification by the element or an action that it performs.
public struct ElementSignal: Sendable {
    /// The type of a signal's parameter or result.
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

    /// A parameter of a signal. GObject and gst-inspect know its type only; the pages name it.
    public struct Parameter: Sendable {
        /// The parameter's name, as in the documentation.
        public var name: String
        /// The type of the parameter.
        public var type: ValueType

        /// Creates a parameter.
        public init(_ name: String, _ type: ValueType) {
            self.name = name
            self.type = type
        }
    }

    /// Whether the application emits the signal to request an action, or the element to notify handlers.
    public enum Kind: Sendable {
        /// The application emits the signal, and the element performs an action.
        case action
        /// The element emits the signal, and connected handlers are called.
        case notification
    }

    /// The signal's name, in lower case with dashes.
    public var name: String
    /// Whether the application emits the signal to request an action, or the element to notify handlers.
    public var kind: Kind
    /// The parameters, in order.
    public var parameters: [Parameter]
    /// The type of the signal's result; nil if it has none.
    public var result: ValueType?

    /// Creates a signal declaration.
    public init(_ name: String, _ kind: Kind, parameters: [Parameter] = [], result: ValueType? = nil) {
        self.name = name
        self.kind = kind
        self.parameters = parameters
        self.result = result
    }
}
