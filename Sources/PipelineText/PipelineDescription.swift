/// A pipeline text as a value: chains of elements with their links, as they were written.
///
/// Two descriptions are equal when they say the same; places and comments do not count.
public struct PipelineDescription: Hashable, Sendable {
    /// The chains, in the order of the text.
    public var chains: [Chain]
    /// Comments behind the last chain.
    @NotCompared public var closingComments: [String] = []
    /// The text it was read from, to quote in errors.
    @NotCompared var source: SourceText?

    /// Makes a description of some chains.
    public init(chains: [Chain] = []) {
        self.chains = chains
    }

    /// Elements linked one after the other, as in `a ! b ! c`.
    public struct Chain: Hashable, Sendable {
        /// The first node.
        public var first: Node
        /// The links and nodes that follow.
        public var steps: [Step]

        /// Makes a chain.
        public init(_ first: Node, _ steps: [Step] = []) {
            self.first = first
            self.steps = steps
        }

        /// A chain of elements with plain links between them; nil if there are none.
        public init?(elements: [Element]) {
            guard let first = elements.first else { return nil }
            self.init(.element(first), elements.dropFirst().map { Step(Link(), .element($0)) })
        }

        /// All nodes in order.
        public var nodes: [Node] { [first] + steps.map(\.node) }
    }

    /// A link and the node it leads to.
    public struct Step: Hashable, Sendable {
        /// The link.
        public var link: Link
        /// The node behind it.
        public var node: Node

        /// Makes a step.
        public init(_ link: Link, _ node: Node) {
            self.link = link
            self.node = node
        }
    }

    /// What can stand between links.
    public enum Node: Hashable, Sendable {
        /// An element.
        case element(Element)
        /// A bin with chains of its own.
        case bin(Bin)
        /// An element that is made elsewhere, named.
        case reference(Reference)

        /// Where it was written.
        public var place: SourcePlace? {
            switch self {
            case .element(let element): element.place
            case .bin(let bin): bin.place
            case .reference(let reference): reference.place
            }
        }

        /// The lines of comment before it.
        public var comments: [String] {
            get {
                switch self {
                case .element(let element): element.comments
                case .bin(let bin): bin.comments
                case .reference(let reference): reference.comments
                }
            }
            set {
                switch self {
                case .element(var element):
                    element.comments = newValue
                    self = .element(element)
                case .bin(var bin):
                    bin.comments = newValue
                    self = .bin(bin)
                case .reference(var reference):
                    reference.comments = newValue
                    self = .reference(reference)
                }
            }
        }
    }

    /// An element to be made, with its properties.
    public struct Element: Hashable, Sendable {
        /// The element's factory, such as `tee`.
        public var factory: String
        /// Its properties in order, with the name if it has one.
        public var properties: [Property]
        /// Where it was written.
        @NotCompared public var place: SourcePlace?
        /// The lines of comment before it.
        @NotCompared public var comments: [String] = []

        /// Makes an element.
        public init(_ factory: String, _ properties: [Property] = []) {
            self.factory = factory
            self.properties = properties
        }

        /// The name that references use.
        public var name: String? { self["name"] }

        /// The value of a property; setting nil takes the property away.
        public subscript(property: String) -> String? {
            get { properties.value(of: property) }
            set { properties.set(property, to: newValue) }
        }
    }

    /// A bin: chains between parentheses.
    public struct Bin: Hashable, Sendable {
        /// The bin's factory, `bin` unless another is named.
        public var factory: String
        /// Its properties in order.
        public var properties: [Property]
        /// The chains inside.
        public var chains: [Chain]
        /// Where it was written.
        @NotCompared public var place: SourcePlace?
        /// The lines of comment before it.
        @NotCompared public var comments: [String] = []

        /// Makes a bin.
        public init(_ factory: String = "bin", _ properties: [Property] = [], chains: [Chain]) {
            self.factory = factory
            self.properties = properties
            self.chains = chains
        }
    }

    /// The name of an element that is made elsewhere, to link from or to.
    public struct Reference: Hashable, Sendable {
        /// The name of the element.
        public var name: String
        /// Where it was written.
        @NotCompared public var place: SourcePlace?
        /// The lines of comment before it.
        @NotCompared public var comments: [String] = []

        /// Makes a reference.
        public init(_ name: String) {
            self.name = name
        }
    }

    /// A link between two nodes.
    public struct Link: Hashable, Sendable {
        /// Whether all pads that fit are linked (`:`), also those that appear later, and not only one (`!`).
        public var linksAllPads = false
        /// The pads it starts from; empty for any.
        public var sourcePads: [String] = []
        /// The pads it leads to; empty for any.
        public var sinkPads: [String] = []
        /// The caps that it lets through; nil for all.
        public var caps: Caps?
        /// Where its first sign was written.
        @NotCompared public var place: SourcePlace?

        /// Makes a link.
        public init(caps: Caps? = nil, from sourcePads: [String] = [], to sinkPads: [String] = []) {
            self.caps = caps
            self.sourcePads = sourcePads
            self.sinkPads = sinkPads
        }
    }

    /// A property and its value, both as text.
    public struct Property: Hashable, Sendable {
        /// The property; `child::property` for a child of a bin.
        public var name: String
        /// The value without quotes and escapes.
        public var value: String
        /// Where the name was written.
        @NotCompared public var place: SourcePlace?
        /// Where the value was written.
        @NotCompared public var valuePlace: SourcePlace?

        /// Makes a property.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}

extension [PipelineDescription.Property] {
    /// The value of a property; of several, the last, which is the one GStreamer keeps.
    func value(of name: String) -> String? {
        last { $0.name == name }?.value
    }

    /// Sets a property at its place in the list, or adds it; nil takes it away.
    mutating func set(_ name: String, to value: String?) {
        guard let value else { return removeAll { $0.name == name } }
        guard let index = lastIndex(where: { $0.name == name }) else { return append(.init(name, value)) }
        self[index].value = value
        self[index].valuePlace = nil
    }
}
