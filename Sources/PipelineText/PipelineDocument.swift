/// A pipeline text, read.
public struct PipelineDocument: Sendable {
    /// The name of the file it comes from, for messages.
    public internal(set) var file: String
    /// The file's lines as written, for quoting.
    var lines: [String]
    /// The chains of the outermost bin.
    public internal(set) var chains: [Chain]

    /// Elements and caps that are linked one to the next.
    public struct Chain: Sendable, Hashable {
        /// What is linked, in order.
        public var items: [Item]
        /// For each item but the first, whether its link waits for pads that come later.
        public var delayed: [Bool]
    }

    /// A link in a chain.
    public enum Item: Sendable, Hashable {
        case element(ElementNode)
        case caps(String, TextPlace)
        /// An element somewhere else, by name, with a pad or none.
        case reference(name: String, pads: String, TextPlace)
        case bin(BinNode)
    }

    /// An element with its properties.
    public struct ElementNode: Sendable, Hashable {
        /// What it is made by.
        public var factory: String
        /// What is set, in order.
        public var properties: [Property]
        /// Where it stands.
        public var place: TextPlace

        /// The name it was given.
        public var name: String? { properties.last { $0.name == "name" }?.value }

        /// The value given to a property.
        public func value(of property: String) -> String? { properties.last { $0.name == property }?.value }

        /// Gives a property a value, in place of one that it has.
        public mutating func set(_ property: String, _ value: String) {
            if let index = properties.lastIndex(where: { $0.name == property }) {
                properties[index].value = value
            } else {
                properties.append(Property(name: property, value: value, place: place, valuePlace: place))
            }
        }
    }

    /// A property set to a value.
    public struct Property: Sendable, Hashable {
        /// Its name.
        public var name: String
        /// The text of its value, without quotes.
        public var value: String
        /// Where it stands.
        public var place: TextPlace
        /// Where its value stands.
        public var valuePlace: TextPlace
    }

    /// A bin with a pipeline in it.
    public struct BinNode: Sendable, Hashable {
        /// What it is made by.
        public var factory: String
        /// What is set on it.
        public var properties: [Property]
        /// What is in it.
        public var chains: [Chain]
        /// Where it opens.
        public var place: TextPlace
    }

    /// Reads a text: comments, variables, then gst-launch's grammar.
    public init(
        reading text: String, file: String = "pipeline", variables: [String: String] = [:]
    ) throws(PipelineTextError) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        self.file = file
        self.lines = lines
        do {
            let glyphs = try Expansion.glyphs(of: text, variables: variables)
            chains = try Parser.chains(of: try Lexer.tokens(of: glyphs))
            try checkNames()
        } catch {
            throw Self.located(error, file: file, lines: lines)
        }
    }

    static func located(_ mistake: Mistake, file: String, lines: [String]) -> PipelineTextError {
        let index = mistake.place.line - 1
        return PipelineTextError(
            code: mistake.code, message: mistake.message, file: file, place: mistake.place,
            quote: lines.indices.contains(index) ? lines[index] : "")
    }
}
