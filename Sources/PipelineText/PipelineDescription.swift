/// A parsed pipeline text: chains of linked elements, as written.
///
/// Equality ignores locations and comments.
public struct PipelineDescription: Hashable, Sendable {
    /// The chains of the pipeline, in the order of the text.
    public var chains: [Chain]
    /// The comments after the last chain.
    @NotCompared public var closingComments: [String] = []
    /// The source text, from which errors quote lines; nil if the description was not parsed.
    @NotCompared var source: SourceText?

    /// Creates a description from chains.
    public init(chains: [Chain] = []) {
        self.chains = chains
    }

    /// Returns the names of the variables `${NAME}` in a pipeline text, sorted. Throws if quotes or variables are not
    /// closed; the text is not parsed.
    public static func variables(in text: String) throws(GscapError) -> [String] {
        // With a value for each, a variable without a default is no error.
        try ExpandedText(SourceText(text, file: "")) { _ in "" }.variables.sorted()
    }

    /// A chain of nodes joined by links, as in `a ! b ! c`.
    public struct Chain: Hashable, Sendable {
        /// The first node of the chain.
        public var first: Node
        /// The links and nodes after the first node, in order.
        public var steps: [Step]

        /// Creates a chain from its first node and the links and nodes after it.
        public init(_ first: Node, _ steps: [Step] = []) {
            self.first = first
            self.steps = steps
        }

        /// Creates a chain of elements joined by plain links; nil if `elements` is empty.
        public init?(elements: [Element]) {
            guard let first = elements.first else { return nil }
            self.init(.element(first), elements.dropFirst().map { Step(Link(), .element($0)) })
        }

        /// All nodes of the chain, in order.
        public var nodes: [Node] { [first] + steps.map(\.node) }
    }

    /// A link and the node after it.
    public struct Step: Hashable, Sendable {
        /// The link that leads to `node`.
        public var link: Link
        /// The node after the link.
        public var node: Node

        /// Creates a step from a link and the node after it.
        public init(_ link: Link, _ node: Node) {
            self.link = link
            self.node = node
        }
    }

    /// A node: what a link can join.
    public enum Node: Hashable, Sendable {
        /// An element.
        case element(Element)
        /// A bin, which contains chains.
        case bin(Bin)
        /// A reference by name to an element defined elsewhere.
        case reference(Reference)

        /// The location in the text; nil if the node was not parsed.
        public var location: TextLocation? {
            switch self {
            case .element(let element): element.location
            case .bin(let bin): bin.location
            case .reference(let reference): reference.location
            }
        }

        /// The comment lines before the node.
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

    /// An element with its properties.
    public struct Element: Hashable, Sendable {
        /// The element's factory, such as `tee`.
        public var factory: String
        /// The properties of the element, in the order of the text, including `name`.
        public var properties: [Property]
        /// The location in the text; nil if the node was not parsed.
        @NotCompared public var location: TextLocation?
        /// The comment lines before the node.
        @NotCompared public var comments: [String] = []

        /// Creates an element from its factory and properties.
        public init(_ factory: String, _ properties: [Property] = []) {
            self.factory = factory
            self.properties = properties
        }

        /// The element's name, which references use; nil if the text gives none.
        public var name: String? { self["name"] }

        /// The value of a property; nil if it is not set. Setting nil removes the property.
        public subscript(property: String) -> String? {
            get { properties.value(of: property) }
            set { properties.set(property, to: newValue) }
        }
    }

    /// A bin: chains between parentheses.
    public struct Bin: Hashable, Sendable {
        /// The bin's factory; `bin` by default.
        public var factory: String
        /// The properties of the bin, in the order of the text.
        public var properties: [Property]
        /// The chains between the bin's parentheses.
        public var chains: [Chain]
        /// The location in the text; nil if the node was not parsed.
        @NotCompared public var location: TextLocation?
        /// The comment lines before the node.
        @NotCompared public var comments: [String] = []

        /// Creates a bin from its factory, properties and chains.
        public init(_ factory: String = "bin", _ properties: [Property] = [], chains: [Chain]) {
            self.factory = factory
            self.properties = properties
            self.chains = chains
        }
    }

    /// A reference by name to an element defined elsewhere, to link from or to.
    public struct Reference: Hashable, Sendable {
        /// The name of the element.
        public var name: String
        /// The location in the text; nil if the node was not parsed.
        @NotCompared public var location: TextLocation?
        /// The comment lines before the node.
        @NotCompared public var comments: [String] = []

        /// Creates a reference to the element of this name.
        public init(_ name: String) {
            self.name = name
        }
    }

    /// A link between two nodes.
    public struct Link: Hashable, Sendable {
        /// Whether all compatible pads are linked (`:`), including pads that appear later, rather than one pair (`!`).
        public var linksAllPads = false
        /// The names of the source pads; empty for any.
        public var sourcePads: [String] = []
        /// The names of the sink pads; empty for any.
        public var sinkPads: [String] = []
        /// The caps that filter the link; nil for none.
        public var caps: Caps?
        /// The location of the link's first character in the text; nil if the link was not parsed.
        @NotCompared public var location: TextLocation?

        /// Creates a link of one pair of pads (`!`); without pad names, any compatible pads are linked.
        public init(caps: Caps? = nil, from sourcePads: [String] = [], to sinkPads: [String] = []) {
            self.caps = caps
            self.sourcePads = sourcePads
            self.sinkPads = sinkPads
        }
    }

    /// An assignment to a property, as text.
    public struct Property: Hashable, Sendable {
        /// The property's name; `child::property` for a child of a bin.
        public var name: String
        /// The property's value, without quotes and escapes.
        public var value: String
        /// The location of the property's name in the text; nil if the property was not parsed.
        @NotCompared public var location: TextLocation?
        /// The location of the property's value in the text; nil if the value was not parsed.
        @NotCompared public var valueLocation: TextLocation?

        /// Creates an assignment of a value to the property of this name.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}

extension [PipelineDescription.Property] {
    /// Returns the value of a property; of repeated assignments the last, which takes effect in GStreamer.
    func value(of name: String) -> String? {
        last { $0.name == name }?.value
    }

    /// Replaces the last assignment to a property, or appends one; nil removes all assignments to the property.
    mutating func set(_ name: String, to value: String?) {
        guard let value else { return removeAll { $0.name == name } }
        guard let index = lastIndex(where: { $0.name == name }) else { return append(.init(name, value)) }
        self[index].value = value
        self[index].valueLocation = nil
    }
}
