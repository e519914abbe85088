internal import PhotoMetadata
internal import RawImage
internal import Synchronization

/// A reader of one picture's pixels, which decodes its strips or tiles on all cores.
struct PixelReader {
    private let file: DNGFile
    /// The picture with the size of its stored pixels.
    let image: DNGImage
    private let directory: TIFFDirectory
    private let decoder: ChunkDecoder
    /// The black and white levels; nil for previews and masks, which have none.
    let levels: RawLevels?

    init(_ file: DNGFile, _ image: DNGImage) throws(GscapError) {
        self.file = file
        directory = try file.container.directory(at: image.offset)
        let image = try image.stored(in: directory)
        self.image = image
        guard (1...16).contains(image.samplesPerPixel) else {
            throw GscapError(
                .unsupported, "\(image.place) has \(image.samplesPerPixel) samples a pixel; 1 to 16 are supported",
                at: TIFFLocation(directory, .samplesPerPixel))
        }
        let isRaw = image.isRaw || image.isFloatingPoint || image.isWide
        let isFine = image.isMain && !file.steps.linear.isEmpty
        levels = isRaw ? try RawLevels(directory, image, isFine: isFine) : nil
        decoder = try ChunkDecoder(directory, image, scales: levels?.scales ?? [])
        let layout = decoder.layout
        // A file lacks tiles if a copy was interrupted. Without most of them there is no picture.
        let missing = layout.missing
        guard missing.isEmpty || image.isMain && 2 * missing.count <= layout.count else {
            throw GscapError(.malformed, "\(layout.damage ?? "") in \(image.place)", at: TIFFLocation(directory))
        }
        let lost = missing.reduce(0) { sum, index in
            let chunk = layout.chunk(index)
            return sum + chunk.columns * chunk.rows * layout.samples
        }
        try SampleLimit.check(
            image, samples: image.width * image.height * image.samplesPerPixel - lost, bytes: layout.byteCount,
            place: image.place)
    }

    /// Decodes all samples as stored, row by row, before LinearizationTable.
    func storedSamples() throws(GscapError) -> [UInt16] {
        let count = image.width * image.height * image.samplesPerPixel
        try file.check(image)
        let digests = image.isMain && file.digestsChunks ? ChunkDigests(chunks: decoder.layout.count) : nil
        // The memory needs no initialization: the chunks cover the picture, and each fills its pixels or throws.
        let samples = try unsafe [UInt16](large: count) { base throws(GscapError) in
            try unsafe decodeAll(into: base, digests)
        }
        let ordered = try deinterleaved(samples)
        if image.isMain { try file.checkMain(image, digests, codes: ordered, self) }
        if image.isMain, let damage = decoder.layout.damage { file.noteMissing(damage) }
        return ordered
    }

    /// The number of values of LinearizationTable; 0 without one.
    var tableLength: Int { directory.entries[.linearizationTable]?.count ?? 0 }

    private func decodeAll(into base: UnsafeMutablePointer<UInt16>, _ digests: ChunkDigests?) throws(GscapError) {
        // nonisolated(unsafe): chunks are decoded concurrently, each into its own pixels.
        nonisolated(unsafe) let codes = unsafe base
        let failure = FirstFailure()
        if let digests {
            // A digest is that of a whole strip, so that strips are not divided.
            concurrentBands(rows: decoder.layout.count, of: ChunkDigests.together) { band in
                if failure.isBefore(band.lowerBound) { return }
                let chunks = band.map(decoder.layout.chunk)
                let bytes = bytes(of: chunks, from: band.lowerBound, failure)
                // The bytes are digested while the core's cache holds them.
                digests.add(bytes, from: band.lowerBound)
                for (offset, bytes) in bytes.enumerated() {
                    carryOut(chunks[offset], band.lowerBound + offset, failure) { () throws(GscapError) in
                        try unsafe decode(chunks[offset], bytes, into: codes)
                    }
                }
            }
        } else {
            let chunks = decoder.chunks(inFileOf: file.byteCount)
            concurrently(chunks.count) { index in
                if failure.isBefore(index) { return }
                carryOut(chunks[index], index, failure) { () throws(GscapError) in
                    try unsafe decode(chunks[index], into: codes)
                }
            }
        }
        if let error = failure.error { throw error }
    }

    /// The failure of the first chunk that fails.
    private final class FirstFailure: Sendable {
        private let first = Mutex<(chunk: Int, error: GscapError)?>(nil)

        var error: GscapError? { first.withLock { $0?.error } }

