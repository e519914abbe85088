// Exported, so that the members of the error are visible in all files and wherever the module is imported.
@_exported public import Errors

/// An error in a pipeline text, with its location and what to do about it.
public typealias PipelineTextError = GscapError

extension SourceExcerpt: ErrorPosition {
    /// The line and, below it, a caret under the location.
    public var markedText: String? { underlined }
}

extension GscapError {
    /// Creates an error in a text; its place is the file, the line and the column.
    public init(_ code: Code, _ message: String, at excerpt: SourceExcerpt?) {
        self.init(code, message, place: excerpt?.description ?? "", at: excerpt as (any ErrorPosition)?)
    }

    /// The location of the error in a text and the line of text there; nil for an error without such a location.
    public var excerpt: SourceExcerpt? { position as? SourceExcerpt }
    /// The line number of the error, from 1; nil without a location in a text.
    public var line: Int? { excerpt?.location.line }
    /// The column of the error, from 1, in characters; nil without a location in a text.
    public var column: Int? { excerpt?.location.column }
}

extension GscapError.Code {
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
