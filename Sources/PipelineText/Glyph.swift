/// A character of the text that is parsed, with the place in the file where it comes from.
struct Glyph {
    var character: Character
    var place: TextPlace
    /// Whether it came out of a variable.
    var isExpanded = false
}

/// Turns a file as written into what is parsed: comments gone, variables replaced, broken lines joined.
struct Expansion {
    private let source: [Character]
    private let variables: [String: String]
    private var position = 0
    private var line = 1
    private var column = 1
    private var quote: Character?
    private var glyphs: [Glyph] = []

    /// The most characters that a text may come to.
    static let limit = 1_000_000

    static func glyphs(of text: String, variables: [String: String]) throws(Mistake) -> [Glyph] {
        var expansion = Expansion(text, variables)
        try expansion.run()
        return expansion.glyphs
    }

    private init(_ text: String, _ variables: [String: String]) {
        // Windows ends lines with two characters that Swift counts as one.
        source = text.map { $0 == "\r\n" ? "\n" : $0 }
        self.variables = variables
    }

    private var place: TextPlace { TextPlace(line: line, column: column) }

    private func peek(_ offset: Int) -> Character? {
        position + offset < source.count ? source[position + offset] : nil
    }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where position < source.count {
            if source[position] == "\n" { (line, column) = (line + 1, 0) }
            position += 1
            column += 1
        }
    }

    private mutating func run() throws(Mistake) {
        while let character = peek(0) {
            guard glyphs.count < Self.limit else {
                throw Mistake(.tooLarge, "the text is longer than \(Self.limit) characters", at: place)
            }
            if character == "\\", peek(1) == "\n" {
                glyphs.append(Glyph(character: " ", place: place))
                advance(2)
            } else if character == "\\", let next = peek(1) {
                glyphs.append(Glyph(character: "\\", place: place))
                advance()
                glyphs.append(Glyph(character: next, place: place))
                advance()
            } else if character == "#", quote == nil, startsWord {
                while let comment = peek(0), comment != "\n" { advance(comment == "\n" ? 0 : 1) }
            } else if character == "$", peek(1) == "{", quote != "'" {
                try expand()
            } else {
                if let open = quote {
                    if character == open { quote = nil }
                } else if character == "\"" || character == "'" {
                    quote = character
                }
                glyphs.append(Glyph(character: character, place: place))
                advance()
            }
        }
    }

    /// A # inside a word, as in a location, is no comment.
    private var startsWord: Bool { glyphs.last.map { $0.character.isWhitespace } ?? true }

    /// `${NAME}` or `${NAME:-default}`.
    private mutating func expand() throws(Mistake) {
        let start = place
        guard let close = source[position...].firstIndex(of: "}"),
            !source[position..<close].contains("\n")
        else { throw Mistake(.syntax, "a ${ without its }", at: TextPlace(line: line, column: column, length: 2)) }
        let inside = String(source[(position + 2)..<close])
        let length = close - position + 1
        let (name, standard) = Self.split(inside)
        let whole = TextPlace(line: start.line, column: start.column, length: length)
        guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else {
            throw Mistake(.syntax, "\"\(name)\" is no name of a variable; use letters, digits and _", at: whole)
        }
        guard let value = variables[name] ?? standard else {
            throw Mistake(
                .unknownVariable, "the variable \(name) has no value; give it one with --var \(name)=VALUE", at: whole)
        }
        for character in value { glyphs.append(Glyph(character: character, place: whole, isExpanded: true)) }
        advance(length)
    }

    private static func split(_ inside: String) -> (name: String, standard: String?) {
        guard let range = inside.firstRange(of: ":-") else { return (inside, nil) }
        return (String(inside[..<range.lowerBound]), String(inside[range.upperBound...]))
    }
}
