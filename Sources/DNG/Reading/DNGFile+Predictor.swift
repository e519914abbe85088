internal import RawImage

extension DNGFile {
    /// The predictor of the main picture's first tile or strip of lossless JPEG; nil for other compressions.
    package var predictor: Int? {
        guard let main, main.compression == .jpeg, let directory = try? container.directory(at: main.offset),
            let layout = try? ChunkLayout(directory, main), layout.count > 0
        else { return nil }
        let chunk = layout.chunk(0)
        guard let bytes = container.source.bytes(at: chunk.offset, count: chunk.byteCount) else { return nil }
        return (try? LosslessJPEGDecoder.frame(of: bytes.span))?.predictor
    }
}

extension DNGFile {
    /// The bits of the main picture's values after LinearizationTable: those of a mosaic's white level, 16 for a linear
    /// photo.
    package var valueBits: Int {
        guard main?.kind == .bayer else { return 16 }
        return Int.bitWidth - Int(min(max(metadata.whiteLevel, 1), 65_535)).leadingZeroBitCount
    }
}
