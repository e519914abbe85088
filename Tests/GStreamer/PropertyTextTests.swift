import GStreamer
import Testing

/// Property values as text: parsing by the declared type, and settings of one frame.
@Suite struct PropertyTextTests {
    private enum Mode: Sendable {
        case fast, fine
    }

    private struct Settings: Sendable, Equatable {
        var isOn = false
        var offset = 0
        var count = 3
        var size: UInt64 = 7
        var quality = 0.5
        var title = "untitled"
        var mode = Mode.fast
        var depth = 0

        static let properties = PropertyTable(
            defaults: Settings(),
            [
                .boolean("on", \.isOn, blurb: "b", options: live),
                .int32("offset", \.offset, -9...9, blurb: "b", options: live),
                .uint32("count", \.count, 1...64, blurb: "b", options: live),
                .uint64("size", \.size, 0...UInt64.max, blurb: "b", options: live),
                .double("quality", \.quality, 0...1, blurb: "b", options: live),
                .string("title", \.title, blurb: "b", options: live),
                .enumeration(
                    "mode", \.mode, type: "GscapTestTextMode",
                    [.init(.fast, nick: "fast", name: "Fast"), .init(.fine, nick: "fine", name: "Fine")], blurb: "b",
                    options: live), .int32("depth", \.depth, 0...16, blurb: "b", options: [.readWrite, .mutableReady]),
            ])

        private static let live: ElementProperty.Options = [.readWrite, .mutablePlaying]
    }

    private let settings = ElementSettings(Settings.properties)

    @Test func textIsParsedAsTheDeclaredType() throws {
        let values = [
            "on": "true", "offset": "-4", "count": "64", "size": "18446744073709551615", "quality": "0.25",
            "title": "A day", "mode": "fine",
        ]
        let changed = try settings.current(for: values, of: "element")
        #expect(
            changed
                == Settings(
                    isOn: true, offset: -4, count: 64, size: .max, quality: 0.25, title: "A day", mode: .fine))
        // The element's own settings stay as they were.
        #expect(settings.current == Settings())
        #expect(try settings.current(for: [:], of: "element") == Settings())
    }

    @Test(arguments: [("on", "NO"), ("on", "0"), ("quality", "1"), ("quality", "1e-3"), ("mode", "1")])
    func otherNotationsAreParsedToo(name: String, text: String) throws {
        _ = try settings.current(for: [name: text], of: "element")
    }

    @Test(
        arguments: [
            ("on", "2", "true or false"), ("offset", "10", "from -9 to 9"), ("offset", "1.5", "whole number"),
            ("count", "0", "from 1 to 64"), ("count", "", "from 1 to 64"), ("size", "-1", "from 0"),
            ("quality", "1.01", "from 0.0 to 1.0"), ("quality", "nan", "from 0.0 to 1.0"),
            ("quality", "best", "from 0.0 to 1.0"), ("mode", "finest", "fast, fine"), ("mode", "2", "fast, fine"),
            ("depth", "8", "fixed"), ("speed", "8", "on, offset, count, size, quality, title, mode"),
        ])
    func badTextIsAnErrorWithTheAllowedValues(name: String, text: String, allowed: String) throws {
        let error = try #require(throws: GStreamerError.self) {
            try settings.current(for: [name: text], of: "jpeg-encoder")
        }
        #expect(error.place == "jpeg-encoder")
        #expect(error.message.contains("\"\(name)\"") && error.message.contains(allowed), "\(error)")
        #expect(settings.current == Settings())
    }

    @Test func fractionsAndStructures() throws {
        let rate = ElementProperty(
            "rate", .fraction(from: Fraction(0, 1), to: Fraction(60, 1), default: Fraction(30, 1)), blurb: "b")
        #expect(try rate.value(from: "25") == .fraction(Fraction(25, 1)))
        #expect(try rate.value(from: "30000/1001") == .fraction(Fraction(30000, 1001)))
        for text in ["61", "1/0", "1/2/3", "/", "", "-1/1"] {
            #expect(throws: GStreamerError.self, "\(text)") { try rate.value(from: text) }
        }
        let structure = ElementProperty("extra", .structure, blurb: "b")
        #expect(throws: GStreamerError.self) { try structure.value(from: "a") }
    }
}
