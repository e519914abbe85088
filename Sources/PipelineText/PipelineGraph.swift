/// The elements of a description and what flows to what, with names and bins resolved.
///
/// Indices count elements and bins in the order of the text and hold until the description's structure changes.
public struct PipelineGraph: Sendable {
    /// An element or a bin.
    public struct Element: Sendable {
        /// Factory, properties and place; of a bin, its own.
        public let element: PipelineDescription.Element
        /// Whether it is a bin.
        public let isBin: Bool
        /// The bin it is in.
        public let parent: Int?

        /// The element's factory.
        public var factory: String { element.factory }
        /// The element's name, if the text gives it one.
        public var name: String? { element.name }
        /// The value that the text gives a property.
        public subscript(property: String) -> String? { element[property] }
    }

    /// A link between two elements.
    public struct Link: Sendable {
        /// The element that gives; inside a bin, where the flow leaves it.
        public let source: Int
        /// The element that takes; inside a bin, where the flow enters it.
        public let sink: Int
        /// Pads and caps.
        public let link: PipelineDescription.Link
        /// The number of the link in the text.
        let ordinal: Int
    }

    /// One way out of an element.
    public struct Branch: Sendable {
        /// The link that begins the branch.
        public let link: Link
        /// All elements behind the link, nearest first.
        public let elements: [Int]
    }

    /// The elements and bins in the order of the text.
    public let elements: [Element]
    /// The links in the order of the text.
    public let links: [Link]
    private let outgoing: [[Int]]
    private let incoming: [[Int]]

    /// Resolves a description; links to names that no element has are left out.
    public init(_ description: PipelineDescription) {
        var builder = GraphBuilder()
        builder.add(description.chains, in: nil)
        elements = builder.elements
        links = builder.resolvedLinks()
        var outgoing = [[Int]](repeating: [], count: elements.count)
        var incoming = outgoing
        for (index, link) in links.enumerated() {
            outgoing[link.source].append(index)
            incoming[link.sink].append(index)
        }
        self.outgoing = outgoing
        self.incoming = incoming
    }

    /// The element of a name.
    public func index(named name: String) -> Int? {
        elements.firstIndex { $0.name == name }
    }

    /// The elements of a factory.
    public func indices(factory: String) -> [Int] {
        elements.indices.filter { elements[$0].factory == factory }
    }

    /// The links out of an element, in the order of the text.
    public func links(from element: Int) -> [Link] { outgoing[element].map { links[$0] } }

    /// The links into an element, in the order of the text.
    public func links(into element: Int) -> [Link] { incoming[element].map { links[$0] } }

    /// All elements that data from this one can reach, nearest first.
    public func downstream(of element: Int) -> [Int] {
        reach(links(from: element).map(\.sink)) { links(from: $0).map(\.sink) }
    }

    /// All elements whose data can reach this one, nearest first.
    public func upstream(of element: Int) -> [Int] {
        reach(links(into: element).map(\.source)) { links(into: $0).map(\.source) }
    }

    /// The ways out of an element, such as a tee.
    public func branches(of element: Int) -> [Branch] {
        links(from: element).map { link in
            Branch(link: link, elements: reach([link.sink]) { links(from: $0).map(\.sink) })
        }
    }

    /// The elements that nothing follows.
    public var ends: [Int] { elements.indices.filter { outgoing[$0].isEmpty && !elements[$0].isBin } }

    /// The sinks that show a picture on a display.
    public var displaySinks: [Int] {
        elements.indices.filter { KnownElements.displaySinks.contains(elements[$0].factory) }
    }

    /// The elements that nothing feeds.
    public var beginnings: [Int] { elements.indices.filter { incoming[$0].isEmpty && !elements[$0].isBin } }

    /// The elements that only this branch feeds: what goes with it when it is taken away.
    public func exclusiveElements(of branch: Branch) -> [Int] {
        let others = reach(beginnings) { element in
            links(from: element).filter { $0.ordinal != branch.link.ordinal }.map(\.sink)
        }
        let kept = Set(others)
        return branch.elements.filter { !kept.contains($0) }
    }

    private func reach(_ start: [Int], next: (Int) -> [Int]) -> [Int] {
        var seen = Set<Int>()
        var found = start.filter { seen.insert($0).inserted }
        var index = 0
        while index < found.count {
            found += next(found[index]).filter { seen.insert($0).inserted }
            index += 1
        }
        return found
    }
}

/// Numbers elements and links in the order of the text and finds what the links join.
private struct GraphBuilder {
    private enum End {
        case element(Int)
        case name(String)
    }

    private(set) var elements: [PipelineGraph.Element] = []
    private var loose: [(source: End, sink: End, link: PipelineDescription.Link)] = []

    mutating func add(_ chains: [PipelineDescription.Chain], in parent: Int?) {
        for chain in chains {
            var source = add(chain.first, in: parent)
            for step in chain.steps {
                let ordinal = loose.count
                loose.append((source, source, step.link))
                let sink = add(step.node, in: parent)
                loose[ordinal].sink = sink
                source = sink
            }
        }
    }

    private mutating func add(_ node: PipelineDescription.Node, in parent: Int?) -> End {
        let index = elements.count
        switch node {
        case .reference(let reference): return .name(reference.name)
        case .element(let element): elements.append(.init(element: element, isBin: false, parent: parent))
        case .bin(let bin):
            var element = PipelineDescription.Element(bin.factory, bin.properties)
            element.place = bin.place
            elements.append(.init(element: element, isBin: true, parent: parent))
            add(bin.chains, in: index)
        }
        return .element(index)
    }

    func resolvedLinks() -> [PipelineGraph.Link] {
        var names: [String: Int] = [:]
        for (index, element) in elements.enumerated() {
            if let name = element.name, names[name] == nil { names[name] = index }
        }
        func index(_ end: End) -> Int? {
            switch end {
            case .element(let index): index
            case .name(let name): names[name]
            }
        }
        var joined = loose.enumerated().compactMap { ordinal, link in
            if let source = index(link.source), let sink = index(link.sink) {
                PipelineGraph.Link(source: source, sink: sink, link: link.link, ordinal: ordinal)
            } else {
                nil
            }
        }
        leadThroughBins(&joined)
        return joined
    }

    /// A link to a bin goes to its first element that nothing feeds, a link from it starts at its last that feeds
    /// nothing, as the ghost pads that GStreamer adds.
    private func leadThroughBins(_ links: inout [PipelineGraph.Link]) {
        guard elements.contains(where: \.isBin) else { return }
        var giving = Set(links.map(\.source))
        var taking = Set(links.map(\.sink))
        for (index, link) in links.enumerated() where elements[link.source].isBin || elements[link.sink].isBin {
            var (source, sink) = (link.source, link.sink)
            if elements[source].isBin { source = inside(source).last { !giving.contains($0) } ?? source }
            if elements[sink].isBin { sink = inside(sink).first { !taking.contains($0) } ?? sink }
            giving.insert(source)
            taking.insert(sink)
            links[index] = .init(source: source, sink: sink, link: link.link, ordinal: link.ordinal)
        }
    }

    /// The elements in a bin and in the bins inside it; they stand right behind it.
    private func inside(_ bin: Int) -> [Int] {
        var within: Set<Int> = [bin]
        var index = bin + 1
        while index < elements.count, let parent = elements[index].parent, within.contains(parent) {
            within.insert(index)
            index += 1
        }
        return (bin + 1..<index).filter { !elements[$0].isBin }
    }
}
