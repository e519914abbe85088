/// The description of an element class written in Swift, as shown by gst-inspect-1.0.
public struct ElementClass: Sendable {
    /// The factory name, as used in pipeline text.
    public var factoryName: String
    /// The name of the GObject type, unique in the process.
    public var typeName: String
    /// The element's name for people.
    public var longName: String
    /// The element class, such as "Source/Video".
    public var classification: String
    /// The description of what the element does, one sentence.
    public var summary: String
    /// The author of the element.
    public var author: String
    /// The priority with which autopluggers such as decodebin choose the element.
    public var rank: Rank
    /// The templates of the pads that instances have or can create.
    public var padTemplates: [PadTemplate]
    /// The declarations of the element's properties.
    public var properties: [ElementProperty]
    /// The declarations of the element's signals: notifications and actions.
    public var signals: [ElementSignal]
    /// The interfaces that the class implements besides those of its base class.
    public var interfaces: [Interface]

    /// An interface that GStreamer implements for any element.
    public enum Interface: Sendable {
        /// Stores the values of all properties under a name, and loads them (GstPreset).
        case preset
        /// Takes tags from the application (GstTagSetter), which `ElementHandle.tags` returns.
        case tagSetter
    }

    /// The priority with which autopluggers such as decodebin choose an element (GstRank).
    public enum Rank: UInt32, Sendable {
        /// Never chosen automatically.
        case none = 0
        /// Chosen if no element of a higher rank fits.
        case marginal = 64
        /// Chosen before marginal elements.
        case secondary = 128
        /// Chosen before all lower ranks.
        case primary = 256
    }

    /// Creates the description of an element class.
    public init(
        factoryName: String, typeName: String, longName: String, classification: String, summary: String,
        author: String, rank: Rank = .none, padTemplates: [PadTemplate] = [], properties: [ElementProperty] = [],
        signals: [ElementSignal] = [], interfaces: [Interface] = []
    ) {
        self.factoryName = factoryName
        self.typeName = typeName
        self.longName = longName
        self.classification = classification
        self.summary = summary
        self.author = author
        self.rank = rank
        self.padTemplates = padTemplates
        self.properties = properties
        self.signals = signals
        self.interfaces = interfaces
    }
}

/// The template of a pad that instances of a class have or can create.
public struct PadTemplate: Sendable {
    /// The direction of the data flow through the pad.
    public enum Direction: Sendable {
        /// Data leaves the element.
        case source
        /// Data enters the element.
        case sink
    }

    /// The times at which an element has the pad (GstPadPresence).
    public enum Presence: Sendable {
        /// Every instance has the pad from the start.
        case always
        /// The element adds the pad when the stream contains data for it.
        case sometimes
        /// The element creates the pad when the application or another element requests it.
        case request
    }

    /// The template's name: "src" or "sink", or a pattern such as "src_%u" for several pads.
    public var name: String
    /// The direction of the data flow through the pad.
    public var direction: Direction
    /// Whether the pad always exists, appears with the stream's data or is created on request.
    public var presence: Presence
    /// The caps that the pad supports, in the notation of gst-launch-1.0.
    public var caps: String

    /// Creates a pad template.
    public init(_ name: String, _ direction: Direction, presence: Presence = .always, caps: String) {
        self.name = name
        self.direction = direction
        self.presence = presence
        self.caps = caps
    }

    /// Creates the template of the source pad "src" of a source or transform.
    public static func source(caps: String) -> PadTemplate {
        PadTemplate("src", .source, caps: caps)
    }

    /// Creates the template of the sink pad "sink" of a transform.
    public static func sink(caps: String) -> PadTemplate {
        PadTemplate("sink", .sink, caps: caps)
    }
}
