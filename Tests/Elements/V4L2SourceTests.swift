import GStreamer
import GscapElements
import RawImage
import Synchronization
import Testing

/// The source of the kernel's cameras, on a machine that need not have one.
@Suite struct V4L2SourceTests {
    init() throws { try GscapPlugin.register() }

    @Test func aCameraThatIsMissingIsNamedWithThoseThatThereAre() throws {
        let pipeline = try Pipeline(parsing: "gscapv4l2src device=/dev/no-such-camera ! fakesink")
        let seen = Mutex<GscapError?>(nil)
        pipeline.bus.setHandler { message in
            if case .error(let error) = message.kind { seen.withLock { $0 = $0 ?? error } }
        }
        #expect(throws: (any Error).self) { try pipeline.setState(.paused) }
        let error = try #require(seen.withLock { $0 })
        #expect(error.code == .noDevice)
        #expect(error.message.contains("there is no raw camera /dev/no-such-camera"))
    }

    /// The element can deliver every format of the kernel that rawunpack reads.
    @Test func thePadHasTheFormatsOfTheKernel() throws {
        let source = try Element(factory: "gscapv4l2src")
        let caps = try #require(source.pad("src")?.queryCaps())
        for format in BayerDialect.fourCharacterCodes.map(\.format.name) {
            #expect(caps.canIntersect(Caps("video/x-bayer", ["format": .string(format)])), "\(format)")
        }
    }

    @Test func exposureAndGainKeepTheirValues() throws {
        let source = try Element(factory: "gscapv4l2src")
        try source.set("exposure-time", .double(0.01))
        try source.set("iso", .double(400))
        #expect(try source.get("exposure-time").number == 0.01)
        #expect(try source.get("iso").number == 400)
        #expect(try source.get("lost-frames").unsigned == 0)
    }
}
