/// The elements of a text and what leads to what.
public struct PipelineGraph: Sendable {
    /// An element in the graph.
    public struct Element: Sendable, Hashable {
        /// Its name: as given, or as GStreamer will number it.
        public var name: String
        /// What the text says of it.
        public var node: PipelineDocument.ElementNode
    }

    /// A way from one element to another, with the caps that stand on it.
    public struct Edge: Sendable, Hashable {
        /// The number of the element it leaves.
        public var from: Int
        /// The number of the element it enters.
        public var to: Int
        /// The caps between them, if any.
        public var caps: String?
    }

    /// All elements in the order of the text; a reference goes by its place here.
    public private(set) var elements: [Element] = []
    /// All links.
    public private(set) var edges: [Edge] = []

    /// The graph of a document.
    public init(_ document: PipelineDocument) {
        var counts: [String: Int] = [:]
        Self.collect(document.chains, into: &elements, &counts)
        var next = 0
        connect(document.chains, next: &next)
    }

    private static func collect(
        _ chains: [PipelineDocument.Chain], into elements: inout [Element], _ counts: inout [String: Int]
    ) {
        for item in chains.flatMap(\.items) {
            switch item {
            case .element(let node):
                let number = counts[node.factory, default: 0]
                if node.name == nil { counts[node.factory] = number + 1 }
                elements.append(Element(name: node.name ?? "\(node.factory)\(number)", node: node))
            case .bin(let bin): collect(bin.chains, into: &elements, &counts)
            case .caps, .reference: break
            }
        }
    }

    /// Walks the chains in the same order as `collect`.
    private mutating func connect(_ chains: [PipelineDocument.Chain], next: inout Int) {
        for chain in chains {
            var last: Int?
            var caps: String?
            for item in chain.items {
                let here: Int?
                switch item {
                case .caps(let text, _):
                    caps = text
                    continue
                case .element:
                    here = next
                    next += 1
                case .reference(let name, _, _): here = elements.firstIndex { $0.name == name }
                case .bin(let bin):
                    let first = next
                    connect(bin.chains, next: &next)
                    here = first < next ? first : nil
                }
                if let last, let here { edges.append(Edge(from: last, to: here, caps: caps)) }
                last = here
                caps = nil
            }
        }
    }

    /// The number of the element of a name.
    public func index(named name: String) -> Int? {
        elements.firstIndex { $0.name == name }
    }

    /// The elements that data of this one comes to, itself among them.
    public func downstream(of index: Int) -> Set<Int> { reach(from: index) { $0.from == $1 ? $0.to : nil } }

    /// The elements that data to this one comes through, itself among them.
    public func upstream(of index: Int) -> Set<Int> { reach(from: index) { $0.to == $1 ? $0.from : nil } }

    private func reach(from index: Int, _ step: (Edge, Int) -> Int?) -> Set<Int> {
        var seen: Set<Int> = [index]
        var waiting = [index]
        while let here = waiting.popLast() {
            for next in edges.compactMap({ step($0, here) }) where seen.insert(next).inserted { waiting.append(next) }
        }
        return seen
    }

    /// The elements that nothing leaves.
    public var ends: [Int] {
        elements.indices.filter { index in !edges.contains { $0.from == index } }
    }

    /// The elements from the nearest tee down to this one, by the first way found.
    public func branch(to end: Int) -> [Int] {
        var path = [end]
        while let edge = edges.first(where: { $0.to == path[0] }), !path.contains(edge.from) {
            path.insert(edge.from, at: 0)
        }
        return path
    }
}
