import FrameStream
import GStreamer
import GscapElements
import RawImage
import Testing

/// Tests that elements learn the noise of a camera that does not state it.
@Suite(.timeLimit(.minutes(10))) struct NoiseLearningTests {
    init() throws { try GscapPlugin.register() }

    /// Returns the metadata of the frames that come out of a pipeline behind the simulated camera.
    private func metadata(_ camera: String, _ elements: String) throws -> [FrameMetadata] {
        let pipeline = try Pipeline(
            parsing: "gscapsensorsrc is-live=false motion=false vignetting=0 \(camera) "
                + "! video/x-bayer,format=rggb12le,width=1008,height=756 ! \(elements) ! appsink name=out sync=false")
        let sink = try #require(pipeline.element(named: "out").flatMap(AppSink.init))
        try pipeline.setState(.playing)
        defer { _ = try? pipeline.setState(.null) }
        var found: [FrameMetadata] = []
        while let metadata = sink.nextSample(timeout: .seconds(240))?.buffer?.frameMetadata { found.append(metadata) }
        return found
    }

    private func expect(_ found: FrameMetadata, near truth: FrameMetadata) {
        #expect(found.isNoiseEstimated && found.noise.count == 3)
        guard found.noise.count == 3 else { return }
        for plane in 0..<3 {
            for signal in [0.05, 0.2, 0.5] {
                let ratio = found.noise[plane].variance(at: signal) / truth.noise[plane].variance(at: signal)
                #expect((0.75...1.35).contains(ratio), "plane \(plane) at \(signal): \(ratio)")
            }
        }
    }

    @Test(arguments: ["rawunpack", "rawshutter captures=1 frames=3", "rawunpack ! rawshutter captures=1 frames=3"])
    func theNoiseIsLearnedFromTheStream(_ elements: String) throws {
        let camera = "num-buffers=3 iso=1600"
        let truth = try #require(try metadata(camera, "rawunpack").first)
        #expect(!truth.isNoiseEstimated)
        let found = try metadata(camera + " noise-profile=false", elements)
        #expect(found.count == 3)
        for frame in found { expect(frame, near: truth) }
    }

    @Test func theCamerasOwnProfileIsKept() throws {
        let camera = "num-buffers=2 iso=1600"
        let before = try metadata(camera, "identity")
        #expect(try metadata(camera, "rawunpack ! rawshutter captures=1 frames=2").map(\.noise) == before.map(\.noise))
    }

    /// A photo of a camera without a profile, from the press to the file's metadata.
    @Test func aFusedPhotoStatesThatItsNoiseIsEstimated() throws {
        let found = try metadata(
            "num-buffers=4 iso=1600 noise-profile=false", "rawunpack ! rawshutter captures=1 frames=4 ! rawfusion")
        let photo = try #require(found.first)
        #expect(photo.isNoiseEstimated && photo.fusion?.noiseSource == .estimated)
        #expect(photo.fusion?.effectiveFrames ?? 0 > 2)
    }
}
