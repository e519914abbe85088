/// An error in a pipeline text, with its location and what to do about it.
public struct PipelineTextError: Error, Hashable, Sendable, CustomStringConvertible {
    /// An error code, for programs.
    public struct Code: Hashable, Sendable, RawRepresentable {
        /// The code as text, as shown with `--json`.
        public let rawValue: String
        /// Creates a code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The error code.
    public var code: Code
    /// The message: what is wrong and what to do.
    public var message: String
    /// The location of the error and the line of text there; nil for an error without a location.
    public var excerpt: SourceExcerpt?

    /// The line number of the error, from 1; nil without a location.
    public var line: Int? { excerpt?.location.line }
    /// The column of the error, from 1, in characters; nil without a location.
    public var column: Int? { excerpt?.location.column }

    /// Creates an error from its code, message and excerpt.
    public init(_ code: Code, _ message: String, at excerpt: SourceExcerpt? = nil) {
        self.code = code
        self.message = message
        self.excerpt = excerpt
    }

    /// The message as `file:line:column: message`, followed by the line with a caret below the location.
    public var description: String {
        guard let excerpt else { return message }
        return "\(excerpt): \(message)\n\(excerpt.underlined)"
    }
}

extension PipelineTextError.Code {
    /// The text contains no element.
    public static let empty = Self(rawValue: "empty")
    /// The text is longer than the parser allows.
    public static let tooLong = Self(rawValue: "too-long")
    /// Bins or variables are nested deeper than the parser allows.
    public static let tooDeep = Self(rawValue: "too-deep")
    /// A quote is not closed, or is closed in the middle of a word.
    public static let unbalancedQuote = Self(rawValue: "unbalanced-quote")
    /// A parenthesis without its counterpart.
    public static let unbalancedParenthesis = Self(rawValue: "unbalanced-parenthesis")
    /// A bin without elements.
    public static let emptyBin = Self(rawValue: "empty-bin")
    /// An unexpected character or word.
    public static let unexpectedCharacter = Self(rawValue: "unexpected-character")
    /// A feature of GStreamer's pipeline syntax that is not supported here.
    public static let unsupported = Self(rawValue: "unsupported")
    /// A `!` or `:` with nothing before or after it.
    public static let danglingLink = Self(rawValue: "dangling-link")
    /// An assignment without a value, or a comma in a list of pads without a pad name.
    public static let missingValue = Self(rawValue: "missing-value")
    /// Malformed caps.
    public static let badCaps = Self(rawValue: "bad-caps")
    /// Caps that are not between two links.
    public static let misplacedCaps = Self(rawValue: "misplaced-caps")
    /// A variable that is not set and has no default.
    public static let unsetVariable = Self(rawValue: "unset-variable")
    /// A variable that is not written as `${NAME}` or `${NAME:-default}`.
    public static let badVariable = Self(rawValue: "bad-variable")
    /// A reference to an unknown name.
    public static let unknownReference = Self(rawValue: "unknown-reference")
    /// A reference without a link, or in the middle of a chain.
    public static let misplacedReference = Self(rawValue: "misplaced-reference")
    /// A name that two elements of one bin have.
    public static let duplicateName = Self(rawValue: "duplicate-name")
    /// An element that is not installed.
    public static let unknownElement = Self(rawValue: "unknown-element")
    /// A property that the element does not have.
    public static let unknownProperty = Self(rawValue: "unknown-property")
    /// An assignment to a read-only property.
    public static let readOnlyProperty = Self(rawValue: "read-only-property")
    /// A property value of the wrong type or out of range, or a malformed setting.
    public static let badValue = Self(rawValue: "bad-value")
    /// A pad that the element does not have.
    public static let unknownPad = Self(rawValue: "unknown-pad")
    /// Links that form a cycle.
    public static let cycle = Self(rawValue: "cycle")
    /// A link between elements whose formats have nothing in common.
    public static let badLink = Self(rawValue: "bad-link")
    /// A link out of a sink or into a source.
    public static let wrongDirection = Self(rawValue: "wrong-direction")
}
