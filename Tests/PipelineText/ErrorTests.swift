import PipelineText
import Testing

@Suite struct ErrorTests {
    @Test(
        arguments: [
            ("", .empty, nil, nil),
            (" \n# only a comment\n", .empty, nil, nil),
            ("a !", .danglingLink, 1, 3),
            ("a\n ! b\n :", .danglingLink, 3, 2),
            ("! a", .danglingLink, 1, 1),
            ("a ! ! b", .danglingLink, 1, 5),
            ("a ! ( b ! ) ! c", .danglingLink, 1, 9),
            ("a ! video/x-raw", .danglingLink, 1, 5),
            ("a .src b", .danglingLink, 1, 8),
            ("a p=\"b c", .unbalancedQuote, 1, 5),
            ("a p=x\"b c", .unbalancedQuote, 1, 6),
            ("a p=\"b\"c", .unbalancedQuote, 1, 8),
            ("a p='b c'", .unbalancedQuote, 1, 5),
            ("a ! ( b", .unbalancedParenthesis, 1, 5),
            ("a ! ( b p=1)", .unbalancedParenthesis, 1, 5),
            ("a ! b )", .unbalancedParenthesis, 1, 7),
            ("a ! ( )", .emptyBin, 1, 5),
            ("a ! \"b\"", .unexpectedCharacter, 1, 5),
            ("a ! b ;", .unexpectedCharacter, 1, 7),
            ("{ a ! b }", .unexpectedCharacter, 1, 1),
            ("a ! p=1", .unexpectedCharacter, 1, 5),
            ("a @preset=x", .unsupported, 1, 3),
            ("file:///x ! b", .unsupported, 1, 1),
            ("/dev/video0 ! b", .unsupported, 1, 1),
            ("a p=", .missingValue, 1, 3),
            ("a ! video/x-raw,,width=1 ! b", .badCaps, 1, 17),
            ("a ! video/x-raw,width=1 height=2 ! b", .badCaps, 1, 25),
            ("a ! video/x-raw,width=wide ! b", .badCaps, 1, 23),
            ("a ! video/x-raw,format={RGB ! b", .badCaps, 1, 24),
            ("a ! video/x-raw,format=\"a!b\" ! b", .badCaps, 1, 26),
            ("a ! video/x-raw,format ! b", .badCaps, 1, 17),
            ("a ! video/x-raw ! video/x-raw ! b", .misplacedCaps, 1, 19),
            ("video/x-raw ! b", .misplacedCaps, 1, 1),
            ("tee name=t t. ! u.", .unknownReference, 1, 17),
            ("tee name=t t.", .misplacedReference, 1, 12),
            ("a ! t. ! b tee name=t", .misplacedReference, 1, 8),
            (".src ! b", .misplacedReference, 1, 1),
            ("a ! b\n  name=x ! c name=x", .duplicateName, 2, 14),
            ("a name=s t.iso=1", .unknownReference, 1, 10),
            ("a p=\u{0}", .unexpectedCharacter, 1, 5),
        ] as [(String, PipelineTextError.Code, Int?, Int?)])
    func codeAndLocation(text: String, code: PipelineTextError.Code, line: Int?, column: Int?) throws {
        let error = try #require(readingError(text))
        #expect(error.code == code, "\(error)")
        #expect(error.line == line, "\(error)")
        #expect(error.column == column, "\(error)")
    }

    /// Names must be unique within a bin; elements of different bins may have equal names, as in GStreamer.
    @Test func namesAreUniqueWithinABin() {
        #expect(readingError("( a name=x ) ( b name=x )") == nil)
    }

    @Test func quotesTheLineWithACaret() throws {
        let error = try #require(readingError("a\n\t! b\n\t! p=1 ! c", file: "pipelines/x.txt"))
        #expect(error.description == "pipelines/x.txt:3:4: p= must follow an element\n  \t! p=1 ! c\n  \t  ^~")
    }

    /// An error in a long line quotes only the part around the location.
    @Test func cutsLongLines() throws {
        let text = String(repeating: "queue ! ", count: 5_000) + "; ! " + String(repeating: "queue ! ", count: 5_000)
        let error = try #require(readingError(text))
        #expect(error.column == 40_001)
        let lines = error.description.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { $0.count < 200 })
        let caret = try #require(lines[2].firstIndex(of: "^"))
        let offset = lines[2].distance(from: lines[2].startIndex, to: caret)
        #expect(Array(lines[1])[offset] == ";")
    }

    @Test func columnsCountCharacters() throws {
        let error = try #require(readingError("a p=\"👩‍👩‍👧e\u{301}\" ! ;"))
        #expect(error.column == 12)
    }

    @Test func suggestsTheNearestReference() throws {
        let error = try #require(readingError("tee name=photo phto. ! b"))
        #expect(error.message == "no element is named \"phto\"; did you mean photo?")
    }
}
