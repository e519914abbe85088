import Foundation
import TemporaryFolders
import Testing

/// Presets with random changes: each is read or refused, and never crashes the command.
@Suite(.timeLimit(.minutes(10))) struct PresetTests {
    private static let lines = [
        "# A preset", "ev = 0.5", "white = 5000,10", "look = auto", "lens-correction = off", "color=p3", "bits = 10",
        "crop = 0,0,16x16", "denoise = 0.25", "hdr-amount = 1", "quality = 90", "format = heic", "histogram = yes",
    ]
    private static let parts = ["=", "\n", "\r", "\0", " ", "#", "--", "yes", "1e999", "nan", "é", "\u{301}", "%"]

    @Test func changedPresetsAreReadOrRefused() throws {
        let folder = try TemporaryFolder()
        var random = Generator()
        var codes: Set<Int32> = []
        for _ in 0..<60 {
            var text = Array(Self.lines.shuffled(using: &random).prefix(5).joined(separator: "\n").unicodeScalars)
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let at = Int.random(in: 0..<text.count, using: &random)
                let end = min(text.count, at + Int.random(in: 0...6, using: &random))
                let part = Self.parts.randomElement(using: &random) ?? ""
                text.replaceSubrange(at..<end, with: part.unicodeScalars)
            }
            let preset = String(String.UnicodeScalarView(text))
            try folder.write(bytes: Array(preset.utf8), to: "a.preset")
            let run = try BuiltCommand.run(
                "develop", "--preset", folder.path("a.preset"), "--save-preset", folder.path("b.preset"), "--overwrite")
            #expect(!run.wasKilled && [0, 64, 65].contains(run.code), "\(preset): \(run.code) \(run.errors)")
            #expect(run.code == 0 || run.errors.hasPrefix("gscap"), "\(run.errors)")
            codes.insert(run.code)
            guard run.code == 0 else { continue }
            // A stored preset is read as it was.
            let again = try BuiltCommand.run(
                "develop", "--preset", folder.path("b.preset"), "--save-preset", folder.path("c.preset"), "--overwrite")
            #expect(again.code == 0, "\(preset): \(again.errors)")
            #expect(try folder.bytes("b.preset") == folder.bytes("c.preset"), "\(preset)")
        }
        #expect(codes.contains(0) && codes.count > 1)
    }
}

/// A linear congruential generator with a fixed seed.
private struct Generator: RandomNumberGenerator {
    private var state: UInt64 = 7

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}
