internal import RawImage

/// How a picture's pixels are cut into strips or tiles, and where the bytes of each lie.
struct PixelLayout: Sendable {
    /// One strip or tile.
    struct Chunk: Sendable {
        let index: Int
        /// Where it lies in the picture.
        let left: Int
        let top: Int
        /// Its pixels as stored: a tile at the edge is stored whole, the last strip is not.
        let width: Int
        let height: Int
        /// How many of its columns and rows are in the picture.
        let columns: Int
        let rows: Int
        /// The first sample of a pixel that it holds.
        let plane: Int
        let offset: Int
        let byteCount: Int

        /// Whether a file of so many bytes has all of its.
        func isWithin(fileOf count: Int) -> Bool {
            byteCount >= 0 && byteCount <= count && (0...count - byteCount).contains(offset)
        }

        /// Some of a strip's rows, whose bytes lie together.
        func part(from row: Int, rows: Int, offset: Int, byteCount: Int) -> Chunk {
            Chunk(
                index: index, left: left, top: top + row, width: width, height: rows, columns: columns, rows: rows,
                plane: plane, offset: self.offset + offset, byteCount: byteCount)
        }
    }

    let image: DNGImage
    /// Samples of a pixel that lie together: all of them, or one when the picture is stored plane by plane.
    let samples: Int
    /// Strips and tiles of the picture.
    var count: Int { columns * rows * planes }
    /// Samples of a whole strip or tile.
    var samplesInChunk: Int { chunkWidth * chunkHeight * samples }
    /// How many bytes of the file all of them can be.
    let byteCount: Int

    private let chunkWidth: Int
    private let chunkHeight: Int
    private let columns: Int
    private let rows: Int
    private var planes: Int { image.samplesPerPixel / samples }
    private let offsets: [Int]
    private let counts: [Int]

    /// The layout of a picture whose number of samples makes sense.
    init(_ directory: TIFFDirectory, _ image: DNGImage) throws(DNGError) {
        self.image = image
        let arrangement = directory.integer(.planarConfiguration) ?? 1
        guard arrangement == 1 || arrangement == 2 else {
            throw DNGError(.malformed, "\(TIFFTag.planarConfiguration) of \(image.place) is \(arrangement)")
        }
        samples = arrangement == 2 ? 1 : image.samplesPerPixel
        let side = MosaicFormat.maximumSide
        if image.isTiled {
            chunkWidth = directory.integer(.tileWidth) ?? 0
            chunkHeight = directory.integer(.tileLength) ?? 0
            guard (1...side).contains(chunkWidth), (1...side).contains(chunkHeight) else {
                throw DNGError(.malformed, "\(image.place) has tiles of \(chunkWidth)×\(chunkHeight)")
            }
        } else {
            let given = directory.integer(.rowsPerStrip) ?? image.height
            chunkWidth = image.width
            chunkHeight = given < 1 ? image.height : min(given, image.height)
        }
        columns = (image.width + chunkWidth - 1) / chunkWidth
        rows = (image.height + chunkHeight - 1) / chunkHeight
        let (places, sizes): (TIFFTag, TIFFTag) =
            image.isTiled && directory.has(.tileOffsets)
            ? (.tileOffsets, .tileByteCounts) : (.stripOffsets, .stripByteCounts)
        offsets = directory.integers(places)
        counts = directory.integers(sizes)
        let wanted = columns * rows * (image.samplesPerPixel / samples)
        guard offsets.count >= wanted, counts.count >= wanted else {
            let tag = offsets.count < wanted ? places : sizes
            throw DNGError(
                .malformed,
                "\(tag) of \(image.place) has \(min(offsets.count, counts.count)) values where \(wanted) are needed")
        }
        // Strips may lie over each other in a file made to deceive: together they hold no more than the file.
        let end = directory.container.source.count
        var sum = 0
        for count in counts.prefix(wanted) { sum += max(0, min(count, end)) }
        byteCount = min(sum, end)
    }

    /// A strip or tile by its number.
    func chunk(_ index: Int) -> Chunk {
        let inPlane = index % (columns * rows)
        let (top, left) = (inPlane / columns * chunkHeight, inPlane % columns * chunkWidth)
        let visible = min(chunkHeight, image.height - top)
        return Chunk(
            index: index, left: left, top: top, width: chunkWidth, height: image.isTiled ? chunkHeight : visible,
            columns: min(chunkWidth, image.width - left), rows: visible, plane: index / (columns * rows),
            offset: offsets[index], byteCount: counts[index])
    }

    /// What errors call a strip or tile.
    func place(_ index: Int) -> String { "\(image.isTiled ? "tile" : "strip") \(index) of \(image.place)" }
}
