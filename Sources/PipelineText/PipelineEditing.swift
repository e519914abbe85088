extension PipelineDescription {
    /// The graph of elements and links, with names and bins resolved.
    public var graph: PipelineGraph { PipelineGraph(self) }

    /// Sets a property of the element with this name or, if there is none, of all elements of this factory. Returns the
    /// number of elements changed; throws if there are none.
    @discardableResult
    public mutating func set(_ property: String, of element: String, to value: String) throws(GscapError) -> Int {
        guard graph.index(named: element) == nil else {
            set([element: [Property(property, value)]])
            return 1
        }
        var count = 0
        update { _, node in
            guard case .element(var found) = node, found.factory == element else { return }
            found[property] = value
            node = .element(found)
            count += 1
        }
        guard count > 0 else { throw GscapError(.unknownReference, noElement(named: element)) }
        return count
    }

    /// Applies a setting `element.property=value`, as passed to `gscap --set`. Returns the number of elements changed.
    @discardableResult
    public mutating func set(_ assignment: String) throws(GscapError) -> Int {
        let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let dot = parts[0].lastIndex(of: "."), dot > parts[0].startIndex,
            dot < parts[0].index(before: parts[0].endIndex)
        else {
            throw GscapError(
                .badValue, "\"\(assignment)\" is not a setting; write element.property=value, such as src.iso=800")
        }
        let property = String(parts[0][parts[0].index(after: dot)...])
        return try set(property, of: String(parts[0][..<dot]), to: String(parts[1]))
    }

    /// Replaces the element or bin with this index and keeps its links. The new element inherits the name unless it has
    /// one.
    public mutating func replace(_ index: Int, with element: Element) {
        update { found, node in
            guard found == index else { return }
            var element = element
            switch node {
            case .element(let old): element["name"] = element.name ?? old.name
            case .bin(let old): element["name"] = element.name ?? old.properties.value(of: "name")
            case .reference: break
            }
            element.comments = node.comments
            element.location = node.location
            node = .element(element)
        }
    }

    /// Removes the elements with these indices, their links and references to them; the remaining pieces of a chain
    /// become chains.
    public mutating func remove(_ indices: Set<Int>) {
        remove(elements: indices, links: [])
    }

    /// Removes a branch: its first link and the elements that only this branch feeds.
    public mutating func remove(_ branch: PipelineGraph.Branch) {
        let graph = graph
        remove(elements: Set(graph.exclusiveElements(of: branch)), links: [branch.link.ordinal])
    }

    /// Gives each unnamed element and bin a unique name, its factory and a number, as GStreamer does.
    public mutating func nameElements() {
        var taken = Set(graph.elements.compactMap(\.name))
        var counts: [String: Int] = [:]
        func name(_ factory: String) -> String {
            while true {
                let name = "\(factory)\(counts[factory, default: 0])"
                counts[factory, default: 0] += 1
                if taken.insert(name).inserted { return name }
            }
        }
        update { _, node in
            switch node {
            case .element(var element) where element.name == nil:
                element["name"] = name(element.factory)
                node = .element(element)
            case .bin(var bin) where bin.properties.value(of: "name") == nil:
                bin.properties.set("name", to: name(bin.factory))
                node = .bin(bin)
            case .element, .bin, .reference: break
            }
        }
    }

    /// Replaces the factory names of elements, old names as keys by new ones as values; properties and links are
    /// unchanged.
    public mutating func renameFactories(_ names: [String: String]) {
        update { _, node in
            guard case .element(var element) = node, let name = names[element.factory] else { return }
            element.factory = name
            node = .element(element)
        }
    }

    /// Appends the chains of another description.
    public mutating func append(_ other: PipelineDescription) {
        chains += other.chains
        closingComments += other.closingComments
    }

    private mutating func remove(elements: Set<Int>, links: Set<Int>) {
        let graph = graph
        var remover = Remover(
            elements: elements, links: links, names: Set(elements.compactMap { graph.elements[$0].name }))
        chains = remover.rest(of: chains)
    }

    /// Sets properties of elements and bins; the keys are the names of these.
    mutating func set(_ properties: [String: [Property]]) {
        update { _, node in
            switch node {
            case .element(var element):
                guard let name = element.name, let new = properties[name] else { return }
                for property in new { element.properties.set(property) }
                node = .element(element)
            case .bin(var bin):
                guard let name = bin.properties.value(of: "name"), let new = properties[name] else { return }
                for property in new { bin.properties.set(property) }
                node = .bin(bin)
            case .reference: break
            }
        }
    }

    /// Returns the error message for a name that no element has, with a similar name if there is one.
    func noElement(named name: String) -> String {
        let names = graph.elements.flatMap { [$0.name, $0.factory].compactMap(\.self) }
        return "no element named \"\(name)\" in this pipeline" + nearest(name, in: names).suggestion
    }

    /// Calls `body` with every element and bin and its index as in `PipelineGraph`: in the order of the text, with a
    /// bin before its content.
    private mutating func update(_ body: (Int, inout Node) -> Void) {
        var count = 0
        Self.update(&chains, &count, body)
    }

    private static func update(_ chains: inout [Chain], _ count: inout Int, _ body: (Int, inout Node) -> Void) {
        for index in chains.indices {
            update(&chains[index].first, &count, body)
            for step in chains[index].steps.indices { update(&chains[index].steps[step].node, &count, body) }
        }
    }

    private static func update(_ node: inout Node, _ count: inout Int, _ body: (Int, inout Node) -> Void) {
        if case .reference = node { return }
        // The bin's index precedes those of its content, but `body` runs after the content was visited, because it may
        // replace the bin.
        let index = count
        count += 1
        if case .bin(var bin) = node {
            update(&bin.chains, &count, body)
            node = .bin(bin)
        }
        body(index, &node)
    }
}

