import CHarness
import DNG
import Foundation
import FrameStream
import GStreamer
import GscapElements
import RawImage
import TemporaryFolders
import Testing

/// A camera without colour filters, from its frames to the files.
@Suite(.timeLimit(.minutes(10))) struct MonochromeTests {
    init() throws { try GscapPlugin.register() }

    private func samples(_ text: String, atMost count: Int = .max) throws -> [Sample] {
        let pipeline = try Pipeline(parsing: text + " ! appsink name=out sync=false")
        let sink = try #require(pipeline.element(named: "out").flatMap(AppSink.init))
        try pipeline.setState(.playing)
        defer { _ = try? pipeline.setState(.null) }
        var samples: [Sample] = []
        while samples.count < count, let sample = sink.nextSample(timeout: .seconds(120)) { samples.append(sample) }
        return samples
    }

    private func sample(_ text: String) throws -> Sample { try #require(samples(text, atMost: 1).first) }

    private func codes(_ sample: Sample) -> [UInt16] {
        guard let buffer = sample.buffer else { return [] }
        return buffer.withValues(of: UInt16.self) { values in values.indices.map { values[$0] } }
    }

    private func bytes(_ sample: Sample) -> [UInt8] {
        guard let buffer = sample.buffer else { return [] }
        return buffer.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
    }

    private func metadata(_ sample: Sample) -> FrameMetadata? {
        guard let buffer = sample.buffer else { return nil }
        return buffer.frameMetadata
    }

    private func file(_ sample: Sample) throws -> DNGFile { try DNGFile(bytes: bytes(sample)) }

    private static let camera =
        "gscapsensorsrc num-buffers=4 is-live=false ! video/x-bayer,format=mono12le,width=96,height=64,framerate=30/1"

    /// GStreamer's grey pictures become canonical frames with the same codes.
    @Test(arguments: [
        ("GRAY8", "", "mono16le", 8), ("GRAY16_LE", "", "mono16le", nil), ("GRAY16_BE", ",bpp=12", "mono12le", nil),
    ]) func greyPicturesOfGStreamerAreUnpacked(
        _ format: String, _ bits: String, _ name: String, _ depth: Int?
    ) throws {
        let element = try Element(factory: "rawunpack", name: "unpack")
        let harness = try Harness(element)
        try element.set("model", "M")
        try element.set("orientation", 6)
        harness.send(caps: "video/x-raw,format=\(format)\(bits),width=4,height=2,framerate=10/1")
        let isWide = format != "GRAY8"
        var frame = try Buffer(size: isWide ? 16 : 8)
        frame.withMutableValues(of: UInt8.self) { bytes in for i in bytes.indices { bytes[i] = UInt8(i) } }
        harness.push(frame)
        guard let buffer = harness.waitAndPull() else { throw GStreamerError(message: "no frame came out") }
        let values = buffer.withValues(of: UInt16.self) { values in values.indices.map { values[$0] } }
        let expected: [UInt16] =
            switch format {
            case "GRAY8": [0, 1, 2, 3, 4, 5, 6, 7]
            case "GRAY16_LE": (0..<8).map { UInt16(2 * $0 + 1) << 8 | UInt16(2 * $0) }
            default: (0..<8).map { UInt16(2 * $0) << 8 | UInt16(2 * $0 + 1) }
            }
        #expect(values == expected)
        let metadata = buffer.frameMetadata
        #expect(metadata?.isMonochrome == true && metadata?.model == "M" && metadata?.orientation == 6)
        let caps = element.pad("src")?.currentCaps?.first
        #expect(caps?["format"]?.text == name)
        #expect(caps?["bpp"]?.integer == depth)
    }

    @Test func aFramesFileHasItsCodes() throws {
        let frame = try sample(Self.camera + " ! rawunpack")
        #expect(frame.caps?.first?["format"]?.text == "mono12le")
        let file = try file(sample(Self.camera + " ! rawunpack ! dngenc"))
        #expect(file.main?.isMonochrome == true)
        #expect(try file.storedSamples().codes == codes(frame))
        #expect(file.metadata.isMonochrome && file.metadata.calibrations.isEmpty && file.metadata.noise.count == 1)
    }

    /// Files of frames are played as the frames that they were.
    @Test func filesAreFramesAgain() throws {
        let folder = try TemporaryFolder()
        for (index, sample) in try samples(Self.camera + " ! rawunpack ! dngenc").enumerated() {
            try Data(bytes(sample)).write(to: folder.url.appending(path: "\(index).dng"))
        }
        let played = try sample("dngsrc location=\(folder.path("*.dng"))")
        #expect(played.caps?.first?["format"]?.text == "mono12le")
        #expect(try codes(played) == codes(sample(Self.camera + " ! rawunpack")))
        let burst = "dngsrc location=\(folder.path("*.dng")) ! rawshutter captures=1 frames=4 ! rawfusion"
        #expect(try metadata(sample(burst))?.fusion?.usedFrames == 4)
    }

    /// A fused photo has one sample a pixel, and less noise than a frame: both against the scene without any.
    @Test func aBurstIsFused() throws {
        let steady = Self.camera.replacing("is-live=false", with: "is-live=false motion=false shake=0")
        let noiseless = steady.replacing("motion=false", with: "motion=false truth=true")
        let truth = try codes(sample(noiseless + " ! rawunpack"))
        let frame = try codes(sample(steady + " ! rawunpack"))
        let burst = steady + " ! rawunpack ! rawshutter captures=1 frames=4"
        let photo = try sample(burst + " ! rawfusion")
        let values = codes(photo)
        let metadata = metadata(photo)
        #expect(metadata?.isMonochrome == true)
        #expect(metadata?.fusion?.usedFrames == 4)
        let pixels = (0..<values.count / 4)
        #expect(pixels.allSatisfy { values[4 * $0] == values[4 * $0 + 1] && values[4 * $0] == values[4 * $0 + 2] })
        func error(_ value: (Int) -> Double) -> Double {
            pixels.reduce(0) { sum, pixel in
                let difference = value(pixel) - (Double(truth[pixel]) - 256) / 3839
                return sum + difference * difference
            }
        }
        let fused = error { Double(values[4 * $0]) / 65_535 }
        let single = error { (Double(frame[$0]) - 256) / 3839 }
        #expect(fused < 0.5 * single && single > 0)
        let file = try file(sample(burst + " ! rawfusion ! dngenc bit-depth=16"))
        #expect(file.main?.isMonochrome == true)
        #expect(try file.storedSamples().codes == pixels.map { values[4 * $0] })
    }

    /// Pictures and previews, also enlarged ones, are neutral.
    @Test(arguments: [
        "rawdevelop", "rawdevelop quality=preview", "rawdevelop quality=preview zoom=4",
        "rawshutter captures=1 frames=4 ! rawfusion ! rawdevelop",
        "rawshutter captures=1 frames=4 ! rawfusion demosaic=false ! rawdevelop",
    ]) func picturesAreGrey(_ elements: String) throws {
        let picture = try sample(
            Self.camera + " ! rawunpack ! \(elements) ! video/x-raw,format=RGB,width=96,height=64")
        let pixels = bytes(picture)
        #expect(pixels.count == 96 * 64 * 3)
        for pixel in 0..<pixels.count / 3 {
            let color = pixels[3 * pixel..<3 * pixel + 3]
            #expect((color.max() ?? 0) - (color.min() ?? 0) <= 1)
        }
        #expect(Set(pixels).count > 60)
    }
}
