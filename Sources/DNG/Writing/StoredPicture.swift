internal import Kernels
internal import PhotoMetadata
internal import RawImage
internal import Synchronization

/// A raw picture as the file stores it: its shape, and how codes become bytes.
struct StoredPicture: Sendable {
    let width: Int
    let height: Int
    /// Codes in memory from one row to the next.
    let stride: Int
    /// The order of colours; nil for a linear photo.
    let pattern: BayerPattern?
    /// Bits that a code should need.
    let bitDepth: Int

    init(_ format: MosaicFormat) {
        (width, height, stride, pattern) = (format.width, format.height, format.stride, format.pattern)
        bitDepth = format.bitDepth
    }

    init(_ format: LinearFormat) {
        (width, height, stride, pattern) = (format.width, format.height, format.stride, nil)
        bitDepth = 16
    }

    /// Samples of a pixel in the file.
    var samples: Int { pattern == nil ? 3 : 1 }
    /// Bytes of a row in the file.
    var bytesInRow: Int { width * samples * 2 }
    /// Bytes of the whole picture in the file.
    var byteCount: Int { bytesInRow * height }

    /// Rows of a strip: about half a megabyte, so that readers can go strip by strip.
    var rowsInStrip: Int { min(height, max(1, 524_288 / bytesInRow)) }
    /// The strips' sizes in bytes.
    var stripSizes: [Int] {
        Swift.stride(from: 0, to: height, by: rowsInStrip).map { min(rowsInStrip, height - $0) * bytesInRow }
    }

    /// The part of the picture that converters show: interpolation at a mosaic's edge lacks neighbours.
    var margin: Int { pattern != nil && min(width, height) >= 16 ? 2 : 0 }

    /// Writes all rows as the file wants them, on all cores.
    func store(_ codes: UnsafePointer<UInt16>, to bytes: UnsafeMutableRawPointer) {
        // Each band reads and writes rows of its own.
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

    /// Bits that the codes need: at least those of the format, more when codes do not keep to it.
    func bits(of pixels: UnsafePointer<UInt16>) -> Int {
        guard bitDepth < 16 else { return 16 }
        let used = Mutex<UInt16>(0)
        // Codes are only read.
        nonisolated(unsafe) let pixels = unsafe pixels
        concurrentBands(rows: height, of: 256) { rows in
            var mine: UInt16 = 0
            for row in rows { mine |= unsafe bitsUsed(pixels + row * stride, count: width) }
            used.withLock { $0 |= mine }
        }
        return max(bitDepth, UInt16.bitWidth - used.withLock { $0 }.leadingZeroBitCount)
    }

    /// The digest of codes as they are.
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

    // MARK: Cells: the 2×2 of a mosaic, the pixel of a linear photo

    /// How many whole cells there are, at least one.
    var cells: (columns: Int, rows: Int) {
        pattern == nil ? (width, height) : (max(1, width / 2), max(1, height / 2))
    }

    /// Which of four values in reading order are red, green, green and blue; a linear photo keeps them in that order.
    var placesByColor: [Int] {
        let planes = (pattern ?? .rggb).planes
        return (0..<4).sorted { (planes[$0], $0) < (planes[$1], $1) }
    }

    /// How to find the red, green, green and blue values of cells in memory.
    var cellReader: CellReader {
        guard pattern != nil else { return CellReader(rowStep: stride, columnStep: 4, offsets: SIMD4(0, 1, 1, 2)) }
        // In a picture of one row or column, its codes stand for those of the second.
        let offsets = placesByColor.map { place in
            (height > 1 ? place / 2 * stride : 0) + (width > 1 ? place % 2 : 0)
        }
        return CellReader(
            rowStep: 2 * stride, columnStep: 2, offsets: SIMD4(offsets[0], offsets[1], offsets[2], offsets[3]))
    }
}

/// Where the four values of a cell lie.
struct CellReader {
    let rowStep: Int
    let columnStep: Int
    let offsets: SIMD4<Int>

    /// Red, green, green and blue of a cell.
    func cell(_ codes: UnsafePointer<UInt16>, row: Int, column: Int) -> SIMD4<Float> {
        let cell = unsafe codes + (row * rowStep + column * columnStep)
        return unsafe SIMD4(
            Float(cell[offsets[0]]), Float(cell[offsets[1]]), Float(cell[offsets[2]]), Float(cell[offsets[3]]))
    }
}
