import DNG
import FrameStream
import GStreamer
import GscapElements
import RawImage
import Synchronization
import Testing

/// Property values of one capture: elements use them for the frames of this capture alone.
@Suite(.timeLimit(.minutes(10))) struct CaptureSettingsTests {
    init() throws { try GscapPlugin.register() }

    private static let (width, height) = (64, 48)
    private static let picture = "video/x-raw,format=RGB,width=64,height=48,framerate=30/1"
    private static let mosaic = "video/x-bayer,format=rggb12le,width=64,height=48,framerate=30/1"

    /// Returns a frame of a textured picture or mosaic that belongs to a capture with property values.
    private func frame(
        _ caps: String, capture id: UInt64, _ settings: [String: [String: String]] = [:]
    ) throws -> Buffer {
        let isMosaic = caps == Self.mosaic
        let count = Self.width * Self.height * (isMosaic ? 2 : 3)
        // The high bytes of 12-bit codes are below 16.
        var frame = try Buffer(
            copying: (0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) & (isMosaic && $0 % 2 == 1 ? 15 : 255) })
        var metadata = FrameMetadata(bitDepth: 12)
        var tag = CaptureTag(id: id, index: 0, count: 1)
        tag.settings = settings
        metadata.capture = tag
        try frame.setFrameMetadata(metadata)
        return frame
    }

    /// Returns the sizes of the files of three frames, of which the second has property values.
    private func sizes(_ factory: String, _ caps: String, _ values: [String: String]) throws -> [Int] {
        let harness = try Harness(Element(factory: factory, name: "photo"))
        harness.send(caps: caps)
        harness.play()
        for (id, settings) in [[:], ["photo": values, "other": ["quality": "9"]], [:]].enumerated() {
            #expect(harness.push(try frame(caps, capture: UInt64(id + 1), settings)) == 0)
        }
        return (0..<3).map { _ in harness.waitAndPull()?.size ?? 0 }
    }

    @Test(arguments: [
        ("gscapjpegenc", picture, ["quality": "0.1"]), ("dngenc", mosaic, ["preview-size": "8"]),
        ("dngenc", mosaic, ["preview-quality": "5", "preview-size": "65535"]),
    ]) func aPhotoOfOneCaptureIsSmaller(factory: String, caps: String, values: [String: String]) throws {
        let sizes = try sizes(factory, caps, values)
        #expect(sizes[1] > 100 && sizes[1] < sizes[0], "\(sizes)")
        #expect(sizes[2] == sizes[0], "\(sizes)")
    }

    @Test func uncompressedTIFF() throws {
        let sizes = try sizes("tiffenc", Self.picture, ["compression": "none"])
        #expect(sizes[1] > Self.width * Self.height * 3 && sizes[2] == sizes[0], "\(sizes)")
    }

    @Test(
        arguments: [
            ("gscapjpegenc", picture, "quality", "1.5", "from 0.0 to 1.0"),
            ("gscapjpegenc", picture, "speed", "1", "quality"), ("gscappngenc", picture, "bit-depth", "16", "fixed"),
            ("dngenc", mosaic, "preview-size", "65536", "from 0 to 65535"),
            ("dngenc", mosaic, "look", "sometimes", "auto, always, none"),
            ("rawdevelop", mosaic, "color-space", "adobe", "auto, srgb, display-p3, rec2020"),
            ("rawdevelop", mosaic, "quality", "preview", "fixed"),
        ])
    func anInvalidValueFailsItsOwnPhotoOnly(
        factory: String, caps: String, name: String, value: String, allowed: String
    ) throws {
        let (errors, next) = try outcome(
            "\(factory) name=photo", caps, ["photo": [name: value]])
        #expect(next == 2)
        let error = try #require(errors[1])
        #expect(error.contains("photo") && error.contains("\"\(name)\"") && error.contains(allowed), "\(error)")
        #expect(errors[2] == nil)
    }

    /// Pushes two captures, the first with property values; returns the errors by capture and the capture of the first
    /// output buffer.
    private func outcome(
        _ elements: String, _ caps: String, _ settings: [String: [String: String]]
    ) throws -> (errors: [UInt64: String], first: UInt64?) {
        let pipeline = try Pipeline(
            parsing: "appsrc name=in format=time caps=\(caps) ! \(elements) ! appsink name=out sync=false async=false")
        let errors = Mutex<[UInt64: String]>([:])
        pipeline.bus.setHandler { message in
            guard case .element(let structure) = message.kind,
                case .photo(let id, _, _, let error?)? = CaptureMessage(structure)
            else { return }
            errors.withLock { $0[id] = error }
        }
        let source = try #require(pipeline.element(named: "in").flatMap(AppSrc.init))
        let sink = try #require(pipeline.element(named: "out").flatMap(AppSink.init))
        try pipeline.setState(.playing)
        try source.push(frame(caps, capture: 1, settings))
        try source.push(frame(caps, capture: 2))
        source.endOfStream()
        let first = sink.nextSample(timeout: .seconds(30))?.buffer?.captureIdentifier
        try pipeline.setState(.null)
        return (errors.withLock { $0 }, first)
    }

    /// The colour spaces that downstream does not accept fail their own photo only.
    @Test(arguments: [
        ("rawdevelop name=photo ! exrenc", "display-p3"),
        ("rawdevelop name=photo ! video/x-raw,format=RGB,colorimetry=(string)sRGB ! gscapjpegenc", "rec2020"),
    ]) func aColorSpaceThatDownstreamRefusesFailsItsOwnPhotoOnly(elements: String, space: String) throws {
        let (errors, next) = try outcome(elements, Self.mosaic, ["photo": ["color-space": space]])
        #expect(next == 2)
        #expect(errors[1]?.contains("color-space=\(space)") == true, "\(errors)")
        #expect(errors[2] == nil)
    }

    @Test func settingsThatAreNotTextAreReadAsText() throws {
        let values = Structure(
            "values",
            [
                "quality": .double(0.25), "on": true, "count": 3, "size": .uint64(.max), "title": "A day",
                "list": .array([1]),
            ])
        let settings = Structure("settings", ["photo": .structure(values)])
        var frame = try Buffer(size: 4)
        frame.setStructure(
            Structure(
                FrameCustomMeta.name,
                ["white-level": 1.0, "capture-id": .uint64(7), "capture-settings": .structure(settings)]),
            of: try FrameCustomMeta.kind())
        let found = frame.frameMetadata?.capture?.settings["photo"]
        var read = try #require(found)
        let list = read.removeValue(forKey: "list")
        #expect(list != nil)
        #expect(
            read == [
                "quality": "0.25", "on": "true", "count": "3", "size": "18446744073709551615", "title": "A day",
            ])
    }

    @Test func encodersListTheirOptions() throws {
        let all = Set(DevelopColorSpace.allCases)
        for (factory, hasQuality, spaces) in [
            ("gscapjpegenc", true, all), ("gscappngenc", false, all), ("tiffenc", false, all), ("heifenc", true, all),
            ("avifenc", true, all), ("jxlenc", true, all), ("gscapwebpenc", true, all),
            ("exrenc", false, []),
        ] {
            let support = try #require(PictureEncoderSupport(factory: factory))
            #expect(support.hasQuality == hasQuality && support.colorSpaces == spaces, "\(factory)")
        }
        #expect(PictureEncoderSupport(factory: "rawdevelop") == nil)
        #expect(PictureEncoderSupport(factory: "dngenc") == nil)
    }

    /// The preview of a lossy DNG is smaller than the photo even if its size was requested.
    @Test(arguments: [(60, 30), (1000, 30), (20, 20)]) func sizesOfPreviewsOfLossyPhotos(
        longestSide: Int, width: Int
    ) throws {
        let format = LinearFormat(width: 60, height: 40)
        let values = [UInt16](repeating: 30_000, count: format.valueCount)
        let preview = try DNGPreviewRenderer(longestSide: longestSide, isHalved: true)
            .of(values.span, format, FrameMetadata())
        #expect(preview.width == width)
    }
}