        /// Whether an earlier chunk has failed, so that this one need not be decoded.
        func isBefore(_ chunk: Int) -> Bool { first.withLock { $0.map { $0.chunk < chunk } ?? false } }

        func add(_ error: GscapError, ofChunk chunk: Int) {
            first.withLock { if $0.map({ $0.chunk > chunk }) ?? true { $0 = (chunk, error) } }
        }
    }

    /// Calls `body`, whose error is noted as that of a chunk.
    private func carryOut(
        _ chunk: ChunkLayout.Chunk, _ index: Int, _ failure: FirstFailure, _ body: () throws(GscapError) -> Void
    ) {
        do throws(GscapError) {
            try body()
        } catch {
            let place = decoder.layout.place(chunk.index)
            let location = TIFFLocation(path: file.container.source.path, offset: chunk.offset)
            let error = GscapError(error.code, "\(place): \(error.message)", at: location, cause: error)
            failure.add(error, ofChunk: index)
        }
    }

    /// Returns the bytes of chunks up to the first that cannot be read.
    private func bytes(of chunks: [ChunkLayout.Chunk], from index: Int, _ failure: FirstFailure) -> [[UInt8]] {
        var bytes: [[UInt8]] = []
        for (offset, chunk) in chunks.enumerated() where bytes.count == offset {
            carryOut(chunk, index + offset, failure) { () throws(GscapError) in bytes.append(try self.bytes(of: chunk))
            }
        }
        return bytes
    }

    private func decode(_ chunk: ChunkLayout.Chunk, into codes: UnsafeMutablePointer<UInt16>) throws(GscapError) {
        let size = chunk.width * chunk.height * decoder.layout.samples * MemoryLayout<UInt16>.size
        guard decoder.storesCodes, chunk.byteCount >= size, chunk.isWithin(fileOf: file.byteCount) else {
            return try unsafe decode(chunk, bytes(of: chunk), into: codes)
        }
        let target = unsafe codes + chunk.top * chunk.width * decoder.layout.samples
        guard unsafe file.container.source.read(at: chunk.offset, into: target, count: size) == size else {
            throw truncation(of: chunk)
        }
    }

    private func decode(
        _ chunk: ChunkLayout.Chunk, _ bytes: [UInt8], into codes: UnsafeMutablePointer<UInt16>
    ) throws(GscapError) {
        guard chunk.byteCount > 0 else { return unsafe decoder.clear(chunk, in: codes) }
        let samples = chunk.width * chunk.height * decoder.layout.samples
        try SampleLimit.check(image, samples: samples, bytes: bytes.count, place: "it")
        try unsafe decoder.decode(chunk, bytes, into: codes)
    }

    private func bytes(of chunk: ChunkLayout.Chunk) throws(GscapError) -> [UInt8] {
        guard let bytes = file.container.source.bytes(at: chunk.offset, count: chunk.byteCount) else {
            throw truncation(of: chunk)
        }
        return bytes
    }

    private func truncation(of chunk: ChunkLayout.Chunk) -> GscapError {
        GscapError(
            .malformed,
            "its \(chunk.byteCount) bytes at byte \(chunk.offset) reach beyond the file's end (\(file.byteCount) bytes "
                + "when opened); the file may be cut off")
    }

    /// Returns NewRawImageDigest as DNG defines it for lossy compressions: the MD5 digest of the MD5 digests of each
    /// strip's or tile's compressed bytes and, if there are any, of JPEGTables.
    func compressedDigest() throws(GscapError) -> RawDigest {
        var digests: [UInt8] = []
        for index in 0..<decoder.layout.count { digests += MD5.digest(try bytes(of: decoder.layout.chunk(index))) }
        let tables = directory.bytes(.jpegTables)
        return RawDigest(fields: tables.isEmpty ? digests : digests + MD5.digest(tables))
    }

    /// Decodes all samples, row by row, as linear codes: LinearizationTable and the supported opcodes of OpcodeList1
    /// and OpcodeList2 are applied, and black and white levels are equalized. Of a quad mosaic the 2×2 pixels of each
    /// colour are averaged.
    ///
    /// `stored` are the samples as stored, if they are already decoded.
    func linearSamples(_ stored: [UInt16]? = nil) throws(GscapError) -> [UInt16] {
        var samples = if let stored { stored } else { try storedSamples() }
        if image.isMain { apply(file.steps.stored, to: &samples) }
        linearize(&samples, levels: levels.flatMap { $0.isUniform ? nil : $0 })
        if image.isMain { apply(file.steps.linear, to: &samples) }
        return image.isQuad ? binned(samples) : samples
    }

