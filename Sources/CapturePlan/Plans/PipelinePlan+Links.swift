internal import GStreamer
internal import GscapElements
internal import PipelineText

extension PipelinePlan {
    /// A link of the pipeline's text.
    struct Link: Sendable {
        /// The names of the elements at the ends, as GStreamer's errors name them.
        var ends: [String]
        var factories: [String]
        var pads: [[String]]
        /// The caps between the elements, as written.
        var caps: String?
        var excerpt: SourceExcerpt?

        /// Returns the links of a description whose elements have names.
        static func all(in description: PipelineDescription) -> [Link] {
            let graph = description.graph
            return graph.links.map { link in
                let ends = [graph.elements[link.source], graph.elements[link.sink]]
                return Link(
                    ends: ends.map { $0.name ?? "" }, factories: ends.map(\.factory),
                    pads: [link.link.sourcePads, link.link.sinkPads], caps: link.link.caps?.description,
                    excerpt: description.excerpt(at: link.link.location))
            }
        }
    }

    /// Adds to GStreamer's error about a link where the text has the link, and which caps both sides support.
    package func explained(_ error: GscapError) -> CaptureError {
        // The first two words that are names of linked elements; the message may be in any language.
        let words = error.message.split { !($0.isLetter || $0.isNumber || "-_".contains($0)) }.map(String.init)
        guard let link = links.first(where: { link in link.ends.allSatisfy(words.contains) }) else {
            return CaptureError(.badPipeline, error.message, place: file, cause: error)
        }
        let (source, sink) = (link.factories[0], link.factories[1])
        var message = "\(source) cannot be linked to \(sink):"
        message += "\n  \(source) gives \(Self.caps(source, link.pads[0], isSource: true))"
        message += "\n  \(sink) takes \(Self.caps(sink, link.pads[1], isSource: false))"
        if let caps = link.caps { message += "\n  the text asks for \(Self.shortened(caps))" }
        let explained = GscapError(.badLink, message, at: link.excerpt)
        let place = link.excerpt == nil ? file : ""
        return CaptureError(.badPipeline, explained.description, place: place, cause: error)
    }

    /// Returns the caps of an element's pads on one side, as its factory describes them.
    private static func caps(_ factory: String, _ pads: [String], isSource: Bool) -> String {
        let templates = ElementFactory(named: RegisteredNames.name(of: factory))?.padTemplates ?? []
        let sides = templates.filter { $0.isSource == isSource }
        let named = sides.filter { template in pads.contains { $0 == template.name } }
        var texts: [String] = []
        for template in named.isEmpty ? sides : named where !texts.contains(template.caps) {
            texts.append(template.caps)
        }
        return texts.isEmpty ? "nothing" : shortened(texts.joined(separator: "; "))
    }

    /// Returns caps on one line of at most 200 characters, with the first values of each list.
    private static func shortened(_ caps: String) -> String {
        let words = caps.split(whereSeparator: \.isWhitespace)
        var shown: [Substring] = []
        var inList = 0
        for word in words {
            inList = word.hasSuffix("{") ? 1 : word.hasPrefix("}") || inList == 0 ? 0 : inList + 1
            // The list has its bracket, three values and an ellipsis.
            if inList > 5 { continue }
            shown.append(inList == 5 ? "…" : word)
        }
        let line = shown.joined(separator: " ")
        return line.count <= 200 ? line : line.prefix(199) + "…"
    }
}
