// The document as text again; both spellings read back as the same document, but for places.

extension PipelineDocument {
    /// One line for gst_parse_launch.
    public var launchText: String {
        chains.map { Self.text(of: $0, separator: " ") }.joined(separator: " ")
    }

    /// A line for each element, a blank line between chains: for people.
    public var prettyText: String {
        chains.map { Self.text(of: $0, separator: "\n  ") }.joined(separator: "\n\n") + "\n"
    }

    /// The words of the one-line text, each quoted for a shell where it needs that.
    public var shellText: String {
        chains.flatMap { chain in Self.words(of: chain) }.map(Self.shellQuoted).joined(separator: " ")
    }

    private static func text(of chain: Chain, separator: String) -> String {
        var text = ""
        for (index, item) in chain.items.enumerated() {
            if index > 0 { text += separator + link(chain, index) + " " }
            text += words(of: item).joined(separator: " ")
        }
        return text
    }

    private static func link(_ chain: Chain, _ index: Int) -> String {
        index - 1 < chain.delayed.count && chain.delayed[index - 1] ? ":" : "!"
    }

    private static func words(of chain: Chain) -> [String] {
        chain.items.enumerated().flatMap { index, item in
            (index > 0 ? [link(chain, index)] : []) + words(of: item)
        }
    }

    private static func words(of item: Item) -> [String] {
        switch item {
        case .element(let node): [node.factory] + node.properties.map(assignment)
        case .caps(let text, _): [text.filter { !$0.isNewline }]
        case .reference(let name, let pads, _): ["\(name).\(pads)"]
        case .bin(let bin):
            ["\(bin.factory).("] + bin.properties.map(assignment) + bin.chains.flatMap(words) + [")"]
        }
    }

    private static func assignment(_ property: Property) -> String {
        "\(property.name)=\(quoted(property.value))"
    }

    /// Plain where it can be, else in double quotes with the grammar's escapes.
    private static func quoted(_ value: String) -> String {
        let plain = value.allSatisfy { $0.isLetter || $0.isNumber || "_-+./:,%=@".contains($0) }
        if plain && !value.isEmpty { return value }
        var text = "\""
        for character in value {
            if character == "\"" || character == "\\" { text.append("\\") }
            text.append(character)
        }
        return text + "\""
    }

    private static func shellQuoted(_ word: String) -> String {
        let plain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-+./:,%=@".contains($0)) }
        return plain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
