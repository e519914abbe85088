internal import RawImage

/// Turns the bytes of a strip or tile into codes.
struct ChunkDecoder: Sendable {
    let layout: PixelLayout
    private let image: DNGImage
    private let coding: SampleCoding
    private let predictor: Predictor
    private let jpegTables: [UInt8]

    init(_ directory: TIFFDirectory, _ image: DNGImage, floatScales: [Float]) throws(DNGError) {
        self.image = image
        layout = try PixelLayout(directory, image)
        coding = try SampleCoding(directory, image, floatScales: floatScales)
        predictor = try Predictor(directory, image)
        jpegTables = directory.bytes(.jpegTables)
        let known: [DNGCompression] =
            image.isFloatingPoint ? [.none, .deflate, .jpegXL] : [.none, .deflate, .jpeg, .lossyJPEG, .jpegXL]
        guard known.contains(image.compression) else {
            let samples = image.isFloatingPoint ? "floating-point samples " : ""
            throw DNGError(
                .unsupported, "\(image.place) is stored as \(samples)\(image.compression), which is not read")
        }
    }

    /// The strips and tiles; a large strip that needs no decoding in parts, so that all cores have some of it and its bytes are
    /// never all in memory.
    func chunks(inFileOf byteCount: Int) -> [PixelLayout.Chunk] {
        (0..<layout.count).flatMap { index in
            let chunk = layout.chunk(index)
            let bytesInRow = coding.bytesInRow(samples: chunk.width * layout.samples)
            guard image.compression == .none, !image.isTiled, chunk.byteCount >= bytesInRow * chunk.height,
                chunk.isWithin(fileOf: byteCount)
            else { return [chunk] }
            let height = max(1, (storesCodes ? Self.bytesOfPage : Self.bytesOfPart) / max(1, bytesInRow))
            return stride(from: 0, to: chunk.height, by: height).map { top in
                let rows = min(height, chunk.height - top)
                return chunk.part(from: top, rows: rows, offset: top * bytesInRow, byteCount: rows * bytesInRow)
            }
        }
    }

    /// So many bytes stay in a core's cache.
    private static let bytesOfPart = 1 << 19
    /// A large page of memory, which two cores that both want it would both make.
    private static let bytesOfPage = 1 << 21

    /// Whether the file's bytes are the picture's codes as this machine has them.
    var storesCodes: Bool {
        image.compression == .none && !image.isTiled && layout.samples == image.samplesPerPixel && coding.isNative
    }

    /// Decodes a strip or tile of the file into the picture that `codes` points at.
    func decode(_ chunk: PixelLayout.Chunk, _ bytes: [UInt8], into codes: UnsafeMutablePointer<UInt16>) throws(DNGError)
    {
        switch image.compression {
        case .none: try unsafe unpack(chunk, bytes, into: codes)
        case .deflate: try unsafe inflate(chunk, bytes, into: codes)
        case .jpegXL: try unsafe decodeJPEGXL(chunk, bytes, into: codes)
        default: try unsafe decodeJPEG(chunk, bytes, into: codes)
        }
    }

    // MARK: Bytes

