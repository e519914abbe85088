import GStreamer
import Glibc
import Synchronization
import TestClocks
import Testing

/// A pipeline that ends in `appsink name=out`, with the messages that it posts.
private final class Fixture {
    let pipeline: Pipeline
    let messages = Recorder<Message>()

    init(_ text: String) throws {
        try registerTestElements()
        pipeline = try Pipeline(parsing: text)
        let messages = messages
        pipeline.bus.setHandler { messages.add($0) }
    }

    deinit { _ = try? pipeline.setState(.null) }

    func element(_ name: String) throws -> Element { try #require(pipeline.element(named: name)) }

    var sink: AppSink {
        get throws { try #require(AppSink(element("out"))) }
    }

    /// Plays the pipeline and returns the first 32 bits of each buffer, up to the end of the stream or `limit` buffers;
    /// -1 for shorter buffers.
    func numbers(limit: Int = .max) throws -> [Int32] {
        try pipeline.setState(.playing)
        let sink = try sink
        var numbers: [Int32] = []
        while numbers.count < limit, let sample = sink.nextSample(timeout: .seconds(5)) {
            numbers.append(sample.buffer?.withValues(of: Int32.self) { $0.count == 0 ? -1 : $0[0] } ?? -2)
        }
        return numbers
    }

    var errors: [GStreamerError] {
        messages.read { $0.compactMap { if case .error(let error) = $0.kind { error } else { nil } } }
    }
}

/// Records items from any thread.
final class Recorder<Item: Sendable>: Sendable {
    private let items = Mutex<[Item]>([])

    var all: [Item] { read { $0 } }

    /// Reads the recorded items under the lock. A copy of the array would share its memory with the thread that
    /// appends.
    func read<Found>(_ body: ([Item]) -> sending Found) -> sending Found { items.withLock { body($0) } }

    func add(_ item: Item) { items.withLock { $0.append(item) } }
}

/// The tests are serialized, because the instance counts are global to the process.
@Suite(.serialized, .timeLimit(.minutes(10))) enum SubclassingTests {}

extension SubclassingTests {
    @Suite struct Streaming {
        @Test func aTransformRepeatsWhatASourceCounts() throws {
            let fixture = try Fixture("testcountsrc num-buffers=3 ! testrepeat copies=2 ! appsink name=out sync=false")
            #expect(try fixture.numbers() == [7, 7, 8, 8, 9, 9, -1])
            #expect(try fixture.sink.isAtEnd)
            #expect(fixture.errors.isEmpty)
        }

        @Test func aTransformMayPushNothing() throws {
            let fixture = try Fixture(
                "testcountsrc num-buffers=4 ! testrepeat label=drop ! appsink name=out sync=false")
            #expect(try fixture.numbers() == [8, 10, -1])
        }

        @Test func capsAreRenamedAndFixed() throws {
            let fixture = try Fixture("testcountsrc width=5 ! testrepeat ! appsink name=out sync=false max-buffers=1")
            try fixture.pipeline.setState(.playing)
            let caps = try fixture.sink.nextSample(timeout: .seconds(5))?.caps
            #expect(caps == Caps("application/x-repeated", ["width": .int(5)]))
        }

        @Test func aSourceRenegotiatesWhileItRuns() throws {
            let fixture = try Fixture("testcountsrc name=src ! testrepeat ! appsink name=out sync=false max-buffers=1")
            #expect(try fixture.numbers(limit: 2) == [7, 8])
            try fixture.element("src").set("width", 9)
            let sink = try fixture.sink
            var widths: Set<Int> = []
            for _ in 0..<8 {
                if let width = sink.nextSample(timeout: .seconds(5))?.caps?.first?["width"]?.integer {
                    widths.insert(width)
                }
            }
            #expect(widths.contains(9))
        }

        @Test func capsThatATransformRefusesAreAnError() throws {
            let fixture = try Fixture("testcountsrc width=13 ! testrepeat ! appsink name=out sync=false")
            #expect(try fixture.numbers().isEmpty)
            let first = try #require(fixture.errors.first)
            #expect(first.message == "width 13 cannot be")
            #expect(first.domain == GStreamerError.Domain.stream)
        }

        @Test func anErrorOfABehaviourIsPosted() throws {
            let fixture = try Fixture("testcountsrc fail-at=2 ! testrepeat ! appsink name=out sync=false")
            #expect(try fixture.numbers() == [7, 8, -1])
            let error = try #require(fixture.errors.first)
            #expect(error.message == "the count 2 is unlucky")
            #expect(error.domain == GStreamerError.Domain.stream)
            #expect(error.number == 1)
            #expect(error.place.hasPrefix("gscaptestcountsrc"))
        }

        @Test func aSourceThatCannotStartSaysWhy() throws {
            let fixture = try Fixture("testcountsrc refuse=true ! testrepeat ! appsink name=out sync=false")
            #expect(throws: GStreamerError.self) { try fixture.pipeline.setState(.playing) }
            let error = try #require(fixture.errors.first)
            #expect(error.domain == GStreamerError.Domain.resource)
            #expect(error.number == 5)
            #expect(error.message == "there is no device")
            #expect(error.debug == "refuse=true")
        }

        @Test func aBehaviourCanStopAChangeOfState() throws {
            let fixture = try Fixture("testcountsrc ! testrepeat label=stuck ! appsink name=out sync=false")
            #expect(throws: GStreamerError.self) { try fixture.pipeline.setState(.paused) }
            #expect(fixture.errors.first?.message == "the count 0 is unlucky")
            try fixture.pipeline.setState(.ready)
        }

        @Test func aLiveSourceIsPacedByTheClock() throws {
            let fixture = try Fixture(
                "testcountsrc is-live=true num-buffers=5 ! testrepeat ! appsink name=out sync=false")
            #expect(try fixture.pipeline.setState(.paused) == .live)
            let begin = ContinuousClock.now
            #expect(try fixture.numbers() == [7, 8, 9, 10, 11, -1])
            // The last of five timestamps is 40 ms after the first.
            #expect(ContinuousClock.now - begin >= .milliseconds(40))
        }

        @Test func aLiveSourceCanLeaveTheStampsToGStreamer() throws {
            let fixture = try Fixture(
                "testcountsrc stamped=true num-buffers=2 ! testpass ! appsink name=out sync=false")
            #expect(try fixture.pipeline.setState(.paused) == .live)
            try fixture.pipeline.setState(.playing)
            let first = try #require(try fixture.sink.nextSample(timeout: .seconds(5))?.buffer?.presentationTime)
            let second = try #require(try fixture.sink.nextSample(timeout: .seconds(5))?.buffer?.presentationTime)
            #expect(first <= second)
        }

        @Test func flushingResetsATransform() throws {
            let fixture = try Fixture(
                "testcountsrc name=src ! testrepeat name=t ! appsink name=out sync=false max-buffers=1")
            #expect(try fixture.numbers(limit: 3) == [7, 8, 9])
            try fixture.pipeline.setState(.paused)
            let transform = try fixture.element("t")
            #expect(try transform.get("received", as: Int.self) >= 3)
            let input = try #require(transform.pad("sink"))
            #expect(input.send(.flushStart()))
            #expect(input.send(.flushStop(resetTime: false)))
            #expect(try transform.get("received", as: Int.self) <= 2)
        }

        @Test func anEventFromDownstreamReachesTheSource() throws {
            let fixture = try Fixture("testcountsrc name=src ! testrepeat ! appsink name=out sync=false max-buffers=1")
            #expect(try fixture.numbers(limit: 1) == [7])
            let pad = try #require(try fixture.element("out").pad("sink"))
            #expect(pad.push(.customUpstream(Structure("expose", ["first": .int(500)]))))
            #expect(try fixture.element("src").get("first", as: Int.self) == 500)
            #expect(try fixture.numbers(limit: 6).contains { $0 >= 500 })
        }

        @Test(arguments: [false, true]) func passthroughLeavesTheBehaviourOut(passthrough: Bool) throws {
            let fixture = try Fixture(
                "testcountsrc num-buffers=3 ! testpass name=t passthrough=\(passthrough) ! appsink name=out sync=false")
            #expect(try fixture.numbers() == [7, 8, 9])
            #expect(try fixture.element("t").get("processed", as: Int.self) == (passthrough ? 0 : 3))
        }

        @Test func anOrderThatATransformDropsDoesNotReachTheSource() throws {
            let fixture = try Fixture("testcountsrc name=src ! testpass ! appsink name=out sync=false max-buffers=1")
            #expect(try fixture.numbers(limit: 1) == [7])
            let pad = try #require(try fixture.element("out").pad("sink"))
            #expect(pad.push(.customUpstream(Structure("expose", ["first": .int(500)]))))
            #expect(try fixture.element("src").get("first", as: Int.self) == 7)
        }

        @Test func aSignalIsHeardUntilItIsDisconnected() throws {
            let fixture = try Fixture(
                "testcountsrc num-buffers=2 ! testrepeat name=t copies=0 ! appsink name=out sync=false")
            let recorded = Recorder<[Value]>()
            let connection = try fixture.element("t").connect("repeated") { recorded.add($0) }
            #expect(try fixture.numbers() == [-1])
            #expect(recorded.all == [[.uint64(1), .string("done")], [.uint64(2), .string("done")]])
            connection.disconnect()
            try fixture.pipeline.setState(.null)
            #expect(try fixture.numbers() == [-1])
            #expect(recorded.all.count == 2)
        }

        @Test func anEventThatATransformDropsEndsThere() throws {
            let fixture = try Fixture(
                "testcountsrc name=src ! testrepeat name=t ! appsink name=out sync=false max-buffers=1")
            let (before, after) = (Recorder<Event.Kind>(), Recorder<Event.Kind>())
            for (pad, recorded) in [("sink", before), ("src", after)] {
                _ = try #require(try fixture.element("t").pad(pad)).addEventProbe {
                    recorded.add($0.kind)
                    return .pass
                }
            }
            #expect(try fixture.numbers(limit: 1) == [7])
            // The source pushes the event between two buffers.
            #expect(try fixture.element("src").send(.customDownstream(Structure("note"))))
            #expect(try fixture.numbers(limit: 3).count == 3)
            #expect(before.all.contains(.customDownstream))
            #expect(after.all.contains(.segment))
            #expect(!after.all.contains(.customDownstream))
        }
    }
}

extension SubclassingTests {
    @Suite struct Interface {
        init() throws { try registerTestElements() }

