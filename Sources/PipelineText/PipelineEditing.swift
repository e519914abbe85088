// Changes to a document: they keep links as they are unless they say otherwise.

extension PipelineDocument {
    /// Sets a property of the element of this name, or, where no element has it, of all elements of this factory.
    /// Tells whether there was any.
    @discardableResult
    public mutating func set(_ element: String, _ property: String, to value: String) -> Bool {
        let named = PipelineGraph(self).elements.contains { $0.name == element }
        var found = false
        let names = PipelineGraph(self).elements.map(\.name)
        var index = 0
        forEachElement { node in
            let isMeant = named ? names[index] == element : node.factory == element
            index += 1
            guard isMeant else { return }
            node.set(property, value)
            found = true
        }
        return found
    }

    /// Puts another element in the place of the one of this name, which it keeps.
    public mutating func replace(_ name: String, by factory: String, properties: [(String, String)] = []) {
        let names = PipelineGraph(self).elements.map(\.name)
        var index = 0
        forEachElement { node in
            let here = names[index]
            index += 1
            guard here == name else { return }
            node = ElementNode(factory: factory, properties: [], place: node.place)
            node.set("name", here)
            for (property, value) in properties { node.set(property, value) }
        }
    }

    /// Takes away the branch that ends in the element of this name, back to the tee it hangs on.
    public mutating func removeBranch(endingIn name: String) {
        chains.removeAll { chain in
            guard case .reference? = chain.items.first, case .element(let last)? = chain.items.last else {
                return false
            }
            return last.name == name
        }
    }

    /// Lets `change` work on each element in the order of the text.
    public mutating func forEachElement(_ change: (inout ElementNode) -> Void) {
        Self.change(&chains, change)
    }

    private static func change(_ chains: inout [Chain], _ change: (inout ElementNode) -> Void) {
        for chain in chains.indices {
            for item in chains[chain].items.indices {
                switch chains[chain].items[item] {
                case .element(var node):
                    change(&node)
                    chains[chain].items[item] = .element(node)
                case .bin(var bin):
                    Self.change(&bin.chains, change)
                    chains[chain].items[item] = .bin(bin)
                case .caps, .reference: break
                }
            }
        }
    }
}
