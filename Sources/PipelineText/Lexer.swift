/// A word of the grammar.
struct Token {
    enum Kind: Equatable {
        /// `!`, or `:` for a link that waits for pads.
        case link(isDelayed: Bool)
        /// `(`, or `name.(`.
        case open(factory: String)
        case close
        /// The name of an element's factory.
        case element(String)
        /// `name=value`.
        case assignment(name: String, value: String)
        /// `name.` or `name.pad`.
        case reference(name: String, pads: String)
        /// Caps between links.
        case caps(String)
    }

    var kind: Kind
    var place: TextPlace
    /// For an assignment, where the value stands.
    var valuePlace: TextPlace?
}

/// Cuts glyphs into words as gst-launch does.
struct Lexer {
    private let glyphs: [Glyph]
    private var position = 0

    static func tokens(of glyphs: [Glyph]) throws(Mistake) -> [Token] {
        var lexer = Lexer(glyphs)
        var tokens: [Token] = []
        while let token = try lexer.next() { tokens.append(token) }
        return tokens
    }

    private init(_ glyphs: [Glyph]) {
        self.glyphs = glyphs
    }

    private var current: Character? { position < glyphs.count ? glyphs[position].character : nil }

    private func character(at index: Int) -> Character? { index < glyphs.count ? glyphs[index].character : nil }

    private func isSpace(_ index: Int) -> Bool { character(at: index)?.isWhitespace ?? true }

    private func place(from start: Int) -> TextPlace {
        guard start < glyphs.count else { return glyphs.last?.place ?? TextPlace(line: 1, column: 1) }
        let first = glyphs[start]
        if first.isExpanded { return first.place }
        let last = glyphs[min(max(position - 1, start), glyphs.count - 1)]
        let length = last.place.line == first.place.line ? last.place.column - first.place.column + 1 : 1
        return TextPlace(line: first.place.line, column: first.place.column, length: max(1, length))
    }

    private mutating func skipSpace() {
        while let character = current, character.isWhitespace { position += 1 }
    }

    private mutating func next() throws(Mistake) -> Token? {
        skipSpace()
        guard let character = current else { return nil }
        let start = position
        switch character {
        case "!": return single(.link(isDelayed: false))
        case ":" where isSpace(position + 1): return single(.link(isDelayed: true))
        case "(": return single(.open(factory: "bin"))
        case ")": return single(.close)
        default: break
        }
        let name = readName()
        guard !name.isEmpty else {
            position += 1
            throw Mistake(.syntax, "\"\(character)\" is out of place here", at: place(from: start))
        }
        if current == "/" { return try caps(from: start) }
        if let token = try assignment(name, from: start) { return token }
        if current == "." { return try reference(name, from: start) }
        return Token(kind: .element(name), place: place(from: start))
    }

    private mutating func single(_ kind: Token.Kind) -> Token {
        let start = position
        position += 1
        return Token(kind: kind, place: place(from: start))
    }

    private mutating func readName() -> String {
        var name = ""
        while let character = current,
            character.isLetter || character.isNumber || "_-%+".contains(character)
                || (character == ":" && !isSpace(position + 1))
        {
            name.append(character)
            position += 1
        }
        return name
    }

    /// Spaces may stand around the =.
    private mutating func assignment(_ name: String, from start: Int) throws(Mistake) -> Token? {
        var equals = position
        while equals < glyphs.count && isSpace(equals) { equals += 1 }
        guard character(at: equals) == "=" else { return nil }
        position = equals + 1
        while position < glyphs.count && isSpace(position) { position += 1 }
        let valueStart = position
        let value = try readValue(of: name, from: start)
        let valuePlace = place(from: valueStart)
        return Token(kind: .assignment(name: name, value: value), place: place(from: start), valuePlace: valuePlace)
    }

    private mutating func readValue(of name: String, from start: Int) throws(Mistake) -> String {
        guard let first = current else {
            throw Mistake(.syntax, "\(name)= has no value after it", at: place(from: start))
        }
        var value = ""
        if first == "\"" || first == "'" {
            let open = position
            position += 1
            while let character = current, character != first { append(character, to: &value) }
            guard current != nil else {
                position = open + 1
                throw Mistake(.syntax, "a quote that does not end", at: place(from: open))
            }
            position += 1
            return value
        }
        while let character = current, !character.isWhitespace { append(character, to: &value) }
        return value
    }

    /// Takes a character, or the one behind a backslash.
    private mutating func append(_ character: Character, to value: inout String) {
        position += 1
        if character == "\\", let escaped = current {
            value.append(escaped)
            position += 1
        } else {
            value.append(character)
        }
    }

    private mutating func reference(_ name: String, from start: Int) throws(Mistake) -> Token {
        position += 1
        if current == "(" {
            position += 1
            return Token(kind: .open(factory: name), place: place(from: start))
        }
        var pads = ""
        while let character = current, character.isLetter || character.isNumber || "_-%,".contains(character) {
            pads.append(character)
            position += 1
        }
        return Token(kind: .reference(name: name, pads: pads), place: place(from: start))
    }

    /// Caps go on over spaces next to a comma or semicolon, up to a `!`.
    private mutating func caps(from start: Int) throws(Mistake) -> Token {
        position = start
        var text = ""
        var quote: Character?
        var depth = 0
        while let character = current {
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if "([{<".contains(character) {
                depth += 1
            } else if ")]}>".contains(character) {
                if depth == 0 && character == ")" { break }
                depth -= 1
            } else if character == "!" {
                break
            } else if character.isWhitespace && depth <= 0 && !joins(text) {
                break
            }
            text.append(character)
            position += 1
        }
        while text.last?.isWhitespace == true {
            text.removeLast()
            position -= 1
        }
        if quote != nil { throw Mistake(.syntax, "a quote in caps that does not end", at: place(from: start)) }
        return Token(kind: .caps(text), place: place(from: start))
    }

    private func joins(_ text: String) -> Bool {
        let marks: Set<Character> = [",", ";", "="]
        if let before = text.last(where: { !$0.isWhitespace }), marks.contains(before) { return true }
        var index = position
        while index < glyphs.count && isSpace(index) { index += 1 }
        return character(at: index).map(marks.contains) ?? false
    }
}