        @Test func propertiesHaveTheirDefaultsAtFirst() throws {
            for (factory, shown) in [
                ("testcountsrc", CountingSource.elementClass), ("testrepeat", RepeatingTransform.elementClass),
            ] {
                let element = try Element(factory: factory)
                for property in shown.properties where property.options.contains(.readable) {
                    #expect(try element.get(property.name) == property.defaultValue, "\(factory).\(property.name)")
                }
            }
        }

        @Test func propertiesOfEveryKindAreSetAndRead() throws {
            let element = try Element(factory: "testrepeat")
            let values: [(String, Value)] = [
                ("copies", .uint(9)), ("mode", .enumeration(0, nick: "all")), ("label", .string("hello")),
                ("scale", .double(1.5)), ("rate", .fraction(Fraction(25, 2))),
                ("extra", .structure(Structure("a", ["b": .int(1)]))),
            ]
            for (name, value) in values {
                try element.set(name, value)
                #expect(try element.get(name) == value)
            }
            try element.set("mode", "even")
            #expect(try element.get("mode") == .enumeration(4, nick: "even"))
        }

        @Test func valuesOutOfRangeAreRefused() throws {
            let element = try Element(factory: "testrepeat")
            #expect(throws: GStreamerError.self) { try element.set("copies", 10) }
            #expect(throws: GStreamerError.self) { try element.set("mode", "odd") }
            #expect(throws: GStreamerError.self) { try element.set("received", 1) }
            #expect(throws: GStreamerError.self) { try Pipeline(parsing: "testrepeat mode=odd ! fakesink") }
        }

