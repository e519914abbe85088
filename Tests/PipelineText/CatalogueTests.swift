import PipelineText
import Testing

/// A catalogue that describes a few elements, with the properties of GStreamer 1.22.
private struct SomeElements: ElementCatalogue {
    static let queue = ElementEntry(
        name: "queue",
        properties: [
            PropertyEntry(name: "max-size-bytes", kind: .unsigned(0...4_294_967_295), defaultValue: "10485760"),
            PropertyEntry(
                name: "leaky", kind: .enumeration(["no": 0, "upstream": 1, "downstream": 2]), defaultValue: "no"),
            PropertyEntry(name: "silent", kind: .boolean),
            PropertyEntry(name: "current-level-bytes", kind: .unsigned(0...4_294_967_295), isWritable: false),
        ], pads: [.init(template: "sink", isSource: false), .init(template: "src", isSource: true)])
    static let tee = ElementEntry(
        name: "tee", pads: [.init(template: "sink", isSource: false), .init(template: "src_%u", isSource: true)])
    static let source = ElementEntry(
        name: "fakesrc",
        properties: [
            PropertyEntry(name: "num-buffers", kind: .integer(-1...2_147_483_647)),
            PropertyEntry(name: "gain", kind: .real(0...1)),
            PropertyEntry(name: "rate", kind: .fraction),
            PropertyEntry(name: "caps", kind: .caps),
            PropertyEntry(name: "parts", kind: .flags(["sky": 1, "skin": 2])),
            PropertyEntry(name: "odd", kind: .validated { $0 == "odd" ? nil : "it is odd" }),
        ], pads: [.init(template: "src", isSource: true)])
    static let sink = ElementEntry(
        name: "fakesink", properties: [PropertyEntry(name: "location", kind: .string)],
        pads: [.init(template: "sink", isSource: false)])
    static let dngenc = ElementEntry(
        name: "dngenc", pads: [.init(template: "sink", isSource: false), .init(template: "src", isSource: true)])
    static let bin = ElementEntry(name: "bin")
    static let all = [queue, tee, source, sink, dngenc, bin]

    var elementNames: [String] { Self.all.map(\.name) }

    func element(named name: String) -> ElementEntry? { Self.all.first { $0.name == name } }
}

@Suite struct CatalogueTests {
    private func errors(_ text: String) throws -> [PipelineTextError] {
        try Description(parsing: text, file: "x.txt").errors(against: SomeElements())
    }

    @Test func validTextHasNoErrors() throws {
        let text = """
            fakesrc num-buffers=0x10 gain=0.5 rate=30/1 caps="video/x-raw, width=1" parts=sky+skin odd=odd name=s
              ! tee name=t  t.src_0 ! queue leaky=Downstream max_size_bytes=0 silent=TRUE
              ! bin.( x::y=1 dngenc ) ! fakesink
            """
        #expect(try errors(text) == [])
    }

    @Test func aMisspelledElementIsSuggested() throws {
        let error = try #require(try errors("fakesrc\n  ! dngencc ! fakesink location=a.dng").first)
        #expect(
            error.description == """
                x.txt:2:5: no element "dngencc"; did you mean dngenc?
                    ! dngencc ! fakesink location=a.dng
                      ^~~~~~~
                """)
    }

    @Test(arguments: [
        ("x264enc", "gstreamer1.0-plugins-ugly"), ("libcamerasrc", "gstreamer1.0-libcamera"),
        ("v4l2src", "gstreamer1.0-plugins-good"), ("jpegenc", "gstreamer1.0-plugins-good"),
        ("x265enc", "gstreamer1.0-plugins-bad"), ("webpenc", "gstreamer1.0-plugins-bad"),
        ("autovideosink", "gstreamer1.0-plugins-good"), ("rtspclientsink", "gstreamer1.0-rtsp"),
        ("avenc_tiff", "gstreamer1.0-libav"), ("ximagesink", "gstreamer1.0-x"),
        ("videoconvert", "gstreamer1.0-plugins-base"),
    ]) func missingPackage(element: String, package: String) throws {
        let error = try #require(try errors("fakesrc ! \(element)").first)
        #expect(error.code == .unknownElement)
        #expect(error.message == "no element \"\(element)\"; install the package \(package)")
    }

    @Test(
        arguments: [
            ("queue max-size-byte=0", .unknownProperty, 7, "did you mean max-size-bytes?"),
            ("queue flux=0", .unknownProperty, 7, "gst-inspect-1.0 queue"),
            ("queue current-level-bytes=0", .readOnlyProperty, 7, "cannot be set"),
            ("queue leaky=downsteam", .badValue, 13, "did you mean downstream?"),
            ("queue silent=maybe", .badValue, 14, "true or false"),
            ("queue max-size-bytes=-1", .badValue, 22, "from 0 to 4294967295"),
            ("queue max-size-bytes=5000000000", .badValue, 22, "from 0 to 4294967295"),
            ("queue max-size-bytes=10MB", .badValue, 22, "whole number"),
            ("fakesrc num-buffers=3!fakesink", .badValue, 21, "a ! needs a space"),
            ("fakesrc num-buffers=-2", .badValue, 21, "from -1"),
            ("fakesrc num-buffers=99999999999999999999", .badValue, 21, "whole number"),
            ("fakesrc gain=2", .badValue, 14, "from 0.0 to 1.0"),
            ("fakesrc gain=x", .badValue, 14, "a number"),
            ("fakesrc rate=30/0", .badValue, 14, "fraction"),
            ("fakesrc caps=video", .badValue, 14, "media type"),
            ("fakesrc parts=sky+sea", .badValue, 15, "not one of sky, skin"),
            ("fakesrc odd=even", .badValue, 13, "it is odd"),
            ("tee name=t t.src ! fakesink", .unknownPad, 18, "it has src_%u"),
            ("fakesrc ! .sink_1 fakesink", .unknownPad, 9, "it has sink"),
            ("fakesrc ! fakesink ! queue", .wrongDirection, 20, "nothing can follow"),
            ("queue ! fakesrc", .wrongDirection, 9, "nothing can be linked into"),
        ] as [(String, PipelineTextError.Code, Int, String)])
    func codeLocationAndAdvice(text: String, code: PipelineTextError.Code, column: Int, advice: String) throws {
        let found = try errors(text)
        let error = try #require(found.first)
        #expect(found.count == 1)
        #expect(error.code == code)
        #expect(error.column == column)
        #expect(error.message.contains(advice), "\(error.message)")
    }

    @Test func reportsAllErrors() throws {
        #expect(try errors("fakesr ! queue leaky=x ! fakesink b=1").count == 3)
    }
}
