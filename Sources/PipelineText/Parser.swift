/// A recursive-descent parser for pipeline text in the grammar of gst_parse_launch.
struct Parser {
    private static let maximumDepth = 32

    private typealias RemoteProperty = (element: String, property: PipelineDescription.Property, range: Range<Int>)

    private var lexer: Lexer
    private var pendingComments: ArraySlice<(index: Int, text: String)>
    private var remoteProperties: [RemoteProperty] = []

    init(_ text: ExpandedText) throws(GscapError) {
        lexer = try Lexer(text)
        pendingComments = text.comments[...]
    }

    mutating func description() throws(GscapError) -> PipelineDescription {
        guard lexer.token != .end else {
            throw GscapError(.empty, "the pipeline text is empty; it needs at least one element")
        }
        var description = PipelineDescription()
        description.chains = try chains(depth: 0)
        guard lexer.token == .end else {
            throw error(.unbalancedParenthesis, "this ) has no matching (")
        }
        description.closingComments = takeComments(before: .max)
        description.source = lexer.text.source
        if let error = description.nameError { throw error }
        let known = Set(description.graph.elements.compactMap(\.name))
        if let unknown = remoteProperties.first(where: { !known.contains($0.element) }) {
            throw error(.unknownReference, description.noElement(named: unknown.element), at: unknown.range)
        }
        description.set(Dictionary(grouping: remoteProperties, by: \.element).mapValues { $0.map(\.property) })
        return description
    }

    private func error(
        _ code: GscapError.Code, _ message: String, at range: Range<Int>? = nil
    ) -> GscapError {
        lexer.error(code, message, at: range ?? lexer.range)
    }

    private func location(_ range: Range<Int>) -> TextLocation { lexer.text.location(of: range) }

    private mutating func takeComments(before index: Int) -> [String] {
        let taken = pendingComments.prefix { $0.index <= index }
        pendingComments.removeFirst(taken.count)
        return taken.map(\.text)
    }

    private mutating func chains(depth: Int) throws(GscapError) -> [PipelineDescription.Chain] {
        var chains: [PipelineDescription.Chain] = []
        while lexer.token != .end, lexer.token != .close {
            if case .remoteAssignment(let element, let name) = lexer.token {
                let range = lexer.range
                remoteProperties.append((element, try property(name), range))
            } else {
                chains.append(try chain(depth: depth))
            }
        }
        return chains
    }

    private mutating func chain(depth: Int) throws(GscapError) -> PipelineDescription.Chain {
        let start = lexer.range
        var (node, pads) = try node(depth: depth)
        var chain = PipelineDescription.Chain(node)
        while case .link = lexer.token {
            if case .reference = node, !chain.steps.isEmpty {
                throw error(
                    .misplacedReference,
                    "a reference must end its chain; to link from it, write the reference again before this link")
            }
            var link = try link()
            link.sourcePads = pads
            (node, pads) = try target(of: &link, depth: depth)
            chain.steps.append(.init(link, node))
        }
        if case .reference = node, chain.steps.isEmpty {
            throw error(.misplacedReference, "this reference is not linked; write a ! after it", at: start)
        }
        let endsInReference = if case .reference = node { true } else { false }
        guard pads.isEmpty || endsInReference else {
            throw error(.danglingLink, "a link must follow the pad's name")
        }
        return chain
    }

    /// Parses a link and its caps, and advances to the node that must follow.
    private mutating func link() throws(GscapError) -> PipelineDescription.Link {
        let start = lexer.range
        var link = PipelineDescription.Link()
        link.location = location(start)
        link.linksAllPads = lexer.token == .link(all: true)
        try lexer.advance()
        if lexer.token == .mediaType {
            let capsStart = lexer.range
            link.caps = try lexer.caps()
            guard case .link(let all) = lexer.token else {
                throw error(.danglingLink, "caps must be followed by a ! and an element", at: capsStart)
            }
            link.linksAllPads = link.linksAllPads || all
            try lexer.advance()
            if lexer.token == .mediaType {
                throw error(.misplacedCaps, "two caps in a row; join them with a comma, or put an element between them")
            }
        }
        switch lexer.token {
        case .end, .close: throw error(.danglingLink, "nothing follows this link", at: start)
        case .link: throw error(.danglingLink, "an element is missing between two links")
        default: return link
        }
    }

