extension PipelineDescription {
    /// The first duplicate name within a bin or, if there is none, the first reference to an unknown name; nil if all
    /// names are valid.
    var nameError: GscapError? {
        let graph = graph
        var owners: [Int?: Set<String>] = [:]
        for element in graph.elements {
            guard let name = element.name, !owners[element.parent, default: []].insert(name).inserted else { continue }
            let location = element.element.properties.last { $0.name == "name" }?.location ?? element.element.location
            return error(.duplicateName, "two elements are named \"\(name)\"; rename one of them", at: location)
        }
        let known = Set(graph.elements.compactMap(\.name))
        for reference in Self.references(in: chains) where !known.contains(reference.name) {
            let advice = nearest(reference.name, in: known.sorted()).suggestion
            let message =
                "no element is named \"\(reference.name)\""
                + (advice.isEmpty ? "; add name=\(reference.name) to one" : advice)
            return error(.unknownReference, message, at: reference.location)
        }
        return nil
    }

    /// Creates an error that quotes the line of its location, if the description was read from text.
    func error(_ code: GscapError.Code, _ message: String, at location: TextLocation?) -> GscapError {
        GscapError(code, message, at: excerpt(at: location))
    }

    /// Returns the line of a location, to quote it in an error; nil if the description was not parsed.
    public func excerpt(at location: TextLocation?) -> SourceExcerpt? {
        location.flatMap { location in source.map { $0.excerpt(location) } }
    }

    private static func references(in chains: [Chain]) -> [Reference] {
        chains.flatMap(\.nodes).flatMap { node -> [Reference] in
            switch node {
            case .element: []
            case .bin(let bin): references(in: bin.chains)
            case .reference(let reference): [reference]
            }
        }
    }
}
