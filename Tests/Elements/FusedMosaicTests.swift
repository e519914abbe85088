import CHarness
import Demosaic
import Develop
import FrameStream
import GStreamer
import GscapElements
import RawImage
import Testing

/// `rawfusion demosaic=false` outputs the merged mosaic if the elements downstream accept it.
@Suite(.timeLimit(.minutes(10)), .serialized) struct FusedMosaicTests {
    init() throws { try GscapPlugin.register() }

    private let width = 96
    private let height = 64

    private func frame(_ tag: CaptureTag, width: Int) throws -> Buffer {
        let stride = (width + 1) & ~1
        var buffer = try Buffer(size: stride * height * 2)
        buffer.withMutableValues(of: UInt16.self) { codes in
            for index in codes.indices {
                let (row, column) = (index / stride, index % stride)
                codes[index] = UInt16(300 + (row / 6 + column / 5) % 4 * 800 + (index * 7919) % 60)
            }
        }
        var metadata = FrameMetadata(bitDepth: 12)
        metadata.blackLevel = [256, 256, 256, 256]
        metadata.neutral = SIMD3(0.6, 1, 0.7)
        metadata.noise = [NoiseProfile(shot: 1e-4, read: 4e-6)]
        metadata.capture = tag
        try buffer.setFrameMetadata(metadata)
        return buffer
    }

    /// Returns the photo of a burst of two frames; `demosaics` is the value of the property, or of the capture's own
    /// setting with `isOfCapture`.
    private func photo(
        demosaics: Bool, isOfCapture: Bool = false, width: Int = 96, accepting caps: String? = nil
    ) throws -> Buffer {
        let element = try Element(factory: "rawfusion", name: "fusion")
        if !isOfCapture { try element.set("demosaic", .boolean(demosaics)) }
        let harness = try Harness(element)
        if let caps { harness.accept(caps: caps) }
        harness.send(caps: "video/x-bayer,format=rggb12le,width=\(width),height=\(height),framerate=10/1")
        for index in 0..<2 {
            var tag = CaptureTag(id: 1, index: index, count: 2)
            if isOfCapture { tag.settings = ["fusion": ["demosaic": "\(demosaics)"]] }
            harness.push(try frame(tag, width: width))
        }
        guard let photo = harness.waitAndPull() else { throw GStreamerError(message: "no photo came out") }
        return photo
    }

    /// The bytes of a mosaic of 16 bits and of a linear photo.
    private var sizes: (mosaic: Int, linear: Int) { (width * height * 2, width * height * 8) }

    @Test(arguments: [false, true]) func theMosaicIsHandedOn(isOfCapture: Bool) throws {
        let photo = try photo(demosaics: false, isOfCapture: isOfCapture)
        #expect(photo.size == sizes.mosaic)
        let attached = photo.frameMetadata
        let metadata = try #require(attached)
        #expect(metadata.whiteLevel == 65_520 && metadata.fusion?.usedFrames == 2)
        let format = MosaicFormat(width: width, height: height, pattern: .rggb, bitDepth: 16)
        let recipe = try photo.withValues(of: UInt16.self) { values throws in
            try RecipeMaker().recipe(mosaic: values, format: format, metadata: metadata)
        }
        let isSame = metadata.recipe == recipe
        #expect(isSame)
    }

    @Test func aLinearPhotoIsTheDefault() throws {
        #expect(try photo(demosaics: true).size == sizes.linear)
    }

    /// Caps that exclude Bayer, and an odd width, whose rows a Bayer buffer would pad.
    @Test func whatCannotBeHandedOnIsDemosaiced() throws {
        let caps = "video/x-raw,format=RGBA64_LE"
        #expect(try photo(demosaics: false, accepting: caps).size == sizes.linear)
        #expect(try photo(demosaics: false, width: 95).size == 95 * height * 8)
    }

    /// The look is computed from the mosaic in place of the linear photo; the pictures are nearly equal.
    @Test func thePictureHardlyDiffers() throws {
        func picture(demosaics: Bool) throws -> [UInt8] {
            let photo = try photo(demosaics: demosaics)
            let format =
                demosaics ? "video/x-raw,format=RGBA64_LE,colorimetry=1:1:1:0" : "video/x-bayer,format=rggb16le"
            let harness = try Harness(factory: "rawdevelop")
            harness.accept(caps: "video/x-raw,format=RGB")
            harness.send(caps: "\(format),width=\(width),height=\(height),framerate=10/1")
            harness.push(photo)
            guard let picture = harness.waitAndPull() else { throw GStreamerError(message: "no picture came out") }
            return picture.withValues(of: UInt8.self) { bytes in bytes.indices.map { bytes[$0] } }
        }
        let (mosaic, linear) = (try picture(demosaics: false), try picture(demosaics: true))
        #expect(mosaic.count == linear.count)
        let differences = zip(mosaic, linear).map { abs(Int($0) - Int($1)) }
        #expect(differences.max() ?? 255 <= 6)
        #expect(Double(differences.reduce(0, +)) / Double(max(1, differences.count)) < 1)
    }

    /// The caps change from photo to photo, with the captures' own settings.
    @Test func theFormatMayChangeFromPhotoToPhoto() throws {
        let pipeline = try Pipeline(
            parsing: "appsrc name=in format=time caps=\"video/x-bayer,format=rggb12le,width=\(width),height=\(height),"
                + "framerate=10/1\" ! rawfusion name=fusion ! tee name=photo photo. ! queue ! rawdevelop "
                + "! video/x-raw,format=RGB ! appsink name=out sync=false async=false photo. ! queue ! dngenc "
                + "! fakesink async=false")
        let source = try #require(pipeline.element(named: "in").flatMap(AppSrc.init))
        let sink = try #require(pipeline.element(named: "out").flatMap(AppSink.init))
        try pipeline.setState(.playing)
        defer { _ = try? pipeline.setState(.null) }
        for (index, demosaics) in [false, true, false].enumerated() {
            var tag = CaptureTag(id: UInt64(index + 1), index: 0, count: 1)
            tag.settings = ["fusion": ["demosaic": "\(demosaics)"]]
            try source.push(try frame(tag, width: width))
            let sample = sink.nextSample(timeout: .seconds(60))
            #expect(sample?.buffer?.captureIdentifier == UInt64(index + 1))
        }
    }
}
