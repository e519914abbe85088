internal import RawImage

/// The division of a picture's pixels into chunks (strips or tiles), with the file offset and size of each.
struct ChunkLayout: Sendable {
    /// A strip or tile as stored, or a group of rows of an uncompressed strip.
    struct Chunk: Sendable {
        let index: Int
        /// The chunk's first column in the picture.
        let left: Int
        /// The chunk's first row in the picture.
        let top: Int
        /// The stored width in pixels; at the picture's right edge that of a tile includes padding.
        let width: Int
        /// The stored height in pixels; at the picture's bottom edge that of a tile includes padding, unlike a strip's.
        let height: Int
        /// The number of columns that lie inside the picture.
        let columns: Int
        /// The number of rows that lie inside the picture.
        let rows: Int
        /// The index of the plane that the chunk stores, with planar storage; 0 if all planes are interleaved.
        let plane: Int
        let offset: Int
        let byteCount: Int

        /// Returns whether the chunk's bytes lie completely inside a file of `count` bytes.
        func isWithin(fileOf count: Int) -> Bool {
            byteCount >= 0 && byteCount <= count && (0...count - byteCount).contains(offset)
        }

        /// Returns a group of consecutive rows of a strip as a chunk. `offset` is that of its bytes from the strip's
        /// first byte.
        func part(from row: Int, rows: Int, offset: Int, byteCount: Int) -> Chunk {
            Chunk(
                index: index, left: left, top: top + row, width: width, height: rows, columns: columns, rows: rows,
                plane: plane, offset: self.offset + offset, byteCount: byteCount)
        }
    }

    let image: DNGImage
    /// Interleaved samples per pixel in a chunk: all, or 1 with planar storage (PlanarConfiguration 2).
    let samples: Int
    /// The number of chunks in all planes.
    var count: Int { columns * rows * planes }
    /// The number of samples in a full-size chunk.
    var samplesInChunk: Int { chunkWidth * chunkHeight * samples }
    /// An upper limit on the bytes of all chunks together: the sum of their byte counts, or the file's size if smaller.
    let byteCount: Int

    private let chunkWidth: Int
    private let chunkHeight: Int
    private let columns: Int
    private let rows: Int
    private var planes: Int { image.samplesPerPixel / samples }
    private let offsets: [Int]
    private let counts: [Int]

    /// Parses the layout from a picture's directory; throws if the picture is empty.
    init(_ directory: TIFFDirectory, _ image: DNGImage) throws(GscapError) {
        let image = try image.stored(in: directory)
        guard image.width > 0, image.height > 0, image.samplesPerPixel > 0 else {
            throw GscapError(
                .malformed,
                "\(image.place) has \(image.width)×\(image.height) pixels of \(image.samplesPerPixel) samples",
                at: TIFFLocation(directory, .imageWidth))
        }
        self.image = image
        let planarConfiguration = directory.integer(.planarConfiguration) ?? 1
        guard planarConfiguration == 1 || planarConfiguration == 2 else {
            throw GscapError(
                .malformed, "\(TIFFTag.planarConfiguration) of \(image.place) is \(planarConfiguration)",
                at: TIFFLocation(directory, .planarConfiguration))
        }
        samples = planarConfiguration == 2 ? 1 : image.samplesPerPixel
        let side = MosaicFormat.maximumSide
        if image.isTiled {
            chunkWidth = directory.integer(.tileWidth) ?? 0
            chunkHeight = directory.integer(.tileLength) ?? 0
            guard (1...side).contains(chunkWidth), (1...side).contains(chunkHeight) else {
                throw GscapError(
                    .malformed, "\(image.place) has tiles of \(chunkWidth)×\(chunkHeight)",
                    at: TIFFLocation(directory, .tileWidth))
            }
        } else {
            let rowsPerStrip = directory.integer(.rowsPerStrip) ?? image.height
            chunkWidth = image.width
            chunkHeight = rowsPerStrip < 1 ? image.height : min(rowsPerStrip, image.height)
        }
        columns = (image.width + chunkWidth - 1) / chunkWidth
        rows = (image.height + chunkHeight - 1) / chunkHeight
        let (offsetsTag, countsTag): (TIFFTag, TIFFTag) =
            image.isTiled && directory.has(.tileOffsets)
            ? (.tileOffsets, .tileByteCounts) : (.stripOffsets, .stripByteCounts)
        offsets = directory.integers(offsetsTag)
        counts = directory.integers(countsTag)
        let chunkCount = columns * rows * (image.samplesPerPixel / samples)
        guard offsets.count >= chunkCount, counts.count >= chunkCount else {
            let tag = offsets.count < chunkCount ? offsetsTag : countsTag
            throw GscapError(
                .malformed,
                "\(tag) of \(image.place) has \(min(offsets.count, counts.count)) values; \(chunkCount) are needed",
                at: TIFFLocation(directory, tag))
        }
        // Chunks of a malicious file may overlap: limit their total to the file's size.
        let end = directory.container.source.count
        var sum = 0
        for count in counts.prefix(chunkCount) { sum += max(0, min(count, end)) }
        byteCount = min(sum, end)
    }

    /// Returns a chunk by its index in StripOffsets or TileOffsets.
    func chunk(_ index: Int) -> Chunk {
        let inPlane = index % (columns * rows)
        let (top, left) = (inPlane / columns * chunkHeight, inPlane % columns * chunkWidth)
        let visible = min(chunkHeight, image.height - top)
        return Chunk(
            index: index, left: left, top: top, width: chunkWidth, height: image.isTiled ? chunkHeight : visible,
            columns: min(chunkWidth, image.width - left), rows: visible, plane: index / (columns * rows),
            offset: isMissing(index) ? 0 : offsets[index], byteCount: isMissing(index) ? 0 : counts[index])
    }

    /// Whether the file has no bytes of a chunk: its offset or its byte count is 0.
    func isMissing(_ index: Int) -> Bool { counts[index] == 0 || offsets[index] == 0 }

    /// The indices of the chunks that the file lacks.
    var missing: [Int] { (0..<count).filter(isMissing) }

    /// Says which chunks the file lacks; nil if it has all.
    var damage: String? {
        let missing = missing
        guard let first = missing.first else { return nil }
        let name = image.isTiled ? "tile" : "strip"
        let which = missing.count == 1 ? "\(name) \(first) is" : "\(missing.count) \(name)s, the first \(first), are"
        return "\(which) missing of \(count)"
    }

    /// Returns the description of a chunk in error messages.
    func place(_ index: Int) -> String { "\(image.isTiled ? "tile" : "strip") \(index) of \(image.place)" }
}
