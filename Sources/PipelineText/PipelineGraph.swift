/// A directed graph of a description's elements and links, with names and bins resolved.
///
/// Elements and bins are numbered in the order of the text. The indices are valid until the description's structure
/// changes.
public struct PipelineGraph: Sendable {
    /// An element or a bin of the graph.
    public struct Element: Sendable {
        /// The element's factory, properties and location; for a bin, those of the bin itself.
        public let element: PipelineDescription.Element
        /// Whether the element is a bin.
        public let isBin: Bool
        /// The index of the containing bin; nil at the top level.
        public let parent: Int?

        /// The element's factory.
        public var factory: String { element.factory }
        /// The element's name; nil if the text gives none.
        public var name: String? { element.name }
        /// The value of a property as written; nil if the text does not set it.
        public subscript(property: String) -> String? { element[property] }
    }

    /// A link between two elements.
    public struct Link: Sendable {
        /// The index of the upstream element; for a bin, the inner element from which data leaves.
        public let source: Int
        /// The index of the downstream element; for a bin, the inner element at which data enters.
        public let sink: Int
        /// The link's pads and caps, as written in the text.
        public let link: PipelineDescription.Link
        /// The link's number in the order of the text, from 0.
        let ordinal: Int
    }

    /// A branch: a link out of an element and everything downstream of it.
    public struct Branch: Sendable {
        /// The first link of the branch.
        public let link: Link
        /// The indices of all elements downstream of the link, nearest first.
        public let elements: [Int]
    }

    /// The elements and bins in the order of the text.
    public let elements: [Element]
    /// The links in the order of the text.
    public let links: [Link]
    private let outgoing: [[Int]]
    private let incoming: [[Int]]

    /// Creates the graph of a description. Links to unknown names are omitted.
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

    /// Returns the index of the first element of this name; nil if there is none.
    public func index(named name: String) -> Int? {
        elements.firstIndex { $0.name == name }
    }

    /// Returns the indices of all elements of a factory, in the order of the text.
    public func indices(factory: String) -> [Int] {
        elements.indices.filter { elements[$0].factory == factory }
    }

    /// Returns the links out of an element, in the order of the text.
    public func links(from element: Int) -> [Link] { outgoing[element].map { links[$0] } }

    /// Returns the links into an element, in the order of the text.
    public func links(into element: Int) -> [Link] { incoming[element].map { links[$0] } }

    /// Returns the indices of all elements downstream of this one, nearest first.
    public func downstream(of element: Int) -> [Int] {
        traverse(links(from: element).map(\.sink)) { links(from: $0).map(\.sink) }
    }

    /// Returns the indices of all elements upstream of this one, nearest first.
    public func upstream(of element: Int) -> [Int] {
        traverse(links(into: element).map(\.source)) { links(into: $0).map(\.source) }
    }

    /// Returns the branches that start at an element, such as a tee.
    public func branches(of element: Int) -> [Branch] {
        links(from: element).map { link in
            Branch(link: link, elements: traverse([link.sink]) { links(from: $0).map(\.sink) })
        }
    }

    /// The indices of all elements, bins excepted, without outgoing links.
    public var ends: [Int] { elements.indices.filter { outgoing[$0].isEmpty && !elements[$0].isBin } }

    /// The indices of all elements that are known to show video on a display.
    public var displaySinks: [Int] {
        elements.indices.filter { KnownElements.displaySinks.contains(elements[$0].factory) }
    }

    /// The indices of all elements, bins excepted, without incoming links.
    public var sourceElements: [Int] { elements.indices.filter { incoming[$0].isEmpty && !elements[$0].isBin } }

    /// Returns the indices of the branch's elements that no other path from a source reaches, which are removed
    /// together with the branch.
    public func exclusiveElements(of branch: Branch) -> [Int] {
        let others = traverse(sourceElements) { element in
            links(from: element).filter { $0.ordinal != branch.link.ordinal }.map(\.sink)
        }
        let reachable = Set(others)
        return branch.elements.filter { !reachable.contains($0) }
    }

    private func traverse(_ start: [Int], next: (Int) -> [Int]) -> [Int] {
        var visited = Set<Int>()
        var found = start.filter { visited.insert($0).inserted }
        var index = 0
        while index < found.count {
            found += next(found[index]).filter { visited.insert($0).inserted }
            index += 1
        }
        return found
    }
}

/// A builder that numbers elements and links in the order of the text and resolves the ends of the links.
private struct GraphBuilder {
    private enum End {
        case element(Int)
        case name(String)
    }

    private(set) var elements: [PipelineGraph.Element] = []
    private var unresolvedLinks: [(source: End, sink: End, link: PipelineDescription.Link)] = []

    mutating func add(_ chains: [PipelineDescription.Chain], in parent: Int?) {
        for chain in chains {
            var source = add(chain.first, in: parent)
            for step in chain.steps {
                let ordinal = unresolvedLinks.count
                unresolvedLinks.append((source, source, step.link))
                let sink = add(step.node, in: parent)
                unresolvedLinks[ordinal].sink = sink
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
            element.location = bin.location
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
        var resolved = unresolvedLinks.enumerated().compactMap { ordinal, link in
            if let source = index(link.source), let sink = index(link.sink) {
                PipelineGraph.Link(source: source, sink: sink, link: link.link, ordinal: ordinal)
            } else {
                nil
            }
        }
        resolveBins(&resolved)
        return resolved
    }

    /// Replaces bins at the ends of links by inner elements, as GStreamer does with ghost pads: a link to a bin enters
    /// its first element without an incoming link, and a link from a bin leaves its last element without an outgoing
    /// one.
    private func resolveBins(_ links: inout [PipelineGraph.Link]) {
        guard elements.contains(where: \.isBin) else { return }
        var linkedSources = Set(links.map(\.source))
        var linkedSinks = Set(links.map(\.sink))
        for (index, link) in links.enumerated() where elements[link.source].isBin || elements[link.sink].isBin {
            var (source, sink) = (link.source, link.sink)
            if elements[source].isBin { source = contents(of: source).last { !linkedSources.contains($0) } ?? source }
            if elements[sink].isBin { sink = contents(of: sink).first { !linkedSinks.contains($0) } ?? sink }
            linkedSources.insert(source)
            linkedSinks.insert(sink)
            links[index] = .init(source: source, sink: sink, link: link.link, ordinal: link.ordinal)
        }
    }

    /// Returns the indices of the elements in a bin and its inner bins, which follow the bin's index.
    private func contents(of bin: Int) -> [Int] {
        var within: Set<Int> = [bin]
        var index = bin + 1
        while index < elements.count, let parent = elements[index].parent, within.contains(parent) {
            within.insert(index)
            index += 1
        }
        return (bin + 1..<index).filter { !elements[$0].isBin }
    }
}
