internal import CGStreamer

/// A failure in GStreamer, or in an element of a pipeline.
public struct GStreamerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The family of codes, as GError has it: "gst-resource-error-quark" and its kin.
    public var domain: String
    /// The number in that family.
    public var code: Int
    /// What is wrong, in words.
    public var message: String
    /// What the element adds for developers.
    public var debug: String
    /// The element or call it comes from.
    public var place: String

    /// An error of a family and number with its message.
    public init(domain: String = "gscap", code: Int = 0, message: String, debug: String = "", place: String = "") {
        self.domain = domain
        self.code = code
        self.message = message
        self.debug = debug
        self.place = place
    }

    /// "place: message".
    public var description: String {
        place.isEmpty ? message : "\(place): \(message)"
    }

    /// Copies a GError and frees it.
    init(takingFull error: UnsafeMutablePointer<GError>?, debug: String = "", place: String) {
        guard let error = unsafe error else {
            self.init(message: "failed without saying why", debug: debug, place: place)
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
    /// Families of codes that GStreamer's elements use.
    public enum Domain {
        /// General failures of an element, such as a lost device or a missing state.
        public static let core = "gst-core-error-quark"
        /// Trouble with a library.
        public static let library = "gst-library-error-quark"
        /// Trouble with a file, a device, a socket.
        public static let resource = "gst-resource-error-quark"
        /// Trouble with the data that flows.
        public static let stream = "gst-stream-error-quark"
    }

    /// The error of an element that lacks something which could be installed.
    public init(missing message: String) {
        self.init(domain: Domain.core, code: Self.missingPlugin, message: message)
    }

    /// Whether something lacks that could be installed.
    public var isMissing: Bool { domain == Domain.core && code == Self.missingPlugin }

    private static let missingPlugin = Int(GST_CORE_ERROR_MISSING_PLUGIN.rawValue)
}

/// How the flow of data through a pad ends when it does not go on; the meaning is GstFlowReturn's.
public struct FlowError: Error, Sendable, Hashable, CustomStringConvertible {
    /// GStreamer's number: negative for everything but custom successes.
    public var rawValue: Int32

    /// A flow from GStreamer's number.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// GStreamer's word for it, such as "not-linked".
    public var description: String {
        unsafe gst_flow_get_name(GstFlowReturn(rawValue: rawValue)).map { unsafe String(cString: $0) } ?? "\(rawValue)"
    }

    /// Nothing more will come.
    public static let endOfStream = FlowError(rawValue: GST_FLOW_EOS.rawValue)
    /// The pad is flushing or shutting down.
    public static let flushing = FlowError(rawValue: GST_FLOW_FLUSHING.rawValue)
    /// No format is agreed on.
    public static let notNegotiated = FlowError(rawValue: GST_FLOW_NOT_NEGOTIATED.rawValue)
    /// Nothing is linked behind.
    public static let notLinked = FlowError(rawValue: GST_FLOW_NOT_LINKED.rawValue)
    /// An error, told on the bus.
    public static let error = FlowError(rawValue: GST_FLOW_ERROR.rawValue)

    /// Throws unless the number says that data flows.
    static func check(_ flow: GstFlowReturn) throws(FlowError) {
        if flow.rawValue < GST_FLOW_OK.rawValue { throw FlowError(rawValue: flow.rawValue) }
    }
}
