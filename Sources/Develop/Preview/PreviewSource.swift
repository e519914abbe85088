internal import Demosaic
internal import PixelMemory
internal import RawImage

/// A raw image in the form that preview averaging reads: cells of four samples, each with a black level, a gain and a
/// colour.
struct PreviewSource {
    /// Width and height in pixels of the image, or of the part of it that is rendered.
    private(set) var width: Int
    private(set) var height: Int
    /// The number of codes before the first one of that part.
    private(set) var offset = 0
    /// Whether a picture may be larger than the part, which is then enlarged.
    private var canEnlarge = false
    /// Codes from the start of one row to the start of the next.
    let stride: Int
    /// Whether a cell is 2×2 pixels of one code, rather than one pixel of four codes.
    let isMosaic: Bool
    /// Black levels and gains of a cell's four samples: the CFA positions, or red, green, blue and alpha.
    let balance: BalancedLevels
    /// Weights of the four samples in linear output RGB or, if local gains follow, in the profile space.
    let weights: (red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>)
    private(set) var look: PreviewLook

    init(
        width: Int, height: Int, stride: Int, isMosaic: Bool, balance: BalancedLevels,
        weights: (red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>), look: PreviewLook
    ) {
        (self.width, self.height, self.stride, self.isMosaic) = (width, height, stride, isMosaic)
        (self.balance, self.weights, self.look) = (balance, weights, look)
    }

    /// Returns the source that renders a part of the image alone. A part of a mosaic begins with a whole cell.
    func part(_ view: PixelRectangle) throws(GscapError) -> PreviewSource {
        guard view.left >= 0, view.top >= 0, view.left % period == 0, view.top % period == 0,
            view.width >= period, view.height >= period, view.left + view.width <= width,
            view.top + view.height <= height
        else {
            throw GscapError(
                .badOutput,
                "the part of \(view.width)×\(view.height) pixels at \(view.left), \(view.top) is not within the image "
                    + "of \(width)×\(height), or does not begin with a whole cell of its mosaic")
        }
        var part = self
        part.offset = view.top * stride + view.left * (isMosaic ? 1 : LinearFormat.channels)
        (part.width, part.height, part.canEnlarge) = (view.width, view.height, true)
        part.look.gains = look.gains?.part(view, ofWidth: width, height: height)
        return part
    }

    /// Codes per row.
    var rowLength: Int { isMosaic ? width : width * LinearFormat.channels }

    /// Pixels along each side of a cell.
    var period: Int { isMosaic ? 2 : 1 }

    /// Cells per row; at an odd width the last one is incomplete.
    var cellsInRow: Int { (width + period - 1) / period }

    /// Renders all rows to `bytes` on all cores, or on one if `cores` is 1.
    @_lifetime(bytes: copy bytes)
    func render(
        _ codes: Span<UInt16>, into bytes: inout MutableSpan<UInt8>, output: DisplayFormat, cores: Int?
    ) throws(GscapError) {
        try output.check(count: bytes.count)
        try checkSize(output.width, output.height)
        bytes.withMutableView { bytes in
            renderBands(codes, output.width, output.height, output.layout, cores: cores) { renderer, rows in
                for row in rows { renderer.render(row, to: bytes + row * output.stride) }
            }
        }
    }

    /// Renders all rows to luma and chroma in `bytes` on all cores, or on one if `cores` is 1.
    @_lifetime(bytes: copy bytes)
    func render(
        _ codes: Span<UInt16>, into bytes: inout MutableSpan<UInt8>, output: SubsampledFormat, cores: Int?
    ) throws(GscapError) {
        try output.check(count: bytes.count)
        try checkSize(output.width, output.height)
        bytes.withMutableView { bytes in
            renderBands(codes, output.width, output.height, .bgrx, cores: cores) { renderer, rows in
                SubsampledRows(output, of: bytes).store(rows) { renderer.render($0, to: $1) }
            }
        }
    }

    private func checkSize(_ width: Int, _ height: Int) throws(GscapError) {
        if canEnlarge { return }
        guard width <= self.width, height <= self.height else {
            throw GscapError(
                .badOutput,
                "an output of \(width)×\(height) is larger than its source of \(self.width)×\(self.height): "
                    + "request a smaller one and enlarge it afterwards")
        }
    }

    /// Calls `body` for each band of rows of a picture of this size, with a renderer of its own.
    private func renderBands(
        _ codes: Span<UInt16>, _ width: Int, _ height: Int, _ layout: DisplayPixelFormat, cores: Int?,
        _ body: (borrowing PreviewRowRenderer, Range<Int>) -> Void
    ) {
        let across = ResampleAxis.of(length: self.width, count: width, isMosaic: isMosaic)
        let down = ResampleAxis.of(length: self.height, count: height, isMosaic: isMosaic)
        codes.withView { codes in
            PixelWriter.with(layout, look.curve) { writer in
                // No two bands write the same row.
                concurrentBands(rows: height, of: cores == 1 ? height : Self.bandHeight, cores: cores) { rows in
                    let renderer = PreviewRowRenderer(
                        self, codes: codes + offset, across: across, down: down, writer: writer)
                    body(renderer, rows)
                }
            }
        }
    }

    /// Rows per band; even, so that the two rows of subsampled chroma are in one band.
    private static let bandHeight = 64
}

/// The part of a preview's look that follows the camera matrix.
struct PreviewLook: Sendable {
    /// Local gains, applied in the profile space; nil for none, in which case values are already in output RGB.
    var gains: PreviewGains?
    let curve: PreviewCurve

    /// Matrix from the profile space to linear sRGB.
    static let toDisplay = ColorSpace.profile.matrix(to: ColorSpace.of(.sRGB))
}
