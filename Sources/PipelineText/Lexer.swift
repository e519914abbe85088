/// A lexer that splits pipeline text into tokens, one at a time.
struct Lexer {
    enum Token: Equatable {
        /// The name of an element's factory.
        case word(String)
        /// A reference to a named element or to its pad: `name.` or `name.pad`.
        case reference(String, pad: String?)
        /// A pad of the element beside it: `.pad`.
        case pad(String)
        /// The start of a bin: `(` or `factory.(`.
        case open(factory: String)
        case close
        case comma
        /// A link: `!` for one pair of pads, or `:` for all pads.
        case link(all: Bool)
        /// A media type, at which caps begin.
        case mediaType
        /// An assignment `name=`, whose value is read by `value()`.
        case assignment(String)
        /// An assignment `element.property=` to a named element.
        case remoteAssignment(element: String, property: String)
        case end
    }

    let text: ExpandedText
    private var scalars: [Unicode.Scalar] { text.scalars }
    /// The index in the expanded text after the current token, where the search for the next one begins.
    private(set) var index = 0
    /// The current token of the pipeline text.
    private(set) var token = Token.end
    /// The range of the current token in the expanded text.
    private(set) var range = 0..<0

    init(_ text: ExpandedText) throws(GscapError) {
        self.text = text
        try advance()
    }

    func error(
        _ code: GscapError.Code, _ message: String, at range: Range<Int>
    ) -> GscapError {
        GscapError(code, message, at: text.source.excerpt(text.location(of: range)))
    }

    /// Advances to the next token.
    mutating func advance() throws(GscapError) {
        index = afterSpace(index)
        let start = index
        token = try next()
        range = start..<max(index, min(start + 1, scalars.count))
    }

    /// Parses the caps that begin at the current token, a media type, and advances past them.
    mutating func caps() throws(GscapError) -> PipelineDescription.Caps {
        var reader = CapsReader(text, from: range.lowerBound)
        let caps = try reader.read(inLink: true)
        index = reader.index
        try advance()
        return caps
    }

    /// Reads the value of the current token, an assignment, and advances past it. Returns the value without quotes and
    /// escapes, and its range in the expanded text.
    mutating func value() throws(GscapError) -> (text: String, range: Range<Int>) {
        let start = afterSpace(index)
        guard start < scalars.count else {
            throw error(.missingValue, "there is no value after this =; write \"\" for an empty value", at: range)
        }
        let raw = try scalars[start] == "\"" ? quotedValue(from: start) : bareValue(from: start)
        let value = (Self.unescaped(raw), start..<index)
        try advance()
        return value
    }

    private func peek(_ index: Int) -> Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private func afterSpace(_ index: Int) -> Int {
        scalars[index...].firstIndex { !$0.isPipelineSpace } ?? scalars.count
    }

    private func string(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

    private mutating func next() throws(GscapError) -> Token {
        guard let scalar = peek(index) else { return .end }
        if CapsReader.mediaTypeStarts(at: index, in: scalars) { return .mediaType }
        if scalar.startsIdentifier { return try word() }
        index += 1
        switch scalar {
        case "!": return .link(all: false)
        case ":": return .link(all: true)
        case "(": return .open(factory: "bin")
        case ")": return .close
        case ",": return .comma
        case "." where peek(index)?.startsIdentifier == true: return .pad(identifier())
        default: throw unexpected(scalar)
        }
    }

    private mutating func identifier() -> String {
        let start = index
        while peek(index)?.continuesIdentifier == true { index += 1 }
        return string(start..<index)
    }

    /// Reads a word and classifies it by the character that follows.
    private mutating func word() throws(GscapError) -> Token {
        let start = index
        let name = identifier()
        let sign = afterSpace(index)
        if peek(sign) == "=" {
            index = sign + 1
            return .assignment(name)
        }
        if peek(sign) == ".", peek(afterSpace(sign + 1)) == "(" {
            index = afterSpace(sign + 1) + 1
            return .open(factory: name)
        }
        if peek(index) == "/" {
            throw error(
                .unsupported, "a URI is not an element; write filesrc location=… or urisourcebin uri=…",
                at: start..<index + 1)
        }
        guard peek(index) == "." else { return .word(name) }
        index += 1
        guard peek(index)?.startsIdentifier == true else { return .reference(name, pad: nil) }
        let pad = identifier()
        let equals = afterSpace(index)
        guard peek(equals) == "=" else { return .reference(name, pad: pad) }
        index = equals + 1
        return .remoteAssignment(element: name, property: pad)
    }

    private func unexpected(_ scalar: Unicode.Scalar) -> GscapError {
        let at = index - 1..<index
        return switch scalar {
        case "@": error(.unsupported, "presets (@preset=) are not supported; set the properties instead", at: at)
        case "\"", "'": error(.unexpectedCharacter, "only the value of a property can be quoted", at: at)
        case "/": error(.unsupported, "a file name is not an element; write filesrc location=…", at: at)
        case "{", "}", "[", "]":
            error(.unexpectedCharacter, "\"\(scalar)\" is unexpected here; write a bin as ( … )", at: at)
        case "=": error(.unexpectedCharacter, "there is no property name before this =", at: at)
        default: error(.unexpectedCharacter, "\"\(scalar)\" is unexpected here", at: at)
        }
    }

    /// Returns the text between the quote at `start` and the closing one, without removing escapes.
    private mutating func quotedValue(from start: Int) throws(GscapError) -> ArraySlice<Unicode.Scalar> {
        var end = start + 1
        while let scalar = peek(end), scalar != "\"" { end += scalar == "\\" ? 2 : 1 }
        guard end < scalars.count else {
            throw error(
                .unbalancedQuote, "this quote is not closed; add a closing \", or write \\\" for a literal quote",
                at: start..<start + 1)
        }
        index = end + 1
        guard peek(index)?.isPipelineSpace != false else {
            throw error(
                .unbalancedQuote, "the value continues after its closing quote; add a space, or quote the whole value",
                at: index..<index + 1)
        }
        return scalars[start + 1..<end]
    }

    /// Returns the unquoted value from `start` to the next unescaped white space, without removing escapes.
    private mutating func bareValue(from start: Int) throws(GscapError) -> ArraySlice<Unicode.Scalar> {
        guard scalars[start] != "'" else {
            throw error(
                .unbalancedQuote, "GStreamer would keep single quotes in the value; use double quotes",
                at: start..<start + 1)
        }
        index = start
        var quote: Int?
        while let scalar = peek(index), !scalar.isPipelineSpace {
            if scalar == "\"" { quote = quote == nil ? index : nil }
            index += scalar == "\\" && peek(index + 1) != nil ? 2 : 1
        }
        if let quote {
            throw error(
                .unbalancedQuote, "this quote is not closed; quote the whole value, or write \\\" for a literal quote",
                at: quote..<quote + 1)
        }
        return scalars[start..<index]
    }

    /// Removes backslash escapes as GStreamer does; in a quoted part within the value they remain.
    private static func unescaped(_ raw: ArraySlice<Unicode.Scalar>) -> String {
        var result = String.UnicodeScalarView()
        var inQuotes = false
        var escaped = false
        for scalar in raw {
            if scalar == "\\", !escaped {
                escaped = true
                if !inQuotes { continue }
            } else {
                if scalar == "\"", !escaped { inQuotes.toggle() }
                escaped = false
            }
            result.append(scalar)
        }
        return String(result)
    }
}
