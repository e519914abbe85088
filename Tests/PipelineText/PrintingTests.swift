import PipelineText
import Testing

@Suite struct PrintingTests {
    @Test func layout() throws {
        let text = "# what it is\na p=1 q=\"x y\" .src ! video/x-raw,width=1 ! t.sink # why\n( b ) ! tee name=t\n# end"
        let description = try Description(parsing: text)
        #expect(
            description.fileText == """
                # what it is
                a p=1 q="x y" .src
                  ! video/x-raw,width=1
                  ! t.sink

                # why
                bin.(
                    b
                )
                  ! tee name=t

                # end

                """)
        #expect(description.launchText == #"a p=1 q="x y" .src ! video/x-raw,width=1 ! t.sink bin.( b ) ! tee name=t"#)
        #expect(
            description.shellText
                == #"a p=1 'q="x y"' .src '!' video/x-raw,width=1 '!' t.sink 'bin.(' b ')' '!' tee name=t"#)
    }

    /// Values and the notations that GStreamer 1.22 parses as these values.
    @Test(arguments: [
        ("", "\"\""), ("a,b=c!d#e(f)", "a,b=c!d#e(f)"), ("a b", "\"a b\""), (#"a"b"#, #""a\"b""#),
        (#"a\b"#, #""a\\b""#),
        ("'a", "\"'a\""), ("${A}", #""\${A}""#), (#"a b\"#, #"a\ b\\"#), ("it's", "it's"),
    ]) func quoting(value: String, text: String) {
        let element = Description.Element("a", [.init("p", value)])
        #expect(Description(chains: [.init(.element(element))]).launchText == "a p=" + text)
    }

    @Test func aBackslashAtTheEndIsFollowedByALineEnd() throws {
        let element = Description.Element("a", [.init("p", "\\"), .init("q", "1")])
        let description = Description(chains: [.init(.element(element))])
        #expect(description.launchText == "a p=\\\\\nq=1")
        #expect(try Description(parsing: description.fileText) == description)
    }

    @Test(arguments: PipelineFiles.names) func filesReadBack(name: String) throws {
        let description = try Description(parsing: try PipelineFiles.text(name))
        #expect(try Description(parsing: description.fileText) == description)
        #expect(try Description(parsing: description.launchText) == description)
        #expect(!description.launchText.contains("\n"))
    }

    /// Randomly generated pipeline descriptions are equal after printing in either form and parsing, and printing is
    /// stable.
    @Test func generatedReadBack() throws {
        for seed in 0..<3_000 as Range<UInt64> {
            var generator = DescriptionGenerator(seed: seed)
            let description = generator.description()
            let file = try Description(parsing: description.fileText)
            try #require(file == description, "seed \(seed):\n\(description.fileText)")
            try #require(file.fileText == description.fileText, "seed \(seed):\n\(description.fileText)")
            let launch = try Description(parsing: description.launchText)
            try #require(launch == description, "seed \(seed):\n\(description.launchText)")
        }
    }
}

@Suite struct PipelineFileTests {
    /// Each pipeline file begins with comments that describe it and its command line.
    @Test(arguments: PipelineFiles.names) func beginsWithHelp(name: String) throws {
        let description = try Description(parsing: try PipelineFiles.text(name))
        let comments = try #require(description.chains.first?.first.comments)
        #expect(comments.contains { $0.contains("gscap --pipeline pipelines/\(name).txt") })
    }

    /// Pipeline files with a preview have a warning that it needs a display, and no file has any other warning.
    @Test(arguments: PipelineFiles.names) func lint(name: String) throws {
        let description = try Description(parsing: try PipelineFiles.text(name), file: name)
        let hasDisplay = !description.graph.indices(factory: "autovideosink").isEmpty
        #expect(description.warnings.map(\.code) == (hasDisplay ? [.sinkNeedsDisplay] : []))
        #expect(hasDisplay == !["headless", "rtsp-still"].contains(name))
    }

    @Test func variables() throws {
        let description = try Description(parsing: try PipelineFiles.text("v4l2")) {
            ["DEVICE": "/dev/video7", "WIDTH": "640", "HEIGHT": "480"][$0]
        }
        #expect(description.graph.elements[0]["device"] == "/dev/video7")
        let caps = description.graph.links[0].link.caps?.structures[0]
        #expect(caps?.number("width") == 640)
        #expect(caps?.number("height") == 480)
        // A variable without a value has that of the text.
        #expect(description.graph.elements.compactMap { $0["frames"] } == ["8"])
    }
}
