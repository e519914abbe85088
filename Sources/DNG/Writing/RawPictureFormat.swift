internal import Kernels
internal import PhotoMetadata
package import RawImage
internal import Synchronization

/// The dimensions and colours of a raw picture to encode, and the conversion of its codes to stored bytes.
package struct RawPictureFormat: Sendable {
    let width: Int
    let height: Int
    /// The distance from a row to the next in memory, in codes.
    let stride: Int
    /// The cell of a mosaic's colours; nil for a linear photo.
    let cell: ColorCell?
    /// The number of significant bits per code that the input format declares.
    let bitDepth: Int
    /// The distance from a pixel to the next in memory, in codes: 4 for RGBA.
    let channels: Int
    /// Samples per pixel in the file: 1 for a mosaic, otherwise those of a linear photo, without alpha.
    let samples: Int

    init(_ format: MosaicFormat) {
        (width, height, stride) = (format.width, format.height, format.stride)
        cell = format.isMonochrome ? nil : ColorCell(format.pattern)
        (bitDepth, channels, samples) = (format.bitDepth, 1, 1)
    }

    /// Creates the format of RGBA values whose alpha is not stored.
    package init(_ format: LinearFormat) {
        (width, height, stride, cell) = (format.width, format.height, format.stride, nil)
        (bitDepth, channels, samples) = (16, LinearFormat.channels, 3)
    }

    /// Creates the format of one sample a pixel without gaps: a mosaic with this cell, or a monochrome picture.
    package init(width: Int, height: Int, bitDepth: Int, cell: ColorCell?) {
        (self.width, self.height, self.stride, self.cell) = (width, height, width, cell)
        (self.bitDepth, self.channels, self.samples) = (bitDepth, 1, 1)
    }

    /// Creates the format of a picture's samples as they are decoded from a file: interleaved, without alpha.
    init(stored image: DNGImage) {
        (width, height, cell) = (image.width, image.height, image.cell)
        (stride, channels) = (image.width * image.samplesPerPixel, image.samplesPerPixel)
        (bitDepth, samples) = (image.bitsPerSample, image.samplesPerPixel)
    }

    /// Whether the picture has one colour at each pixel.
    var isMosaic: Bool { cell != nil }
    /// Whether the picture is linear with one sample a pixel.
    var isMonochrome: Bool { !isMosaic && samples == 1 }
    /// Bytes per uncompressed row in the file, with 16-bit samples.
    var bytesInRow: Int { width * samples * 2 }
    /// Bytes of the uncompressed picture in the file.
    var byteCount: Int { bytesInRow * height }

    /// The number of rows per strip: a strip has about half a megabyte, so that readers can decode strip by strip.
    var rowsInStrip: Int { min(height, max(1, 524_288 / bytesInRow)) }
    /// The size of each strip in bytes.
    var stripSizes: [Int] {
        Swift.stride(from: 0, to: height, by: rowsInStrip).map { min(rowsInStrip, height - $0) * bytesInRow }
    }

    /// The margin of DefaultCrop in pixels: demosaicing lacks neighbours at a mosaic's edge.
    var margin: Int { isMosaic && min(width, height) >= 16 ? 2 : 0 }

    /// Stores all rows of the picture in the file's bytes, as big-endian samples without row gaps or alpha, on all
    /// cores.
    func store(_ codes: UnsafePointer<UInt16>, to bytes: UnsafeMutableRawPointer) {
        // nonisolated(unsafe): concurrent bands access only their own rows of codes and bytes.
        nonisolated(unsafe) let codes = unsafe codes
        nonisolated(unsafe) let bytes = unsafe bytes
        concurrentBands(rows: height, of: rowsInStrip) { rows in
            for row in rows {
                let source = unsafe codes + row * stride
                let target = unsafe bytes + row * bytesInRow
                if channels == samples {
                    unsafe storeBigEndian(source, count: width * samples, to: target)
                } else {
                    unsafe storeBigEndianRGB(source, count: width, to: target)
                }
            }
        }
    }

    /// Returns the bits that the codes need: the format's bit depth, or more if a code exceeds it.
    func bits(of pixels: UnsafePointer<UInt16>) -> Int {
        guard bitDepth < 16 else { return 16 }
        let used = Mutex<UInt16>(0)
        // nonisolated(unsafe): codes are only read.
        nonisolated(unsafe) let pixels = unsafe pixels
        concurrentBands(rows: height, of: 256) { rows in
            var bandBits: UInt16 = 0
            for row in rows { bandBits |= unsafe bitsUsed(pixels + row * stride, count: width) }
            used.withLock { $0 |= bandBits }
        }
        return max(bitDepth, UInt16.bitWidth - used.withLock { $0 }.leadingZeroBitCount)
    }

    /// Returns NewRawImageDigest of the codes in memory, for uncompressed storage.
    func digest(of pixels: UnsafePointer<UInt16>) throws(GscapError) -> RawDigest {
        if samples == 1 {
            // The digest does not depend on the pattern.
            let format = MosaicFormat(width: width, height: height, pattern: .rggb, bitDepth: bitDepth, stride: stride)
            let codes = unsafe UnsafeBufferPointer(start: pixels, count: format.codeCount)
            return try unsafe RawDigest(mosaic: codes.span, format: format)
        }
        let format = LinearFormat(width: width, height: height, stride: stride)
        let values = unsafe UnsafeBufferPointer(start: pixels, count: format.valueCount)
        return try unsafe RawDigest(linear: values.span, format: format)
    }

    // MARK: Cells: those of a mosaic's colours, one pixel of a linear photo

    private var cellSide: Int { cell?.side ?? 1 }

    /// The number of whole cells (of a mosaic's colours, or one pixel of a linear photo) across and down, at least one
    /// each.
    var cells: (columns: Int, rows: Int) { (max(1, width / cellSide), max(1, height / cellSide)) }

    /// The positions of red, two greens and blue in a mosaic's cell, or of its four colours, by rows.
    private var positionsByColor: [Int] {
        guard let cell else { return [0, 0, 0, 0] }
        let positions = cell.colors.indices.sorted { (cell.colors[$0], $0) < (cell.colors[$1], $1) }
        guard cell.side > 2 else { return positions }
        // An X-Trans cell has more positions of each colour.
        func first(_ color: Int) -> Int { cell.colors.firstIndex(of: color) ?? 0 }
        return [first(0), first(1), cell.colors.lastIndex(of: 1) ?? 0, first(2)]
    }

    /// The indices of red, first green, second green and blue among a cell's four black levels. A mosaic's levels are
    /// in row-major order of the CFA cell, those of an X-Trans mosaic are equal, and a linear photo's are in the order
    /// red, green, green, blue.
    var cellOffsetsByColor: [Int] { cellSide == 2 ? positionsByColor : [0, 1, 2, 3] }

    /// The memory layout of the red, first green, second green and blue codes of cells.
    var cellReader: CellReader {
        let isGrey = isMonochrome || cell?.isRGB == false
        guard isMosaic else {
            let offsets = isMonochrome ? SIMD4<Int>.zero : SIMD4(0, 1, 1, 2)
            return CellReader(rowStep: stride, columnStep: channels, offsets: offsets, isGrey: isGrey)
        }
        // In a picture smaller than a cell, its last row and column also serve as those that it lacks.
        let offsets = positionsByColor.map { position in
            min(position / cellSide, height - 1) * stride + min(position % cellSide, width - 1)
        }
        return CellReader(
            rowStep: cellSide * stride, columnStep: cellSide,
            offsets: SIMD4(offsets[0], offsets[1], offsets[2], offsets[3]), isGrey: isGrey)
    }
}

/// The memory layout of cells: steps between cells and offsets within a cell, in codes.
struct CellReader {
    let rowStep: Int
    let columnStep: Int
    let offsets: SIMD4<Int>
    /// Whether the codes are shown as their mean, because they are not those of red, green and blue.
    let isGrey: Bool

    /// Returns the red, first green, second green and blue codes of a cell.
    func cell(_ codes: UnsafePointer<UInt16>, row: Int, column: Int) -> SIMD4<Float> {
        let cell = unsafe codes + (row * rowStep + column * columnStep)
        let codes = unsafe SIMD4(
            Float(cell[offsets[0]]), Float(cell[offsets[1]]), Float(cell[offsets[2]]), Float(cell[offsets[3]]))
        return isGrey ? SIMD4(repeating: codes.sum() / 4) : codes
    }
}
