import Foundation
internal import Glibc
import PipelineText
import Testing

/// No text may crash or hang the parser, and every description that parses must print and parse again.
@Suite struct RobustnessTests {
    private static let significantCharacters: [Unicode.Scalar] = [
        "!", ":", "(", ")", ".", ",", "=", "\"", "'", "\\", "#", "$", "{", "}", "[", "]", "<", ">", ";", "/", "@", " ",
        "\n", "\r", "\t", "\0", "a", "0", "-", "%", "é", "\u{301}", "\u{1F1E9}", "\u{200D}", "\u{2028}",
    ]

    private func exercise(_ text: String) throws {
        let reading = try? Description(parsing: text, file: "x") { $0.count > 3 ? nil : "1 \"! \\" }
        guard let description = reading else {
            _ = readingError(text)?.description
            return
        }
        _ = description.warnings.map(\.description)
        let printed = try Description(parsing: description.launchText)
        try #require(printed == description, "\(text)")
        try #require(try Description(parsing: description.fileText) == description, "\(text)")
    }

    @Test(arguments: PipelineFiles.names) func mutatedFiles(name: String) throws {
        // The long comments at the head of a pipeline file are omitted, because mutations in comments have no effect.
        let text = try PipelineFiles.text(name)
        let body = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: "\n")
        let scalars = Array(body.unicodeScalars)
        var random = SeededGenerator(seed: UInt64(name.utf8.reduce(7) { $0 * 31 + Int($1) }))
        for _ in 0..<300 {
            var mutated = scalars
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let at = Int.random(in: 0..<mutated.count, using: &random)
                let character = Self.significantCharacters.randomElement(using: &random) ?? "!"
                switch Int.random(in: 0...4, using: &random) {
                case 0: mutated[at] = character
                case 1: mutated.insert(character, at: at)
                case 2: mutated.removeSubrange(at..<min(mutated.count, at + Int.random(in: 1...9, using: &random)))
                case 3: mutated.insert(contentsOf: mutated[at..<min(mutated.count, at + 40)], at: at)
                default: mutated.swapAt(at, Int.random(in: 0..<mutated.count, using: &random))
                }
                if mutated.isEmpty { mutated = scalars }
            }
            try exercise(String(String.UnicodeScalarView(mutated)))
        }
    }

    @Test func theFuzzingCorpus() throws {
        let folder = PipelineFiles.folder.appending(path: "../Fuzz/PipelineText/Corpus").standardizedFileURL
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted() {
            let bytes = try Array(Data(contentsOf: folder.appending(path: name)))
            for byte in stride(from: -1, to: bytes.count, by: 5) {
                var changed = bytes
                if byte >= 0 { changed[byte] ^= 1 << UInt8(byte % 8) }
                try exercise(String(decoding: changed, as: UTF8.self))
            }
        }
    }

    /// Random text, made of characters that have a meaning in the grammar, does not crash the parser.
    @Test func noise() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<5_000 {
            let count = Int.random(in: 0...24, using: &random)
            let scalars = (0..<count).compactMap { _ in Self.significantCharacters.randomElement(using: &random) }
            try exercise(String(String.UnicodeScalarView(scalars)))
        }
    }

    @Test func nesting() {
        let deep = 40_000
        let bins = String(repeating: "( ", count: deep)
        #expect(readingError(bins + "a")?.code == .tooDeep)
        #expect(readingError("a ! video/x-raw,f=" + String(repeating: "{", count: deep) + " ! b")?.code == .badCaps)
        #expect(readingError("a p=" + String(repeating: "${A:-", count: 19_000))?.code == .badVariable)
        let variables = String(repeating: "${A:-", count: 20) + "x" + String(repeating: "}", count: 20)
        #expect(readingError("a p=" + variables)?.code == .tooDeep)
        #expect(readingError(String(repeating: "( ", count: 32) + "a" + String(repeating: " )", count: 32)) == nil)
    }

    @Test func length() throws {
        #expect(readingError(String(repeating: "queue ! ", count: 20_000))?.code == .tooLong)
        #expect(readingError(String(repeating: " ", count: 2_000_000))?.code == .tooLong)
        let bomb = String(repeating: "x", count: 100_000)
        #expect(readingError("a p=${X} q=${X} r=${X}", variables: ["X": bomb])?.code == .tooLong)
    }

    /// Texts of nearly the maximum length are processed within seconds. CPU time is measured because other tests run at
    /// the same time.
    @Test(
        arguments: [
            "queue ! ", "t. ! a ", "a name=x ", "x.y=1 ", "( a ) ", "${A:-a} ", "a ! video/x-raw ! ", "\\\n", "# x\n",
            "a!",
            "a p=\"x\ny\" ", "video/", "tee name=t t. ! ", "aaaaaaaaaa", "raw. ! x. tee name=raw ",
        ]) func longTexts(part: String) throws
    {
        let count = 99_000 / part.count
        let begun = clock(CLOCK_THREAD_CPUTIME_ID)
        for text in [
            String(repeating: part, count: count),
            "tee name=t x name=x " + String(repeating: part, count: count) + " a",
        ] {
            guard var description = try? Description(parsing: text) else { continue }
            _ = (description.warnings, description.fileText, description.launchText)
            description.remove([0])
        }
        #expect(clock(CLOCK_THREAD_CPUTIME_ID) - begun < 20)
    }

    private func clock(_ kind: clockid_t) -> Double {
        var time = timespec()
        unsafe clock_gettime(kind, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
