internal import PhotoMetadata
internal import PictureCodecs
internal import RawImage

/// A WebP file: a RIFF container with the header VP8X, the ICC profile, the pixels and the metadata.
struct WebPFile {
    let job: EncodingJob

    /// The greatest width and height that the format can store.
    static let maxSide = 16_383
    /// The bytes before the chunks: "RIFF", the size of the rest, and "WEBP".
    private static let headerSize = 12

    /// The bits of the header VP8X, each for a chunk of the file.
    private enum Flag {
        static let xmp: UInt8 = 0x04
        static let exif: UInt8 = 0x08
        static let profile: UInt8 = 0x20
    }

    func encode() throws(GscapError) -> [UInt8] {
        // libwebp returns a file with the chunk of the pixels alone, "VP8 " or "VP8L".
        let pixels = try WebPEncoder(job).encode().dropFirst(Self.headerSize)
        var flags = Flag.profile
        var metadata: [UInt8] = []
        if let exif = job.exif {
            flags |= Flag.exif
            metadata += Self.chunk("EXIF", exif.bytes)
        }
        if let xmp = job.xmp {
            flags |= Flag.xmp
            metadata += Self.chunk("XMP ", Array(xmp.text.utf8))
        }
        // After the flags and three reserved bytes: the width and height less one, in three bytes each.
        let size = [job.picture.width, job.picture.height].flatMap { UInt32($0 - 1).littleEndianBytes.prefix(3) }
        let start = Self.chunk("VP8X", [flags, 0, 0, 0] + size) + Self.chunk("ICCP", job.profile)
        let count = start.count + pixels.count + metadata.count + 4
        guard let length = UInt32(exactly: count) else {
            throw GscapError(.unsupported, "the picture is too large for a WebP file; use a lower quality")
        }
        return Array("RIFF".utf8) + length.littleEndianBytes + Array("WEBP".utf8) + start + pixels + metadata
    }

    /// Encodes a chunk: type, length and data, padded to an even length.
    private static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        let padding: [UInt8] = bytes.count.isMultiple(of: 2) ? [] : [0]
        return Array(name.utf8) + UInt32(bytes.count).littleEndianBytes + bytes + padding
    }
}
