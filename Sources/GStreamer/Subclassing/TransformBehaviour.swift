/// The behaviour of a transform element (GstBaseTransform), with one sink pad "sink" and one source pad "src".
public protocol TransformBehaviour: ElementBehaviour {
    /// Whether buffers pass unchanged, without a call of `process`. Read when the element is created and after each
    /// `setCaps`.
    var isPassthrough: Bool { get }

    /// Acquires the resources for streaming. Application thread.
    func start() throws

    /// Releases what `start` acquired. Application thread.
    func stop()

    /// Returns the caps that the transform can produce from `input`, which may not be fixed. Any thread.
    func outputCaps(for input: Caps) -> Caps

    /// Returns the caps from which the transform can produce `output`, which may not be fixed. Any thread.
    func inputCaps(for output: Caps) -> Caps

    /// Chooses one output format from those that downstream supports. Streaming thread.
    func fixate(output: Caps, input: Caps) -> Caps

    /// Configures the transform for the negotiated caps. Streaming thread.
    func setCaps(input: Caps, output: Caps) throws

    /// Returns the buffers in which the transform takes input with these caps; nil for any, without a pool. A transform
    /// that returns some reads the rows as a GstVideoMeta places them. Any thread.
    func inputAllocation(for caps: Caps) -> InputAllocation?

    /// Processes a buffer, and pushes any number of buffers to `output` in order. Streaming thread.
    func process(_ input: consuming Buffer, output: Pad) throws

    /// Handles an event from upstream before GstBaseTransform does, and may push buffers to `output` first. Streaming
    /// thread, except for a flush start, which arrives on the thread that flushes.
    func handle(downstream event: Event, output: Pad) throws -> EventDecision

    /// Handles an event from downstream before GstBaseTransform does. Any thread.
    func handle(upstream event: Event) -> EventDecision
}

extension TransformBehaviour {
    /// By default false: every buffer is passed to `process`.
    public var isPassthrough: Bool { false }
    /// By default, acquires nothing, for transforms without resources.
    public func start() throws {}
    /// By default, releases nothing, for transforms without resources.
    public func stop() {}
    /// By default, returns the input caps: the transform does not change the format.
    public func outputCaps(for input: Caps) -> Caps { input }
    /// By default, returns the output caps: the transform does not change the format.
    public func inputCaps(for output: Caps) -> Caps { output }
    /// By default, returns the format that GStreamer's own fixation chooses.
    public func fixate(output: Caps, input: Caps) -> Caps { output.fixated() }
    /// By default, accepts the negotiated caps without configuring anything.
    public func setCaps(input: Caps, output: Caps) throws {}
    /// By default, offers no buffers to upstream.
    public func inputAllocation(for caps: Caps) -> InputAllocation? { nil }
    /// By default, forwards every event from upstream.
    public func handle(downstream event: Event, output: Pad) throws -> EventDecision { .forward }
    /// By default, forwards every event from downstream.
    public func handle(upstream event: Event) -> EventDecision { .forward }
}

/// A decision about an event that reached an element.
public enum EventDecision: Sendable {
    /// Forwards the event.
    case forward
    /// Discards the event.
    case drop
}
