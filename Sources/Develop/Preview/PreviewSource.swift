internal import Demosaic
internal import PixelMemory
internal import RawImage

/// A raw image in the form that preview averaging reads: cells of four samples, each with a black level, a gain and a
/// colour.
struct PreviewSource {
    /// Width and height in pixels.
    let width: Int
    let height: Int
    /// Codes from the start of one row to the start of the next.
    let stride: Int
    /// Whether a cell is 2×2 pixels of one code, rather than one pixel of four codes.
    let isMosaic: Bool
    /// Black levels and gains of a cell's four samples: the CFA positions, or red, green, blue and alpha.
    let balance: BalancedLevels
    /// Weights of the four samples in linear output RGB or, if local gains follow, in the profile space.
    let weights: (red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>)
    let look: PreviewLook

    /// Codes per row.
    var rowLength: Int { isMosaic ? width : width * LinearFormat.channels }

    /// Pixels along each side of a cell.
    var period: Int { isMosaic ? 2 : 1 }

    /// Cells per row; at an odd width the last one is incomplete.
    var cellsInRow: Int { (width + period - 1) / period }

    /// Renders all rows to `bytes` on all cores, or on one if `cores` is 1.
    func render(
        _ codes: Span<UInt16>, into bytes: inout MutableSpan<UInt8>, output: DisplayFormat, cores: Int?
    ) throws(DevelopError) {
        try output.check(count: bytes.count)
        guard output.width <= width, output.height <= height else {
            throw DevelopError(
                .badOutput,
                "an output of \(output.width)×\(output.height) is larger than its source of \(width)×\(height): "
                    + "request a smaller one and enlarge it afterwards")
        }
        let across = ResampleAxis.of(length: width, count: output.width, isMosaic: isMosaic)
        let down = ResampleAxis.of(length: height, count: output.height, isMosaic: isMosaic)
        codes.withView { codes in
            bytes.withMutableView { bytes in
                PixelWriter.with(output.layout, look.curve) { writer in
                    // No two bands write the same row.
                    let bandHeight = cores == 1 ? output.height : Self.bandHeight
                    concurrentBands(rows: output.height, of: bandHeight, cores: cores) { rows in
                        let renderer = PreviewRowRenderer(
                            self, codes: codes, across: across, down: down, writer: writer)
                        for row in rows { renderer.render(row, to: bytes + row * output.stride) }
                    }
                }
            }
        }
    }

    /// Rows per band.
    private static let bandHeight = 64
}

/// The part of a preview's look that follows the camera matrix.
struct PreviewLook: Sendable {
    /// Local gains, applied in the profile space; nil for none, in which case values are already in output RGB.
    let gains: PreviewGains?
    let curve: PreviewCurve

    /// Matrix from the profile space to linear sRGB.
    static let toDisplay = ColorSpace.profile.matrix(to: ColorSpace.of(.sRGB))
}
