/// The installed elements, against which pipeline text is checked. The caller implements this from GStreamer's
/// registry.
public protocol ElementCatalogue {
    /// Returns the description of an element; nil if the element is not installed.
    func element(named name: String) -> ElementEntry?
    /// The names of all installed elements.
    var elementNames: [String] { get }
}

/// A catalogue's description of an element.
public struct ElementEntry: Sendable {
    /// The name of the element's factory, such as `filesink`.
    public var name: String
    /// The element's properties.
    public var properties: [PropertyEntry]
    /// The element's pad templates.
    public var pads: [PadEntry]
    /// Whether the element requires a display.
    public var needsDisplay: Bool

    /// Whether the element is a sink: all its pads are sink pads.
    public var isSink: Bool { !pads.isEmpty && !pads.contains { $0.isSource } }
    /// Whether the element is a source: all its pads are source pads.
    public var isSource: Bool { !pads.isEmpty && pads.allSatisfy { $0.isSource } }

    /// Creates a description of an element. If `needsDisplay` is nil, it is true for the known display sinks.
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

/// A pad template of an element.
public struct PadEntry: Hashable, Sendable {
    /// The template's name, such as `src_%u`.
    public var template: String
    /// Whether pads of the template are source pads.
    public var isSource: Bool

    /// Creates a pad template.
    public init(template: String, isSource: Bool) {
        self.template = template
        self.isSource = isSource
    }

    /// Returns whether the template can produce a pad of this name.
    func accepts(_ name: String) -> Bool {
        let parts = template.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let conversion = parts[1].first else { return name == template }
        guard name.hasPrefix(parts[0]) else { return false }
        let rest = name.dropFirst(parts[0].count)
        // After `%s`, or where more follows the first conversion (`send_rtp_src_%u_%u`), any text of at least one
        // character is accepted.
        if conversion == "s" || parts[1].count > 1 { return !rest.isEmpty }
        return !rest.isEmpty && rest.allSatisfy { $0.isASCII && $0.isNumber }
    }
}

/// A catalogue's description of a property.
public struct PropertyEntry: Sendable {
    /// The property's name.
    public var name: String
    /// The type of the property's values.
    public var kind: PropertyKind
    /// Whether the property can be read.
    public var isReadable: Bool
    /// Whether the property can be set.
    public var isWritable: Bool
    /// The property's default value as text; nil if there is none.
    public var defaultValue: String?

    /// Creates a description of a property.
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

/// The type of a property's values.
public enum PropertyKind: Sendable {
    /// A Boolean.
    case boolean
    /// A signed integer in a range.
    case integer(ClosedRange<Int64>)
    /// An unsigned integer in a range.
    case unsigned(ClosedRange<UInt64>)
    /// A floating-point number in a range.
    case real(ClosedRange<Double>)
    /// Any text.
    case string
    /// One of these nicks, each with its value.
    case enumeration([String: Int64])
    /// Any of these flags joined by `+`, each with its bits.
    case flags([String: UInt64])
    /// A fraction, as in `30/1`.
    case fraction
    /// Caps as text, such as `video/x-raw,format=RGB`.
    case caps
    /// A custom check: the closure returns the reason why a value is invalid, or nil if the value is valid.
    case validated(@Sendable (String) -> String?)
}
