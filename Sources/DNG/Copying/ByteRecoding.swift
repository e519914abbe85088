internal import RawImage
internal import Synchronization

/// The floating-point samples, or integers of more than 16 bits, of a raw picture in a copy.
///
/// They keep their values, of which lossless JPEG would lose some: they are deflated, with the predictor of their type,
/// or stored without compression. Floats of 16, 24 and 32 bits and integers of 32 bits keep their bytes; integers of 24
/// bits, which the Adobe DNG SDK does not inflate, are deflated as 32 bits.
struct ByteRecoding {
    private let image: DNGImage
    private let samples: SampleBytes
    private let layout: TileLayout
    private let isDeflated: Bool

    /// Whether the samples of a picture are stored as their bytes.
    static func applies(to image: DNGImage, _ settings: DNGTranscoder) -> Bool {
        if image.isFloatingPoint { return true }
        guard image.isWide, settings.bitDepth == nil else { return false }
        return switch settings.storage {
        case .uncompressed, .losslessJPEG: true
        // Lossless JPEG XL is refused, which lossy compressions are not.
        case .jpegXL(let distance, _): distance == 0
        case .lossyJPEG: false
        }
    }

    /// Reads the samples; throws if the storage is not one of such samples.
    init(_ file: DNGFile, _ image: DNGImage, _ settings: DNGTranscoder) throws(GscapError) {
        self.image = image
        layout = TileLayout(RawPictureFormat(stored: image))
        switch settings.storage {
        case .uncompressed: isDeflated = false
        case .losslessJPEG(let predictor) where settings.bitDepth == nil:
            guard predictor < 2 else {
                throw GscapError(
                    .badPicture,
                    "the samples are \(Self.name(of: image)), which are deflated and take no predictor of lossless "
                        + "JPEG: leave out --predictor")
            }
            isDeflated = true
        default:
            throw GscapError(
                .unsupported,
                image.isFloatingPoint
                    ? "the samples are floating-point numbers, which this compression would clip; convert with "
                        + "--compression lossless (deflate) or none, without --bits and --quality"
                    : "the samples are \(Self.name(of: image)), which JPEG XL would round to 16; convert with "
                        + "--compression lossless (deflate) or none, or accept that with --bits 16")
        }
        samples = try SampleBytes(file, image)
    }

    private static func name(of image: DNGImage) -> String {
        image.isFloatingPoint ? "floating-point numbers" : "integers of \(image.bitsPerSample) bits"
    }

    /// Changes the tags of the raw directory that describe the storage, and no others.
    func setTags(_ node: DirectoryNode) {
        node.removePixels()
        node.set(.compression, shorts: [isDeflated ? DNGCompression.deflate.rawValue : DNGCompression.none.rawValue])
        if isDeflated, bytesOfSample != samples.bytesOfSample {
            node.set(.bitsPerSample, shorts: Array(repeating: 8 * bytesOfSample, count: image.samplesPerPixel))
            // The default of WhiteLevel depends on BitsPerSample.
            if node.values[.whiteLevel] == nil {
                let white = 1 << image.bitsPerSample - 1
                node.set(.whiteLevel, longs: Array(repeating: white, count: image.samplesPerPixel))
            }
        }
        if isDeflated {
            node.set(.predictor, shorts: [predictor])
            node.set(.tileWidth, longs: [layout.tileWidth])
            node.set(.tileLength, longs: [layout.tileHeight])
            node.setEncoded(.tileOffsets, .tileByteCounts, count: layout.tileCount)
        } else {
            node.set(.rowsPerStrip, longs: [rowsInStrip])
            node.setEncoded(
                .stripOffsets, .stripByteCounts, count: (image.height + rowsInStrip - 1) / rowsInStrip)
        }
    }

    /// The predictor for the type of the samples. In a mosaic with a 2×2 pattern, a float is predicted from the one of
    /// its colour. Integers have TIFF's own predictor, because programs for TIFF such as tifffile have no other one.
    private var predictor: Int { image.isFloatingPoint ? (step == 2 ? 34894 : 3) : 2 }
    /// The pixels from a pixel to the one that it is predicted from.
    private var step: Int { image.isFloatingPoint && image.cell?.side == 2 ? 2 : 1 }
    /// The bytes of a deflated sample.
    private var bytesOfSample: Int { image.isFloatingPoint ? samples.bytesOfSample : 4 }
    private var rowsInStrip: Int { min(image.height, max(1, 524_288 / samples.bytesInRow)) }

    func write(
        to writer: DirectoryWriter, _ node: DirectoryNode, _ list: DirectoryNode.Pieces
    ) throws(GscapError) {
        guard isDeflated else {
            for index in list.pieces.indices {
                let rows = index * rowsInStrip..<min(image.height, (index + 1) * rowsInStrip)
                let bytes = samples.bytes[rows.lowerBound * samples.bytesInRow..<rows.upperBound * samples.bytesInRow]
                try writer.store(Array(bytes), piece: index, of: node, list)
            }
            return
        }
        for (index, tile) in try tiles().enumerated() { try writer.store(tile, piece: index, of: node, list) }
    }

