/// What an element written in Swift is, as gst-inspect shows it.
public struct ElementClass: Sendable {
    /// The name that pipelines use.
    public var factoryName: String
    /// The name of its GObject type, unique in the process.
    public var typeName: String
    /// What it is called for people.
    public var longName: String
    /// What it is, such as "Source/Video".
    public var classification: String
    /// What it does, in a sentence.
    public var summary: String
    /// Who wrote it.
    public var author: String
    /// How much autoplugging likes it.
    public var rank: Rank
    /// Its pads: those it has and those it can make.
    public var padTemplates: [PadTemplate]
    /// What can be set and read.
    public var properties: [ElementProperty]
    /// What it tells, and what it can be told to do.
    public var signals: [ElementSignal]

    /// How much autoplugging likes an element.
    public enum Rank: UInt32, Sendable {
        /// It is never chosen by itself.
        case none = 0
        /// Chosen when there is nothing better.
        case marginal = 64
        /// Chosen when no specialist is there.
        case secondary = 128
        /// Chosen first.
        case primary = 256
    }

    /// The description of an element.
    public init(
        factoryName: String, typeName: String, longName: String, classification: String, summary: String,
        author: String, rank: Rank = .none, padTemplates: [PadTemplate] = [], properties: [ElementProperty] = [],
        signals: [ElementSignal] = []
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
    }
}

/// A pad that instances of a class have or can make.
public struct PadTemplate: Sendable {
    /// Which way data goes.
    public enum Direction: Sendable {
        /// Data leaves the element.
        case source
        /// Data enters the element.
        case sink
    }

    /// When the pad is there.
    public enum Presence: Sendable {
        /// From birth.
        case always
        /// When the element finds data for it.
        case sometimes
        /// When somebody asks for it.
        case request
    }

    /// Its name: "src", "sink"; "src_%u" and the like for pads that are made.
    public var name: String
    /// Which way data goes.
    public var direction: Direction
    /// When it is there.
    public var presence: Presence
    /// The formats, as gst-launch writes them.
    public var caps: String

    /// A pad of a name and direction.
    public init(_ name: String, _ direction: Direction, presence: Presence = .always, caps: String) {
        self.name = name
        self.direction = direction
        self.presence = presence
        self.caps = caps
    }

    /// The output pad "src" of a source or a transform.
    public static func source(caps: String) -> PadTemplate {
        PadTemplate("src", .source, caps: caps)
    }

    /// The input pad "sink" of a transform.
    public static func sink(caps: String) -> PadTemplate {
        PadTemplate("sink", .sink, caps: caps)
    }
}