extension [PipelineDescription.Property] {
    /// Sets a property, including the locations of its name and value in the text.
    fileprivate mutating func set(_ property: PipelineDescription.Property) {
        set(property.name, to: property.value)
        guard let index = lastIndex(where: { $0.name == property.name }) else { return }
        self[index] = property
    }
}

/// Removes elements and links from chains; both are given by their numbers in `PipelineGraph`.
private struct Remover {
    let elements: Set<Int>
    let links: Set<Int>
    let names: Set<String>
    private var element = 0
    private var link = 0

    init(elements: Set<Int>, links: Set<Int>, names: Set<String>) {
        self.elements = elements
        self.links = links
        self.names = names
    }

    mutating func rest(of chains: [PipelineDescription.Chain]) -> [PipelineDescription.Chain] {
        var rest: [PipelineDescription.Chain] = []
        for chain in chains { rest += pieces(of: chain) }
        return rest
    }

    private mutating func pieces(of chain: PipelineDescription.Chain) -> [PipelineDescription.Chain] {
        var pieces: [PipelineDescription.Chain] = []
        var piece = self.rest(of: chain.first).map { PipelineDescription.Chain($0) }
        for step in chain.steps {
            let isCut = links.contains(link)
            link += 1
            let node = rest(of: step.node)
            if let node, piece != nil, !isCut {
                piece?.steps.append(.init(step.link, node))
            } else {
                pieces += [piece].compactMap(\.self)
                piece = node.map { PipelineDescription.Chain($0) }
            }
        }
        pieces += [piece].compactMap(\.self)
        return pieces.filter { !$0.isUnlinkedReference }
    }

    private mutating func rest(of node: PipelineDescription.Node) -> PipelineDescription.Node? {
        switch node {
        case .reference(let reference): return names.contains(reference.name) ? nil : node
        case .element:
            defer { element += 1 }
            return elements.contains(element) ? nil : node
        case .bin(var bin):
            let isRemoved = elements.contains(element)
            element += 1
            bin.chains = rest(of: bin.chains)
            return isRemoved || bin.chains.isEmpty ? nil : .bin(bin)
        }
    }
}

extension PipelineDescription.Chain {
    fileprivate var isUnlinkedReference: Bool {
        if case .reference = first { steps.isEmpty } else { false }
    }
}
