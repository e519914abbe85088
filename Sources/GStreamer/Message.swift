internal import CGStreamer
internal import CGStreamerShims

/// A message posted on the bus, copied into a plain value.
public struct Message: Sendable {
    /// The message type and its content.
    public enum Kind: Sendable {
        /// All sinks have received the end of the stream.
        case endOfStream
        /// An error; the pipeline cannot continue.
        case error(GscapError)
        /// A warning; the pipeline continues.
        case warning(GscapError)
        /// Information for the user; the pipeline continues.
        case information(GscapError)
        /// The object that posted the message changed its state.
        case stateChanged(from: Element.State, to: Element.State)
        /// An asynchronous state change has completed (ASYNC_DONE).
        case stateReached
        /// The latency of an element changed; the application must call `recalculateLatency`.
        case latency
        /// A message whose content the posting element defines (GST_MESSAGE_ELEMENT).
        case element(Structure)
        /// A message that the application posted (GST_MESSAGE_APPLICATION).
        case application(Structure)
        /// An element is about to start a streaming thread.
        case taskCreated(StreamTask)
        /// Any other message, by GStreamer's name of its type.
        case other(String)
    }

    /// The message type and its content.
    public var kind: Kind
    /// The name of the object that posted the message.
    public var source: String
    /// The names of the bins around that object, from the innermost to the pipeline.
    public var bins: [String]
    /// Whether the top-level pipeline posted the message, rather than an element in it.
    public var isFromPipeline: Bool
}

extension Message {
    /// Copies a C message, which the caller keeps (transfer none).
    init(reading message: UnsafeMutablePointer<GstMessage>) {
        let object = unsafe message.pointee.src
        source = unsafe object.map { unsafe Element.gstObjectName($0) } ?? ""
        bins = unsafe Self.parents(of: object)
        isFromPipeline = unsafe object.map { unsafe gscap_instance_is_a($0, gst_pipeline_get_type()) != 0 } ?? false
        kind = unsafe Self.kind(of: message, source: source)
    }

    private static func parents(of object: UnsafeMutablePointer<GstObject>?) -> [String] {
        var names: [String] = []
        var next = unsafe object.flatMap { unsafe gst_object_get_parent($0) }
        while let parent = unsafe next {
            unsafe names.append(Element.gstObjectName(parent))
            unsafe next = gst_object_get_parent(parent)
            unsafe gst_object_unref(parent)
        }
        return names
    }

    private static func kind(of message: UnsafeMutablePointer<GstMessage>, source: String) -> Kind {
        switch unsafe message.pointee.type {
        case GST_MESSAGE_EOS: return .endOfStream
        case GST_MESSAGE_ERROR: return unsafe .error(failure(in: message, source, gst_message_parse_error))
        case GST_MESSAGE_WARNING: return unsafe .warning(failure(in: message, source, gst_message_parse_warning))
        case GST_MESSAGE_INFO: return unsafe .information(failure(in: message, source, gst_message_parse_info))
        case GST_MESSAGE_STATE_CHANGED:
            var (old, new) = (GST_STATE_NULL, GST_STATE_NULL)
            unsafe gst_message_parse_state_changed(message, &old, &new, nil)
            return .stateChanged(from: Element.State(old), to: Element.State(new))
        case GST_MESSAGE_ASYNC_DONE: return .stateReached
        case GST_MESSAGE_LATENCY: return .latency
        case GST_MESSAGE_ELEMENT: return unsafe .element(structure(of: message))
        case GST_MESSAGE_APPLICATION: return unsafe .application(structure(of: message))
        case GST_MESSAGE_STREAM_STATUS:
            return unsafe StreamTask(createdBy: message).map { .taskCreated($0) } ?? .other("stream-status")
        default:
            let name = unsafe gst_message_type_get_name(message.pointee.type).map { unsafe String(cString: $0) }
            return .other(name ?? "unknown")
        }
    }

    private static func structure(of message: UnsafeMutablePointer<GstMessage>) -> Structure {
        unsafe gst_message_get_structure(message).map { unsafe Structure(reading: $0) } ?? Structure("")
    }

    private typealias Parser = (
        UnsafeMutablePointer<GstMessage>?, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?,
        UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> Void

    private static func failure(
        in message: UnsafeMutablePointer<GstMessage>, _ source: String, _ parse: Parser
    ) -> GscapError {
        var failure: UnsafeMutablePointer<GError>?
        var debug: UnsafeMutablePointer<CChar>?
        unsafe parse(message, &failure, &debug)
        let details = unsafe String(takingFull: debug) ?? ""
        return unsafe GscapError(takingFull: failure, debug: details, place: source)
    }
}
