/// The Swift implementation of an element whose C type derives from a GStreamer base class.
///
/// Each element instance has one behaviour object, which is released with the element. Conform to `SourceBehaviour`,
/// `TransformBehaviour` or `BinBehaviour`, not to this protocol alone.
///
/// Methods are called on two kinds of threads, possibly at the same time. An *application thread* is any thread that
/// sets properties, emits signals or changes states. The *streaming thread* carries the data; each element has at most
/// one.
///
/// An error thrown by a method is posted on the bus as GST_MESSAGE_ERROR, except a `FlowError`, which becomes the flow
/// return and travels upstream. During a call no lock is held except GStreamer's state lock and stream lock.
public protocol ElementBehaviour: AnyObject, Sendable {
    /// The description of the element's class, as shown by gst-inspect-1.0; the same at every call.
    static var elementClass: ElementClass { get }

    /// Creates the behaviour of a new element instance. Called on an application thread.
    ///
    /// Initialization cannot fail: report unavailable resources from `willChangeState` or `start`.
    init(element: ElementHandle)

    /// Stores a property's new value, which is of the declared type and within its range. Called on an application
    /// thread or the streaming thread.
    ///
    /// An error, such as that of an unknown name, is logged and posted on the bus as a warning; the value is unchanged.
    func setProperty(_ name: String, to value: Value) throws(GscapError)

    /// Returns the current value of a property. Called on an application thread.
    ///
    /// An error, such as that of an unknown name, is logged and posted on the bus as a warning.
    func property(_ name: String) throws(GscapError) -> Value

    /// Performs an action signal and returns its result, or nil for a signal without a result. Called on an application
    /// thread.
    func perform(action: String, arguments: [Value]) -> Value?

    /// Handles an event that an application sends to the element (gst_element_send_event). Returns true to keep it from
    /// the base class, which passes it on to a pad. Any thread.
    func handle(sent event: Event) -> Bool

    /// Called on an application thread before the element changes its state; throwing an error prevents the change.
    func willChangeState(_ transition: StateTransition) throws

    /// Called on an application thread after the element changed its state; the change may still be completing
    /// asynchronously.
    func didChangeState(_ transition: StateTransition)
}

extension ElementBehaviour {
    /// By default, throws the error of an unknown property, for elements without writable properties.
    public func setProperty(_ name: String, to value: Value) throws(GscapError) {
        throw GscapError(unknownProperty: name)
    }

    /// By default, returns the default value that the property declares; throws for an unknown name.
    public func property(_ name: String) throws(GscapError) -> Value {
        guard let declared = Self.elementClass.properties.first(where: { $0.name == name }) else {
            throw GscapError(unknownProperty: name)
        }
        return declared.defaultValue
    }

    /// By default, performs nothing and returns nil, for elements without action signals.
    public func perform(action: String, arguments: [Value]) -> Value? { nil }

    /// By default, leaves every event to the base class.
    public func handle(sent event: Event) -> Bool { false }

    /// By default, allows every state change, without any preparation.
    public func willChangeState(_ transition: StateTransition) throws {}

    /// By default, does nothing after a state change.
    public func didChangeState(_ transition: StateTransition) {}
}

/// A transition of an element from one state to an adjacent one.
public struct StateTransition: Sendable, Hashable {
    /// The state before the transition.
    public var from: Element.State
    /// The state after the transition.
    public var to: Element.State

    /// Creates a transition between two states.
    public init(from: Element.State, to: Element.State) {
        self.from = from
        self.to = to
    }
}
