/// What is wrong with a pipeline text, where, and what to do about it.
public struct PipelineTextError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of the error, for programs.
    public struct Code: Hashable, Sendable, RawRepresentable {
        /// The kind in words, as it is shown with `--json`.
        public let rawValue: String
        /// Names a kind.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The kind of the error.
    public var code: Code
    /// What is wrong and what to do.
    public var message: String
    /// The place and its line, if the error belongs to one place of a text.
    public var excerpt: SourceExcerpt?

    /// The line, from one, if the error has a place.
    public var line: Int? { excerpt?.place.line }
    /// The column, from one, if the error has a place.
    public var column: Int? { excerpt?.place.column }

    /// Makes an error.
    public init(_ code: Code, _ message: String, at excerpt: SourceExcerpt? = nil) {
        self.code = code
        self.message = message
        self.excerpt = excerpt
    }

    /// `file:line:column: message`, then the line with a caret below the place.
    public var description: String {
        guard let excerpt else { return message }
        return "\(excerpt): \(message)\n\(excerpt.underlined)"
    }
}

extension PipelineTextError.Code {
    /// There is no element in the text.
    public static let empty = Self(rawValue: "empty")
    /// The text is longer than the reader takes.
    public static let tooLong = Self(rawValue: "too-long")
    /// Bins, caps or variables are nested deeper than the reader takes.
    public static let tooDeep = Self(rawValue: "too-deep")
    /// A quote that is not closed, or closed in the middle of a word.
    public static let unbalancedQuote = Self(rawValue: "unbalanced-quote")
    /// A parenthesis without its partner.
    public static let unbalancedParenthesis = Self(rawValue: "unbalanced-parenthesis")
    /// A bin without elements.
    public static let emptyBin = Self(rawValue: "empty-bin")
    /// A character that has no meaning at its place.
    public static let unexpectedCharacter = Self(rawValue: "unexpected-character")
    /// A part of the language of GStreamer that is refused here.
    public static let unsupported = Self(rawValue: "unsupported")
    /// A `!` or `:` with nothing before or behind it.
    public static let danglingLink = Self(rawValue: "dangling-link")
    /// A property or a variable without a value.
    public static let missingValue = Self(rawValue: "missing-value")
    /// Caps that cannot be read.
    public static let badCaps = Self(rawValue: "bad-caps")
    /// Caps that are not between two links.
    public static let misplacedCaps = Self(rawValue: "misplaced-caps")
    /// A variable without a value.
    public static let unsetVariable = Self(rawValue: "unset-variable")
    /// A variable that is not written as `${NAME}` or `${NAME:-default}`.
    public static let badVariable = Self(rawValue: "bad-variable")
    /// A reference to a name that no element has.
    public static let unknownReference = Self(rawValue: "unknown-reference")
    /// A reference that links nothing, or stands in the middle of a chain.
    public static let misplacedReference = Self(rawValue: "misplaced-reference")
    /// A name that two elements have.
    public static let duplicateName = Self(rawValue: "duplicate-name")
    /// An element that is not installed.
    public static let unknownElement = Self(rawValue: "unknown-element")
    /// A property that the element does not have.
    public static let unknownProperty = Self(rawValue: "unknown-property")
    /// A property that cannot be set.
    public static let readOnlyProperty = Self(rawValue: "read-only-property")
    /// A value that does not fit its property.
    public static let badValue = Self(rawValue: "bad-value")
    /// A pad that the element does not have.
    public static let unknownPad = Self(rawValue: "unknown-pad")
    /// A link out of a sink or into a source.
    public static let wrongDirection = Self(rawValue: "wrong-direction")
}
