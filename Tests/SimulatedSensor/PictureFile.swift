internal import Glibc
internal import Testing

/// A temporary image file, deleted with this object.
final class PictureFile {
    let path: String

    /// The bytes of an image file as they are composed.
    struct Bytes {
        var bytes: [UInt8]
    }

    init(_ content: Bytes) throws {
        var template = Array("/tmp/gscap-scene-XXXXXX".utf8CString)
        let descriptor = unsafe mkstemp(&template)
        try #require(descriptor >= 0)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let written = unsafe write(descriptor, content.bytes, content.bytes.count)
        close(descriptor)
        try #require(written == content.bytes.count)
    }

    deinit {
        unsafe _ = unlink(path)
    }

    /// Returns the sRGB encoded value of a linear value, both 0…1.
    static func sRGB(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}

extension PictureFile.Bytes {
    /// Returns an uncompressed TIFF file with 1 (greyscale) or 3 (RGB) samples per pixel of 8 or 16 bits; `value`
    /// returns the sample at a row, column and channel.
    static func tiff(
        width: Int, height: Int, bits: Int, samples: Int, value: (Int, Int, Int) -> Double
    ) -> PictureFile.Bytes {
        let size = width * height * samples * bits / 8
        let entries: [(Int, Int, Int)] = [
            (256, 4, width), (257, 4, height), (258, 3, bits), (259, 3, 1), (262, 3, samples == 3 ? 2 : 1),
            (273, 4, 8), (277, 3, samples), (278, 4, height), (279, 4, size),
        ]
        var bytes: [UInt8] = [0x49, 0x49, 42, 0]
        func put(_ number: Int, _ count: Int) {
            for byte in 0..<count { bytes.append(UInt8(number >> (8 * byte) & 0xff)) }
        }
        put(8 + size + size % 2, 4)
        for row in 0..<height {
            for column in 0..<width {
                for channel in 0..<samples { put(Int(value(row, column, channel).rounded()), bits / 8) }
            }
        }
        put(0, size % 2)
        put(entries.count, 2)
        for (tag, type, number) in entries {
            put(tag, 2)
            put(type, 2)
            put(1, 4)
            put(number, 4)
        }
        put(0, 4)
        return PictureFile.Bytes(bytes: bytes)
    }

    /// Returns an 8-bit RGB PNG file without compression; `claimedWidth` is the possibly wrong width in its header.
    static func png(
        width: Int, height: Int, claimedWidth: Int? = nil, value: (Int, Int, Int) -> Int
    ) -> PictureFile.Bytes {
        var rows: [UInt8] = []
        for row in 0..<height {
            rows.append(0)
            for column in 0..<width {
                for channel in 0..<3 { rows.append(UInt8(value(row, column, channel))) }
            }
        }
        let (low, high) = rows.reduce((1, 0)) { sums, byte in
            let low = (sums.0 + Int(byte)) % 65_521
            return (low, (sums.1 + low) % 65_521)
        }
        var stored: [UInt8] = [0x78, 0x01]
        var rest = rows[...]
        while !rest.isEmpty {
            let block = rest.prefix(60_000)
            rest = rest.dropFirst(60_000)
            stored += [rest.isEmpty ? 1 : 0, UInt8(block.count & 255), UInt8(block.count >> 8)]
            stored += [UInt8(~block.count & 255), UInt8(~block.count >> 8 & 255)] + block
        }
        stored += big(high << 16 | low)
        let header = big(claimedWidth ?? width) + big(height) + [8, 2, 0, 0, 0]
        return PictureFile.Bytes(
            bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + chunk("IHDR", header) + chunk("IDAT", stored)
                + chunk("IEND", []))
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        var check: UInt32 = .max
        for byte in body {
            check ^= UInt32(byte)
            for _ in 0..<8 { check = check & 1 == 1 ? check >> 1 ^ 0xedb8_8320 : check >> 1 }
        }
        return big(content.count) + body + big(Int(~check))
    }

    private static func big(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(number >> $0 & 0xff) }
    }
}
