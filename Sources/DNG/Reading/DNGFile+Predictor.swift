internal import LosslessJPEG
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

extension DNGCustomization {
    /// A warning that some readers show a finished file wrongly; nil if none is known to. Codes that needed no curve
    /// for the bit depth have none.
    package func readerWarning(of file: DNGFile) -> String? {
        guard let main = file.main, main.bitsPerSample == bitDepth,
            let directory = try? file.container.directory(at: main.offset),
            let table = directory.entries[.linearizationTable], table.count == 1 << main.bitsPerSample
        else { return nil }
        return readerWarning(bits: 16)
    }
}
