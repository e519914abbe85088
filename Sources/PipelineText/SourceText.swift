/// A place in a text as it was written: line and column count from one, in characters.
public struct SourcePlace: Hashable, Sendable {
    /// The line, from one.
    public var line: Int
    /// The column of the first character, from one.
    public var column: Int
    /// How many characters of this line the place covers, at least one.
    public var length: Int

    /// Names a place.
    public init(line: Int, column: Int, length: Int) {
        self.line = line
        self.column = column
        self.length = length
    }
}

/// A place together with the line it is on, ready to be shown.
public struct SourceExcerpt: Hashable, Sendable, CustomStringConvertible {
    /// The file, if the text came from one.
    public let file: String?
    /// The place.
    public let place: SourcePlace
    /// The line of the place, without its end.
    public let line: String

    /// `pipelines/x.txt:7:5`, or `7:5` for a text without a file.
    public var description: String {
        (file.map { $0 + ":" } ?? "") + "\(place.line):\(place.column)"
    }

    /// The line and a caret below the place, two lines with an indent; a long line is cut around the place.
    public var underlined: String {
        let widest = 160
        let before = place.column - 1
        let dropped = before > widest / 2 ? before - widest / 2 : 0
        let shown = line.dropFirst(dropped).prefix(widest)
        let lead = shown.prefix(before - dropped).map { $0 == "\t" ? "\t" : " " }.joined()
        let marks = max(1, min(place.length, shown.count - (before - dropped)))
        return "  \(shown)\n  \(lead)^" + String(repeating: "~", count: marks - 1)
    }
}

/// A text as it was written, which can say on what line and column each of its scalars stands.
struct SourceText: Sendable {
    let file: String?
    let scalars: [Unicode.Scalar]
    private let lines: [String]
    /// Line and column of each scalar and of the end of the text.
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

    /// The place of the scalars in `range`; of a range over several lines, the part on its first line.
    func place(of range: Range<Int>) -> SourcePlace {
        let start = positions[min(range.lowerBound, scalars.count)]
        let last = positions[min(max(range.upperBound - 1, range.lowerBound), scalars.count)]
        let end = last.line == start.line ? last.column : Int32(clamping: lines[Int(start.line) - 1].count)
        return SourcePlace(
            line: Int(start.line), column: Int(start.column), length: Int(max(1, end - start.column + 1)))
    }

    func excerpt(_ place: SourcePlace) -> SourceExcerpt {
        SourceExcerpt(
            file: file, place: place,
            line: lines.indices.contains(place.line - 1) ? lines[place.line - 1] : "")
    }
}