    /// Returns the means of 2×2 pixels each.
    private func binned(_ samples: [UInt16]) -> [UInt16] {
        let (width, height, stored) = (image.width / 2, image.height / 2, image.width)
        return unsafe samples.withUnsafeBufferPointer { samples in
            unsafe [UInt16](
                large: width * height,
                inRanges: { pixels, target in
                    guard let source = samples.baseAddress else { return }
                    for pixel in pixels {
                        let (row, column) = pixel.quotientAndRemainder(dividingBy: width)
                        let first = unsafe source + 2 * row * stored + 2 * column
                        let above = unsafe UInt32(first[0]) + UInt32(first[1])
                        let below = unsafe UInt32(first[stored]) + UInt32(first[stored + 1])
                        unsafe target[pixel] = UInt16((above + below + 2) / 4)
                    }
                })
        }
    }

    private func apply(_ steps: [CodeOpcode], to samples: inout [UInt16]) {
        guard let levels else { return }
        unsafe samples.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            for step in steps { unsafe step.apply(to: base, image, levels) }
        }
    }

    /// Applies OpcodeList1 and LinearizationTable to stored samples: their levels are then those of the file's tags.
    func tableSamples(_ stored: [UInt16]) -> [UInt16] {
        var samples = stored
        if image.isMain { apply(file.steps.stored, to: &samples) }
        linearize(&samples, levels: nil)
        return samples
    }

    /// Applies LinearizationTable and, unless `levels` is nil, equalizes black and white levels.
    private func linearize(_ samples: inout [UInt16], levels: RawLevels?) {
        let table = image.isFloatingPoint ? [] : directory.integers(.linearizationTable).map { UInt16(clamping: $0) }
        guard !table.isEmpty || levels != nil else { return }
        // As DNG specifies, codes beyond the end of LinearizationTable take its last value.
        let values = table.last.map { table + Array(repeating: $0, count: max(0, 65_536 - table.count)) } ?? []
        let samplesInRow = image.width * image.samplesPerPixel
        unsafe samples.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            // nonisolated(unsafe): concurrent bands of rows change only their own rows of the samples.
            nonisolated(unsafe) let codes = unsafe base
            concurrentBands(rows: image.height, of: 64) { band in
                for row in band {
                    let line = unsafe codes + row * samplesInRow
                    if !values.isEmpty { unsafe Self.lookUp(values, line, count: samplesInRow) }
                    if let levels { unsafe levels.equalize(row: row, line) }
                }
            }
        }
    }

    private static func lookUp(_ values: [UInt16], _ codes: UnsafeMutablePointer<UInt16>, count: Int) {
        unsafe values.withUnsafeBufferPointer { values in
            guard values.count >= 65_536, let table = values.baseAddress else { return }
            for i in 0..<count { unsafe codes[i] = unsafe table[Int(codes[i])] }
        }
    }

    /// Restores the order of rows and columns that were stored as separate fields (RowInterleaveFactor and
    /// ColumnInterleaveFactor).
    private func deinterleaved(_ samples: [UInt16]) throws(GscapError) -> [UInt16] {
        let rows = directory.integer(.rowInterleaveFactor) ?? 1
        let columns = directory.integer(.columnInterleaveFactor) ?? 1
        if rows == 1 && columns == 1 { return samples }
        guard (1...image.height).contains(rows), (1...image.width).contains(columns) else {
            throw GscapError(
                .malformed, "\(image.place) has an interleave factor of \(rows) or \(columns)",
                at: TIFFLocation(
                    directory, (1...image.height).contains(rows) ? .columnInterleaveFactor : .rowInterleaveFactor))
        }
        let (rowOrder, columnOrder) = (
            Self.order(image.height, factor: rows), Self.order(image.width, factor: columns)
        )
        let step = image.samplesPerPixel
        var result = samples
        for (storedRow, row) in rowOrder.enumerated() {
            for (storedColumn, column) in columnOrder.enumerated() {
                for sample in 0..<step {
                    result[(row * image.width + column) * step + sample] =
                        samples[(storedRow * image.width + storedColumn) * step + sample]
                }
            }
        }
        return result
    }

    /// Returns, for each stored row or column, its index in the picture: every `factor`th from 0, then from 1, and so
    /// on.
    static func order(_ count: Int, factor: Int) -> [Int] {
        (0..<factor).flatMap { Array(stride(from: $0, to: count, by: factor)) }
    }
}
