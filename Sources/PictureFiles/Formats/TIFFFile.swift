internal import PhotoMetadata
internal import PictureCodecs
internal import RawImage

/// A little-endian TIFF file of one picture, in strips that are encoded on all cores.
struct TIFFFile {
    let job: EncodingJob

    /// The approximate size in bytes of a strip before compression.
    private static let stripSize = 1 << 18

    func encode() throws(GscapError) -> [UInt8] {
        let picture = job.picture
        let rows = max(1, Self.stripSize / (picture.rowCount * sampleBytes))
        let strips = try encodedBands(rows: picture.height, of: rows, monitor: job.monitor) {
            rows throws(GscapError) in try strip(rows)
        }
        try job.monitor.check()
        let size = strips.reduce(0) { $0 + $1.count }
        guard size < 0xFFFF_0000 else {
            throw GscapError(
                .unsupported, "the picture exceeds the 4 GB of a TIFF file; use PNG or EXR")
        }
        var block = tags(rowsInStrip: rows)
        block[0x0117] = .longs(strips.map(\.count))
        // StripOffsets: the offsets depend on the directory's size, which does not depend on their values. The byte
        // counts serve as placeholders until that size is known.
        block[0x0111] = .longs(strips.map(\.count))
        var offset = block.bytes.count
        block[0x0111] = .longs(
            strips.map { strip in
                defer { offset += strip.count }
                return offset
            })
        var file = block.bytes
        file.reserveCapacity(file.count + size)
        for strip in strips { file += strip }
        return file
    }

    private var sampleBytes: Int { job.depth == .eight ? 1 : 2 }
    private var isDeflated: Bool { job.encoding.compression == .deflate }

    private func strip(_ rows: Range<Int>) throws(GscapError) -> [UInt8] {
        let bytes = stored(rows)
        return isDeflated ? try Deflater.stream(bytes, .pixels) : bytes
    }

    private func stored(_ rows: Range<Int>) -> [UInt8] {
        let picture = job.picture
        let (rowCount, step) = (picture.rowCount, Picture.channels)
        switch job.depth {
        case .eight:
            let bytes = picture.bytes(rows)
            return isDeflated ? RowFilter.differences(bytes, rowCount: rowCount, step: step) : bytes
        case .half:
            let bits = picture.halfBits(rows)
            return isDeflated
                ? RowFilter.halfDifferences(bits, rowCount: rowCount, step: step) : RowFilter.littleEndian(bits)
        case .ten, .sixteen:
            let words = picture.codes(rows, maximum: 65_535)
            return RowFilter.littleEndian(
                isDeflated ? RowFilter.differences(words, rowCount: rowCount, step: step) : words)
        }
    }

    private func tags(rowsInStrip: Int) -> ExifDirectoryEncoder {
        let picture = job.picture
        var block = job.exif?.tags ?? ExifDirectoryEncoder()
        block.thumbnail = job.thumbnail?.uncompressed
        block[0x0100] = .longs([picture.width])
        block[0x0101] = .longs([picture.height])
        block[0x0102] = .shorts([Int](repeating: sampleBytes * 8, count: Picture.channels))
        block[0x0103] = .shorts([isDeflated ? 8 : 1])
        // PhotometricInterpretation 2: RGB.
        block[0x0106] = .shorts([2])
        block[0x0112] = .shorts([job.orientation])
        block[0x0115] = .shorts([Picture.channels])
        block[0x0116] = .longs([rowsInStrip])
        block[0x011A] = .ratios([72])
        block[0x011B] = .ratios([72])
        block[0x011C] = .shorts([1])
        block[0x0128] = .shorts([2])
        if isDeflated { block[0x013D] = .shorts([job.depth == .half ? 3 : 2]) }
        block[0x0153] = .shorts([Int](repeating: job.depth == .half ? 3 : 1, count: Picture.channels))
        if let xmp = job.xmp { block[0x02BC] = .bytes(Array(xmp.text.utf8)) }
        block[0x8773] = .undefined(job.profile)
        return block
    }
}
