extension PipelineDescription {
    /// The first name given twice within a bin, or else the first reference to a name that no element has.
    var nameError: PipelineTextError? {
        let graph = graph
        var owners: [Int?: Set<String>] = [:]
        for element in graph.elements {
            guard let name = element.name, !owners[element.parent, default: []].insert(name).inserted else { continue }
            let place = element.element.properties.last { $0.name == "name" }?.place ?? element.element.place
            return error(.duplicateName, "two elements are named \"\(name)\"; give one another name", at: place)
        }
        let known = Set(graph.elements.compactMap(\.name))
        for reference in Self.references(in: chains) where !known.contains(reference.name) {
            let advice = nearest(reference.name, in: known.sorted()).suggestion
            let message =
                "no element is named \"\(reference.name)\""
                + (advice.isEmpty ? "; add name=\(reference.name) to one" : advice)
            return error(.unknownReference, message, at: reference.place)
        }
        return nil
    }

    /// An error with the line of a place quoted, if the description was read from a text.
    func error(_ code: PipelineTextError.Code, _ message: String, at place: SourcePlace?) -> PipelineTextError {
        PipelineTextError(code, message, at: excerpt(at: place))
    }

    func excerpt(at place: SourcePlace?) -> SourceExcerpt? {
        place.flatMap { place in source.map { $0.excerpt(place) } }
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
