internal import Kernels
internal import RawImage

/// A raw picture as the file stores it: its shape, and how codes become bytes.
struct StoredPicture: Sendable {
    let width: Int
    let height: Int
    /// Codes in memory from one row to the next.
    let stride: Int
    /// The order of colours; nil for a linear photo.
    let pattern: BayerPattern?

    init(_ format: MosaicFormat) {
        (width, height, stride, pattern) = (format.width, format.height, format.stride, format.pattern)
    }

    init(_ format: LinearFormat) {
        (width, height, stride, pattern) = (format.width, format.height, format.stride, nil)
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

    // MARK: Cells: the 2×2 of a mosaic, the pixel of a linear photo

    /// How many whole cells there are, at least one.
    var cells: (columns: Int, rows: Int) {
        pattern == nil ? (width, height) : (max(1, width / 2), max(1, height / 2))
    }

    /// The plane of each of a cell's four values.
    var planesOfCell: [Int] { pattern?.planes ?? BayerPattern.rggb.planes }

    /// The four values of a cell. At the edge of a picture of one row or column, the last code counts again.
    func cell(_ codes: UnsafePointer<UInt16>, row: Int, column: Int) -> SIMD4<Float> {
        if pattern == nil {
            let pixel = unsafe codes + (row * stride + column * LinearFormat.channels)
            return unsafe SIMD4(Float(pixel[0]), Float(pixel[1]), Float(pixel[1]), Float(pixel[2]))
        }
        let (top, left) = (row * 2, column * 2)
        let (bottom, right) = (min(top + 1, height - 1), min(left + 1, width - 1))
        return unsafe SIMD4(
            Float(codes[top * stride + left]), Float(codes[top * stride + right]),
            Float(codes[bottom * stride + left]), Float(codes[bottom * stride + right]))
    }
}
