import Foundation
import PipelineText

typealias Description = PipelineDescription

/// The names and the texts of the repository's pipeline files.
enum PipelineFiles {
    static let names = [
        "bayer-raw", "headless", "libcamera", "preview", "proraw", "rtsp-still", "v4l2",
    ]

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "pipelines")

    static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: "\(name).txt"), encoding: .utf8)
    }
}

/// Returns the error of parsing a text; nil if the text parses.
func readingError(_ text: String, file: String? = nil, variables: [String: String] = [:]) -> PipelineTextError? {
    do {
        _ = try Description(parsing: text, file: file) { variables[$0] }
        return nil
    } catch {
        return error
    }
}

/// A deterministic random number generator (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// A random generator of pipeline descriptions that use the whole grammar, with values that are hard to quote.
struct DescriptionGenerator {
    private var random: SeededGenerator
    private var names: [String] = []

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func description() -> Description {
        names = []
        var description = Description(chains: chains(depth: 0))
        description.closingComments = comments()
        return description
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func pick<Value>(_ values: [Value], _ fallback: Value) -> Value {
        values.randomElement(using: &random) ?? fallback
    }

    private mutating func chains(depth: Int) -> [Description.Chain] {
        (0..<number(1...3)).map { _ in chain(depth: depth) }
    }

    private mutating func chain(depth: Int) -> Description.Chain {
        let count = number(1...4)
        let startsWithReference = count > 1 && !names.isEmpty && number(0...2) == 0
        let first: Description.Node = startsWithReference ? reference() : node(depth: depth)
        var chain = Description.Chain(first)
        for index in 1..<max(1, count) {
            let endsInReference = index == count - 1 && !names.isEmpty && number(0...3) == 0
            let next = endsInReference ? reference() : node(depth: depth)
            chain.steps.append(.init(link(), next))
        }
        return chain
    }

    private mutating func reference() -> Description.Node {
        var reference = Description.Reference(pick(names, "x"))
        reference.comments = comments()
        return .reference(reference)
    }

    private mutating func node(depth: Int) -> Description.Node {
        if depth < 3, number(0...7) == 0 {
            var bin = Description.Bin(pick(["bin", "pipeline"], "bin"), properties(), chains: chains(depth: depth + 1))
            bin.comments = comments()
            return .bin(bin)
        }
        var element = Description.Element(pick(["tee", "queue", "x264enc", "a-b_c%d"], "tee"), properties())
        element.comments = comments()
        if number(0...2) == 0 {
            let name = "n\(names.count)"
            names.append(name)
            element["name"] = name
        }
        return .element(element)
    }

    private mutating func comments() -> [String] {
        number(0...9) == 0 ? ["a remark with \"quotes and ${NO_VARIABLE} ! in it", ""] : []
    }

    private mutating func properties() -> [Description.Property] {
        (0..<number(0...2)).map { index in .init("p\(index)", value()) }
    }

    /// Returns a random property value from a small set of characters, so that special characters are often adjacent.
    private mutating func value() -> String {
        let characters = [
            "a", "b", " ", "\"", "\\", "'", "#", "$", "{", "}", "!", "(", ")", "=", ".", ",", ":", "é", "\t", "\n",
        ]
        var value = (0..<number(0...6)).map { _ in pick(characters, "a") }.joined()
        if number(0...9) == 0 { value += "${HOME}" }
        return value
    }

    private mutating func link() -> Description.Link {
        var link = Description.Link(caps: caps(), from: pads("src"), to: pads("sink"))
        link.linksAllPads = number(0...5) == 0
        return link
    }

    private mutating func pads(_ name: String) -> [String] {
        number(0...3) == 0 ? (0..<number(1...2)).map { "\(name)_\($0)" } : []
    }

    private mutating func caps() -> Description.Caps? {
        guard number(0...2) == 0 else { return nil }
        let structures = (0..<number(1...2)).map { _ in
            let values = ["1", "rggb12le", "[1,20]", "{RGB,BGR}", "<1,2>", "\"a b\"", "30/1", "[0/1,max]"]
            let fields = (0..<number(0...3)).map {
                Description.Caps.Field("f\($0)", pick(values, "1"), type: pick([nil, "int"], nil))
            }
            return Description.Caps.Structure(
                pick(["video/x-raw", "video/x-bayer"], "video/x-raw"),
                features: pick([[], ["memory:GLMemory"]], []), fields: fields)
        }
        return Description.Caps(structures)
    }
}
