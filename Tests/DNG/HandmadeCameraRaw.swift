import DNG
import Foundation
import RawImage

/// A small raw file as a camera makes it: a TIFF file without DNGVersion, with the tags of Sony's ARW.
struct HandmadeCameraRaw {
    var width = 96
    var height = 64
    var pattern: [UInt8] = [0, 1, 1, 2]
    /// The colours of the planes, for other colours than red, green and blue.
    var planeColors: [UInt8] = []
    var make = "SONY"
    var model = "ILCE-7M2"
    /// Further tags of the primary directory and of Exif, in place of tags of the same numbers, and those of GPS.
    var tags: [UInt16: HandmadeDNG.Values] = [:]
    var exif: [UInt16: HandmadeDNG.Values] = [:]
    var gps: [UInt16: HandmadeDNG.Values] = [:]
    /// The stored pixels, for another storage than 16 bits for each code.
    var stored: [UInt8]?
    /// The white level in the encrypted directory of Sony's files; nil for a file without that.
    var statedWhite: UInt16?

    static let black = 512.0

    /// The codes of the mosaic: a texture between black and white.
    var codes: [UInt16] {
        var dice = Dice(seed: 7)
        return (0..<width * height).map { 600 + UInt16($0 % width) * 64 + UInt16.random(in: 0..<900, using: &dice) }
    }

    var bytes: [UInt8] {
        var tiff = HandmadeDNG.bayer(width: width, height: height, bits: 16)
        tiff.tags[50_706] = nil
        tiff.tags[33_422] = .bytes(pattern)
        if !planeColors.isEmpty { tiff.tags[50_710] = .bytes(planeColors) }
        tiff.tags[271] = .text(make)
        tiff.tags[272] = .text(model)
        tiff.tags[274] = .shorts([6])
        // Sony's tags of the black level and the white balance: red, green, green, blue.
        tiff.tags[0x7310] = .shorts([512, 512, 512, 512])
        tiff.tags[0x7313] = .shorts([2048, 1024, 1024, 1536])
        tiff.tags.merge(tags) { _, new in new }
        let usual: [UInt16: HandmadeDNG.Values] = [
            33_434: .rationals([1, 125]), 33_437: .rationals([56, 10]), 34_855: .shorts([400]),
            36_867: .text("2024:05:06 07:08:09"), 37_386: .rationals([50, 1]), 42_033: .text("1234567"),
            42_036: .text("50mm F1.8"),
        ]
        tiff.children[34_665] = [.directory(usual.merging(exif) { _, new in new })]
        if !gps.isEmpty { tiff.children[34_853] = [.directory(gps)] }
        tiff.parts = [stored ?? tiff.bytes(codes)]
        guard let statedWhite else { return tiff.file }
        // The position, size and key of the encrypted directory, which is behind all else. LibRaw since 0.21 ignores a
        // value in its last bytes.
        let (size, key): (UInt32, UInt32) = (32, 0x1234_5678)
        (tiff.tags[0x7200], tiff.tags[0x7201], tiff.tags[0x7221]) = (.longs([0]), .longs([size]), .longs([key]))
        let start = UInt32(tiff.file.count)
        tiff.tags[0x7200] = .longs([start])
        // One entry, WhiteLevel (0x787F) of three shorts, whose offset counts from the start of the file.
        let entry: [UInt16] = [1, 0x787F, 3, 3, 0] + Self.halves(start + 18) + [0, 0]
        let words = entry + [statedWhite, statedWhite, statedWhite, 0, 0, 0, 0]
        return tiff.file + Self.encrypted(tiff.bytes(words), key: key)
    }

    private static func halves(_ number: UInt32) -> [UInt16] {
        [UInt16(truncatingIfNeeded: number), UInt16(number >> 16)]
    }

    /// Encrypts bytes as Sony's cameras do: each word of 32 bits, big-endian, is combined with the next of a sequence.
    private static func encrypted(_ bytes: [UInt8], key: UInt32) -> [UInt8] {
        var (words, seed) = ([UInt32](repeating: 0, count: 128), key)
        for index in 0..<4 {
            seed = seed &* 48_828_125 &+ 1
            words[index] = seed
        }
        words[3] = words[3] << 1 | (words[0] ^ words[2]) >> 31
        for index in 4..<127 {
            words[index] = (words[index - 4] ^ words[index - 2]) << 1 | (words[index - 3] ^ words[index - 1]) >> 31
        }
        var result = bytes
        for block in 0..<(bytes.count + 3) / 4 {
            let index = 127 + block
            words[index & 127] = words[(index + 1) & 127] ^ words[(index + 65) & 127]
            for byte in 0..<4 where 4 * block + byte < bytes.count {
                result[4 * block + byte] ^= UInt8(truncatingIfNeeded: words[index & 127] >> UInt32(24 - 8 * byte))
            }
        }
        return result
    }

    /// Writes the file, or other bytes in place of its own, to a new folder, calls `body` with the path, and removes
    /// the folder.
    func onDisk<Result>(
        _ bytes: [UInt8]? = nil, name: String = "photo.arw", _ body: (String) throws -> Result
    ) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "gscap-raw-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: name)
        try Data(bytes ?? self.bytes).write(to: file)
        return try body(file.path)
    }
}
