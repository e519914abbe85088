import CHarness
import GStreamer
import GscapElements
import RawImage
import Testing

/// The flags and metadata of buffers that an element makes from others.
@Suite(.timeLimit(.minutes(10))) struct BufferMetadataTests {
    init() throws { try GscapPlugin.register() }

    private static let bayer = "video/x-bayer,width=64,height=48,framerate=10/1,format="
    private static let linear = "video/x-raw,width=64,height=48,framerate=10/1,format=RGBA64_LE,colorimetry=1:1:1:0"
    private static let rgb = "video/x-raw,width=64,height=48,framerate=10/1,format=RGB"

    /// An element, the caps of its input and output, and the region of interest of its output.
    struct Case: Sendable, CustomTestStringConvertible {
        var text: String
        var caps: String
        var bytes: Int
        var output = ""
        var region: [UInt32] = [16, 12, 8, 4]
        /// Whether the output is the input's memory.
        var sharesMemory = false

        var testDescription: String { text + " " + caps }
    }

    private static let preview = "rawdevelop quality=preview"
    static let cases = [
        Case(text: "rawunpack", caps: bayer + "rggb", bytes: 64 * 48),
        Case(text: "rawunpack", caps: bayer + "rggb12le", bytes: 64 * 48 * 2, sharesMemory: true),
        Case(text: "rawdevelop", caps: bayer + "rggb12le", bytes: 64 * 48 * 2),
        Case(text: "rawdevelop", caps: linear, bytes: 64 * 48 * 8),
        Case(
            text: preview, caps: bayer + "rggb12le", bytes: 64 * 48 * 2,
            output: "video/x-raw,width=32,height=24", region: [8, 6, 4, 2]),
        Case(
            text: preview + " zoom=2", caps: bayer + "rggb12le", bytes: 64 * 48 * 2,
            output: "video/x-raw,width=64,height=48", region: [0, 0, 16, 8]),
        Case(text: "dngenc", caps: bayer + "rggb12le", bytes: 64 * 48 * 2),
        Case(text: "gscapjpegenc", caps: rgb, bytes: 64 * 48 * 3),
    ]

    /// Returns what the element makes of a frame with all flags and metadata, with a region of interest.
    private func output(_ test: Case, region: [UInt32] = [16, 12, 8, 4]) throws -> UnsafeMutableRawPointer {
        let harness = try Harness(Bin(parsing: test.text, name: "bin"))
        if !test.output.isEmpty { harness.accept(caps: test.output) }
        harness.send(caps: test.caps)
        harness.play()
        let frame = unsafe try Buffer(copying: [UInt8](repeating: 9, count: test.bytes)).intoRawPointer()
        unsafe gscap_buffer_describe(frame, 33, 17, region)
        #expect(harness.push(unsafe Buffer(takingRawPointer: frame)) == 0)
        guard let output = harness.waitAndPull() else { throw GStreamerError(message: "no output") }
        return unsafe output.intoRawPointer()
    }

    @Test(arguments: cases) func flagsAndMetadataAreKept(test: Case) throws {
        let output = unsafe try output(test)
        defer { _ = unsafe Buffer(takingRawPointer: output) }
        #expect(unsafe gscap_buffer_flags(output) == 7)
        #expect(unsafe gscap_buffer_reference_timestamp(output) == 1_000_000_000)
        var region: [UInt32] = [0, 0, 0, 0]
        #expect(unsafe gscap_buffer_region(output, &region) == 1)
        #expect(region == test.region)
        // Metadata about the memory holds as long as the memory is the same.
        #expect(unsafe gscap_buffer_has_memory_metadata(output) == (test.sharesMemory ? 1 : 0))
    }

    /// A zoomed preview shows the centre of the frame; positions outside of it mean nothing.
    @Test func aRegionOutsideOfTheViewIsLeftOut() throws {
        let test = Case(
            text: Self.preview + " zoom=2", caps: Self.bayer + "rggb12le", bytes: 64 * 48 * 2,
            output: "video/x-raw,width=64,height=48")
        let output = unsafe try output(test, region: [0, 0, 8, 8])
        defer { _ = unsafe Buffer(takingRawPointer: output) }
        var region: [UInt32] = [0, 0, 0, 0]
        #expect(unsafe gscap_buffer_region(output, &region) == 0)
    }
}
