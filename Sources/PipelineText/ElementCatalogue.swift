/// What is installed: the caller fills this from GStreamer's registry.
public protocol ElementCatalogue {
    /// What is known of an element, nil if it is not installed.
    func element(named name: String) -> ElementEntry?
    /// The names of all installed elements.
    var elementNames: [String] { get }
}

/// What a catalogue knows of an element.
public struct ElementEntry: Sendable {
    /// The element's name.
    public var name: String
    /// Its properties.
    public var properties: [PropertyEntry]
    /// Its kinds of pads.
    public var pads: [PadEntry]
    /// Whether it shows something on a display.
    public var needsDisplay: Bool

    /// Whether it only takes.
    public var isSink: Bool { !pads.isEmpty && !pads.contains { $0.isSource } }
    /// Whether it only gives.
    public var isSource: Bool { !pads.isEmpty && pads.allSatisfy { $0.isSource } }

    /// Describes an element; without `needsDisplay`, what is known of the usual display sinks counts.
    public init(
        name: String, properties: [PropertyEntry] = [], pads: [PadEntry] = [],
        needsDisplay: Bool? = nil
    ) {
        self.name = name
        self.properties = properties
        self.pads = pads
        self.needsDisplay = needsDisplay ?? KnownElements.displaySinks.contains(name)
    }
}

/// A kind of pad, as its template says.
public struct PadEntry: Hashable, Sendable {
    /// The template's name, such as `src_%u`.
    public var template: String
    /// Whether data comes out of it.
    public var isSource: Bool

    /// Describes a kind of pad.
    public init(template: String, isSource: Bool) {
        self.template = template
        self.isSource = isSource
    }

    /// Whether a pad of this name is of this kind.
    func accepts(_ name: String) -> Bool {
        let parts = template.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let conversion = parts[1].first else { return name == template }
        guard name.hasPrefix(parts[0]) else { return false }
        let rest = name.dropFirst(parts[0].count)
        // Behind the first number there may be more, as in `send_rtp_src_%u_%u`: the registry does not list pads.
        if conversion == "s" || parts[1].count > 1 { return !rest.isEmpty }
        return !rest.isEmpty && rest.allSatisfy { $0.isASCII && $0.isNumber }
    }
}

/// What a catalogue knows of a property.
public struct PropertyEntry: Sendable {
    /// The property's name.
    public var name: String
    /// What its values are.
    public var kind: PropertyKind
    /// Whether it can be read.
    public var isReadable: Bool
    /// Whether it can be set.
    public var isWritable: Bool
    /// Its default as text, if it has one.
    public var defaultValue: String?

    /// Describes a property.
    public init(
        name: String, kind: PropertyKind, isReadable: Bool = true, isWritable: Bool = true,
        defaultValue: String? = nil
    ) {
        self.name = name
        self.kind = kind
        self.isReadable = isReadable
        self.isWritable = isWritable
        self.defaultValue = defaultValue
    }
}

/// What the values of a property are.
public enum PropertyKind: Sendable {
    /// True or false.
    case boolean
    /// A whole number in a range.
    case integer(ClosedRange<Int64>)
    /// A whole number from zero in a range.
    case unsigned(ClosedRange<UInt64>)
    /// A number in a range.
    case real(ClosedRange<Double>)
    /// Any text.
    case string
    /// One of these words, each with its number.
    case enumeration([String: Int64])
    /// Some of these words with `+` between.
    case flags([String: UInt64])
    /// Two whole numbers, as in `30/1`.
    case fraction
    /// Caps.
    case caps
    /// Something else: the closure says why a value does not fit, nil if it does.
    case judged(@Sendable (String) -> String?)
}
