import PictureCodecs

/// Raw files that LibRaw does not survive, and small ones with previews of a camera.
enum CraftedRaws {
    /// The files on which LibRaw crashes, hangs, or takes much memory, under names of their cameras.
    static var all: [(name: String, bytes: [UInt8])] { [("HANG.IIQ", endless), ("HUGE.ARW", huge)] }

    /// A Phase One file of 3 kB that points to a directory of two million entries, which LibRaw 0.20 reads for minutes
    /// behind the end of the file.
    static var endless: [UInt8] {
        func numbers(_ values: UInt32...) -> [UInt8] {
            values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        }
        // The mark of the byte order, that of the format, and the offset of a directory of one entry: tag 0x110, type,
        // length and offset.
        var bytes = numbers(0x4949_4949, 0x5261_7754, 16, 0, 1, 0, 0x110, 4, 64, 500)
        bytes += [UInt8](repeating: 0, count: 3000 - bytes.count)
        bytes[510] = 0x20
        return bytes
    }

    /// A Sony file of a few kilobytes that states a raw picture of 1.8 GB.
    static var huge: [UInt8] {
        var tiff = raw
        (tiff.tags[256], tiff.tags[257]) = (.longs([30_000]), .longs([30_000]))
        return tiff.file
    }

    /// Returns a Sony file with JPEGs in directories of their own.
    static func raw(withPreviews jpegs: [[UInt8]]) -> [UInt8] {
        var tiff = raw
        // The JPEGs follow the directories, whose size does not depend on the offsets.
        func directories(from start: Int) -> [HandmadeDNG] {
            var start = start
            return jpegs.map { jpeg in
                defer { start += jpeg.count }
                return .directory([254: .longs([1]), 513: .longs([UInt32(start)]), 514: .longs([UInt32(jpeg.count)])])
            }
        }
        tiff.children[330] = directories(from: 0)
        let size = tiff.file.count
        tiff.children[330] = directories(from: size)
        return tiff.file + jpegs.flatMap(\.self)
    }

    /// Returns a JPEG of noise, larger than a plain one.
    static func jpeg(_ width: Int, _ height: Int) throws -> [UInt8] {
        let rgb = (0..<width * height * 3).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
        return try JPEGBands.compress(rgb: rgb, width: width, height: height, quality: 60)
    }

    private static var raw: HandmadeDNG {
        var tiff = HandmadeDNG.bayer(width: 96, height: 64, bits: 16)
        tiff.tags[50_706] = nil
        (tiff.tags[271], tiff.tags[272]) = (.text("SONY"), .text("ILCE-7M2"))
        tiff.parts = [tiff.bytes([UInt16](repeating: 1000, count: 96 * 64))]
        return tiff
    }
}
