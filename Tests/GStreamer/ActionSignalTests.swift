import GStreamer
import Synchronization
import Testing

@Suite struct ActionSignalTests {
    /// An element with an action signal that has neither parameters nor a result, and one with a result.
    private final class Bell: BinBehaviour {
        static let elementClass = ElementClass(
            factoryName: "testbell", typeName: "GscapTestBell", longName: "Bell", classification: "Filter/Test",
            summary: "Counts its rings", author: "gscap",
            properties: [
                ElementProperty("rings", .uint64(0 ... .max, default: 0), blurb: "A count", options: [.readable])
            ],
            signals: [
                ElementSignal("ring", .action, parameters: []),
                ElementSignal("capture", .action, parameters: [.init("request", .structure)], result: .uint64),
            ])

        private let rings = Mutex<UInt64>(0)

        init(element: ElementHandle) {}

        func property(_ name: String) -> Value { .uint64(rings.withLock { $0 }) }

        func perform(action: String, arguments: [Value]) -> Value? {
            if action == "ring" { rings.withLock { $0 += 1 } }
            return nil
        }
    }

    @Test func anActionWithoutParametersIsPerformedAtEachEmission() throws {
        try Bell.register()
        let bell = try Element(factory: "testbell")
        try bell.emit("ring")
        try bell.emit("ring")
        #expect(try bell.get("rings") == .uint64(2))
    }

    @Test func anUnknownActionAndOneWithParametersAreRefused() throws {
        try Bell.register()
        let bell = try Element(factory: "testbell")
        #expect(throws: GStreamerError.self) { try bell.emit("toll") }
        #expect(throws: GStreamerError.self) { try bell.emit("capture") }
        #expect(try bell.get("rings") == .uint64(0))
    }
}