    /// Compresses all tiles on all cores.
    private func tiles() throws(GscapError) -> [[UInt8]] {
        let results = Mutex<(tiles: [[UInt8]], failure: GscapError?)>(
            (Array(repeating: [], count: layout.tileCount), nil))
        concurrentBands(rows: layout.tileCount, of: 1) { band in
            do throws(GscapError) {
                let area = layout.area(ofTile: band.lowerBound)
                let bytes = try Deflater.deflate(
                    image.isFloatingPoint ? predictedFloats(area) : predictedIntegers(area))
                results.withLock { $0.tiles[band.lowerBound] = bytes }
            } catch {
                results.withLock { $0.failure = error }
            }
        }
        let (tiles, failure) = results.withLock { $0 }
        if let failure { throw failure }
        return tiles
    }

    /// Returns the bytes of a tile with the predictor applied to each row. Padding repeats zeros.
    private func predictedFloats(_ area: PixelRectangle) -> [UInt8] {
        let size = samples.bytesOfSample
        let pixel = image.samplesPerPixel * size
        let rowBytes = layout.tileWidth * pixel
        let step = image.samplesPerPixel * step
        var bytes = [UInt8](repeating: 0, count: rowBytes * layout.tileHeight)
        for row in 0..<area.height {
            let source = (area.top + row) * samples.bytesInRow + area.left * pixel
            let target = row * rowBytes
            let count = rowBytes / size
            // The high bytes of all samples come first, then the next lower ones, and so on.
            for index in 0..<area.width * image.samplesPerPixel {
                for byte in 0..<size {
                    let offset = samples.isBigEndian ? byte : size - 1 - byte
                    bytes[target + byte * count + index] = samples.bytes[source + index * size + offset]
                }
            }
            for index in stride(from: rowBytes - 1, through: step, by: -1) {
                bytes[target + index] &-= bytes[target + index - step]
            }
        }
        return bytes
    }

    /// Returns the bytes of a tile of 32-bit integers with the predictor applied to each row. Padding repeats zeros.
    private func predictedIntegers(_ area: PixelRectangle) -> [UInt8] {
        let (count, step) = (layout.tileWidth * image.samplesPerPixel, image.samplesPerPixel * step)
        var row = [UInt32](repeating: 0, count: count)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count * layout.tileHeight * 4)
        for line in 0..<layout.tileHeight {
            let left = area.left * image.samplesPerPixel * samples.bytesOfSample
            let start = (area.top + line) * samples.bytesInRow + left
            for index in row.indices {
                let isInside = line < area.height && index < area.width * image.samplesPerPixel
                row[index] = isInside ? samples.integer(at: start + index * samples.bytesOfSample) : 0
            }
            for index in row.indices {
                let difference = index < step ? row[index] : row[index] &- row[index - step]
                for shift in [24, 16, 8, 0] as [UInt32] {
                    bytes.append(UInt8(truncatingIfNeeded: difference >> (samples.isBigEndian ? shift : 24 - shift)))
                }
            }
        }
        return bytes
    }
}

/// The samples of a picture as stored in a file, without compression: interleaved, row by row, in the file's byte
/// order.
struct SampleBytes {
    let bytes: [UInt8]
    let bytesOfSample: Int
    let bytesInRow: Int
    let isBigEndian: Bool

    init(_ file: DNGFile, _ image: DNGImage) throws(GscapError) {
        let directory = try file.container.directory(at: image.offset)
        let orders: [TIFFTag] = [.rowInterleaveFactor, .columnInterleaveFactor, .subTileBlockSize]
        guard orders.flatMap(directory.integers).allSatisfy({ $0 == 1 }) else {
            throw GscapError(
                .unsupported,
                "\(image.place) has samples of \(image.bitsPerSample) bits that are interleaved or in blocks, which "
                    + "are not converted")
        }
        // Checks the compression and that the file's bytes can hold so many samples.
        _ = try PixelReader(file, image)
        let decoder = try ByteChunkDecoder(directory, image)
        isBigEndian = directory.container.isBigEndian
        bytesOfSample = image.bitsPerSample / 8
        bytesInRow = image.width * image.samplesPerPixel * bytesOfSample
        bytes = try decoder.decode(file.container.source)
    }

    /// Returns the integer that starts at a byte. Those of 24 bits have their high byte first in every file.
    func integer(at start: Int) -> UInt32 {
        (0..<bytesOfSample).reduce(0) { number, index in
            number << 8
                | UInt32(bytes[start + (isBigEndian || bytesOfSample == 3 ? index : bytesOfSample - 1 - index)])
        }
    }
}

