/// A location in a text: line and column, counted from 1 in characters, and a length.
public struct TextLocation: Hashable, Sendable {
    /// The line, from 1.
    public var line: Int
    /// The column of the first character, from 1.
    public var column: Int
    /// The number of characters on this line, at least 1.
    public var length: Int

    /// Creates a location from its line, column and length.
    public init(line: Int, column: Int, length: Int) {
        self.line = line
        self.column = column
        self.length = length
    }
}

/// A location together with its line of text, for error messages.
public struct SourceExcerpt: Hashable, Sendable, CustomStringConvertible {
    /// The file name; nil for text that is not from a file.
    public let file: String?
    /// The location in the text.
    public let location: TextLocation
    /// The line's text without its line end.
    public let line: String

    /// The location as `pipelines/x.txt:7:5`, or `7:5` for text that is not from a file.
    public var description: String {
        (file.map { $0 + ":" } ?? "") + "\(location.line):\(location.column)"
    }

    /// The line and, below it, a caret under the location, both indented. A long line is cut to 160 characters around
    /// the location.
    public var underlined: String {
        let widest = 160
        let before = location.column - 1
        let dropped = before > widest / 2 ? before - widest / 2 : 0
        let shown = line.dropFirst(dropped).prefix(widest)
        let lead = shown.prefix(before - dropped).map { $0 == "\t" ? "\t" : " " }.joined()
        let marks = max(1, min(location.length, shown.count - (before - dropped)))
        return "  \(shown)\n  \(lead)^" + String(repeating: "~", count: marks - 1)
    }
}

/// A source text that maps each Unicode scalar to its line and column.
struct SourceText: Sendable {
    let file: String?
    let scalars: [Unicode.Scalar]
    private let lines: [String]
    /// The line and column, counted from 1 in characters, of each scalar and of the end of the text.
    private let positions: [(line: Int32, column: Int32)]

    init(_ text: String, file: String? = nil) {
        self.file = file
        scalars = Array(text.unicodeScalars)
        var positions: [(line: Int32, column: Int32)] = []
        positions.reserveCapacity(scalars.count + 1)
        var lines = [""]
        var column: Int32 = 1
        for character in text {
            for _ in character.unicodeScalars { positions.append((Int32(lines.count), column)) }
            if character == "\n" || character == "\r\n" {
                lines.append("")
                column = 1
            } else {
                lines[lines.count - 1].append(character)
                column += 1
            }
        }
        positions.append((Int32(lines.count), column))
        self.lines = lines
        self.positions = positions
    }

    /// Returns the location of a range of scalars. For a range over several lines, only the part on the first line
    /// counts.
    func location(of range: Range<Int>) -> TextLocation {
        let start = positions[min(range.lowerBound, scalars.count)]
        let last = positions[min(max(range.upperBound - 1, range.lowerBound), scalars.count)]
        let end = last.line == start.line ? last.column : Int32(clamping: lines[Int(start.line) - 1].count)
        return TextLocation(
            line: Int(start.line), column: Int(start.column), length: Int(max(1, end - start.column + 1)))
    }

    func excerpt(_ location: TextLocation) -> SourceExcerpt {
        SourceExcerpt(
            file: file, location: location,
            line: lines.indices.contains(location.line - 1) ? lines[location.line - 1] : "")
    }
}
