import PipelineText
import Testing

/// Tests that values and links are parsed as gst_parse_launch of GStreamer 1.22 does.
@Suite struct ReadingTests {
    @Test(arguments: [
        (#"filesink location="a b""#, "a b"),
        (#"filesink location="a\"b""#, #"a"b"#),
        (#"filesink location=a\ b"#, "a b"),
        (#"filesink location="a\\b""#, #"a\b"#),
        (#"filesink location=a\\b"#, #"a\b"#),
        (#"filesink location=a\b"#, "ab"),
        (#"filesink location=it's"#, "it's"),
        (#"filesink location="it's""#, "it's"),
        (#"filesink location="""#, ""),
        ("filesink location=\"a\nb\"", "a\nb"),
        (#"filesink location=a\!b"#, "a!b"),
        ("filesink location=a!b", "a!b"),
        ("filesink location=#a", "#a"),
        ("filesink location = x", "x"),
        (#"filesink location="a 'b\\c' d""#, #"a 'b\c' d"#),
        (#"filesink location=x,f="R\G""#, #"x,f="R\G""#),
        (#"filesink location="\${x}""#, "${x}"),
        ("filesink location=filé", "filé"),
        ("filesink location=a\\\nb", "ab"),
    ]) func values(text: String, value: String) throws {
        let description = try Description(parsing: text)
        #expect(description.graph.elements.first?["location"] == value)
        #expect(description.graph.elements.count == 1)
    }

    /// Also those in default values; not those in comments, and no escaped ones.
    @Test(arguments: [
        ("a p=${X} q=${Y:-1} ! b", ["X", "Y"]), ("a p=${X:-${Y:-${Z}}} q=\"${W}\"", ["W", "X", "Y", "Z"]),
        (#"a p=\${X} # ${Y}"#, []), (#"a p=${X:-\${Y}}"#, ["X"]), ("a", []),
    ]) func variablesOfAText(text: String, names: [String]) throws {
        #expect(try Description.variables(in: text) == names)
    }

    @Test func chainsLinksAndPads() throws {
        let description = try Description(
            parsing:
                "src .src_0 ! .sink tee name=t t.src_1,src_2 : f. u. ! sink bin.( name=b x ) funnel name=f tee name=u")
        #expect(description.chains.count == 6)
        let first = try #require(description.chains.first?.steps.first)
        #expect(first.link.sourcePads == ["src_0"])
        #expect(first.link.sinkPads == ["sink"])
        let second = try #require(description.chains[1].steps.first)
        #expect(second.link.sourcePads == ["src_1", "src_2"])
        #expect(second.link.linksAllPads)
        #expect(second.node == .reference(.init("f")))
    }

    @Test func capsBetweenLinks() throws {
        let description = try Description(
            parsing:
                "a ! video/x-raw(memory:GLMemory), width = (int)16 ,format={ RGB , BGR }; audio/x-raw, "
                + "! b!video/x-bayer!c"
        )
        let caps = description.graph.links.map { $0.link.caps?.description }
        #expect(caps == ["video/x-raw(memory:GLMemory),width=(int)16,format={RGB,BGR};audio/x-raw", "video/x-bayer"])
    }

    @Test func capsBeforeAColon() throws {
        let link = try #require(try Description(parsing: "a ! video/x-raw : b").graph.links.first?.link)
        #expect(link.linksAllPads)
        #expect(link.caps?.description == "video/x-raw")
    }

    @Test func binsHoldChains() throws {
        let description = try Description(parsing: "a ! ( name=outer b ! c.( d ) ) ! e")
        guard case .bin(let bin) = description.chains[0].steps[0].node else {
            Issue.record("no bin")
            return
        }
        #expect(bin.factory == "bin")
        #expect(bin.properties == [.init("name", "outer")])
        #expect(try Description(parsing: "a ! bin.( name=outer b ! c.( d ) ) ! e") == description)
    }

    @Test func commentsAreKeptAndDoNotCount() throws {
        let text = "# head\na # after a ! x\n  # before b\n  ! b p=\"# no comment\" q=x#y\n# end"
        let description = try Description(parsing: text)
        #expect(description.chains[0].first.comments == ["head"])
        #expect(description.chains[0].steps[0].node.comments == ["after a ! x", "before b"])
        #expect(description.closingComments == ["end"])
        #expect(try description == Description(parsing: "a ! b p=\"# no comment\" q=x#y"))
    }

    @Test func propertiesOfNamedElements() throws {
        let description = try Description(parsing: "src name=s iso=1 ! sink s.iso=800 s.seed = 3")
        #expect(try description == Description(parsing: "src name=s iso=800 seed=3 ! sink"))
    }

    @Test func windowsLineEnds() throws {
        let description = try Description(parsing: "a \\\r\n! b\r\n# c\r\n! d")
        #expect(try description == Description(parsing: "a ! b ! d"))
        #expect(readingError("a\r\n! b\r\n  ! ;")?.line == 3)
    }
}

@Suite struct VariableTests {
    @Test func valuesAndDefaults() throws {
        let text = "a p=${X} q=${Y:-2} ${Z:-r=3 ! b} ! ${W:-${X}c}"
        let description = try Description(parsing: text) { ["X": "1"][$0] }
        #expect(try description == Description(parsing: "a p=1 q=2 r=3 ! b ! 1c"))
    }

    @Test func inQuotesAVariableIsOneValue() throws {
        let value = "a \"b\\ # $ {c}"
        let description = try Description(parsing: "a p=\"<${X}>\" ! b") { _ in value }
        #expect(description.graph.elements[0]["p"] == "<\(value)>")
        #expect(description.graph.elements.count == 2)
    }

    @Test func outsideQuotesAVariableMayBeSeveralWords() throws {
        let description = try Description(parsing: "a ! ${X} ! b") { _ in "queue max-size-bytes=0" }
        #expect(try description == Description(parsing: "a ! queue max-size-bytes=0 ! b"))
    }

    @Test func commentsHaveNoVariables() throws {
        #expect(try Description(parsing: "# ${X} ${\na") == Description(parsing: "a"))
    }

    @Test func anUnsetVariableIsNamedWithItsRemedies() throws {
        let error = try #require(readingError("a\n  ! b p=\"x${SIZE}\"", file: "f.txt"))
        #expect(error.code == .unsetVariable)
        #expect((error.line, error.column) == (2, 11))
        #expect(error.description.contains("--var SIZE=VALUE"))
        #expect(error.description.hasSuffix("    ! b p=\"x${SIZE}\"\n            ^~~~~~~"))
    }

    /// The location of an error behind or inside an expanded variable refers to the text as written, before the
    /// expansion.
    @Test func locationsAfterExpansion() throws {
        let behind = try #require(
            readingError("a p=${X} ! ! b", variables: ["X": "a long value"].mapValues { "\"\($0)\"" }))
        #expect((behind.line, behind.column) == (1, 12))
        let inside = try #require(readingError("a ! ${X}", variables: ["X": "b ! !"]))
        #expect((inside.line, inside.column, inside.excerpt?.location.length) == (1, 5, 4))
        let inDefault = try #require(readingError("a ! ${X:-b ! ! c}"))
        #expect((inDefault.line, inDefault.column) == (1, 14))
    }

    @Test(arguments: ["a p=${X", "a p=${}", "a p=${X-1}", "a p=${A B}", "a p=${X:-{}"])
    func malformed(text: String) {
        #expect(readingError(text)?.code == .badVariable)
    }
}
