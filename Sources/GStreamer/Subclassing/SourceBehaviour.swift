/// The behaviour of a source element (GstPushSrc), which produces one buffer at a time. Its only pad is "src".
///
/// The base class provides the property `num-buffers`.
public protocol SourceBehaviour: ElementBehaviour {
    /// The timing of the source's buffers. Read on the transition to PAUSED. Application thread.
    var timing: SourceTiming { get }

    /// The latency of the source; nil leaves the latency query to GstBaseSrc. Any thread.
    var latency: SourceLatency? { get }

    /// Acquires the resources for streaming. Application thread.
    func start() throws

    /// Releases what `start` acquired. Application thread.
    func stop()

    /// Returns the caps that the source can produce now; nil for those of the pad template. Any thread.
    func caps() -> Caps?

    /// Chooses one format from caps that the source and downstream support. Streaming thread.
    func fixate(_ caps: Caps) -> Caps

    /// Configures the source for the negotiated caps. Streaming thread.
    func setCaps(_ caps: Caps) throws

    /// Returns the next buffer, or throws `FlowError.endOfStream` to end the stream. Streaming thread.
    func create() throws -> Buffer

    /// Interrupts a blocking `create`, which must return soon, throwing `FlowError.flushing` if it has no buffer.
    /// Application thread.
    func unlock()

    /// Permits `create` to block again after `unlock`. Application thread.
    func unlockStop()

    /// Handles an event from downstream. Returns true to keep the event from GstBaseSrc. Any thread.
    func handle(upstream event: Event) -> Bool
}

extension SourceBehaviour {
    /// By default, buffers are pushed as fast as downstream accepts them.
    public var timing: SourceTiming { .free }
    /// By default, GstBaseSrc answers the latency query.
    public var latency: SourceLatency? { nil }
    /// By default, acquires nothing, for sources without resources.
    public func start() throws {}
    /// By default, releases nothing, for sources without resources.
    public func stop() {}
    /// By default, returns nil: the source can produce all caps of its pad template.
    public func caps() -> Caps? { nil }
    /// By default, returns the format that GStreamer's own fixation chooses.
    public func fixate(_ caps: Caps) -> Caps { caps.fixated() }
    /// By default, accepts the negotiated caps without configuring anything.
    public func setCaps(_ caps: Caps) throws {}
    /// By default, does nothing, for sources whose `create` never blocks.
    public func unlock() {}
    /// By default, does nothing, for sources whose `create` never blocks.
    public func unlockStop() {}
    /// By default, leaves every upstream event to GstBaseSrc.
    public func handle(upstream event: Event) -> Bool { false }
}

/// The timing of a source's buffers.
public enum SourceTiming: Sendable {
    /// A source that is not live: buffers are pushed as fast as downstream accepts them, with the behaviour's
    /// timestamps.
    case free
    /// A live source that pushes each buffer when the pipeline's clock reaches the buffer's timestamp.
    case paced
    /// A live source that pushes each buffer when the pipeline's clock reaches the end of the buffer's duration, as a
    /// camera does: a frame is complete only after its readout.
    case recorded
    /// A live source that pushes each buffer at once, with the behaviour's timestamps.
    case live
    /// A live source that pushes each buffer at once, timestamped with the current running time.
    case stamped
}

/// The latency of a source, in nanoseconds.
public struct SourceLatency: Sendable {
    /// The minimum latency: the time from a buffer's timestamp to its push, at least.
    public var minimum: UInt64
    /// The longest time for which the source can buffer its data; nil for no limit.
    public var maximum: UInt64?

    /// Creates a latency.
    public init(minimum: UInt64, maximum: UInt64? = nil) {
        self.minimum = minimum
        self.maximum = maximum
    }
}
