internal import JSON

/// A fact about this machine, with advice if something is missing.
package struct Finding: Sendable, Hashable {
    /// What the fact means for photos.
    package enum State: String, Sendable {
        /// It is there.
        case ok
        /// It is missing, and only what `text` names needs it.
        case missing
        /// It is missing, and no photo can be taken without it.
        case needed
    }

    /// What a fact is about; findings of one topic stand together.
    package enum Topic: String, Sendable {
        case machine, elements, formats, cameras, display, photo
    }

    /// What the fact is about.
    package var topic: Topic
    /// The element, format, camera or file.
    package var subject: String
    /// What the fact means for photos.
    package var state: State
    /// The fact in words.
    package var text: String
    /// What to do about it; nil if nothing.
    package var advice: String?

    /// Creates a finding.
    package init(_ topic: Topic, _ subject: String, _ text: String, _ state: State = .ok, advice: String? = nil) {
        self.topic = topic
        self.subject = subject
        self.state = state
        self.text = text
        self.advice = advice
    }
}

extension Console {
    /// Writes a finding as an event; without `--json` writes nothing.
    func event(_ finding: Finding) {
        event(
            "finding",
            [
                ("topic", .text(finding.topic.rawValue)), ("subject", .text(finding.subject)),
                ("state", .text(finding.state.rawValue)), ("text", .text(finding.text)),
                ("advice", finding.advice.map(JSON.text) ?? .null),
            ])
    }
}
