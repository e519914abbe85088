internal import PhotoMetadata
internal import PictureCodecs
internal import RawImage

/// A PNG file whose bands of rows are filtered and deflated on all cores, then joined into one zlib stream.
struct PNGFile {
    let job: EncodingJob

    private struct Band {
        /// The band's IDAT chunk.
        let bytes: [UInt8]
        /// The Adler-32 checksum of the band's filtered bytes.
        let checksum: UInt32
        /// The number of the band's filtered bytes.
        let count: Int
    }

    /// The signature at the start of every PNG file.
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The approximate size in bytes of a band of rows before compression.
    private static let bandSize = 1 << 19

    func encode() throws(GscapError) -> [UInt8] {
        let picture = job.picture
        let bands = try encodedBands(
            rows: picture.height, of: max(1, Self.bandSize / (picture.rowCount * sampleBytes)), monitor: job.monitor
        ) { rows throws(GscapError) in try band(rows) }
        try job.monitor.check()
        var file = Self.signature + header
        file.reserveCapacity(file.count + bands.reduce(64) { $0 + $1.bytes.count })
        for band in bands { file += band.bytes }
        let checksum = bands.reduce(UInt32(1)) { Deflater.checksum($0, then: $1.checksum, count: $1.count) }
        return file + Self.chunk("IDAT", checksum.bigEndianBytes) + Self.chunk("IEND", [])
    }

    private var sampleBytes: Int { job.depth == .eight ? 1 : 2 }

    private func band(_ rows: Range<Int>) throws(GscapError) -> Band {
        let picture = job.picture
        let rowBytes = picture.rowCount * sampleBytes
        // The band's rows and the one above them, from which PNG's filters predict; above the picture they assume
        // zeros.
        let reach = max(0, rows.lowerBound - 1)..<rows.upperBound
        let black = [UInt8](repeating: 0, count: rows.lowerBound == 0 ? rowBytes : 0)
        let bytes =
            job.depth == .eight
            ? picture.bytes(reach) : RowFilter.bigEndian(picture.codes(reach, maximum: 65_535))
        let filtered = RowFilter.png(black + bytes, rowBytes: rowBytes, pixelBytes: sampleBytes * Picture.channels)
        let isLast = rows.upperBound == picture.height
        // The first band starts with the zlib header: Deflate with a 32 KB window.
        let start: [UInt8] = rows.lowerBound == 0 ? [0x78, 0x5E] : []
        let deflated = try Deflater.part(filtered, isLast: isLast, .pixels)
        return Band(
            bytes: Self.chunk("IDAT", start + deflated), checksum: Deflater.checksum(filtered), count: filtered.count)
    }

    /// The chunks before the pixels: IHDR, colour and metadata.
    private var header: [UInt8] {
        let picture = job.picture
        let size = UInt32(picture.width).bigEndianBytes + UInt32(picture.height).bigEndianBytes
        // After the size: bit depth, colour type 2 (RGB), and the default compression, filter and interlace methods.
        var chunks = Self.chunk("IHDR", size + [UInt8(sampleBytes * 8), 2, 0, 0, 0])
        let isConverted = job.encoding.outputProfile != nil
        if !isConverted { chunks += Self.chunk("cICP", job.color.codePoints) }
        if let levels = job.contentLightLevel?.whole {
            // The cLLI chunk stores light levels in units of 0.0001 cd/m².
            let numbers = [levels.maxCLL, levels.maxFALL].map { UInt32($0) * 10_000 }
            chunks += Self.chunk("cLLI", numbers.flatMap(\.bigEndianBytes))
        }
        // A profile that cannot be deflated is omitted: cICP specifies the same colours.
        if let profile = try? Deflater.stream(job.profile, .others) {
            let name = isConverted ? "Output profile" : job.color.name
            chunks += Self.chunk("iCCP", Array(name.utf8) + [0, 0] + profile)
        }
        if let exif = job.exif { chunks += Self.chunk("eXIf", exif.bytes) }
        if let xmp = job.xmp {
            chunks += Self.chunk("iTXt", Array("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0] + Array(xmp.text.utf8))
        }
        return chunks
    }

    /// Encodes a PNG chunk: length, type, data and CRC-32.
    static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + bytes
        return UInt32(bytes.count).bigEndianBytes + body + Deflater.cyclicChecksum(body[...]).bigEndianBytes
    }
}
