import GStreamer
import Testing

@Suite struct ValueTests {
    @Test(arguments: [
        Value.boolean(true), .int(-5), .uint(7), .int64(-9_000_000_000), .uint64(.max - 1), .double(0.25),
        .string("a b"),
        .fraction(Fraction(30, 1)), .array([.double(1), .double(2)]), .list([.string("a"), .string("b")]),
        .intRange(1...9), .structure(Structure("inner", ["x": 3])),
    ])
    func valuesConvertToGValueAndBack(value: Value) throws {
        let caps = Caps("test/value", ["field": value])
        #expect(caps.first?["field"] == value)
    }

    /// GStreamer has no range of a single number: previews of frames one pixel high asked for one.
    @Test func aRangeOfOneNumberIsThatNumber() {
        #expect(Caps("test/value", ["field": .intRange(1...1)]).first?["field"] == .int(1))
    }

    @Test func longDurationsAreTheLongestThatCanBeCounted() {
        #expect(Duration.seconds(Int64.max).nanoseconds == .max)
        #expect(Duration.seconds(Int64.min).nanoseconds == .min)
        #expect(Duration.milliseconds(-1500).nanoseconds == -1_500_000_000)
    }

    @Test func structureKeepsOrderAndReplaces() {
        var structure = Structure("name", ["b": 1, "a": 2, "b": 3])
        #expect(structure.fields.map(\.name) == ["b", "a"])
        #expect(structure["b"] == 3)
        structure["b"] = nil
        #expect(structure.fields.map(\.name) == ["a"])
    }

    @Test func capsReadAndPrint() throws {
        let text = "video/x-bayer, format=(string)rggb12le, width=(int)4032, height=(int)3024, framerate=(fraction)10/1"
        let caps = try Caps(text)
        #expect(caps.description == text)
        #expect(caps.isFixed)
        #expect(caps.first?["width"]?.integer == 4032)
        #expect(caps.first?["framerate"] == .fraction(Fraction(10, 1)))
    }

    @Test func badCapsAreAnError() {
        #expect(throws: GStreamerError.self) { try Caps("video/x-raw, width=(int") }
    }

    @Test func capsIntersect() throws {
        let wide = try Caps("video/x-raw, width=[1,100]; video/x-bayer")
        let narrow = try Caps("video/x-raw, width=50")
        #expect(wide.intersection(narrow) == narrow)
        #expect(narrow.isSubset(of: wide))
        #expect(!narrow.canIntersect(try Caps("audio/x-raw")))
        #expect(wide.fixated().first?["width"]?.integer == 1)
    }

    @Test func propertiesAreTyped() throws {
        let queue = try Element(factory: "queue")
        try queue.set("max-size-buffers", 3)
        #expect(try queue.get("max-size-buffers", as: Int.self) == 3)
        try queue.set("leaky", "downstream")
        #expect(try queue.get("leaky", as: String.self) == "downstream")
        #expect(throws: GStreamerError.self) { try queue.set("max-size-buffers", -1) }
        #expect(throws: GStreamerError.self) { try queue.set("leaky", "sideways") }
        #expect(throws: GStreamerError.self) { try queue.set("no-such", 1) }
        #expect(throws: GStreamerError.self) { try queue.get("max-size-buffers", as: String.self) }
    }
}
