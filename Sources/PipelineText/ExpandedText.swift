/// A pipeline text without comments, joined lines and variables, in which each scalar knows where it was written.
struct ExpandedText {
    /// More than any pipeline needs, and small enough to be read at once.
    static let longest = 100_000
    private static let deepest = 8

    let source: SourceText
    private(set) var scalars: [Unicode.Scalar] = []
    /// The range of the source that each scalar comes from.
    private var origins: [Range<Int32>] = []
    /// Comments, each with the index in `scalars` at which it stood.
    private(set) var comments: [(index: Int, text: String)] = []

    init(_ source: SourceText, variable: (String) -> String?) throws(PipelineTextError) {
        self.source = source
        guard source.scalars.count <= Self.longest else { throw Self.tooLong }
        var quote: Int?
        try expand(0..<source.scalars.count, variable: variable, quote: &quote, depth: 0)
        if let quote {
            throw error(.unbalancedQuote, "this quote is not closed; add a \" or write \\\"", source: quote)
        }
    }

    /// The place in the file of some scalars of the expanded text.
    func place(of range: Range<Int>) -> SourcePlace {
        guard let last = origins.last else { return source.place(of: 0..<1) }
        guard range.lowerBound < origins.count else {
            return source.place(of: Int(last.upperBound)..<Int(last.upperBound) + 1)
        }
        let end = origins[max(range.lowerBound, min(range.upperBound, origins.count) - 1)].upperBound
        let start = origins[range.lowerBound].lowerBound
        return source.place(of: Int(start)..<Int(max(start, end)))
    }

    private static let tooLong = PipelineTextError(
        .tooLong, "the pipeline text has more than \(longest) characters; is this the right file?")

    private func error(_ code: PipelineTextError.Code, _ message: String, source range: Range<Int>) -> PipelineTextError
    {
        PipelineTextError(code, message, at: source.excerpt(source.place(of: range)))
    }

    private func error(_ code: PipelineTextError.Code, _ message: String, source index: Int) -> PipelineTextError {
        error(code, message, source: index..<index + 1)
    }

    private mutating func append(_ scalar: Unicode.Scalar, from range: Range<Int>) throws(PipelineTextError) {
        guard scalars.count < Self.longest else { throw Self.tooLong }
        guard scalar != "\0" else {
            throw error(.unexpectedCharacter, "a pipeline text cannot have a null character", source: range)
        }
        scalars.append(scalar)
        origins.append(Int32(range.lowerBound)..<Int32(range.upperBound))
    }

    /// Expands a range of the source. `quote` is where the quote around it began, if there is one: no comment starts
    /// inside quotes.
    private mutating func expand(
        _ range: Range<Int>, variable: (String) -> String?, quote: inout Int?, depth: Int
    ) throws(PipelineTextError) {
        let text = source.scalars
        var index = range.lowerBound
        var atWordStart = true
        while index < range.upperBound {
            let scalar = text[index]
            let next = index + 1 < range.upperBound ? text[index + 1] : nil
            switch scalar {
            case "\\":
                let end = lineEnd(after: index, before: range.upperBound)
                if end == nil {
                    try append(scalar, from: index..<index + 1)
                    if let next { try append(next, from: index + 1..<index + 2) }
                    atWordStart = false
                }
                index = end ?? min(index + 2, range.upperBound)
                continue
            case "#" where atWordStart && quote == nil:
                let end = text[index..<range.upperBound].firstIndex { $0 == "\n" } ?? range.upperBound
                comments.append((scalars.count, Self.trimmed(text[index + 1..<end])))
                index = end
                continue
            case "$" where next == "{":
                index = try expandVariable(at: index, limit: range.upperBound, variable, &quote, depth)
                atWordStart = scalars.last?.isPipelineSpace ?? true
                continue
            case "\"": quote = quote == nil ? index : nil
            default: break
            }
            try append(scalar, from: index..<index + 1)
            atWordStart = scalar.isPipelineSpace
            index += 1
        }
    }

    /// The index behind the line end that follows a backslash at once, so that the two lines are joined.
    private func lineEnd(after backslash: Int, before limit: Int) -> Int? {
        var index = backslash + 1
        if index < limit, source.scalars[index] == "\r" { index += 1 }
        return index < limit && source.scalars[index] == "\n" ? index + 1 : nil
    }

    private static func trimmed(_ line: ArraySlice<Unicode.Scalar>) -> String {
        var line = line
        if line.first == " " { line.removeFirst() }
        while line.last?.isPipelineSpace == true { line.removeLast() }
        return String(String.UnicodeScalarView(line))
    }

    /// Expands the variable at `start` and returns the index behind it.
    private mutating func expandVariable(
        at start: Int, limit: Int, _ variable: (String) -> String?, _ quote: inout Int?, _ depth: Int
    ) throws(PipelineTextError) -> Int {
        guard depth < Self.deepest else {
            throw error(.tooDeep, "variables are nested more than \(Self.deepest) deep", source: start)
        }
        let text = source.scalars
        let nameEnd = text[start + 2..<limit].firstIndex { !$0.isVariableName } ?? limit
        let name = String(String.UnicodeScalarView(text[start + 2..<nameEnd]))
        let end = try closingBrace(of: start, limit: limit)
        let hasDefault = nameEnd + 1 < end && text[nameEnd] == ":" && text[nameEnd + 1] == "-"
        guard !name.isEmpty, nameEnd == end || hasDefault else {
            throw error(
                .badVariable, "a variable is written ${NAME} or ${NAME:-default}; for a plain $ write \\$",
                source: start..<end + 1)
        }
        if let value = variable(name) {
            for scalar in value.unicodeScalars {
                // Inside quotes a variable is one value, whatever is in it.
                if quote != nil, scalar == "\"" || scalar == "\\" { try append("\\", from: start..<end + 1) }
                try append(scalar, from: start..<end + 1)
            }
        } else if hasDefault {
            try expand(nameEnd + 2..<end, variable: variable, quote: &quote, depth: depth + 1)
        } else {
            throw error(
                .unsetVariable,
                "the variable \(name) has no value; give --var \(name)=VALUE, set \(name) in the environment, "
                    + "or write a default: ${\(name):-VALUE}", source: start..<end + 1)
        }
        return end + 1
    }

    /// The brace that closes the variable at `start`; braces inside a default are in pairs.
    private func closingBrace(of start: Int, limit: Int) throws(PipelineTextError) -> Int {
        var open = 0
        var index = start + 1
        while index < limit {
            switch source.scalars[index] {
            case "\\": index += 1
            case "{": open += 1
            case "}":
                open -= 1
                if open == 0 { return index }
            default: break
            }
            index += 1
        }
        throw error(.badVariable, "this variable is not closed; add a }, or write \\$ for a plain $", source: start)
    }
}

extension Unicode.Scalar {
    /// White space as GStreamer's reader knows it.
    var isPipelineSpace: Bool { self == " " || ("\t"..."\r").contains(self) }

    var isAlphanumeric: Bool {
        ("a"..."z").contains(self) || ("A"..."Z").contains(self) || ("0"..."9").contains(self)
    }

    fileprivate var isVariableName: Bool { isAlphanumeric || self == "_" }

    /// May begin the name of an element, a property or a pad.
    var startsIdentifier: Bool { isAlphanumeric || self == "_" }

    /// May stand inside such a name.
    var continuesIdentifier: Bool { startsIdentifier || self == "-" || self == "%" || self == ":" }
}
