internal import Demosaic
internal import Kernels
internal import PixelMemory
internal import RawImage

/// A raw image with lens distortion, prepared for interpolation: planar 16-bit rows, one line per channel, with edge
/// values repeated at both ends.
struct DistortedImage: Sendable {
    let width: Int
    let height: Int
    let values: [UInt16]
    /// For each channel, the factor from codes minus `black` to linear values.
    let gain: SIMD3<Float>
    /// The code of linear value 0, above 0 because noise makes values negative.
    static let black: Float = 1024

    /// Repeated edge values at each end of a line.
    static let padding = 8

    /// Codes from one line to the next.
    var lineLength: Int { width + 2 * Self.padding }
    /// Codes from one row, which has a line for each of three channels, to the next.
    var pitch: Int { 3 * lineLength }

    init(_ raw: LinearRows, _ renderer: Renderer, cores: Int?) {
        let (width, height) = (renderer.source.width, renderer.source.height)
        (self.width, self.height) = (width, height)
        // The largest linear value of each channel: white balance lets a saturated channel exceed 1.
        let most = raw.largestGain / SIMD3<Float>(renderer.metadata.relativeSensitivity)
        let gain = most / (65_535 - Self.black)
        self.gain = gain
        let lineLength = width + 2 * Self.padding
        values = [UInt16](fillingLarge: 3 * lineLength * height) { target in
            // Bands write disjoint rows.
            concurrentBands(rows: height, of: Self.bandHeight, cores: cores) { rows in
                let buffer = RowBuffer(width: width)
                raw.forEach(in: rows, from: 0, count: width, into: { _ in buffer.row }) { row in
                    buffer.row.withEach { plane, values in
                        let line = target.part((3 * row + plane) * lineLength, count: lineLength)
                        Self.store(values, gain: gain[plane], count: width, line)
                    }
                }
            }
        }
    }

    private static func store(
        _ values: MutableMemoryView<Float>, gain: Float, count: Int, _ line: MutableMemoryView<UInt16>
    ) {
        let first = line + padding
        unsafe storePlane(
            values.pointer(count), scale: 1 / gain, pedestal: black, count: count, line: first.pointer(count))
        for column in 0..<padding {
            line[column] = first[0]
            first[count + column] = first[count - 1]
        }
    }

    /// Rows per band, enough that the rows computed twice at band boundaries cost little.
    private static let bandHeight = 256
}

/// A scratch row of red, green and blue values.
struct RowBuffer: ~Copyable {
    private let lines: OwnedMemory<Float>
    private let length: Int

    /// Allocates a row with some values more at its end for whole SIMD vectors.
    init(width: Int) {
        length = width + 16
        lines = OwnedMemory(repeating: 0, count: 3 * length)
    }

    /// The red, green and blue lines of the row.
    var row: ColorRow {
        ColorRow(
            red: lines.view.part(0, count: length), green: lines.view.part(length, count: length),
            blue: lines.view.part(2 * length, count: length))
    }
}