    private func unpack(
        _ chunk: PixelLayout.Chunk, _ bytes: [UInt8], into codes: UnsafeMutablePointer<UInt16>
    ) throws(DNGError) {
        let bytesInRow = coding.bytesInRow(samples: chunk.width * layout.samples)
        guard bytes.count >= bytesInRow * chunk.height else {
            throw DNGError(.malformed, "it has \(bytes.count) bytes where \(bytesInRow * chunk.height) are needed")
        }
        unsafe bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            unsafe store(chunk, codes) { row, target, count in
                unsafe coding.codes(
                    base + row * bytesInRow, target, count: count, plane: chunk.plane, planes: layout.samples)
            }
        }
    }

    private func inflate(
        _ chunk: PixelLayout.Chunk, _ bytes: [UInt8], into codes: UnsafeMutablePointer<UInt16>
    ) throws(DNGError) {
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

    // MARK: JPEG and JPEG XL

    private func decodeJPEG(
        _ chunk: PixelLayout.Chunk, _ bytes: [UInt8], into codes: UnsafeMutablePointer<UInt16>
    ) throws(DNGError) {
        let stream = try JPEGStream(bytes, tables: jpegTables)
        switch stream.process {
        case .lossless where image.compression == .jpeg:
            try unsafe decodeLossless(chunk, stream.bytes, into: codes)
        case .transform where image.bitsPerSample == 8:
            let picture = try TransformJPEG.decode(
                stream.bytes, samples: layout.samples, width: chunk.columns, height: chunk.rows,
                most: layout.samplesInChunk)
            let stride = picture.width * layout.samples
            unsafe store(chunk, codes) { row, target, count in
                for i in 0..<count { unsafe target[i] = UInt16(picture.samples[row * stride + i]) }
            }
        case .other(let marker):
            throw DNGError(
                .unsupported, "its JPEG process (marker \(String(marker, radix: 16))) is not one that DNG has")
        default:
            throw DNGError(
                .malformed, "its JPEG process does not suit \(image.compression) of \(image.bitsPerSample) bits")
        }
    }

    /// The stream's width and samples a pixel need not be those of the strip or tile, only the number of samples: a mosaic is
    /// predicted better when two of its columns count as one pixel.
    private func decodeLossless(
        _ chunk: PixelLayout.Chunk, _ bytes: [UInt8], into codes: UnsafeMutablePointer<UInt16>
    ) throws(DNGError) {
        let frame = try LosslessJPEGDecoder.frame(of: bytes.span)
        let count = frame.sampleCount
        try SampleBound.check(image, samples: count, bytes: bytes.count, place: "its JPEG stream")
        let isFlat = count == chunk.width * chunk.height * layout.samples || count == layout.samplesInChunk
        let stride = isFlat ? chunk.width * layout.samples : frame.samplesInRow
        guard stride >= chunk.columns * layout.samples, stride * chunk.rows <= count else {
            throw DNGError(
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
        _ chunk: PixelLayout.Chunk, _ bytes: [UInt8], into codes: UnsafeMutablePointer<UInt16>
    ) throws(DNGError) {
        if image.isFloatingPoint { return try unsafe decodeFloatingJPEGXL(chunk, bytes, into: codes) }
        let picture = try JPEGXLDecoder.decode(
            bytes, samples: layout.samples, width: chunk.columns, height: chunk.rows, most: layout.samplesInChunk)
        // The decoder spreads samples over 16 bits, as Adobe's does; a picture of 8 bits has the high ones.
        let shift: UInt16 = image.bitsPerSample == 8 ? 8 : 0
        let stride = picture.width * layout.samples
        unsafe store(chunk, codes) { row, target, count in
            for i in 0..<count { unsafe target[i] = picture.samples[row * stride + i] >> shift }
        }
    }

    private func decodeFloatingJPEGXL(
        _ chunk: PixelLayout.Chunk, _ bytes: [UInt8], into codes: UnsafeMutablePointer<UInt16>
    ) throws(DNGError) {
        let picture = try JPEGXLDecoder.decodeFloats(
            bytes, samples: layout.samples, width: chunk.columns, height: chunk.rows, most: layout.samplesInChunk)
        let stride = picture.width * layout.samples
        unsafe store(chunk, codes) { row, target, count in
            for i in 0..<count {
                let plane = chunk.plane + i % layout.samples
                unsafe target[i] = coding.code(picture.samples[row * stride + i], plane: plane)
            }
        }
    }

    // MARK: Rows of the picture

    /// Has `row` write each visible row of the chunk: it is told the row, where to, and how many codes.
    private func store(
        _ chunk: PixelLayout.Chunk, _ codes: UnsafeMutablePointer<UInt16>,
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
        // A plane by itself: its samples go between those of the others.
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
