internal import Kernels
internal import PhotoMetadata
internal import RawImage
internal import Synchronization

/// The dimensions and CFA pattern of a raw picture to encode, and the conversion of its codes to stored bytes.
struct RawPictureFormat: Sendable {
    let width: Int
    let height: Int
    /// The distance from a row to the next in memory, in codes.
    let stride: Int
    /// The Bayer pattern; nil for a linear photo.
    let pattern: BayerPattern?
    /// The number of significant bits per code that the input format declares.
    let bitDepth: Int
    /// The distance from a pixel to the next in memory, in codes: 4 for RGBA.
    let channels: Int

    init(_ format: MosaicFormat) {
        (width, height, stride, pattern) = (format.width, format.height, format.stride, format.pattern)
        (bitDepth, channels) = (format.bitDepth, 1)
    }

    init(_ format: LinearFormat) {
        (width, height, stride, pattern) = (format.width, format.height, format.stride, nil)
        (bitDepth, channels) = (16, LinearFormat.channels)
    }

    /// Creates the format of a picture's samples as they are decoded from a file: interleaved, without alpha.
    init(stored image: DNGImage) {
        (width, height, pattern) = (image.width, image.height, image.pattern)
        (stride, channels) = (image.width * image.samplesPerPixel, image.samplesPerPixel)
        bitDepth = image.bitsPerSample
    }

    /// Samples per pixel in the file: 1 for a mosaic, 3 for a linear photo.
    var samples: Int { pattern == nil ? 3 : 1 }
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
    var margin: Int { pattern != nil && min(width, height) >= 16 ? 2 : 0 }

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
                if pattern == nil {
                    unsafe storeBigEndianRGB(source, count: width, to: target)
                } else {
                    unsafe storeBigEndian(source, count: width, to: target)
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
    func digest(of pixels: UnsafePointer<UInt16>) throws(DNGError) -> RawDigest {
        do {
            if let pattern {
                let format = MosaicFormat(
                    width: width, height: height, pattern: pattern, bitDepth: bitDepth, stride: stride)
                let codes = unsafe UnsafeBufferPointer(start: pixels, count: format.codeCount)
                return try unsafe RawDigest(mosaic: codes.span, format: format)
            }
            let format = LinearFormat(width: width, height: height, stride: stride)
            let values = unsafe UnsafeBufferPointer(start: pixels, count: format.valueCount)
            return try unsafe RawDigest(linear: values.span, format: format)
        } catch {
            throw DNGError(error)
        }
    }

    // MARK: Cells: 2×2 pixels of a mosaic, one pixel of a linear photo

    /// The number of whole cells (2×2 pixels of a mosaic, one pixel of a linear photo) across and down, at least one
    /// each.
    var cells: (columns: Int, rows: Int) {
        pattern == nil ? (width, height) : (max(1, width / 2), max(1, height / 2))
    }

    /// The indices of red, first green, second green and blue among a cell's four black levels. A mosaic's levels are
    /// in row-major order of the CFA cell; a linear photo's are in the order red, green, green, blue.
    var cellOffsetsByColor: [Int] {
        let planes = (pattern ?? .rggb).planes
        return (0..<4).sorted { (planes[$0], $0) < (planes[$1], $1) }
    }

    /// The memory layout of the red, first green, second green and blue codes of cells.
    var cellReader: CellReader {
        guard pattern != nil else { return CellReader(rowStep: stride, columnStep: 4, offsets: SIMD4(0, 1, 1, 2)) }
        // In a picture of a single row or column, that also serves as the cell's second one.
        let offsets = cellOffsetsByColor.map { index in
            (height > 1 ? index / 2 * stride : 0) + (width > 1 ? index % 2 : 0)
        }
        return CellReader(
            rowStep: 2 * stride, columnStep: 2, offsets: SIMD4(offsets[0], offsets[1], offsets[2], offsets[3]))
    }
}

/// The memory layout of cells: steps between cells and offsets within a cell, in codes.
struct CellReader {
    let rowStep: Int
    let columnStep: Int
    let offsets: SIMD4<Int>

    /// Returns the red, first green, second green and blue codes of a cell.
    func cell(_ codes: UnsafePointer<UInt16>, row: Int, column: Int) -> SIMD4<Float> {
        let cell = unsafe codes + (row * rowStep + column * columnStep)
        return unsafe SIMD4(
            Float(cell[offsets[0]]), Float(cell[offsets[1]]), Float(cell[offsets[2]]), Float(cell[offsets[3]]))
    }
}
