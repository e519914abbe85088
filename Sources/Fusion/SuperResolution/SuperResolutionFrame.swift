internal import Demosaic
internal import Glibc
internal import KernelTypes
internal import Kernels
internal import PixelMemory
internal import RawImage

/// A frame retained for super-resolution: its codes, the factors that turn them into linear values, and its motion
/// against the reference.
final class SuperResolutionFrame {
    let format: MosaicFormat
    /// The weight of a frame relative to the reference: the inverse ratio of their noise variances, or less for a frame
    /// that is less sharp.
    let trust: Float
    /// The motion of each tile of the reference, row by row; empty for the reference itself.
    private let motions: [SuperResolutionMotion?]
    /// The grid of the motion field, which ignores an odd last column or row.
    private let grid: TileGrid
    private let codes: OwnedMemory<UInt16>
    /// For each of the four CFA phases of a block: two rows of black levels, then two rows of gains.
    private let levels: OwnedMemory<Float>
    /// The code from which this frame may be clipped although the reference is not; nil if the exposure is not longer
    /// than the reference's.
    private let clip: UInt16?

    /// The width and height of a block in samples: a tile, its margin, and padding to whole vectors.
    static let (blockWidth, blockHeight) = (SuperResolutionTile.sampleStride, SuperResolutionTile.sampleRows)
    /// The number of black levels or gains of a CFA phase: those of an even and of an odd row.
    private static let levelCount = 2 * blockWidth

    /// The range of exposure ratios to the reference: shorter exposures add too much noise, longer ones clip too much.
    static let gains = 0.5...2

    /// Copies the codes of a frame; `gain` scales its signals to those of the reference. `sharpness` is 1, or less for
    /// a blurred frame.
    init(
        _ source: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, gain: Double, field: MotionField?,
        sharpness: Double = 1
    ) {
        self.format = format.unpadded()
        trust = Float(sharpness / max(gain, 1))
        clip = gain < 0.99 ? UInt16(metadata.whiteLevel.clamped(to: 1...65535) * 0.98) : nil
        motions = field.map { SuperResolutionMotion.all(of: $0) } ?? []
        grid = field?.grid ?? TileGrid(width: 0, height: 0)
        codes = OwnedMemory(uninitialized: format.width * format.height)
        levels = OwnedMemory(uninitialized: 4 * 2 * Self.levelCount)
        let (codes, levels) = (codes.view, levels.view)
        source.withView { source in
            for row in 0..<format.height {
                (codes + row * format.width).update(from: source + row * format.stride, count: format.width)
            }
        }
        let sensitivity = metadata.relativeSensitivity
        for parity in 0..<4 {
            let blacks = levels + 2 * Self.levelCount * parity
            for cell in 0..<Self.levelCount {
                let (row, column) = (cell / Self.blockWidth, cell % Self.blockWidth)
                let position = 2 * ((parity >> 1 + row) & 1) + (parity + column) & 1
                let black = metadata.blackLevel[position]
                let range = (metadata.whiteLevel - black) * sensitivity[format.pattern.planes[position]]
                blacks[cell] = Float(black)
                blacks[Self.levelCount + cell] = Float(gain / range)
            }
        }
    }

    /// Returns the motion of a tile of 16×16 mosaic pixels; nil if none was found.
    func motion(column: Int, row: Int) -> SuperResolutionMotion? {
        motions.isEmpty ? SuperResolutionMotion() : motions[grid.nearest(column: column, row: row)]
    }

    /// Loads a block as linear values clipped at 1; beyond the frame, edge pixels of the same colour are repeated.
    /// Returns whether any sample may be clipped. `block` is scratch memory for the codes of a block.
    func load(x: Int, y: Int, _ linear: MutableMemoryView<Float>, _ block: MutableMemoryView<UInt16>) -> Bool {
        var (start, stride) = (MemoryView(block), Self.blockWidth)
        if isInside(x: x, y: y) {
            (start, stride) = (MemoryView(codes.view) + (y * format.width + x), format.width)
        } else {
            copyBlock(x, y, block)
        }
        let blacks = levels.view.part(2 * Self.levelCount * (2 * (y & 1) + x & 1), count: 2 * Self.levelCount)
        unsafe superResolutionLinearize(
            start.pointer(columns: Self.blockWidth, rows: Self.blockHeight, stride: stride), stride,
            blacks.pointer(Self.levelCount), (blacks + Self.levelCount).pointer(Self.levelCount),
            linear.pointer(SuperResolutionTile.sampleCount))
        guard let clip else { return false }
        return (0..<Self.blockHeight).contains { row in
            (0..<Self.blockWidth).contains { start[row * stride + $0] >= clip }
        }
    }

    /// Whether a block lies completely inside the frame.
    func isInside(x: Int, y: Int) -> Bool {
        x >= 0 && y >= 0 && x + Self.blockWidth <= format.width && y + Self.blockHeight <= format.height
    }

    private func copyBlock(_ x: Int, _ y: Int, _ block: MutableMemoryView<UInt16>) {
        for line in 0..<Self.blockHeight {
            let row = codes.view + TileSource.inside(y + line, format.height) * format.width
            for column in 0..<Self.blockWidth {
                block[line * Self.blockWidth + column] = row[TileSource.inside(x + column, format.width)]
            }
        }
    }

    /// Sets the residuals outside the frame to 0.
    func clearOutside(x: Int, y: Int, _ residual: MutableMemoryView<Float>) {
        guard !isInside(x: x, y: y) else { return }
        for line in 0..<Self.blockHeight {
            let isOutside = !(0..<format.height).contains(y + line)
            for column in 0..<Self.blockWidth where isOutside || !(0..<format.width).contains(x + column) {
                residual[line * Self.blockWidth + column] = 0
            }
        }
    }
}
