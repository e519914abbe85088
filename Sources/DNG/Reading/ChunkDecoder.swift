internal import LosslessJPEG
internal import RawImage

/// A decoder of a picture's chunks (strips or tiles) to 16-bit codes, for every supported compression.
struct ChunkDecoder: Sendable {
    let layout: ChunkLayout
    private let image: DNGImage
    private let coding: SampleDecoder
    private let predictor: Predictor
    private let jpegTables: [UInt8]
    /// The rows and columns of the blocks in which the pixels of a tile are stored one after the other
    /// (SubTileBlockSize); 1 and 1 for rows of pixels.
    private let block: (rows: Int, columns: Int)
    /// Whether the bits of each stored byte are in reverse order.
    private let hasReversedBits: Bool

    init(_ directory: TIFFDirectory, _ image: DNGImage, scales: [Double]) throws(GscapError) {
        self.image = image
        layout = try ChunkLayout(directory, image)
        coding = try SampleDecoder(directory, image, scales: scales)
        predictor = try Predictor(directory, image)
        jpegTables = directory.bytes(.jpegTables)
        block = try Self.block(directory, image, layout)
        hasReversedBits = BitOrder.isReversed(directory, image, layout, coding)
        let known: [DNGCompression] =
            image.isFloatingPoint
            ? [.none, .deflate, .jpegXL]
            : image.isWide ? [.none, .deflate] : [.none, .deflate, .jpeg, .lossyJPEG, .jpegXL]
        guard known.contains(image.compression) else {
            let samples =
                image.isFloatingPoint ? "floating-point samples " : image.isWide ? "samples of more than 16 bits " : ""
            throw GscapError(
                .unsupported, "\(image.place) is stored as \(samples)\(image.compression), which is not supported",
                at: TIFFLocation(directory, .compression))
        }
    }

    /// Returns SubTileBlockSize; throws unless it divides the size of the picture's tiles or strips.
    private static func block(
        _ directory: TIFFDirectory, _ image: DNGImage, _ layout: ChunkLayout
    ) throws(GscapError) -> (rows: Int, columns: Int) {
        let sides = directory.integers(.subTileBlockSize)
        guard sides.contains(where: { $0 != 1 }) else { return (1, 1) }
        let chunks = [layout.chunk(0), layout.chunk(layout.count - 1)]
        guard sides.count == 2, sides.allSatisfy({ $0 > 0 }),
            chunks.allSatisfy({ $0.height % sides[0] == 0 && $0.width % sides[1] == 0 })
        else {
            throw GscapError(
                .malformed,
                "\(TIFFTag.subTileBlockSize) \(sides.map(String.init).joined(separator: "×")) does not divide the "
                    + "tiles of \(image.place)", at: TIFFLocation(directory, .subTileBlockSize))
        }
        guard [.none, .deflate, .jpeg].contains(image.compression) else {
            throw GscapError(
                .unsupported,
                "\(image.place) is \(image.compression) with \(TIFFTag.subTileBlockSize), which is not supported: "
                    + "convert the file with Adobe DNG Converter",
                at: TIFFLocation(directory, .subTileBlockSize))
        }
        return (sides[0], sides[1])
    }

    private var hasBlocks: Bool { block != (1, 1) }

    /// Returns the chunks to decode. Uncompressed strips are divided into groups of rows, so that all cores take part
    /// and a file of one large strip is never wholly in memory.
    func chunks(inFileOf byteCount: Int) -> [ChunkLayout.Chunk] {
        (0..<layout.count).flatMap { index in
            let chunk = layout.chunk(index)
            let bytesInRow = coding.bytesInRow(samples: chunk.width * layout.samples)
            guard image.compression == .none, !image.isTiled, !hasBlocks, chunk.byteCount >= bytesInRow * chunk.height,
                chunk.isWithin(fileOf: byteCount)
            else { return [chunk] }
            let height = max(1, (storesCodes ? Self.bytesOfPage : Self.bytesOfPart) / max(1, bytesInRow))
            return stride(from: 0, to: chunk.height, by: height).map { top in
                let rows = min(height, chunk.height - top)
                return chunk.part(from: top, rows: rows, offset: top * bytesInRow, byteCount: rows * bytesInRow)
            }
        }
    }

    /// The approximate size in bytes of the parts into which an uncompressed strip is divided for decoding: small
    /// enough for a core's cache.
    private static let bytesOfPart = 1 << 19
    /// The approximate size in bytes of the parts into which an uncompressed strip is divided if its bytes are copied
    /// to the picture unchanged: a 2 MB page, because two cores writing to the same new page would both fault on it.
    private static let bytesOfPage = 1 << 21

    /// Whether the file's bytes can be copied to the picture unchanged: uncompressed strips of native 16-bit codes.
    var storesCodes: Bool {
        image.compression == .none && !image.isTiled && !hasBlocks && !hasReversedBits
            && layout.samples == image.samplesPerPixel && coding.isNative
    }

