import FrameStream
import GStreamer
import Glibc
import GscapElements
import RawImage
import Testing

/// The colour space of rawdevelop's pictures: caps, samples and files.
@Suite(.timeLimit(.minutes(10))) struct ColorSpaceTests {
    init() throws { try GscapPlugin.register() }

    private let caps = "video/x-raw,format=RGBA64_LE,width=32,height=16,framerate=30/1,colorimetry=(string)1:1:1:0"

    /// Returns a linear photo of one colour, inside the gamut of sRGB, that belongs to a capture.
    private func photo(_ space: String? = nil, of element: String = "look") throws -> Buffer {
        let color: [UInt16] = [36_000, 15_000, 6_000, 65_535]
        var buffer = try Buffer(size: 32 * 16 * 8)
        buffer.withMutableValues(of: UInt16.self) { values in
            for index in values.indices { values[index] = color[index % 4] }
        }
        var metadata = FrameMetadata()
        metadata.whiteLevel = 65_535
        var tag = CaptureTag(id: 1, index: 0, count: 1)
        if let space { tag.settings = [element: ["color-space": space]] }
        metadata.capture = tag
        try buffer.setFrameMetadata(metadata)
        return buffer
    }

    /// Returns a harness of `rawdevelop` that accepts these pictures.
    private func developer(accepting formats: String) throws -> Harness {
        let element = try Element(factory: "rawdevelop", name: "look")
        try element.set("look", "none")
        let harness = try Harness(element)
        harness.accept(caps: formats)
        harness.send(caps: caps)
        return harness
    }

    /// Returns red, green and blue of the middle pixel of the next picture, in 0…1.
    private func color(from harness: Harness, isWide: Bool) throws -> [Double] {
        guard let picture = harness.pull() else { throw GStreamerError(message: "no picture came out") }
        let middle = 8 * 32 + 16
        if isWide {
            return picture.withValues(of: UInt16.self) { words in
                (0..<3).map { Double(words[4 * middle + $0]) / 65_535 }
            }
        }
        return picture.withValues(of: UInt8.self) { bytes in (0..<3).map { Double(bytes[3 * middle + $0]) / 255 } }
    }

    /// Returns the colorimetries of the caps events so far; "none" for caps without one.
    private func colorimetries(_ harness: Harness) -> [String] {
        var found: [String] = []
        while let event = harness.pullEvent() {
            if let caps = event.caps { found.append(caps.first?["colorimetry"]?.text ?? "none") }
        }
        return found
    }

    private static let spaces: [(String, String, [[Double]])] = [
        (
            "display-p3", "1:1:7:11",
            [[0.822_462, 0.177_538, 0], [0.033_194, 0.966_806, 0], [0.017_083, 0.072_397, 0.910_520]]
        ),
        (
            "rec2020", "1:1:5:7",
            [
                [0.627_404, 0.329_283, 0.043_313], [0.069_097, 0.919_540, 0.011_362],
                [0.016_391, 0.088_013, 0.895_595],
            ]
        ),
    ]

    /// Converts encoded sRGB to another colour space. `matrix` converts linear values.
    private func converted(_ color: [Double], _ matrix: [[Double]], isRec2020: Bool) -> [Double] {
        let linear = color.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        return matrix.map { row in
            let value = zip(row, linear).reduce(0) { $0 + $1.0 * $1.1 }
            return isRec2020
                ? (value < 0.018 ? 4.5 * value : 1.0993 * pow(value, 0.45) - 0.0993)
                : (value < 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055)
        }
    }

    @Test(arguments: 0..<2, [false, true])
    func aFrameHasAColorSpaceOfItsOwn(space: Int, isWide: Bool) throws {
        let (name, colorimetry, matrix) = Self.spaces[space]
        let format = isWide ? "RGBA64_LE" : "RGB"
        let harness = try developer(accepting: "video/x-raw,format=\(format)")
        for space in [nil, name, name, nil, "srgb"] { #expect(harness.push(try photo(space)) == 0) }
        let usual = isWide ? "sRGB" : "none"
        #expect(colorimetries(harness) == [usual, colorimetry, usual])
        let colors = try (0..<5).map { _ in try color(from: harness, isWide: isWide) }
        let expected = converted(colors[0], matrix, isRec2020: name == "rec2020")
        // Rounding of the sRGB picture and of this one.
        let tolerance = isWide ? 0.001 : 2.0 / 255
        for (value, wanted) in zip(colors[1], expected) { #expect(abs(value - wanted) < tolerance, "\(colors)") }
        #expect(abs(colors[1][0] - colors[0][0]) > 0.02)
        #expect(colors[2] == colors[1])
        #expect(colors[3] == colors[0] && colors[4] == colors[0])
    }

    @Test func thePropertyIsTheColorSpaceOfEveryFrame() throws {
        let harness = try developer(accepting: "video/x-raw,format=RGB")
        for space in ["auto", "rec2020", "display-p3", "auto"] {
            try harness.element.set("color-space", .string(space))
            for _ in 0..<2 { #expect(harness.push(try photo()) == 0) }
        }
        #expect(colorimetries(harness) == ["none", "1:1:5:7", "1:1:7:11", "none"])
    }

    /// A capture overrides the property, and the property's colour space returns after it.
    @Test func aCaptureOverridesTheProperty() throws {
        let harness = try developer(accepting: "video/x-raw,format=RGB")
        try harness.element.set("color-space", "display-p3")
        for space in [nil, "rec2020", nil, "srgb", nil] { #expect(harness.push(try photo(space)) == 0) }
        let events = colorimetries(harness)
        #expect(events.suffix(5) == ["1:1:7:11", "1:1:5:7", "1:1:7:11", "sRGB", "1:1:7:11"], "\(events)")
    }

    /// 8-bit pictures are rendered in the colorimetry that downstream requires.
    @Test func negotiatedColorsAreRendered() throws {
        let requiring = try developer(accepting: "video/x-raw,format=RGB,colorimetry=(string)1:1:7:11")
        let free = try developer(accepting: "video/x-raw,format=RGB")
        #expect(requiring.push(try photo()) == 0)
        #expect(free.push(try photo("display-p3")) == 0)
        #expect(colorimetries(requiring) == ["1:1:7:11"])
        #expect(try color(from: requiring, isWide: false) == color(from: free, isWide: false))
    }

    /// Another pixel format is negotiated if downstream accepts the colour space in that one only.
    @Test func thePixelFormatMayChangeWithTheColorSpace() throws {
        let harness = try developer(
            accepting: "video/x-raw,format=RGB,colorimetry=(string)sRGB;"
                + "video/x-raw,format=RGBA64_LE,colorimetry=(string)1:1:7:11")
        for space in [nil, "display-p3", nil] { #expect(harness.push(try photo(space)) == 0) }
        #expect(colorimetries(harness) == ["sRGB", "1:1:7:11", "sRGB"])
        let sizes = (0..<3).map { _ in harness.pull()?.size ?? 0 }
        #expect(sizes == [32 * 16 * 3, 32 * 16 * 8, 32 * 16 * 3])
    }

    @Test func previewsStayInSRGB() throws {
        let element = try Element(factory: "rawdevelop", name: "look")
        try element.set("quality", "preview")
        try element.set("color-space", "display-p3")
        let harness = try Harness(element)
        harness.accept(caps: "video/x-raw,format=RGB")
        harness.send(caps: caps)
        for space in [nil, "rec2020"] { #expect(harness.push(try photo(space)) == 0) }
        #expect(colorimetries(harness) == ["none"])
    }

    /// The files have the code points of H.273 in their ICC profile (`cicp` tag), cICP chunk or nclx box.
    @Test(arguments: [
        ("gscapjpegenc", "cicp\0\0\0\0"), ("gscappngenc", "cICP"), ("gscappngenc bit-depth=16", "cICP"),
        ("tiffenc", "cicp\0\0\0\0"),
    ]) func filesHaveTheColorSpace(encoder: String, tag: String) throws {
        let pipeline = try Pipeline(
            parsing: "appsrc name=in format=time caps=\(caps) ! rawdevelop name=look ! \(encoder) "
                + "! appsink name=out sync=false async=false")
        let source = try #require(pipeline.element(named: "in").flatMap(AppSrc.init))
        let sink = try #require(pipeline.element(named: "out").flatMap(AppSink.init))
        try pipeline.setState(.playing)
        let expected: [(String?, [UInt8])] = [
            ("display-p3", [12, 13, 0, 1]), ("rec2020", [9, 14, 0, 1]), (nil, [1, 13, 0, 1]),
        ]
        for (space, _) in expected { try source.push(photo(space)) }
        source.endOfStream()
        for (space, codes) in expected {
            guard let file = sink.nextSample(timeout: .seconds(30))?.buffer else {
                Issue.record("no file for \(space ?? "the default")")
                continue
            }
            let bytes = file.withValues(of: UInt8.self) { bytes in bytes.indices.map { bytes[$0] } }
            let isMarked = contains(Array(tag.utf8) + codes, in: bytes)
            #expect(isMarked, "\(space ?? "the default")")
        }
        try pipeline.setState(.null)
    }

    private func contains(_ part: [UInt8], in bytes: [UInt8]) -> Bool {
        bytes.indices.dropLast(part.count - 1).contains { bytes[$0...].starts(with: part) }
    }
}
