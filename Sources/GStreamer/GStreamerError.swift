internal import CGStreamer
// Exported, so that the members of the error are visible in all files and wherever the module is imported.
@_exported public import Errors

/// An error of GStreamer or of a pipeline element. Its place is the name of the element or function that failed, and
/// its cause GStreamer's `DomainError`.
public typealias GStreamerError = GscapError

/// GStreamer's domain and number of an error (GError), as the cause of an error.
public struct DomainError: Error, Sendable, Hashable {
    /// The error domain of the number, such as "gst-resource-error-quark".
    public var domain: String
    /// The error number within the domain.
    public var number: Int
    /// Further detail for developers; may be empty.
    public var debug: String
}

extension GscapError {
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

    /// Creates an error of an element. Its kind is `noDevice` for the number with which a source reports a missing
    /// camera, `missingElement` for a missing plugin or library, and `pipelineFailed` otherwise.
    public init(domain: String = "gscap", number: Int = 0, message: String, debug: String = "", place: String = "") {
        let code: Code =
            switch (domain, number) {
            case (Domain.resource, Int(GST_RESOURCE_ERROR_NOT_FOUND.rawValue)): .noDevice
            case (Domain.core, Int(GST_CORE_ERROR_MISSING_PLUGIN.rawValue)): .missingElement
            default: .pipelineFailed
            }
        self.init(
            code, message, place: place, cause: DomainError(domain: domain, number: number, debug: debug))
    }

    /// Creates an error for a missing plugin or library that the user can install.
    public init(missing message: String, place: String = "") {
        self.init(
            domain: Domain.core, number: Int(GST_CORE_ERROR_MISSING_PLUGIN.rawValue), message: message, place: place)
    }

    /// Creates an error for a property that the element does not have.
    public init(unknownProperty name: String) {
        self.init(message: "the element has no property \"\(name)\"")
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
            domain: domain, number: unsafe Int(error.pointee.code), message: message, debug: debug, place: place)
    }

    /// The domain of GStreamer's error, such as "gst-resource-error-quark"; "gscap" for another error.
    public var domain: String { (cause as? DomainError)?.domain ?? "gscap" }
    /// The number of GStreamer's error within its domain; 0 for another error.
    public var number: Int { (cause as? DomainError)?.number ?? 0 }
    /// Further detail of GStreamer's error for developers; may be empty.
    public var debug: String { (cause as? DomainError)?.debug ?? "" }
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
