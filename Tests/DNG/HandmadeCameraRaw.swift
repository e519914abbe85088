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
        tiff.children[34_665] = [
            .directory([
                33_434: .rationals([1, 125]), 33_437: .rationals([56, 10]), 34_855: .shorts([400]),
                36_867: .text("2024:05:06 07:08:09"), 37_386: .rationals([50, 1]), 42_033: .text("1234567"),
                42_036: .text("50mm F1.8"),
            ])
        ]
        tiff.parts = [tiff.bytes(codes)]
        return tiff.file
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
