/// An element with one input, "sink", and one output, "src"; GstBaseTransform.
public protocol TransformBehaviour: ElementBehaviour {
    /// Whether buffers go through untouched, without `process`. Asked at birth and after each
    /// `setCaps`.
    var isPassthrough: Bool { get }

    /// Gets ready. Application thread.
    func start() throws

    /// Lets go of what `start` took. Application thread.
    func stop()

    /// What can come out when `input`, which may be a set of formats, goes in. Any thread.
    func outputCaps(for input: Caps) -> Caps

    /// What must go in for `output`, which may be a set of formats, to come out. Any thread.
    func inputCaps(for output: Caps) -> Caps

    /// Chooses one output format out of those that downstream takes. Streaming thread.
    func fixate(output: Caps, input: Caps) -> Caps

    /// Takes the formats agreed on. Streaming thread.
    func setCaps(input: Caps, output: Caps) throws

    /// Takes a buffer and pushes none, one or several to `output`, in order. Streaming thread.
    func process(_ input: consuming Buffer, output: Pad) throws

    /// Looks at an event before GstBaseTransform does, and may push buffers first. Streaming thread; a flush start comes on
    /// the thread that flushes.
    func handle(downstream event: Event, output: Pad) throws -> EventDecision

    /// Looks at an event from downstream before GstBaseTransform does. Any thread.
    func handle(upstream event: Event) -> EventDecision
}

extension TransformBehaviour {
    /// Every buffer is processed.
    public var isPassthrough: Bool { false }
    /// Nothing to do.
    public func start() throws {}
    /// Nothing to do.
    public func stop() {}
    /// What goes in comes out.
    public func outputCaps(for input: Caps) -> Caps { input }
    /// What comes out went in.
    public func inputCaps(for output: Caps) -> Caps { output }
    /// GStreamer's usual choice.
    public func fixate(output: Caps, input: Caps) -> Caps { output.fixated() }
    /// Nothing to do.
    public func setCaps(input: Caps, output: Caps) throws {}
    /// It goes on.
    public func handle(downstream event: Event, output: Pad) throws -> EventDecision { .forward }
    /// It goes on.
    public func handle(upstream event: Event) -> EventDecision { .forward }
}

/// What becomes of an event that an element saw.
public enum EventDecision: Sendable {
    /// It goes on.
    case forward
    /// It ends here.
    case drop
}