        @Test func anErrorOfAPropertyIsAWarningOnTheBus() throws {
            try Forgetful.register()
            let fixture = try Fixture("testforgetful name=bin fakesink name=out")
            let element = try fixture.element("bin")
            #expect(try element.get("size") == 3)
            try element.set("size", 4)
            #expect(try element.get("size") == 3)
            let warnings = fixture.messages.read {
                $0.compactMap { if case .warning(let warning) = $0.kind { warning.message } else { nil } }
            }
            #expect(warnings == ["the element has no property \"size\""])
        }

        /// An element that declares a property but does not store its value.
        private final class Forgetful: BinBehaviour {
            static let elementClass = ElementClass(
                factoryName: "testforgetful", typeName: "GscapTestForgetful", longName: "Forgetful",
                classification: "Filter/Test", summary: "Stores nothing", author: "gscap",
                properties: [ElementProperty("size", .int32(0...9, default: 3), blurb: "A size")])

            init(element: ElementHandle) {}
        }

        @Test func anActionSignalIsAnswered() throws {
            let element = try Element(factory: "testrepeat")
            #expect(try element.emit("capture", Structure("settings", ["id": .uint64(77)])) == 77)
            #expect(try element.emit("capture", nil) == 0)
        }

        @Test func theRegistryShowsTheInterface() throws {
            let factory = try #require(ElementFactory(named: "testrepeat"))
            #expect(factory.longName == "Repeater")
            #expect(factory.classification == "Filter/Test")
            #expect(factory.padTemplates.map(\.name).sorted() == ["sink", "src"])
            let mode = try #require(factory.properties().first { $0.name == "mode" })
            #expect(mode.nicks == ["all", "even"])
            #expect(mode.summary == "Which")
        }