/// A decoder of strips and tiles to the bytes of their samples.
private struct ByteChunkDecoder: Sendable {
    let image: DNGImage
    let layout: ChunkLayout
    let coding: SampleDecoder
    let predictor: Predictor

    init(_ directory: TIFFDirectory, _ image: DNGImage) throws(GscapError) {
        self.image = image
        layout = try ChunkLayout(directory, image)
        coding = try SampleDecoder(directory, image, scales: [])
        predictor = try Predictor(directory, image)
    }

    /// Decodes all chunks on all cores.
    func decode(_ source: ByteSource) throws(GscapError) -> [UInt8] {
        let result = Mutex<(bytes: [UInt8], failure: GscapError?)>(
            ([UInt8](repeating: 0, count: image.height * image.width * pixel), nil))
        concurrentBands(rows: layout.count, of: 1) { band in
            do throws(GscapError) {
                let chunk = layout.chunk(band.lowerBound)
                guard let stored = source.bytes(at: chunk.offset, count: chunk.byteCount) else {
                    throw GscapError(.malformed, "its bytes reach beyond the file's end; the file may be cut off")
                }
                let decoded = try decode(chunk, stored)
                result.withLock { place(chunk, decoded, in: &$0.bytes) }
            } catch {
                let place = layout.place(band.lowerBound)
                result.withLock { $0.failure = GscapError(error.code, "\(place): \(error.message)", cause: error) }
            }
        }
        let (bytes, failure) = result.withLock { $0 }
        if let failure { throw failure }
        return bytes
    }

    private var size: Int { coding.bits / 8 }
    private var pixel: Int { image.samplesPerPixel * size }

    /// Returns the bytes of a chunk in the file's byte order, with its padding.
    private func decode(_ chunk: ChunkLayout.Chunk, _ stored: [UInt8]) throws(GscapError) -> [UInt8] {
        let rowBytes = chunk.width * layout.samples * size
        switch image.compression {
        case .none:
            guard stored.count >= rowBytes * chunk.height else {
                throw GscapError(.malformed, "it has \(stored.count) bytes; \(rowBytes * chunk.height) are needed")
            }
            return stored
        case .deflate:
            try SampleLimit.check(image, samples: rowBytes * chunk.height / size, bytes: stored.count, place: "it")
            var bytes = try Inflater.inflate(stored, count: rowBytes * chunk.height)
            var scratch = [UInt8](repeating: 0, count: rowBytes)
            unsafe bytes.withUnsafeMutableBufferPointer { bytes in
                unsafe scratch.withUnsafeMutableBufferPointer { scratch in
                    guard let base = bytes.baseAddress, let scratch = scratch.baseAddress else { return }
                    for row in 0..<chunk.height {
                        unsafe predictor.undo(
                            base + row * rowBytes, width: chunk.width, samples: layout.samples, coding: coding,
                            scratch: scratch)
                    }
                }
            }
            return bytes
        default: return try decodeJPEGXL(chunk, stored)
        }
    }

    private func decodeJPEGXL(_ chunk: ChunkLayout.Chunk, _ stored: [UInt8]) throws(GscapError) -> [UInt8] {
        let picture = try JPEGXLDecoder.decodeFloats(
            stored, samples: layout.samples, width: chunk.columns, height: chunk.rows, limit: layout.samplesInChunk)
        guard size == 2 || size == 4 else {
            throw GscapError(.unsupported, "JPEG XL has no floating-point samples of \(coding.bits) bits")
        }
        var bytes = [UInt8](repeating: 0, count: chunk.width * chunk.height * layout.samples * size)
        for row in 0..<min(picture.height, chunk.height) {
            for column in 0..<min(picture.width, chunk.width) * layout.samples {
                let value = picture.samples[row * picture.width * layout.samples + column]
                let pattern = size == 2 ? UInt32(Float16(value).bitPattern) : value.bitPattern
                let start = (row * chunk.width * layout.samples + column) * size
                for byte in 0..<size {
                    let shift = UInt32(8 * (coding.isBigEndian ? size - 1 - byte : byte))
                    bytes[start + byte] = UInt8(truncatingIfNeeded: pattern >> shift)
                }
            }
        }
        return bytes
    }

    /// Copies a chunk's pixels into the picture.
    private func place(_ chunk: ChunkLayout.Chunk, _ bytes: [UInt8], in picture: inout [UInt8]) {
        for row in 0..<chunk.rows {
            let source = row * chunk.width * layout.samples * size
            let target = ((chunk.top + row) * image.width + chunk.left) * pixel
            if layout.samples == image.samplesPerPixel {
                picture.replaceSubrange(
                    target..<target + chunk.columns * pixel, with: bytes[source..<source + chunk.columns * pixel])
                continue
            }
            // In planar storage a chunk has samples of one plane.
            for column in 0..<chunk.columns {
                for byte in 0..<size {
                    picture[target + column * pixel + chunk.plane * size + byte] = bytes[source + column * size + byte]
                }
            }
        }
    }
}
