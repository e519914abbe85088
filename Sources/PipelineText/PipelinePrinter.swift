extension PipelineDescription {
    /// The description as one line for gst_parse_launch. Line breaks occur only within a value that contains one and
    /// after a value that ends in a backslash, because GStreamer reads a backslash and a space as an escaped space.
    public var launchText: String {
        words(of: chains).reduce(into: "") { text, word in
            if !text.isEmpty { text += text.hasSuffix("\\") ? "\n" : " " }
            text += word
        }
    }

    /// The description as arguments of `gst-launch-1.0`, quoted for a shell.
    public var shellText: String {
        words(of: chains).map(Self.shellQuoted).joined(separator: " ")
    }

    /// The description as a pipeline file: one element per line, an empty line between chains, and the comments.
    public var fileText: String {
        var blocks = chains.map { lines(of: $0, indent: "").joined(separator: "\n") }
        if !closingComments.isEmpty { blocks.append(closingComments.map(comment).joined(separator: "\n")) }
        return blocks.joined(separator: "\n\n") + "\n"
    }

    private func words(of chains: [Chain]) -> [String] {
        chains.flatMap { words(of: $0) }
    }

    private func words(of chain: Chain) -> [String] {
        var words: [String] = []
        for (index, node) in chain.nodes.enumerated() {
            let (before, after) = pads(around: node, index, in: chain)
            if index > 0 { words += self.words(of: chain.steps[index - 1].link) }
            words += before
            switch node {
            case .element(let element): words += [element.factory] + texts(of: element.properties)
            case .bin(let bin):
                words += ["\(bin.factory).("] + texts(of: bin.properties) + self.words(of: bin.chains) + [")"]
            case .reference: break
            }
            words += after
        }
        return words
    }

    /// Returns the lines of a chain in a pipeline file, indented by `indent`.
    private func lines(of chain: Chain, indent: String) -> [String] {
        var lines: [String] = []
        for (index, node) in chain.nodes.enumerated() {
            let (before, after) = pads(around: node, index, in: chain)
            let margin = indent + (index == 0 ? "" : "  ")
            lines += node.comments.map { margin + comment($0) }
            var line = margin
            if index > 0 {
                let link = chain.steps[index - 1].link
                let sign = link.linksAllPads ? ":" : "!"
                if let caps = link.caps { lines.append("\(margin)\(sign) \(caps)") }
                line += sign + " "
            }
            line += before.map { $0 + " " }.joined()
            switch node {
            case .element(let element):
                lines += wrapped(line, [element.factory] + texts(of: element.properties) + after, indent: margin)
            case .bin(let bin):
                lines += wrapped(line, ["\(bin.factory).("] + texts(of: bin.properties), indent: margin)
                lines += bin.chains.flatMap { self.lines(of: $0, indent: margin + "    ") }
                lines += wrapped(margin, [")"] + after, indent: margin)
            case .reference: lines += wrapped(line, after, indent: margin)
            }
        }
        return lines
    }

    /// Returns `start` and the words after it, wrapped to lines of at most 100 bytes where possible; further lines are
    /// indented by `indent` and four spaces.
    private func wrapped(_ start: String, _ words: [String], indent: String) -> [String] {
        var lines = [start + (words.first ?? "")]
        for word in words.dropFirst() {
            let line = lines[lines.count - 1]
            if line.utf8.count + word.utf8.count < 100, !line.hasSuffix("\\") {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(indent + "    " + word)
            }
        }
        return lines
    }

    /// Returns the words before and after a node that name its pads, such as `.src_0`; for a reference, the whole
    /// reference.
    private func pads(around node: Node, _ index: Int, in chain: Chain) -> (before: [String], after: [String]) {
        let sinkPads = index > 0 ? chain.steps[index - 1].link.sinkPads : []
        let sourcePads = index < chain.steps.count ? chain.steps[index].link.sourcePads : []
        if case .reference(let reference) = node {
            return ([], [reference.name + "." + (index > 0 ? sinkPads : sourcePads).joined(separator: ",")])
        }
        return (dotted(sinkPads), dotted(sourcePads))
    }

    private func dotted(_ pads: [String]) -> [String] {
        pads.isEmpty ? [] : ["." + pads.joined(separator: ",")]
    }

    private func words(of link: Link) -> [String] {
        let sign = link.linksAllPads ? ":" : "!"
        return link.caps.map { [sign, $0.description, sign] } ?? [sign]
    }

    private func texts(of properties: [Property]) -> [String] {
        properties.map { "\($0.name)=" + Self.quoted($0.value) }
    }

    private func comment(_ line: String) -> String { line.isEmpty ? "#" : "# " + line }

    private static func shellQuoted(_ word: String) -> String {
        let isPlain = word.unicodeScalars.allSatisfy { $0.isAlphanumeric || "_-+./:,%=@".unicodeScalars.contains($0) }
        return isPlain
            ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// Returns a value as pipeline text, quoted if necessary.
    static func quoted(_ value: String) -> String {
        let scalars = Array(value.unicodeScalars)
        guard let first = scalars.first, let last = scalars.last else { return "\"\"" }
        let hasVariable = zip(scalars, scalars.dropFirst()).contains { $0 == "$" && $1 == "{" }
        guard hasVariable || first == "'" || scalars.contains(where: { $0.isPipelineSpace || $0 == "\"" || $0 == "\\" })
        else { return value }
        // GStreamer reads \" as an escaped quote even if the backslash is itself escaped, so a value that ends in a
        // backslash is escaped without quotes. A value that also contains a line break must be quoted, and GStreamer
        // cannot parse it in any notation.
        let inQuotes = last != "\\" || scalars.contains("\n")
        var result = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            let startsVariable = scalar == "$" && index + 1 < scalars.count && scalars[index + 1] == "{"
            let isSpecial = scalar == "\"" || scalar == "\\" || startsVariable
            if isSpecial || (!inQuotes && (scalar.isPipelineSpace || scalar == "'")) { result.append("\\") }
            result.append(scalar)
        }
        return inQuotes ? "\"\(String(result))\"" : String(result)
    }
}
