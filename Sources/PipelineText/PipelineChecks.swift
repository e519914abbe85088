extension PipelineDocument {
    /// Throws at the first element, property, value or caps that the catalogue does not know.
    public func check(with catalogue: some ElementCatalogue) throws(PipelineTextError) {
        do {
            try Self.check(chains, catalogue)
        } catch {
            throw Self.located(error, file: file, lines: lines)
        }
    }

    private static func check(_ chains: [Chain], _ catalogue: some ElementCatalogue) throws(Mistake) {
        for item in chains.flatMap(\.items) {
            switch item {
            case .element(let node): try check(node, catalogue)
            case .caps(let text, let place):
                if let problem = catalogue.problem(inCaps: text) { throw Mistake(.badCaps, problem, at: place) }
            case .bin(let bin): try check(bin.chains, catalogue)
            case .reference: break
            }
        }
    }

    private static func check(_ node: ElementNode, _ catalogue: some ElementCatalogue) throws(Mistake) {
        guard let entry = catalogue.element(named: node.factory) else {
            throw Mistake(.unknownElement, unknown(node.factory, catalogue), at: node.place)
        }
        for property in node.properties where !property.name.contains("::") {
            guard let known = entry.properties.first(where: { $0.name == property.name }) else {
                let near = Spelling.nearest(to: property.name, among: entry.properties.map(\.name))
                let hint = near.map { "; did you mean \($0)?" } ?? "; see gst-inspect-1.0 \(node.factory)"
                throw Mistake(
                    .unknownProperty, "\(node.factory) has no property \"\(property.name)\"\(hint)", at: property.place)
            }
            guard known.isWritable else {
                throw Mistake(.badValue, "the property \"\(property.name)\" can only be read", at: property.place)
            }
            if let problem = known.problem(property.value) {
                throw Mistake(.badValue, problem, at: property.valuePlace)
            }
        }
    }

    private static func unknown(_ factory: String, _ catalogue: some ElementCatalogue) -> String {
        if let package = DebianPackages.package(of: factory) {
            return "no element \"\(factory)\": it comes with the Debian package \(package)"
        }
        let near = Spelling.nearest(to: factory, among: catalogue.elementNames)
        return "no element \"\(factory)\"" + (near.map { "; did you mean \($0)?" } ?? "; see gst-inspect-1.0 for all")
    }

    /// Throws when two elements have one name, or a reference goes nowhere.
    func checkNames() throws(Mistake) {
        var seen: Set<String> = []
        for element in PipelineGraph(self).elements {
            guard seen.insert(element.name).inserted || element.node.name == nil else {
                throw Mistake(.duplicateName, "a second element named \"\(element.name)\"", at: element.node.place)
            }
        }
        try Self.checkReferences(chains, names: seen.union(Self.binNames(chains)))
    }

    private static func binNames(_ chains: [Chain]) -> Set<String> {
        var names: Set<String> = []
        for case .bin(let bin) in chains.flatMap(\.items) {
            if let name = bin.properties.last(where: { $0.name == "name" })?.value { names.insert(name) }
            names.formUnion(binNames(bin.chains))
        }
        return names
    }

    private static func checkReferences(_ chains: [Chain], names: Set<String>) throws(Mistake) {
        for item in chains.flatMap(\.items) {
            switch item {
            case .reference(let name, _, let place) where !names.contains(name):
                let near = Spelling.nearest(to: name, among: Array(names))
                let hint = near.map { "; did you mean \($0).?" } ?? ""
                throw Mistake(.unknownName, "no element is named \"\(name)\"\(hint)", at: place)
            case .bin(let bin): try checkReferences(bin.chains, names: names)
            default: break
            }
        }
    }

    /// An error about the element of a name, at its place in the file.
    public func error(at name: String, _ code: PipelineTextError.Code, _ message: String) -> PipelineTextError {
        let element = PipelineGraph(self).elements.first { $0.name == name }
        return Self.located(
            Mistake(code, message, at: element?.node.place ?? TextPlace(line: 1, column: 1)), file: file, lines: lines)
    }
}

/// Finds what somebody meant to write.
enum Spelling {
    /// The word with the fewest letters to change, if those are few.
    static func nearest(to word: String, among words: [String]) -> String? {
        let letters = Array(word.lowercased())
        guard letters.count <= 64 else { return nil }
        let limit = max(1, letters.count / 3)
        var best: (word: String, distance: Int)?
        for candidate in words.sorted() where abs(candidate.count - letters.count) <= limit {
            let distance = distance(letters, Array(candidate.lowercased()))
            if distance <= limit && distance < best?.distance ?? Int.max { best = (candidate, distance) }
        }
        return best?.word ?? words.sorted().first { $0.hasPrefix(word) && word.count >= 3 }
    }

    /// Letters to insert, delete or replace.
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var row = Array(0...b.count)
        for (i, left) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, right) in b.enumerated() {
                let above = row[j + 1]
                row[j + 1] = left == right ? diagonal : min(diagonal, above, row[j]) + 1
                diagonal = above
            }
        }
        return row[b.count]
    }
}