        @Test func registeringTwiceKeepsTheType() throws {
            try registerTestElements()
            try Plugin.registerStatic(
                name: "testplugin", description: "For tests", version: "1", elements: [CountingSource.self])
            try Plugin.registerStatic(
                name: "testplugin", description: "For tests", version: "1", elements: [CountingSource.self])
            #expect(try Element(factory: "testcountsrc").get("first") == 7)
        }

        @Test func aNameThatAnotherPluginHoldsGetsAPrefix() throws {
            try Plugin.registerStatic(
                name: "testfirst", description: "First", version: "1", elements: [FirstNamesake.self])
            for _ in 0..<2 {
                try Plugin.registerStatic(
                    name: "testsecond", description: "Second", version: "1", elements: [Namesake.self])
            }
            #expect(ElementFactory(named: "testnamesake")?.longName == "First namesake")
            #expect(ElementFactory(named: "gscaptestnamesake")?.longName == "Namesake")
            #expect(RegisteredNames.name(of: "testnamesake") == "gscaptestnamesake")
            #expect(RegisteredNames.name(of: "testcountsrc") == "testcountsrc")
            _ = try Element(factory: "gscaptestnamesake")
        }

        @Test func aForeignTypeNameIsRefused() {
            let error = #expect(throws: GStreamerError.self) { try Impostor.register() }
            #expect(error?.message.contains("GstFakeSink") == true)
        }

        @Test func aTransformWithoutAnOutputIsRefused() {
            let error = #expect(throws: GStreamerError.self) { try Halved.register() }
            #expect(error?.message == "the element class has no pad template \"src\"")
            #expect(error?.place == "testhalved")
        }

        /// A transform whose class lacks the source pad template.
        private final class Halved: TransformBehaviour {
            static let elementClass = ElementClass(
                factoryName: "testhalved", typeName: "GscapTestHalved", longName: "", classification: "", summary: "",
                author: "", padTemplates: [.sink(caps: "ANY")])

            init(element: ElementHandle) {}

            func process(_ input: consuming Buffer, output: Pad) throws {}
        }

        /// An element whose type name is already used by GStreamer.
        private final class Impostor: BinBehaviour {
            static let elementClass = ElementClass(
                factoryName: "testimpostor", typeName: "GstFakeSink", longName: "", classification: "", summary: "",
                author: "")

            init(element: ElementHandle) { _ = try? Element(factory: "fakesink") }
        }
    }
}

extension SubclassingTests {
    @Suite struct Life {
        init() throws { try registerTestElements() }

        @Test func elementsAreFreedWithTheirPipeline() throws {
            try cycle()
            // A thread of GStreamer may hold the last reference for a moment longer.
            #expect(blocks { CountingSource.instances.current == 0 })
            #expect(RepeatingTransform.instances.current == 0)
            #expect(FilterBin.instances.current == 0)
        }

        private func cycle() throws {
            let fixture = try Fixture(
                "testcountsrc ! testfilterbin name=bin ! testrepeat ! appsink name=out sync=false max-buffers=1")
            for _ in 0..<100 {
                try fixture.pipeline.setState(.playing)
                _ = try fixture.sink.nextSample(timeout: .seconds(5))
                try fixture.pipeline.setState(.null)
            }
            #expect(fixture.errors.isEmpty)
            #expect(try fixture.element("bin").get("steps", as: Int.self) == 600)
        }

        @Test func elementsThatNeverRanAreFreed() throws {
            for factory in ["testcountsrc", "testrepeat", "testfilterbin"] { _ = try Element(factory: factory) }
            #expect(CountingSource.instances.current == 0)
            #expect(RepeatingTransform.instances.current == 0)
            #expect(FilterBin.instances.current == 0)
        }

        @Test func aHandleOutlivesItsElement() throws {
            let handles = Recorder<ElementHandle>()
            unsafe KeptBin.handles = handles
            try KeptBin.register()
            do {
                let element = try Element(factory: "testkeptbin")
                #expect(handles.all.first?.name == element.name)
            }
            let handle = try #require(handles.all.first)
            #expect(handle.element == nil)
            #expect(handle.name.isEmpty)
            handle.post(error: CountingError(count: 1))
            #expect(!handle.pushUpstream(.endOfStream()))
        }

        /// A bin that exposes its element handle to the test.
        private final class KeptBin: BinBehaviour {
            nonisolated(unsafe) static var handles: Recorder<ElementHandle>?

            static let elementClass = ElementClass(
                factoryName: "testkeptbin", typeName: "GscapTestKeptBin", longName: "Kept",
                classification: "Generic/Bin",
                summary: "Gives its handle away", author: "gscap")

            init(element: ElementHandle) { unsafe Self.handles?.add(element) }
        }
    }
}
