internal import Demosaic
internal import Kernels
internal import RawImage

/// A raw image with lens distortion, prepared for interpolation: planar 16-bit rows, one line per channel, with edge
/// values repeated at both ends.
struct DistortedImage: Sendable {
    let width: Int
    let height: Int
    let values: [UInt16]
    /// The linear value per code step above `black`, for each channel.
    let gain: SIMD3<Float>
    /// The code of linear value 0, above 0 because noise makes values negative.
    static let black: Float = 1024

    /// Repeated edge values at each end of a line.
    static let padding = 8

    /// Codes from one line to the next, and from one row of three lines to the next.
    var lineLength: Int { width + 2 * Self.padding }
    var pitch: Int { 3 * lineLength }

    init(_ raw: LinearRows, _ renderer: Renderer, cores: Int?) {
        let (width, height) = (renderer.source.width, renderer.source.height)
        (self.width, self.height) = (width, height)
        // The largest linear value of each channel: white balance lets a saturated channel exceed 1.
        let most = raw.largestGain / SIMD3<Float>(renderer.metadata.relativeSensitivity)
        let gain = most / (65_535 - Self.black)
        self.gain = gain
        let lineLength = width + 2 * Self.padding
        values = unsafe [UInt16](large: 3 * lineLength * height) { base in
            // Bands write disjoint rows, and all are done when this returns.
            nonisolated(unsafe) let target = unsafe base
            concurrentBands(rows: height, of: Self.bandHeight, cores: cores) { rows in
                let buffer = RowBuffer(width: width)
                unsafe raw.forEach(in: rows, from: 0, count: width, into: { _ in unsafe buffer.row }) { row in
                    unsafe buffer.row.withEach { plane, values in
                        let line = unsafe target + (3 * row + plane) * lineLength
                        unsafe Self.store(values, gain: gain[plane], count: width, line)
                    }
                }
            }
        }
    }

    private static func store(
        _ values: UnsafePointer<Float>, gain: Float, count: Int, _ line: UnsafeMutablePointer<UInt16>
    ) {
        let first = unsafe line + padding
        unsafe storePlane(values, scale: 1 / gain, pedestal: black, count: count, line: first)
        for column in 0..<padding {
            unsafe line[column] = unsafe first[0]
            unsafe first[count + column] = unsafe first[count - 1]
        }
    }

    /// Rows per band, enough that the rows computed twice at band boundaries cost little.
    private static let bandHeight = 256
}

/// A scratch row of red, green and blue values.
@safe
struct RowBuffer: ~Copyable {
    /// The red, green and blue lines of the row.
    let row: ColorRow

    /// Allocates a row with some values more at its end for whole SIMD vectors.
    init(width: Int) {
        let length = width + 16
        let lines = UnsafeMutablePointer<Float>.allocate(capacity: 3 * length)
        unsafe lines.initialize(repeating: 0, count: 3 * length)
        unsafe row = ColorRow(red: lines, green: lines + length, blue: lines + 2 * length)
    }

    deinit { unsafe row.red.deallocate() }
}
