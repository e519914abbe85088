import GStreamer
import Testing

/// A movie file, read by GStreamer's own demultiplexer and decoder.
struct MovieReader {
    /// The times of the decoded pictures in nanoseconds, in their order.
    let pictures: [UInt64]
    /// The times of the packets of sound.
    let sound: [UInt64]
    /// The format of the decoded pictures.
    let format: Structure?

    init(_ path: String, hasSound: Bool = false) throws {
        let sink = "appsink sync=false max-buffers=0 name"
        var text =
            "filesrc location=\(path) ! qtdemux name=movie movie.video_0 ! queue ! h264parse ! openh264dec"
            + " ! \(sink)=pictures"
        if hasSound { text += " movie.audio_0 ! queue ! \(sink)=sound" }
        let pipeline = try Pipeline(parsing: text)
        try pipeline.setState(.playing)
        var times: [String: [UInt64]] = [:]
        var format: Structure?
        for name in ["pictures"] + (hasSound ? ["sound"] : []) {
            let sink = try #require(pipeline.element(named: name).flatMap(AppSink.init))
            while let sample = sink.nextSample(timeout: .seconds(20)) {
                if name == "pictures" { format = sample.caps?.first }
                let time = sample.buffer?.presentationTime
                times[name, default: []].append(try #require(time))
            }
            #expect(sink.isAtEnd, "the stream \(name) of \(path) did not end")
        }
        try pipeline.setState(.null)
        (pictures, sound, self.format) = (times["pictures"] ?? [], times["sound"] ?? [], format)
    }

    /// The distances between the pictures in milliseconds.
    var steps: [Double] { zip(pictures.dropFirst(), pictures).map { (Double($0) - Double($1)) / 1e6 } }

    /// Returns the date that the header (`mvhd`) of a movie file states, in seconds since 1970; nil without a header.
    static func date(of bytes: [UInt8]) -> Int? {
        let name = Array("mvhd".utf8)
        // The number of seconds since 1904 follows the version and the flags.
        guard let header = bytes.indices.dropLast(12).first(where: { Array(bytes[$0..<$0 + 4]) == name }) else {
            return nil
        }
        return bytes[header + 8..<header + 12].reduce(0) { $0 << 8 | Int($1) } - 2_082_844_800
    }

    /// Returns the creation date in the metadata of a QuickTime file; nil without one.
    static func creationDate(of bytes: [UInt8]) -> String? {
        // The values follow the keys.
        let key = Array("com.apple.quicktime.creationdate".utf8)
        guard let end = bytes.firstRange(of: key)?.upperBound else { return nil }
        let text = String(decoding: bytes[end...].prefix(1000).map { $0 < 0x80 ? $0 : 0x20 }, as: UTF8.self)
        return text.firstMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}/).map { String($0.0) }
    }

    /// Returns a, b, c and d of the matrix in the header (`tkhd`) of the first track: 90° clockwise is 0, 1, -1, 0.
    static func turn(of bytes: [UInt8]) -> [Int]? {
        guard let header = bytes.firstRange(of: Array("tkhd".utf8))?.lowerBound, header + 64 < bytes.count else {
            return nil
        }
        // Numbers of 16.16 bits behind the name and 40 bytes.
        return [44, 48, 56, 60].map { offset in
            let value = bytes[header + offset..<header + offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            return Int(Int32(bitPattern: value) >> 16)
        }
    }
}
