/// A pipeline text with comments removed, continued lines joined and variables expanded. Each scalar has its location
/// in the source text.
struct ExpandedText {
    /// The largest number of Unicode scalars in a pipeline text: above any real pipeline, and small enough to parse
    /// without delay.
    static let maximumLength = 100_000
    private static let maximumDepth = 8

    let source: SourceText
    private(set) var scalars: [Unicode.Scalar] = []
    /// The range of the source text from which each element of `scalars` comes.
    private var origins: [Range<Int32>] = []
    /// The comments in the source text, each with the index in `scalars` before which it stands.
    private(set) var comments: [(index: Int, text: String)] = []
    /// The names of the variables in the source text, also of those in default values that are not used.
    private(set) var variables: Set<String> = []

    init(_ source: SourceText, variable: (String) -> String?) throws(GscapError) {
        self.source = source
        guard source.scalars.count <= Self.maximumLength else { throw Self.tooLong }
        var quote: Int?
        try expand(0..<source.scalars.count, variable: variable, quote: &quote, depth: 0)
        if let quote {
            throw error(
                .unbalancedQuote, "this quote is not closed; add a closing \", or write \\\" for a literal quote",
                source: quote)
        }
    }

    /// Returns the location in the source of a range of expanded scalars.
    func location(of range: Range<Int>) -> TextLocation {
        guard let last = origins.last else { return source.location(of: 0..<1) }
        guard range.lowerBound < origins.count else {
            return source.location(of: Int(last.upperBound)..<Int(last.upperBound) + 1)
        }
        let end = origins[max(range.lowerBound, min(range.upperBound, origins.count) - 1)].upperBound
        let start = origins[range.lowerBound].lowerBound
        return source.location(of: Int(start)..<Int(max(start, end)))
    }

    private static let tooLong = GscapError(
        .tooLong, "the pipeline text has more than \(maximumLength) characters; is this the right file?")

    private func error(_ code: GscapError.Code, _ message: String, source range: Range<Int>) -> GscapError {
        GscapError(code, message, at: source.excerpt(source.location(of: range)))
    }

    private func error(_ code: GscapError.Code, _ message: String, source index: Int) -> GscapError {
        error(code, message, source: index..<index + 1)
    }

    private mutating func append(_ scalar: Unicode.Scalar, from range: Range<Int>) throws(GscapError) {
        guard scalars.count < Self.maximumLength else { throw Self.tooLong }
        guard scalar != "\0" else {
            throw error(.unexpectedCharacter, "a pipeline text cannot contain a null character", source: range)
        }
        scalars.append(scalar)
        origins.append(Int32(range.lowerBound)..<Int32(range.upperBound))
    }

    /// Appends a range of the source text, expanded. `quote` is the index at which the enclosing quote begins, nil
    /// outside quotes: comments do not begin inside quotes.
    private mutating func expand(
        _ range: Range<Int>, variable: (String) -> String?, quote: inout Int?, depth: Int
    ) throws(GscapError) {
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

    /// Returns the index after a line end that directly follows a backslash, so that the two lines are joined; nil if
    /// there is none.
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

    /// Appends the value of the variable that begins at index `start` of the source, and returns the index after the
    /// variable.
    private mutating func expandVariable(
        at start: Int, limit: Int, _ variable: (String) -> String?, _ quote: inout Int?, _ depth: Int
    ) throws(GscapError) -> Int {
        guard depth < Self.maximumDepth else {
            throw error(.tooDeep, "variables are nested more than \(Self.maximumDepth) levels deep", source: start)
        }
        let text = source.scalars
        let nameEnd = text[start + 2..<limit].firstIndex { !$0.isVariableName } ?? limit
        let name = String(String.UnicodeScalarView(text[start + 2..<nameEnd]))
        let end = try closingBrace(of: start, limit: limit)
        let hasDefault = nameEnd + 1 < end && text[nameEnd] == ":" && text[nameEnd + 1] == "-"
        guard !name.isEmpty, nameEnd == end || hasDefault else {
            throw error(
                .badVariable, "write a variable as ${NAME} or ${NAME:-default}, and a literal $ as \\$",
                source: start..<end + 1)
        }
        variables.insert(name)
        if let value = variable(name) {
            if hasDefault { noteVariables(in: nameEnd + 2..<end) }
            for scalar in value.unicodeScalars {
                // Inside quotes the variable is part of one value, so quotes and backslashes in it are escaped.
                if quote != nil, scalar == "\"" || scalar == "\\" { try append("\\", from: start..<end + 1) }
                try append(scalar, from: start..<end + 1)
            }
        } else if hasDefault {
            try expand(nameEnd + 2..<end, variable: variable, quote: &quote, depth: depth + 1)
        } else {
            throw error(
                .unsetVariable,
                "the variable \(name) has no value; pass --var \(name)=VALUE, set GSCAP_\(name) in the environment, "
                    + "or write a default: ${\(name):-VALUE}", source: start..<end + 1)
        }
        return end + 1
    }

    /// Notes the names of the variables in a default value that is not used, at all levels.
    private mutating func noteVariables(in range: Range<Int>) {
        let text = source.scalars
        var index = range.lowerBound
        while index + 1 < range.upperBound {
            if text[index] == "$", text[index + 1] == "{" {
                let name = text[index + 2..<range.upperBound].prefix { $0.isVariableName }
                if !name.isEmpty { variables.insert(String(String.UnicodeScalarView(name))) }
            }
            // A backslash escapes the next scalar.
            index += text[index] == "\\" ? 2 : 1
        }
    }

    /// Returns the index of the brace that closes the variable at `start`. Braces within a default must be balanced.
    private func closingBrace(of start: Int, limit: Int) throws(GscapError) -> Int {
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
        throw error(.badVariable, "this variable is not closed; add a }, or write \\$ for a literal $", source: start)
    }
}

extension Unicode.Scalar {
    /// Whether GStreamer's parser treats the scalar as white space.
    var isPipelineSpace: Bool { self == " " || ("\t"..."\r").contains(self) }

    var isAlphanumeric: Bool {
        ("a"..."z").contains(self) || ("A"..."Z").contains(self) || ("0"..."9").contains(self)
    }

    fileprivate var isVariableName: Bool { isAlphanumeric || self == "_" }

    /// Whether the scalar may begin the name of an element, a property or a pad.
    var startsIdentifier: Bool { isAlphanumeric || self == "_" }

    /// Whether the scalar may continue the name of an element, a property or a pad.
    var continuesIdentifier: Bool { startsIdentifier || self == "-" || self == "%" || self == ":" }
}
