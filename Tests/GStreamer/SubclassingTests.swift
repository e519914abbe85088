import GStreamer
import Testing

@Suite struct SubclassingTests {
    init() throws { try registerTestElements() }

    @Test func aTransformRepeatsWhatASourceCounts() async throws {
        let pipeline = try Pipeline(
            parsing: "testcountsrc num-buffers=3 ! testrepeat copies=2 ! appsink name=out sync=false")
        _ = pipeline
    }
}
