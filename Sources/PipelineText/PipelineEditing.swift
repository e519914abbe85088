extension PipelineDescription {
    /// The elements and links, with names and bins resolved.
    public var graph: PipelineGraph { PipelineGraph(self) }

    /// Sets a property of the element of a name or, if no element has that name, of all elements of a factory.
    /// Returns how many elements it was set on.
    @discardableResult
    public mutating func set(_ property: String, of element: String, to value: String) throws(PipelineTextError) -> Int
    {
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
        guard count > 0 else { throw PipelineTextError(.unknownReference, noElement(named: element)) }
        return count
    }

    /// Sets what `element.property=value` says, as `gscap --set` takes it.
    @discardableResult
    public mutating func set(_ assignment: String) throws(PipelineTextError) -> Int {
        let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let dot = parts[0].lastIndex(of: "."), dot > parts[0].startIndex,
            dot < parts[0].index(before: parts[0].endIndex)
        else {
            throw PipelineTextError(
                .badValue, "\"\(assignment)\" is no setting; write element.property=value, such as src.iso=800")
        }
        let property = String(parts[0][parts[0].index(after: dot)...])
        return try set(property, of: String(parts[0][..<dot]), to: String(parts[1]))
    }

    /// Puts another element in the place of one, with all its links; the name stays unless the new one has its own.
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
            element.place = node.place
            node = .element(element)
        }
    }

    /// Takes elements away with their links and the references to them; what is left of a chain stays.
    public mutating func remove(_ indices: Set<Int>) {
        remove(elements: indices, links: [])
    }

    /// Takes a branch away: its first link and all that only this branch feeds.
    public mutating func remove(_ branch: PipelineGraph.Branch) {
        let graph = graph
        remove(elements: Set(graph.exclusiveElements(of: branch)), links: [branch.link.ordinal])
    }

    /// Gives each element and bin without a name one of its own, its factory and a number, as GStreamer does.
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

    /// Replaces the factory names of elements; properties and links stay unchanged.
    public mutating func renameFactories(_ names: [String: String]) {
        update { _, node in
            guard case .element(var element) = node, let name = names[element.factory] else { return }
            element.factory = name
            node = .element(element)
        }
    }

    /// Adds the chains of another description behind those of this one.
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

    /// Sets properties of the elements and bins of the names given.
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

    /// What to say when no element has this name.
    func noElement(named name: String) -> String {
        let names = graph.elements.flatMap { [$0.name, $0.factory].compactMap(\.self) }
        return "no element named \"\(name)\" in this pipeline" + nearest(name, in: names).suggestion
    }

    /// Visits elements and bins in the order of the text, a bin before what is in it.
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
        // The insides go first into the count that they had before the visit, which may replace the bin.
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
    /// Sets a property with the place where it was written.
    fileprivate mutating func set(_ property: PipelineDescription.Property) {
        set(property.name, to: property.value)
        guard let index = lastIndex(where: { $0.name == property.name }) else { return }
        self[index] = property
    }
}

/// Takes elements and links out of chains, numbered as in `PipelineGraph`.
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
        return pieces.filter { !$0.isLoneReference }
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
    fileprivate var isLoneReference: Bool {
        if case .reference = first { steps.isEmpty } else { false }
    }
}
