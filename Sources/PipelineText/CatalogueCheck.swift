extension PipelineDescription {
    /// Returns the errors in names, properties, values and pads, checked against the installed elements, in the order
    /// of the text.
    public func errors(against catalogue: any ElementCatalogue) -> [GscapError] {
        let graph = graph
        var errors = nameError.map { [$0] } ?? []
        var entries: [ElementEntry?] = []
        var known: [String: ElementEntry?] = [:]
        for element in graph.elements {
            let entry = known[element.factory] ?? catalogue.element(named: element.factory)
            known[element.factory] = .some(entry)
            entries.append(entry)
            guard let entry else {
                errors.append(missing(element.element, catalogue.elementNames))
                continue
            }
            errors += element.element.properties.compactMap { error(in: $0, of: entry) }
        }
        if let error = cycleError(in: graph) { errors.append(error) }
        for link in graph.links {
            errors += padErrors(link, graph.elements[link.source].element, entries[link.source], isSource: true)
            errors += padErrors(link, graph.elements[link.sink].element, entries[link.sink], isSource: false)
        }
        return errors
    }

    private func missing(_ element: Element, _ names: [String]) -> GscapError {
        let package = KnownElements.package(of: element.factory).map { "; install the package \($0)" }
        let advice = package ?? nearest(element.factory, in: names).suggestion
        return error(.unknownElement, "no element \"\(element.factory)\"\(advice)", at: element.location)
    }

    private func error(in property: Property, of entry: ElementEntry) -> GscapError? {
        // Every element has the property `name`. Properties of a child (child::property) are unknown until the child
        // exists.
        if property.name == "name" || property.name.contains("::") { return nil }
        let name = property.name.replacingUnderscores
        guard let known = entry.properties.first(where: { $0.name == name }) else {
            let advice = nearest(property.name, in: entry.properties.map(\.name)).suggestion
            let hint = advice.isEmpty ? "; gst-inspect-1.0 \(entry.name) lists its properties" : advice
            return error(
                .unknownProperty, "\(entry.name) has no property \"\(property.name)\"\(hint)", at: property.location)
        }
        guard known.isWritable else {
            return error(
                .readOnlyProperty, "the property \(name) of \(entry.name) is read-only and cannot be set",
                at: property.location)
        }
        guard let objection = known.kind.objection(to: property.value) else { return nil }
        let hint = property.value.contains("!") ? "; a ! needs a space before it" : ""
        return error(
            .badValue,
            "\"\(property.value)\" is not valid for the property \(name) of \(entry.name): \(objection)\(hint)",
            at: property.valueLocation ?? property.location)
    }

    /// Returns the errors at one end of a link: wrong direction or unknown pads.
    private func padErrors(
        _ link: PipelineGraph.Link, _ element: Element, _ entry: ElementEntry?, isSource: Bool
    ) -> [GscapError] {
        // The registry lists no pads for a bin, whose ghost pads depend on its content.
        guard let entry, !entry.pads.isEmpty else { return [] }
        if isSource ? entry.isSink : entry.isSource {
            let problem = isSource ? "is a sink: nothing can follow it" : "is a source: nothing can be linked into it"
            let location = isSource ? link.link.location : element.location
            return [error(.wrongDirection, "\(entry.name) \(problem)", at: location ?? element.location)]
        }
        let pads = entry.pads.filter { $0.isSource == isSource }
        return (isSource ? link.link.sourcePads : link.link.sinkPads).compactMap { name in
            guard !pads.contains(where: { $0.accepts(name) }) else { return nil }
            let list = pads.map(\.template).joined(separator: ", ")
            return error(
                .unknownPad, "\(entry.name) has no \(isSource ? "source" : "sink") pad \"\(name)\"; it has \(list)",
                at: link.link.location ?? element.location)
        }
    }
}

extension String {
    /// The canonical property name: GObject treats `_` and `-` as the same.
    fileprivate var replacingUnderscores: String { String(map { $0 == "_" ? "-" : $0 }) }
}
