import GStreamer
import GscapElements
import RawImage
import Testing

/// The encoders of finished pictures take what the developer gives.
@Suite struct PictureEncoderTests {
    init() throws { try GscapPlugin.register() }

    @Test(
        arguments: [
            ("tiffenc", [:], "RGB", 3, [0x49, 0x49]), ("tiffenc", ["bit-depth": 16], "BGRx", 4, [0x49, 0x49]),
            ("tiffenc", [:], "RGBA64_LE", 8, [0x49, 0x49]), ("heifenc", [:], "BGRx", 4, [0, 0]),
            ("heifenc", ["format": 1, "bit-depth": 10], "RGBA64_LE", 8, [0, 0]),
        ] as [(String, [String: Int32], String, Int, [UInt8])])
    func aPictureBecomesAFile(
        factory: String, settings: [String: Int32], format: String, bytes: Int, start: [UInt8]
    ) throws {
        let element = try Element(factory: factory)
        for (name, value) in settings { try element.set(name, .int(value)) }
        let harness = try Harness(element)
        harness.send(caps: "video/x-raw,format=\(format),width=34,height=18,framerate=30/1")
        harness.play()
        let stride = (34 * bytes + 3) & ~3
        var frame = try Buffer(copying: (0..<stride * 18).map { UInt8(truncatingIfNeeded: $0 * 7) })
        var metadata = FrameMetadata()
        metadata.model = "Test camera"
        try frame.setFrameMetadata(metadata)
        #expect(harness.push(frame) == 0)
        guard let file = harness.pull() else {
            Issue.record("no file came out")
            return
        }
        let content = file.withValues(of: UInt8.self) { bytes in bytes.indices.map { bytes[$0] } }
        #expect(content.starts(with: start))
        #expect(String(decoding: content, as: UTF8.self).contains("Test camera"))
    }
}
