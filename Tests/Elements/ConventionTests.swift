import CHarness
import Foundation
import FrameStream
import GStreamer
import GscapElements
import RawImage
import TemporaryFolders
import Testing

/// What hosts expect of every GStreamer element: caps, allocation, ends of streams, presets, ranks and tags.
@Suite(.timeLimit(.minutes(10))) struct ConventionTests {
    init() throws { try GscapPlugin.register() }

    private static let encoders = [
        "dngenc", "gscapjpegenc", "gscappngenc", "tiffenc", "heifenc", "avifenc", "jxlenc", "gscapwebpenc", "exrenc",
    ]
    private static let bayer = "video/x-bayer,format=rggb12le,width=64,height=48,framerate=10/1"
    private static let linear = "video/x-raw,format=RGBA64_LE,width=64,height=48,framerate=10/1,colorimetry=1:1:1:0"

    // MARK: - Caps

    @Test func everyTemplateHasSizesAndRates() throws {
        for element in GscapPlugin.elements {
            for template in element.elementClass.padTemplates {
                for structure in try Caps(template.caps).structures {
                    for field in ["width", "height", "framerate"] {
                        #expect(structure[field] != nil, "\(element.elementClass.factoryName) \(structure.name)")
                    }
                }
            }
        }
    }

    @Test(arguments: ["gscapjpegenc", "gscappngenc"]) func theFileKeepsThePixelAspectRatio(factory: String) throws {
        let harness = try Harness(factory: factory)
        harness.send(caps: "video/x-raw,format=RGB,width=64,height=48,framerate=10/1,pixel-aspect-ratio=4/3")
        harness.push(try Buffer(size: 64 * 48 * 3))
        guard harness.waitAndPull() != nil else { throw GStreamerError(message: "no file") }
        let caps = try #require(harness.element.pad("src")?.currentCaps?.first)
        #expect(caps["pixel-aspect-ratio"] == .fraction(Fraction(4, 3)))
    }

    // MARK: - Ends of streams

    @Test(arguments: ["rawunpack", "rawfusion", "rawdevelop", "dngenc"])
    func theEndKeepsItsSequenceNumber(factory: String) throws {
        let harness = try Harness(factory: factory)
        harness.send(caps: Self.bayer)
        harness.play()
        var frame = try Buffer(size: 64 * 48 * 2)
        frame.presentationTime = 0
        harness.push(frame)
        let end = Event.endOfStream()
        harness.push(end)
        #expect(try #require(harness.waitForEnd()).sequenceNumber == end.sequenceNumber)
    }

    /// The shutter ends the stream itself after its automatic captures: the end belongs to the stream's segment.
    @Test func theEndAfterAutomaticCapturesHasTheNumberOfTheSegment() throws {
        let harness = try Harness(Bin(parsing: "rawshutter captures=1 frames=1", name: "bin"))
        harness.send(caps: Self.bayer)
        harness.push(try Buffer(size: 64 * 48 * 2))
        var segment: UInt32?
        while let event = harness.pullEvent() {
            if event.kind == .segment { segment = event.sequenceNumber }
            guard event.kind == .endOfStream else { continue }
            #expect(segment == event.sequenceNumber)
            return
        }
        Issue.record("the stream has no end")
    }

    // MARK: - Allocation

    @Test(arguments: [
        ("rawunpack", "video/x-bayer,format=rggb,width=33,height=18,framerate=10/1", 36 * 18, 0),
        ("rawunpack", "video/x-bayer,format=rggb12p,width=34,height=18,framerate=10/1", 51 * 18, 0),
        ("rawshutter", bayer, 64 * 48 * 2, 8),
        ("rawdevelop", bayer, 64 * 48 * 2, 0),
        ("rawdevelop", linear, 64 * 48 * 8, 0),
        ("dngenc", bayer, 64 * 48 * 2, 2),
        ("gscapjpegenc", "video/x-raw,format=RGB,width=33,height=18,framerate=10/1", 100 * 18, 2),
        ("gscapphotobin", "video/x-bayer,format=rggb,width=33,height=18,framerate=10/1", 36 * 18, 0),
    ])
    func allocationQueriesAreAnswered(factory: String, caps: String, size: Int, held: Int) throws {
        let harness = try Harness(Element(factory: factory), source: factory != "gscapphotobin")
        harness.send(caps: caps)
        let answer = try #require(try harness.element.pad("sink")?.allocation(for: Caps(caps)))
        #expect(answer.acceptsVideoMeta)
        #expect(answer.hasPool)
        #expect(answer.pools == [InputAllocation(size: size, held: held)])
    }

    /// A source of another plugin takes the buffers that are offered to it.
    @Test(arguments: [
        "videotestsrc num-buffers=2 ! video/x-bayer,format=rggb,width=33,height=18 ! rawunpack ! rawdevelop ! fakesink",
        "videotestsrc num-buffers=2 ! video/x-raw,format=RGB,width=33,height=18 ! gscapjpegenc ! fakesink",
    ])
    func sourcesUseTheOfferedBuffers(text: String) async throws {
        let pipeline = try Pipeline(parsing: text)
        defer { pipeline.stopOnAnotherThread() }
        let messages = pipeline.bus.messages()
        try pipeline.setState(.playing)
        for await message in messages {
            if case .error(let error) = message.kind { Issue.record("\(error)") }
            if case .error = message.kind { return }
            if case .endOfStream = message.kind { return }
        }
    }

    // MARK: - Presets, ranks and tags

    @Test(arguments: encoders) func encodersHavePresets(factory: String) throws {
        let element = try Element(factory: factory)
        #expect(unsafe gscap_element_implements(element.rawPointer, "GstPreset") != 0)
        #expect(unsafe gscap_element_implements(element.rawPointer, "GstTagSetter") != 0)
    }

    @Test func aPresetSetsTheProperties() throws {
        let folder = try TemporaryFolder()
        let text = "[_presets_]\nversion=1.22.0\nelement-name=GscapJPEGEnc\n\n[small]\nquality=0.25\n"
        try text.write(toFile: folder.path("GscapJPEGEnc.prs"), atomically: true, encoding: .utf8)
        unsafe gscap_set_preset_folder(folder.url.path)
        let encoder = try Element(factory: "gscapjpegenc")
        #expect(unsafe gscap_load_preset(encoder.rawPointer, "small") != 0)
        #expect(try encoder.get("quality") == .double(0.25))
    }

    @Test(arguments: encoders) func autopluggersPreferGStreamersEncoders(factory: String) throws {
        #expect(unsafe gscap_factory_rank(factory) == 64)
        #expect(unsafe gscap_factory_rank("jpegenc") > 64)
        #expect(unsafe gscap_factory_rank("pngenc") > 64)
    }

    private static let tags =
        #"taglist, title="The lake", artist="A. Photographer", "#
        + "geo-location-latitude=(double)46.5, geo-location-longitude=(double)-7.25, "
        + "geo-location-elevation=(double)372"

    /// Returns the metadata of the file that an encoder makes of a frame.
    private func described(
        _ harness: Harness, bytes: Int, details: DescriptiveMetadata? = nil
    ) throws -> DescriptiveMetadata {
        var frame = try Buffer(size: bytes)
        if let details {
            var metadata = FrameMetadata(bitDepth: 12)
            metadata.details = details
            try frame.setFrameMetadata(metadata)
        }
        harness.push(frame)
        let metadata = harness.waitAndPull()?.frameMetadata
        return try #require(metadata).details
    }

    @Test func tagsOfTheApplicationAndTheStreamBecomeMetadata() throws {
        let encoder = try Element(factory: "dngenc")
        let harness = try Harness(encoder)
        harness.send(caps: Self.bayer)
        unsafe gscap_set_tags(encoder.rawPointer, Self.tags)
        let stream = unsafe Event(
            takingRawPointer: gscap_tag_event_new(#"taglist, title="A stream", copyright="The maker""#))
        harness.push(stream)
        let details = try described(harness, bytes: 64 * 48 * 2)
        #expect(details.title == "The lake")
        #expect(details.artist == "A. Photographer")
        #expect(details.copyright == "The maker")
        #expect(details.location == Location(latitude: 46.5, longitude: -7.25, altitude: 372))
    }

    @Test func theRequestOfACaptureComesBeforeTags() throws {
        let encoder = try Element(factory: "dngenc")
        let harness = try Harness(encoder)
        harness.send(caps: Self.bayer)
        unsafe gscap_set_tags(encoder.rawPointer, Self.tags)
        var request = DescriptiveMetadata()
        request.title = "This photo"
        let details = try described(harness, bytes: 64 * 48 * 2, details: request)
        #expect(details.title == "This photo")
        #expect(details.artist == "A. Photographer")
    }

    @Test func tagsOfTheBinReachItsEncoders() throws {
        let host = try PhotoBinHost("frames=1 fusion-mode=speed")
        unsafe gscap_set_tags(host.bin.rawPointer, Self.tags)
        try host.start()
        let id = try host.press(["frames": 1])
        #expect(host.result(of: id) == "succeeded")
        let details = host.photos(of: id).first?.sample?.buffer?.frameMetadata?.details
        #expect(details?.title == "The lake")
        #expect(details?.location?.latitude == 46.5)
    }

    // MARK: - Signals

    /// GObject has no names of parameters, so gst-inspect shows arg0: the page has them.
    @Test func thePageNamesTheParametersOfEverySignal() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("Documentation/Plugin.md"), encoding: .utf8)
        for element in GscapPlugin.elements {
            for signal in element.elementClass.signals {
                let names = signal.parameters.map(\.name).joined(separator: ", ")
                #expect(page.contains("`\(signal.name)(\(names))`"), "\(signal.name)(\(names))")
            }
        }
    }
}
