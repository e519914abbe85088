internal import GStreamer
internal import PipelineText

/// GStreamer's registry, as pipeline texts are checked against it.
struct RegistryCatalogue: ElementCatalogue {
    var elementNames: [String] { ElementFactory.names }

    func element(named name: String) -> ElementEntry? {
        guard let factory = ElementFactory(named: name), let element = try? Element(factory: name) else { return nil }
        let properties = element.propertyList().map { property in
            PropertyEntry(name: property.name, isWritable: property.isWritable) { value in
                Self.problem(with: value, for: property, of: element)
            }
        }
        return ElementEntry(properties: properties, classification: factory.classification)
    }

    func problem(inCaps text: String) -> String? {
        do {
            _ = try Caps(text)
            return nil
        } catch {
            return error.message
        }
    }

    /// Asks the element itself; some values, such as a device's path, are taken by any text.
    private static func problem(
        with value: String, for property: ElementFactory.Property, of element: Element
    ) -> String? {
        if element.accepts(property.name, .string(value)) { return nil }
        let choice = property.nicks.isEmpty ? "" : "; it takes " + property.nicks.joined(separator: ", ")
        return "\"\(value)\" does not suit the property \"\(property.name)\"\(choice)"
    }
}
