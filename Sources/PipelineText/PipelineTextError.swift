/// A place in a pipeline file as it was written, counted from 1 in characters.
public struct TextPlace: Sendable, Hashable {
    /// The line.
    public var line: Int
    /// The character in the line.
    public var column: Int
    /// How many characters it is about.
    public var length: Int

    /// A place of some characters.
    public init(line: Int, column: Int, length: Int = 1) {
        self.line = line
        self.column = column
        self.length = length
    }
}

/// What is wrong with a pipeline text, and where.
public struct PipelineTextError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of mistake; new kinds may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The kind's name.
        public var rawValue: String

        /// A kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Nothing is in the text.
        public static let empty = Code(rawValue: "empty")
        /// The words do not follow the grammar.
        public static let syntax = Code(rawValue: "syntax")
        /// A variable without value.
        public static let unknownVariable = Code(rawValue: "unknownVariable")
        /// An element that is not installed.
        public static let unknownElement = Code(rawValue: "unknownElement")
        /// A property that the element has not.
        public static let unknownProperty = Code(rawValue: "unknownProperty")
        /// A value that does not suit its property.
        public static let badValue = Code(rawValue: "badValue")
        /// Caps that do not read.
        public static let badCaps = Code(rawValue: "badCaps")
        /// A name that no element has.
        public static let unknownName = Code(rawValue: "unknownName")
        /// A name that two elements have.
        public static let duplicateName = Code(rawValue: "duplicateName")
        /// More text or deeper nesting than anybody needs.
        public static let tooLarge = Code(rawValue: "tooLarge")
    }

    /// The kind of mistake.
    public var code: Code
    /// What is wrong and what to do.
    public var message: String
    /// The name of the file.
    public var file: String
    /// Where in it.
    public var place: TextPlace
    /// The line as it was written.
    public var quote: String

    /// "file:line:column: message", the line, and a mark under the place.
    public var description: String {
        let head = "\(file):\(place.line):\(place.column): \(message)"
        guard !quote.isEmpty else { return head }
        let before = quote.prefix(place.column - 1).map { $0 == "\t" ? "\t" : " " }.joined()
        let length = max(1, min(place.length, quote.count - place.column + 1))
        return "\(head)\n    \(quote)\n    \(before)^" + String(repeating: "~", count: length - 1)
    }
}

/// A mistake before it is known which file it is in.
struct Mistake: Error {
    var code: PipelineTextError.Code
    var message: String
    var place: TextPlace

    init(_ code: PipelineTextError.Code, _ message: String, at place: TextPlace) {
        self.code = code
        self.message = message
        self.place = place
    }
}
