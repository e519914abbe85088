import PhotoMetadata
import PictureFiles
import RawImage
import Testing

/// Tests of Exif thumbnails and of HEIF's brands.
@Suite(.timeLimit(.minutes(10))) struct ThumbnailTests {
    /// A picture whose left half is red and whose right half is blue.
    private func picture(_ width: Int, _ height: Int, _ color: PictureColor = .sRGB) throws -> Picture {
        let row = (0..<width).flatMap { column -> [UInt8] in column < width / 2 ? [230, 20, 20] : [20, 20, 230] }
        let bytes = (0..<height).flatMap { _ in row }
        return try Picture(width: width, height: height, color: color, samples: .bytes(bytes))
    }

    private func file(_ format: PictureFormat, _ picture: Picture, _ change: (inout PictureEncoding) -> Void = { _ in })
        throws -> [UInt8]
    {
        var encoding = PictureEncoding(format)
        encoding.metadata = FrameMetadata()
        change(&encoding)
        return try encoding.encode(picture)
    }

    /// The first directory's successor and the entries of that, in the little-endian TIFF that begins at `start`.
    private func secondDirectory(_ bytes: [UInt8], at start: Int) -> [Int: Int] {
        func number(_ offset: Int, _ count: Int) -> Int {
            (0..<count).reversed().reduce(0) { $0 << 8 | Int(bytes[start + offset + $1]) }
        }
        let first = number(4, 4)
        let second = number(first + 2 + 12 * number(first, 2), 4)
        guard second > 0 else { return [:] }
        var entries: [Int: Int] = [:]
        for index in 0..<number(second, 2) {
            let entry = second + 2 + 12 * index
            entries[number(entry, 2)] = number(entry + 8, number(entry + 2, 2) == 3 ? 2 : 4)
        }
        return entries
    }

    private func position(of name: String, in bytes: [UInt8]) -> Int? {
        let name = Array(name.utf8)
        return bytes.indices.dropLast(name.count).first { bytes[$0..<$0 + name.count].elementsEqual(name) }
    }

    @Test func jpegsHaveAThumbnail() throws {
        let bytes = try file(.jpeg, picture(640, 480))
        let start = try #require(position(of: "Exif\0\0II*\0", in: bytes)) + 6
        let entries = secondDirectory(bytes, at: start)
        let (offset, count) = (try #require(entries[0x201]), try #require(entries[0x202]))
        #expect(entries[0x103] == 6 && count < 20_000)
        #expect(bytes[start + offset..<start + offset + 3].elementsEqual([0xFF, 0xD8, 0xFF]))
        #expect(bytes[start + offset + count - 2..<start + offset + count].elementsEqual([0xFF, 0xD9]))
    }

    @Test func tiffsHaveAThumbnail() throws {
        let bytes = try file(.tiff, picture(640, 480))
        let entries = secondDirectory(bytes, at: 0)
        #expect(entries[0x100] == 160 && entries[0x101] == 120 && entries[0xFE] == 1)
        let pixels = try #require(entries[0x111])
        #expect(bytes[pixels..<pixels + 3].elementsEqual([230, 20, 20]))
        #expect(bytes[pixels + 159 * 3..<pixels + 160 * 3].elementsEqual([20, 20, 230]))
    }

    @Test func wideColorsBecomeSRGB() throws {
        let color = PictureColor(.displayP3, .sRGB)
        let bytes = try file(.tiff, picture(320, 200, color))
        let pixels = try #require(secondDirectory(bytes, at: 0)[0x111])
        // Display P3's red is beyond sRGB's, so it is clipped.
        #expect(bytes[pixels] > 240 && bytes[pixels + 1] == 0)
    }

    /// Readers take floats in TIFF as linear values.
    @Test(arguments: [PictureColor.Transfer.pq, .hlg])
    func floatsInTIFFAreLinear(transfer: PictureColor.Transfer) throws {
        let color = PictureColor(.rec2020, transfer)
        let values = [Float16](repeating: 0.5, count: 12)
        let picture = try Picture(width: 2, height: 2, color: color, samples: .halves(values))
        let error = #expect(throws: PictureFileError.self) { try file(.tiff, picture) { $0.depth = .half } }
        #expect(error?.message.contains("16 bits") == true)
        #expect(try !file(.tiff, picture) { $0.depth = .sixteen }.isEmpty)
    }

    @Test func aSmallPictureIsItsOwnThumbnail() throws {
        #expect(try secondDirectory(file(.tiff, picture(160, 120)), at: 0).isEmpty)
        #expect(try !secondDirectory(file(.tiff, picture(161, 20)), at: 0).isEmpty)
    }

    @Test func heifsHaveAThumbnailAndTheBrandOfTheirProfile() throws {
        let small = try picture(320, 240)
        for (quality, depth, brand) in [
            (0.9, PictureDepth.eight, "heic"), (0.9, .ten, "heix"), (0.97, .eight, "heix"),
        ] {
            let bytes = try file(.heic, small) { ($0.quality, $0.depth) = (quality, depth) }
            #expect(bytes[8..<12].elementsEqual(brand.utf8), "\(quality) \(depth)")
            let other = brand == "heic" ? "heix" : "heic"
            #expect(position(of: other, in: Array(bytes.prefix(40))) == nil)
            #expect(position(of: "JFIF", in: bytes) != nil, "no thumbnail")
        }
    }
}
