internal import CGStreamer

/// An error of GStreamer or of a pipeline element.
public struct GStreamerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error domain of the code, as in GError, such as "gst-resource-error-quark".
    public var domain: String
    /// The error code within the domain.
    public var code: Int
    /// The message for people.
    public var message: String
    /// Further detail for developers; may be empty.
    public var debug: String
    /// The name of the element or function that failed; may be empty.
    public var place: String

    /// Creates an error.
    public init(domain: String = "gscap", code: Int = 0, message: String, debug: String = "", place: String = "") {
        self.domain = domain
        self.code = code
        self.message = message
        self.debug = debug
        self.place = place
    }

    /// The place and the message, as "place: message".
    public var description: String {
        place.isEmpty ? message : "\(place): \(message)"
    }

    /// Copies a GError and frees it (transfer full).
    init(takingFull error: UnsafeMutablePointer<GError>?, debug: String = "", place: String) {
        guard let error = unsafe error else {
            self.init(message: "failed without an error message", debug: debug, place: place)
            return
        }
        defer { unsafe g_error_free(error) }
        let domain = unsafe g_quark_to_string(error.pointee.domain).map { unsafe String(cString: $0) } ?? ""
        let message = unsafe error.pointee.message.map { unsafe String(cString: $0) } ?? ""
        self.init(
            domain: domain, code: unsafe Int(error.pointee.code), message: message, debug: debug, place: place)
    }
}

extension GStreamerError {
    /// The error domains that GStreamer elements use.
    public enum Domain {
        /// General errors, such as a missing plugin or a failed state change (GST_CORE_ERROR).
        public static let core = "gst-core-error-quark"
        /// Errors of a library that an element uses (GST_LIBRARY_ERROR).
        public static let library = "gst-library-error-quark"
        /// Errors of a file, device or socket (GST_RESOURCE_ERROR).
        public static let resource = "gst-resource-error-quark"
        /// Errors in the stream's data or format (GST_STREAM_ERROR).
        public static let stream = "gst-stream-error-quark"
    }

    /// Creates an error for a missing plugin or library that the user can install.
    public init(missing message: String) {
        self.init(domain: Domain.core, code: Self.missingPlugin, message: message)
    }

    /// Creates an error for a property that the element does not have.
    public init(unknownProperty name: String) {
        self.init(message: "the element has no property \"\(name)\"")
    }

    /// Whether the error reports a missing plugin or library that the user can install.
    public var isMissingPlugin: Bool { domain == Domain.core && code == Self.missingPlugin }

    private static let missingPlugin = Int(GST_CORE_ERROR_MISSING_PLUGIN.rawValue)
}

/// The reason why data flow through a pad stopped (GstFlowReturn).
public struct FlowError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The GstFlowReturn value; negative.
    public var rawValue: Int32

    /// Creates a flow error from a GstFlowReturn value.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// GStreamer's name of the value, such as "not-linked".
    public var description: String {
        unsafe gst_flow_get_name(GstFlowReturn(rawValue: rawValue)).map { unsafe String(cString: $0) } ?? "\(rawValue)"
    }

    /// The stream has ended; no more buffers are accepted or produced.
    public static let endOfStream = FlowError(rawValue: GST_FLOW_EOS.rawValue)
    /// The pad is flushing or shutting down.
    public static let flushing = FlowError(rawValue: GST_FLOW_FLUSHING.rawValue)
    /// Caps negotiation has not taken place or failed.
    public static let notNegotiated = FlowError(rawValue: GST_FLOW_NOT_NEGOTIATED.rawValue)
    /// The pad has no peer.
    public static let notLinked = FlowError(rawValue: GST_FLOW_NOT_LINKED.rawValue)
    /// An error; its details are posted on the bus.
    public static let error = FlowError(rawValue: GST_FLOW_ERROR.rawValue)

    /// Throws the flow return as an error if it is negative.
    static func check(_ flow: GstFlowReturn) throws(FlowError) {
        if flow.rawValue < GST_FLOW_OK.rawValue { throw FlowError(rawValue: flow.rawValue) }
    }
}
