internal import Demosaic
internal import RawImage

/// A raw picture as the averaging of a preview sees it: cells of four values, each with a level, a gain and a colour.
struct PreviewSource {
    /// Pixels in a row, rows, and codes from row to row.
    let width: Int
    let height: Int
    let stride: Int
    /// Whether a cell is 2×2 pixels of one code, or one pixel of four.
    let isMosaic: Bool
    /// Code to light for the four values.
    let balance: Balance
    /// The shares of the four values in the display's red, green and blue, or the profile space's.
    let shares: (red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>)
    let look: PreviewLook

    /// Codes in a row.
    var rowLength: Int { isMosaic ? width : width * LinearFormat.channels }

    /// Rows, and columns, of a cell.
    var period: Int { isMosaic ? 2 : 1 }

    /// Cells in a row, the last of which may be cut.
    var cellsInRow: Int { (width + period - 1) / period }

    /// Averages, colours and writes a display picture.
    func render(
        _ codes: Span<UInt16>, into bytes: inout MutableSpan<UInt8>, output: DisplayFormat, cores: Int?
    ) throws(DevelopError) {
        try output.check(count: bytes.count)
        guard output.width <= width, output.height <= height else {
            throw DevelopError(
                .badOutput,
                "a picture of \(output.width)×\(output.height) is larger than its source of \(width)×\(height): "
                    + "ask for less and scale it up")
        }
        let across = ResampleAxis.of(length: width, count: output.width, isMosaic: isMosaic)
        let down = ResampleAxis.of(length: height, count: output.height, isMosaic: isMosaic)
        unsafe codes.withUnsafeBufferPointer { codes in
            unsafe bytes.withUnsafeMutableBufferPointer { bytes in
                PixelWriter.with(output.layout, look.curve) { writer in
                    guard let source = codes.baseAddress, let target = bytes.baseAddress else { return }
                    // All stay in place until the last band is done, and each band writes rows of its own.
                    nonisolated(unsafe) let (from, to, writer) = unsafe (source, target, writer)
                    let bandHeight = cores == 1 ? output.height : Self.bandHeight
                    concurrentBands(rows: output.height, of: bandHeight, cores: cores) { rows in
                        let lines = unsafe PreviewLines(self, codes: from, across: across, down: down, writer: writer)
                        for row in rows { unsafe lines.render(row, to: to + row * output.stride) }
                    }
                }
            }
        }
    }

    /// Rows rendered together.
    private static let bandHeight = 64
}

/// What is done to the light of a preview before it is shown.
struct PreviewLook: Sendable {
    /// Gains that differ over the picture, for light of the profile space; nil for none, and light of the display.
    let gains: PreviewGains?
    let curve: PreviewCurve

    /// The profile space to the display's colours.
    static let toDisplay = ColorSpace.profile.matrix(to: ColorSpace.of(.sRGB))
}
