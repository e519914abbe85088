internal import GStreamer
package import PipelineText

extension PipelineDescription {
    /// The value of the first element's property `is-live`; true for an element without one.
    package var isLive: Bool {
        guard let first = graph.elements.first,
            let element = try? GStreamer.Element(factory: RegisteredNames.name(of: first.factory))
        else { return true }
        if let value = first["is-live"] { try? element.set("is-live", .string(value)) }
        return (try? element.get("is-live", as: Bool.self)) ?? true
    }
}
