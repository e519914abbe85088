/// What makes an element of its own out of a GStreamer base class.
///
/// One object is made for each instance of the element and let go with it. Conform to `SourceBehaviour`,
/// `TransformBehaviour` or `BinBehaviour`, not to this protocol alone.
///
/// Two kinds of threads call it, and they may do so at the same time. An *application thread* is whichever sets
/// properties, emits signals and changes states. The *streaming thread* carries data; there is one at a time.
///
/// An error that a method throws is posted on the bus as GST_MESSAGE_ERROR. A `FlowError` is not: it goes back to where
/// the data came from. No lock of the element is held during a call, but for GStreamer's own state lock and stream lock.
public protocol ElementBehaviour: AnyObject, Sendable {
    /// What gst-inspect shows. Asked once in the process.
    static var elementClass: ElementClass { get }

    /// The behaviour of a new instance. Application thread.
    ///
    /// It must not fail: what cannot be had is told when the state changes.
    init(element: ElementHandle)

    /// Takes a property's new value, which is of the property's kind and in its range. Application or streaming thread.
    func setProperty(_ name: String, to value: Value)

    /// A property's value. Application thread.
    func property(_ name: String) -> Value

    /// Does what an action signal asks for; nil where it gives no result. Application thread.
    func perform(action: String, arguments: [Value]) -> Value?

    /// The state is about to change; an error stops that. Application thread.
    func willChangeState(_ transition: StateTransition) throws

    /// The state has changed, or goes on changing by itself. Application thread.
    func didChangeState(_ transition: StateTransition)
}

extension ElementBehaviour {
    /// For elements without properties: nothing.
    public func setProperty(_ name: String, to value: Value) {}

    /// For elements without properties: the default.
    public func property(_ name: String) -> Value {
        Self.elementClass.properties.first { $0.name == name }?.defaultValue ?? .null
    }

    /// For elements without action signals: nothing.
    public func perform(action: String, arguments: [Value]) -> Value? { nil }

    /// Nothing to do.
    public func willChangeState(_ transition: StateTransition) throws {}

    /// Nothing to do.
    public func didChangeState(_ transition: StateTransition) {}
}

/// One step of an element's state.
public struct StateTransition: Sendable, Hashable {
    /// Where it comes from.
    public var from: Element.State
    /// Where it goes.
    public var to: Element.State

    /// A step between two states.
    public init(from: Element.State, to: Element.State) {
        self.from = from
        self.to = to
    }
}