    /// Stores zeros in place of a chunk that the file lacks.
    func clear(_ chunk: ChunkLayout.Chunk, in codes: UnsafeMutablePointer<UInt16>) {
        unsafe place(chunk, codes) { _, target, count in unsafe target.update(repeating: 0, count: count) }
    }

    /// Decodes a chunk's bytes into the picture whose first sample is at `codes`.
    func decode(_ chunk: ChunkLayout.Chunk, _ bytes: [UInt8], into codes: UnsafeMutablePointer<UInt16>)
        throws(GscapError)
    {
        switch image.compression {
        case .none: try unsafe unpack(chunk, bytes, into: codes)
        case .deflate: try unsafe inflate(chunk, bytes, into: codes)
        case .jpegXL: try unsafe decodeJPEGXL(chunk, bytes, into: codes)
        default: try unsafe decodeJPEG(chunk, bytes, into: codes)
        }
    }

    // MARK: Uncompressed and deflated chunks

    private func unpack(
        _ chunk: ChunkLayout.Chunk, _ bytes: [UInt8], into codes: UnsafeMutablePointer<UInt16>
    ) throws(GscapError) {
        let bytesInRow = coding.bytesInRow(samples: chunk.width * layout.samples)
        guard bytes.count >= bytesInRow * chunk.height else {
            throw GscapError(.malformed, "it has \(bytes.count) bytes; \(bytesInRow * chunk.height) are needed")
        }
        let bytes = hasReversedBits ? BitOrder.reversed(bytes) : bytes
        unsafe bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            unsafe store(chunk, codes) { row, target, count in
                unsafe coding.codes(
                    base + row * bytesInRow, target, count: count, plane: chunk.plane, planes: layout.samples)
            }
        }
    }

    private func inflate(
        _ chunk: ChunkLayout.Chunk, _ bytes: [UInt8], into codes: UnsafeMutablePointer<UInt16>
    ) throws(GscapError) {
        let bytesInRow = coding.bytesInRow(samples: chunk.width * layout.samples)
        var inflated = try Inflater.inflate(bytes, count: bytesInRow * chunk.height)
        var scratch = [UInt8](repeating: 0, count: bytesInRow)
        unsafe inflated.withUnsafeMutableBufferPointer { bytes in
            unsafe scratch.withUnsafeMutableBufferPointer { scratch in
                guard let base = bytes.baseAddress, let scratch = scratch.baseAddress else { return }
                unsafe store(chunk, codes) { row, target, count in
                    let start = unsafe base + row * bytesInRow
                    unsafe predictor.undo(
                        start, width: chunk.width, samples: layout.samples, coding: coding, scratch: scratch)
                    unsafe coding.codes(start, target, count: count, plane: chunk.plane, planes: layout.samples)
                }
            }
        }
    }

    // MARK: Chunks in JPEG and JPEG XL

    private func decodeJPEG(
        _ chunk: ChunkLayout.Chunk, _ bytes: [UInt8], into codes: UnsafeMutablePointer<UInt16>
    ) throws(GscapError) {
        let stream = try JPEGStream(bytes, tables: jpegTables)
        switch stream.process {
        case .lossless where image.compression == .jpeg:
            try unsafe decodeLossless(chunk, stream.bytes, into: codes)
        case .transform where image.bitsPerSample == 8 && !hasBlocks:
            let picture = try DCTJPEGDecoder.decode(
                stream.bytes, samples: layout.samples, width: chunk.columns, height: chunk.rows,
                limit: layout.samplesInChunk)
            let stride = picture.width * layout.samples
            unsafe store(chunk, codes) { row, target, count in
                for i in 0..<count { unsafe target[i] = UInt16(picture.samples[row * stride + i]) }
            }
        case .other(let marker):
            throw GscapError(
                .unsupported, "its JPEG process (marker FF \(String(marker, radix: 16))) is not allowed in DNG")
        default:
            throw GscapError(
                .malformed, "its JPEG process does not suit \(image.compression) of \(image.bitsPerSample) bits")
        }
    }

    /// Decodes a lossless JPEG chunk. The stream's width and components may differ from the chunk's as long as the
    /// number of samples agrees: encoders store two columns of a mosaic as one pixel of two components, for better
    /// prediction.
    private func decodeLossless(
        _ chunk: ChunkLayout.Chunk, _ bytes: [UInt8], into codes: UnsafeMutablePointer<UInt16>
    ) throws(GscapError) {
        let frame = try LosslessJPEGDecoder.frame(of: bytes.span)
        let count = frame.sampleCount
        try SampleLimit.check(image, samples: count, bytes: bytes.count, place: "its JPEG stream")
        let hasExpectedCount = count == chunk.width * chunk.height * layout.samples || count == layout.samplesInChunk
        let stride = hasExpectedCount ? chunk.width * layout.samples : frame.samplesInRow
        guard stride >= chunk.columns * layout.samples, stride * chunk.rows <= count, !hasBlocks || hasExpectedCount
        else {
            throw GscapError(
                .malformed,
                "its JPEG stream has \(frame.width)×\(frame.height) pixels of \(frame.components) samples, too few for "
                    + "\(chunk.columns)×\(chunk.rows) of \(layout.samples)")
        }
        var samples = [UInt16](repeating: 0, count: count)
        var target = samples.mutableSpan
        var decoder = LosslessJPEGDecoder()
        try decoder.decode(bytes.span, into: &target)
        unsafe samples.withUnsafeBufferPointer { samples in
            guard let base = samples.baseAddress else { return }
            unsafe store(chunk, codes) { row, target, count in
                unsafe target.update(from: base + row * stride, count: count)
            }
        }
    }

    private func decodeJPEGXL(
        _ chunk: ChunkLayout.Chunk, _ bytes: [UInt8], into codes: UnsafeMutablePointer<UInt16>
    ) throws(GscapError) {
        if image.isFloatingPoint { return try unsafe decodeFloatingJPEGXL(chunk, bytes, into: codes) }
        let picture = try JPEGXLDecoder.decode(
            bytes, samples: layout.samples, width: chunk.columns, height: chunk.rows, limit: layout.samplesInChunk)
        // libjxl scales samples to 16 bits, as the Adobe DNG SDK does; an 8-bit picture takes the high byte.
        let shift: UInt16 = image.bitsPerSample == 8 ? 8 : 0
        let stride = picture.width * layout.samples
        unsafe store(chunk, codes) { row, target, count in
            for i in 0..<count { unsafe target[i] = picture.samples[row * stride + i] >> shift }
        }
    }

    private func decodeFloatingJPEGXL(
        _ chunk: ChunkLayout.Chunk, _ bytes: [UInt8], into codes: UnsafeMutablePointer<UInt16>
    ) throws(GscapError) {
        let picture = try JPEGXLDecoder.decodeFloats(
            bytes, samples: layout.samples, width: chunk.columns, height: chunk.rows, limit: layout.samplesInChunk)
        let stride = picture.width * layout.samples
        unsafe store(chunk, codes) { row, target, count in
            for i in 0..<count {
                let plane = chunk.plane + i % layout.samples
                unsafe target[i] = coding.code(picture.samples[row * stride + i], plane: plane)
            }
        }
    }

    // MARK: Storing rows in the picture

    /// Calls `row` for each stored row of the chunk, with the row's index in the chunk, the address to store its codes
    /// at, and their number, and stores the codes in the picture: those of blocks in the order of rows.
    private func store(
        _ chunk: ChunkLayout.Chunk, _ codes: UnsafeMutablePointer<UInt16>,
        row: (Int, UnsafeMutablePointer<UInt16>, Int) -> Void
    ) {
        guard hasBlocks else { return unsafe place(chunk, codes, row: row) }
        let (samples, stride) = (layout.samples, chunk.width * layout.samples)
        var stored = [UInt16](repeating: 0, count: stride * chunk.height)
        unsafe stored.withUnsafeMutableBufferPointer { stored in
            guard let base = stored.baseAddress else { return }
            for line in 0..<chunk.height { unsafe row(line, base + line * stride, stride) }
            let blocksInRow = chunk.width / block.columns
            unsafe place(chunk, codes) { line, target, count in
                for column in 0..<count / samples {
                    let number = line / block.rows * blocksInRow + column / block.columns
                    let inBlock = line % block.rows * block.columns + column % block.columns
                    let source = unsafe base + (number * block.rows * block.columns + inBlock) * samples
                    unsafe (target + column * samples).update(from: source, count: samples)
                }
            }
        }
    }

    /// Calls `row` for each row of the chunk inside the picture, with the row's index in the chunk, the address to
    /// store its codes at, and their number.
    private func place(
        _ chunk: ChunkLayout.Chunk, _ codes: UnsafeMutablePointer<UInt16>,
        row: (Int, UnsafeMutablePointer<UInt16>, Int) -> Void
    ) {
        let step = image.samplesPerPixel
        let count = chunk.columns * layout.samples
        if layout.samples == step {
            for line in 0..<chunk.rows {
                unsafe row(line, codes + ((chunk.top + line) * image.width + chunk.left) * step, count)
            }
            return
        }
        // In planar storage a chunk has samples of one plane, which are interleaved with those of the others.
        var scratch = [UInt16](repeating: 0, count: count)
        unsafe scratch.withUnsafeMutableBufferPointer { scratch in
            guard let base = scratch.baseAddress else { return }
            for line in 0..<chunk.rows {
                unsafe row(line, base, count)
                let target = unsafe codes + ((chunk.top + line) * image.width + chunk.left) * step + chunk.plane
                for column in 0..<count { unsafe target[column * step] = unsafe base[column] }
            }
        }
    }
}
