internal import GStreamer
package import PipelineText

/// The elements in GStreamer's registry, for checking pipeline texts.
package struct RegistryCatalogue: ElementCatalogue {
    package init() {}

    package var elementNames: [String] { ElementFactory.names }

    package func element(named name: String) -> ElementEntry? {
        let registered = RegisteredNames.name(of: name)
        guard let factory = ElementFactory(named: registered), let element = try? Element(factory: registered) else {
            return nil
        }
        let properties = element.propertyList().map { property in
            PropertyEntry(
                name: property.name, kind: .validated { Self.problem(with: $0, for: property, of: element) },
                isWritable: property.isWritable)
        }
        let pads = factory.padTemplates.map { PadEntry(template: $0.name, isSource: $0.isSource) }
        return ElementEntry(name: name, properties: properties, pads: pads)
    }

    /// Returns why the element rejects a property value; nil if the value is valid. A string property accepts any text.
    private static func problem(
        with value: String, for property: ElementFactory.Property, of element: Element
    ) -> String? {
        if element.accepts(property.name, .string(value)) { return nil }
        if !property.nicks.isEmpty { return "it takes " + property.nicks.joined(separator: ", ") }
        if !property.limits.isEmpty { return "it is a number \(property.limits)" }
        return property.typeName == "gboolean" ? "it is true or false" : "it is a \(property.typeName)"
    }
}
