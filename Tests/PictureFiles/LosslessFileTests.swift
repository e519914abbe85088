import CZlib
import PictureFiles
import RawImage
import Testing

@Suite("Lossless files")
struct LosslessFileTests {
    @Test("PNG preserves all samples", arguments: [PictureDepth.eight, .sixteen])
    func png(depth: PictureDepth) throws {
        var encoding = PictureEncoding(.png)
        encoding.depth = depth
        let picture = try depth == .eight ? TestScene.bytes() : TestScene.words(.displayP3)
        let file = FileBytes(try encoding.encode(picture))
        let (stream, names) = try chunks(of: file)
        #expect(names == ["IHDR", "cICP", "iCCP", "IEND"])
        let size = depth == .eight ? 1 : 2
        let rowBytes = picture.width * 3 * size
        let rows = try inflated(stream, count: picture.height * (rowBytes + 1))
        let isSame = unfiltered(rows, rowBytes: rowBytes, step: 3 * size) == bigEndian(picture)
        #expect(isSame)
    }

    @Test("Grey PNG preserves all samples", arguments: [1, 2])
    func grey(size: Int) throws {
        let (width, height) = (23, 9)
        let words = (0..<width * height).map { UInt16(truncatingIfNeeded: $0 * 2503) }
        let bytes = words.map { UInt8($0 >> 8) }
        let file = FileBytes(
            size == 1
                ? try GreyPNG.encode(bytes, width: width, height: height)
                : try GreyPNG.encode(words, width: width, height: height))
        let (stream, names) = try chunks(of: file)
        #expect(names == ["IHDR", "IEND"])
        #expect(Array(file.bytes[24..<29]) == [UInt8(size * 8), 0, 0, 0, 0])
        let rows = try inflated(stream, count: height * (width * size + 1))
        let expected = size == 1 ? bytes : words.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        #expect(unfiltered(rows, rowBytes: width * size, step: size) == expected)
        #expect(throws: PictureFileError.self) { try GreyPNG.encode(bytes, width: width, height: height + 1) }
    }

    /// Returns the pixel data stream of a PNG, and the names of its other chunks.
    private func chunks(of file: FileBytes) throws -> (stream: [UInt8], names: [String]) {
        var (at, stream, names) = (8, [UInt8](), [String]())
        while at < file.bytes.count {
            let count = try file.number(at, 4, bigEndian: true)
            let name = String(decoding: file.bytes[at + 4..<at + 8], as: UTF8.self)
            if name == "IDAT" { stream += file.bytes[at + 8..<at + 8 + count] } else { names.append(name) }
            at += 12 + count
        }
        return (stream, names)
    }

    @Test("TIFF and OpenEXR store uncompressed samples if requested")
    func plain() throws {
        for format in [PictureFormat.tiff, .exr] {
            var encoding = PictureEncoding(format)
            encoding.compression = .none
            let picture = try TestScene.linear(.rec2020)
            guard case .halves(let values) = picture.samples else { return }
            let file = FileBytes(try encoding.encode(picture))
            // OpenEXR stores the channels of a line one after another, red last.
            let (first, step) =
                format == .tiff
                ? (try firstStrip(file), 6)
                : (file.bytes.count - picture.height * (picture.width * 6 + 8) + 8 + picture.width * 4, 2)
            for pixel in stride(from: 0, to: picture.width, by: 7) {
                #expect(try file.number(first + pixel * step, 2) == Int(values[pixel * 3].bitPattern))
            }
        }
    }

    /// Returns the offset of a TIFF file's first strip.
    private func firstStrip(_ file: FileBytes) throws -> Int {
        let strips = try #require(file.directory(8)[0x0111])
        return try file.number(strips.offset, 4)
    }

    /// ffmpeg 5 reads at most 255 bytes of an attribute, and then shows black.
    @Test("OpenEXR attributes are short")
    func attributes() throws {
        var encoding = PictureEncoding(.exr)
        var metadata = TestScene.metadata(orientation: 1)
        metadata.details.title = String(repeating: "Zoë ", count: 100)
        metadata.details.keywords = ["lake", "night"]
        metadata.sensorDigests = (0..<30).map { _ in String(repeating: "0", count: 32) }
        encoding.metadata = metadata
        let bytes = try encoding.encode(TestScene.linear())
        var (at, attributes) = (8, [String: [UInt8]]())
        while bytes[at] != 0 {
            let words = bytes[at...].split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
            let start = words[2].startIndex + 4
            let count = bytes[words[2].startIndex..<start].reversed().reduce(0) { $0 << 8 | Int($1) }
            attributes[String(decoding: words[0], as: UTF8.self)] = Array(bytes[start..<start + count])
            at = start + count
        }
        #expect(attributes.values.allSatisfy { $0.count <= 255 })
        #expect(attributes["xmp"] == nil && attributes["keywords"] == Array("lake; night".utf8))
        let title = try #require(attributes["comments"].flatMap { String(validating: $0, as: UTF8.self) })
        #expect(metadata.details.title.hasPrefix(title) && title.utf8.count > 250)
    }

    @Test("OpenEXR pictures are rotated upright", arguments: 1...8)
    func upright(orientation: Int) throws {
        var encoding = PictureEncoding(.exr)
        encoding.metadata = TestScene.metadata(orientation: orientation)
        let file = FileBytes(try encoding.encode(TestScene.linear()))
        let window = try #require(file.offsets(of: "dataWindow").first) + 11 + 6 + 4
        let size = (try file.number(window + 8, 4) + 1, try file.number(window + 12, 4) + 1)
        #expect(size == (orientation > 4 ? (TestScene.height, TestScene.width) : (TestScene.width, TestScene.height)))
    }

    private func inflated(_ stream: [UInt8], count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var size = UInt(count)
        let status = unsafe uncompress(&bytes, &size, stream, UInt(stream.count))
        try #require(status == Z_OK && size == count)
        return bytes
    }

    private func unfiltered(_ rows: [UInt8], rowBytes: Int, step: Int) -> [UInt8] {
        var above = [UInt8](repeating: 0, count: rowBytes)
        var result: [UInt8] = []
        for start in stride(from: 0, to: rows.count, by: rowBytes + 1) {
            var row = Array(rows[start + 1...start + rowBytes])
            for i in 0..<rowBytes {
                let (left, corner) = i < step ? (0, 0) : (Int(row[i - step]), Int(above[i - step]))
                switch rows[start] {
                case 1: row[i] &+= UInt8(left)
                case 2: row[i] &+= above[i]
                case 4:
                    let guess = left + Int(above[i]) - corner
                    let distances = [left, Int(above[i]), corner].map { abs($0 - guess) }
                    let best =
                        distances[0] <= min(distances[1], distances[2])
                        ? left
                        : distances[1] <= distances[2] ? Int(above[i]) : corner
                    row[i] &+= UInt8(best)
                default: break
                }
            }
            result += row
            above = row
        }
        return result
    }

    private func bigEndian(_ picture: Picture) -> [UInt8] {
        switch picture.samples {
        case .bytes(let values): values
        case .words(let values): values.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        case .halves: []
        }
    }
}
