import PipelineText
import Testing

@Suite struct ReadingTests {
    private func elements(_ text: String, variables: [String: String] = [:]) throws -> [String] {
        PipelineGraph(try PipelineDocument(reading: text, variables: variables)).elements.map(\.name)
    }

    private func error(_ text: String, variables: [String: String] = [:]) -> PipelineTextError? {
        do throws(PipelineTextError) {
            _ = try PipelineDocument(reading: text, file: "x.txt", variables: variables)
            return nil
        } catch {
            return error
        }
    }

    @Test func readsElementsPropertiesAndLinks() throws {
        let document = try PipelineDocument(
            reading:
                "videotestsrc num-buffers = 5 name=src ! video/x-raw, width=(int)16 , height=8 ! fakesink sync=false")
        let graph = PipelineGraph(document)
        #expect(graph.elements.map(\.name) == ["src", "fakesink0"])
        #expect(graph.elements[0].node.value(of: "num-buffers") == "5")
        #expect(graph.edges.map(\.caps) == ["video/x-raw, width=(int)16 , height=8"])
    }

    @Test func commentsVariablesAndContinuation() throws {
        let text = """
            # a comment with ! and "quotes
            videotestsrc pattern=${PATTERN:-ball} \\
              num-buffers=${N} # behind
            ! filesink location="a # b.bin"
            """
        let graph = PipelineGraph(try PipelineDocument(reading: text, variables: ["N": "3"]))
        #expect(graph.elements[0].node.value(of: "pattern") == "ball")
        #expect(graph.elements[0].node.value(of: "num-buffers") == "3")
        #expect(graph.elements[1].node.value(of: "location") == "a # b.bin")
    }

    @Test func quotesAndEscapes() throws {
        let document = try PipelineDocument(reading: #"filesrc location="a \"b\" c" name=x\ y ! fakesink"#)
        let graph = PipelineGraph(document)
        #expect(graph.elements[0].node.value(of: "location") == "a \"b\" c")
        #expect(graph.elements[0].name == "x y")
    }

    @Test func branchesAndPads() throws {
        let text = "videotestsrc ! tee name=t t. ! queue ! fakesink t.src_1 ! queue ! m.sink_0 funnel name=m ! fakesink"
        let graph = PipelineGraph(try PipelineDocument(reading: text))
        #expect(
            graph.elements.map(\.name) == ["videotestsrc0", "t", "queue0", "fakesink0", "queue1", "m", "fakesink1"])
        #expect(graph.ends.map { graph.elements[$0].name } == ["fakesink0", "fakesink1"])
        let end = try #require(graph.index(named: "fakesink1"))
        #expect(
            graph.branch(to: end).map { graph.elements[$0].name } == ["videotestsrc0", "t", "queue1", "m", "fakesink1"])
    }

    @Test func bins() throws {
        let text = "bin.( name=b videotestsrc ! identity ) ( fakesink ) "
        #expect(try elements(text) == ["videotestsrc0", "identity0", "fakesink0"])
    }

    @Test(arguments: [
        ("", PipelineTextError.Code.empty, 1, 1), ("# only\n", .empty, 1, 1), ("a ! ", .syntax, 1, 3),
        ("a ! ! b", .syntax, 1, 5), ("! a", .syntax, 1, 1), ("a\n  ! b )", .syntax, 2, 7), ("( a", .syntax, 1, 3),
        ("x=1 a", .syntax, 1, 1), ("a p=\"open", .syntax, 1, 5), ("a p=", .syntax, 1, 3), ("a ; b", .syntax, 1, 3),
        ("a\n! ${WHO}", .unknownVariable, 2, 3), ("a ! ${W", .syntax, 1, 5), ("a ! t.", .unknownName, 1, 5),
        ("a name=x ! b name=x", .duplicateName, 1, 12), ("a video/x-raw ! b", .syntax, 1, 3),
    ])
    func mistakesAreLocated(text: String, code: PipelineTextError.Code, line: Int, column: Int) throws {
        let found = try #require(error(text))
        #expect(found.code == code)
        #expect((found.place.line, found.place.column) == (line, column))
    }

    @Test func theMessageShowsThePlace() throws {
        let found = try #require(error("videotestsrc\n    ! ${NOBODY} ! fakesink"))
        #expect(
            found.description == """
                x.txt:2:7: the variable NOBODY has no value; give it one with --var NOBODY=VALUE
                        ! ${NOBODY} ! fakesink
                          ^~~~~~~~~
                """)
    }

    @Test func deepNestingIsRefused() throws {
        let text = String(repeating: "( ", count: 10_000) + "a"
        #expect(error(text)?.code == .tooLarge)
    }

    @Test func noInputTraps() {
        var random = SeededRandom(seed: 7)
        let seedText = "a name=t p=\"x\" ! caps/x, w=(int)[1,2] ! ( b ) t.s ! ${V:-d} # c\n : q \\\n e"
        for _ in 0..<20_000 {
            var characters = Array(seedText)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<characters.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: characters.remove(at: place)
                case 1: characters.insert(characters[Int.random(in: 0..<characters.count, using: &random)], at: place)
                default: characters[place] = "!()\"'=.:$\\{}/, \n".randomElement(using: &random) ?? "!"
                }
                if characters.isEmpty { characters = ["a"] }
            }
            if let document = try? PipelineDocument(reading: String(characters)) {
                _ = document.launchText
                _ = document.lint()
            }
        }
    }
}

/// Random numbers that are the same in every run.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
