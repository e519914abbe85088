/// An element that makes data, one buffer at a time; GstPushSrc. Its only pad is "src".
///
/// The property `num-buffers` comes with it, as in every GStreamer source.
public protocol SourceBehaviour: ElementBehaviour {
    /// When buffers go out. Asked on the way to PAUSED. Application thread.
    var timing: SourceTiming { get }

    /// How long data is under way inside the source; nil says nothing of it. Any thread.
    var latency: SourceLatency? { get }

    /// Gets ready to make data. Application thread.
    func start() throws

    /// Lets go of what `start` took. Application thread.
    func stop()

    /// What it can give now; nil for all that the pad template says. Any thread.
    func caps() -> Caps?

    /// Chooses one format out of those that both sides can do. Streaming thread.
    func fixate(_ caps: Caps) -> Caps

    /// Takes the format agreed on. Streaming thread.
    func setCaps(_ caps: Caps) throws

    /// The next buffer; `FlowError.endOfStream` ends the stream. Streaming thread.
    func create() throws -> Buffer

    /// A `create` under way must return soon, with `FlowError.flushing` if it has nothing. Application thread.
    func unlock()

    /// `create` may wait again. Application thread.
    func unlockStop()

    /// Looks at an event from downstream; true when it is dealt with and GstBaseSrc should not see it. Any thread.
    func handle(upstream event: Event) -> Bool
}

extension SourceBehaviour {
    /// As fast as data is taken.
    public var timing: SourceTiming { .free }
    /// Not said.
    public var latency: SourceLatency? { nil }
    /// Nothing to do.
    public func start() throws {}
    /// Nothing to do.
    public func stop() {}
    /// All that the pad template says.
    public func caps() -> Caps? { nil }
    /// GStreamer's usual choice.
    public func fixate(_ caps: Caps) -> Caps { caps.fixated() }
    /// Nothing to do.
    public func setCaps(_ caps: Caps) throws {}
    /// Nothing waits.
    public func unlock() {}
    /// Nothing waited.
    public func unlockStop() {}
    /// GstBaseSrc deals with it.
    public func handle(upstream event: Event) -> Bool { false }
}

/// When a source's buffers go out.
public enum SourceTiming: Sendable {
    /// As fast as they are taken; the behaviour stamps them.
    case free
    /// A live source: each waits for the moment that its stamp names on the pipeline's clock.
    case paced
    /// A live source: each goes at once and is stamped with the moment.
    case stamped
}

/// How long data is under way inside a source, in nanoseconds.
public struct SourceLatency: Sendable {
    /// At least this long.
    public var minimum: UInt64
    /// The source can hold data back for as long as this; nil for without limit.
    public var maximum: UInt64?

    /// A latency of at least `minimum` nanoseconds.
    public init(minimum: UInt64, maximum: UInt64? = nil) {
        self.minimum = minimum
        self.maximum = maximum
    }
}