    /// Parses the node after a link, and returns it with the pads from which the next link starts.
    private mutating func target(
        of link: inout PipelineDescription.Link, depth: Int
    ) throws(GscapError) -> (PipelineDescription.Node, pads: [String]) {
        let sinkPads = try padList()
        let (node, pads) = try node(depth: depth)
        if case .reference = node {
            guard sinkPads.isEmpty else {
                throw error(.misplacedReference, "write the pad of a reference after its dot, as in name.pad")
            }
            link.sinkPads = pads
        } else {
            link.sinkPads = sinkPads
        }
        return (node, pads)
    }

    /// Parses a pad list, `.pad` or `.pad,pad`; empty if the current token is not a pad.
    private mutating func padList() throws(GscapError) -> [String] {
        guard case .pad(let name) = lexer.token else { return [] }
        try lexer.advance()
        return [name] + (try morePads())
    }

    private mutating func morePads() throws(GscapError) -> [String] {
        var pads: [String] = []
        while lexer.token == .comma {
            try lexer.advance()
            guard case .word(let name) = lexer.token else { throw error(.missingValue, "a pad's name is missing") }
            pads.append(name)
            try lexer.advance()
        }
        return pads
    }

    /// Parses a node (element, bin or reference) and the pad names that follow it.
    private mutating func node(
        depth: Int
    ) throws(GscapError) -> (PipelineDescription.Node, pads: [String]) {
        let range = lexer.range
        let comments = takeComments(before: range.lowerBound)
        switch lexer.token {
        case .word(let factory):
            try lexer.advance()
            var element = PipelineDescription.Element(factory, try properties())
            element.location = location(range)
            element.comments = comments
            return (.element(element), try padList())
        case .open(let factory):
            try lexer.advance()
            var bin = try bin(factory, opened: range, depth: depth + 1)
            bin.location = location(range)
            bin.comments = comments
            return (.bin(bin), try padList())
        case .reference(let name, let pad):
            try lexer.advance()
            var reference = PipelineDescription.Reference(name)
            reference.location = location(range)
            reference.comments = comments
            return (.reference(reference), (pad.map { [$0] } ?? []) + (try morePads()))
        default: throw noNode()
        }
    }

    private func noNode() -> GscapError {
        switch lexer.token {
        case .link: error(.danglingLink, "there is nothing before this link")
        case .mediaType: error(.misplacedCaps, "caps must be between two links: element ! caps ! element")
        case .assignment(let name): error(.unexpectedCharacter, "\(name)= must follow an element")
        case .pad: error(.misplacedReference, "there is no element before this pad; write name.pad")
        default: error(.unexpectedCharacter, "an element is expected here")
        }
    }

    private mutating func properties() throws(GscapError) -> [PipelineDescription.Property] {
        var properties: [PipelineDescription.Property] = []
        while case .assignment(let name) = lexer.token { properties.append(try property(name)) }
        return properties
    }

    private mutating func property(_ name: String) throws(GscapError) -> PipelineDescription.Property {
        let range = lexer.range
        let value = try lexer.value()
        var property = PipelineDescription.Property(name, value.text)
        property.location = location(range)
        property.valueLocation = location(value.range)
        return property
    }

    private mutating func bin(
        _ factory: String, opened: Range<Int>, depth: Int
    ) throws(GscapError) -> PipelineDescription.Bin {
        guard depth <= Self.maximumDepth else {
            throw error(.tooDeep, "bins are nested more than \(Self.maximumDepth) levels deep", at: opened)
        }
        let properties = try properties()
        let chains = try chains(depth: depth)
        guard lexer.token == .close else {
            throw error(
                .unbalancedParenthesis,
                "this parenthesis is not closed; add a ) with a space before it",
                at: opened)
        }
        try lexer.advance()
        guard !chains.isEmpty else { throw error(.emptyBin, "this bin is empty; put an element in it", at: opened) }
        return PipelineDescription.Bin(factory, properties, chains: chains)
    }
}

extension PipelineDescription {
    /// Parses pipeline text. `variable` returns the values of variables (`${NAME}`, `${NAME:-default}`); `file` is the
    /// file name shown in errors.
    public init(
        parsing text: String, file: String? = nil, variable: (String) -> String? = { _ in nil }
    ) throws(GscapError) {
        guard text.utf8.count <= ExpandedText.maximumLength * 4 else {
            throw GscapError(.tooLong, "the pipeline text is too long; is this the right file?")
        }
        var parser = try Parser(try ExpandedText(SourceText(text, file: file), variable: variable))
        self = try parser.description()
    }
}
