/// Puts words together to chains.
struct Parser {
    private typealias Chain = PipelineDocument.Chain
    private typealias Item = PipelineDocument.Item

    /// Bins in bins: deeper than this is a mistake, and would exhaust the stack.
    private static let deepest = 32

    private let tokens: [Token]
    private var position = 0

    static func chains(of tokens: [Token]) throws(Mistake) -> [PipelineDocument.Chain] {
        guard !tokens.isEmpty else {
            throw Mistake(.empty, "the pipeline is empty", at: TextPlace(line: 1, column: 1))
        }
        var parser = Parser(tokens)
        return try parser.chains(depth: 0)
    }

    private init(_ tokens: [Token]) {
        self.tokens = tokens
    }

    /// Reads chains up to the end, or to the parenthesis that closes a bin.
    private mutating func chains(depth: Int) throws(Mistake) -> [PipelineDocument.Chain] {
        var chains: [PipelineDocument.Chain] = []
        var chain = PipelineDocument.Chain(items: [], delayed: [])
        var link: (isDelayed: Bool, place: TextPlace)?
        func finish() {
            if !chain.items.isEmpty { chains.append(chain) }
            chain = PipelineDocument.Chain(items: [], delayed: [])
        }
        func add(_ item: PipelineDocument.Item) {
            if link == nil { finish() } else { chain.delayed.append(link?.isDelayed ?? false) }
            chain.items.append(item)
            link = nil
        }
        while position < tokens.count {
            let token = tokens[position]
            position += 1
            switch token.kind {
            case .link(let isDelayed):
                if link != nil { throw Mistake(.syntax, "two links without an element between them", at: token.place) }
                if chain.items.isEmpty { throw Mistake(.syntax, "nothing stands before this link", at: token.place) }
                link = (isDelayed, token.place)
            case .element(let factory):
                add(
                    .element(
                        PipelineDocument.ElementNode(factory: factory, properties: properties(), place: token.place)))
            case .caps(let text):
                guard link != nil || chain.items.isEmpty else {
                    throw Mistake(.syntax, "caps stand between two links: put a ! before \"\(text)\"", at: token.place)
                }
                add(.caps(text, token.place))
            case .reference(let name, let pads):
                add(.reference(name: name, pads: pads, token.place))
            case .open(let factory):
                guard depth < Self.deepest else {
                    throw Mistake(.tooLarge, "more than \(Self.deepest) bins in each other", at: token.place)
                }
                let settings = properties()
                let inner = try self.chains(depth: depth + 1)
                add(
                    .bin(
                        PipelineDocument.BinNode(
                            factory: factory, properties: settings, chains: inner, place: token.place)))
            case .close:
                guard depth > 0 else { throw Mistake(.syntax, "a ) without its (", at: token.place) }
                if let link { throw Mistake(.syntax, "nothing stands behind this link", at: link.place) }
                finish()
                return chains
            case .assignment(let name, _):
                throw Mistake(.syntax, "\(name)= stands behind no element", at: token.place)
            }
        }
        if let link { throw Mistake(.syntax, "nothing stands behind this link", at: link.place) }
        if depth > 0 { throw Mistake(.syntax, "a ( without its )", at: tokens[tokens.count - 1].place) }
        finish()
        return chains
    }

    private mutating func properties() -> [PipelineDocument.Property] {
        var found: [PipelineDocument.Property] = []
        while position < tokens.count, case .assignment(let name, let value) = tokens[position].kind {
            let token = tokens[position]
            found.append(
                PipelineDocument.Property(
                    name: name, value: value, place: token.place, valuePlace: token.valuePlace ?? token.place))
            position += 1
        }
        return found
    }
}
