internal import Demosaic
internal import Glibc
internal import KernelTypes
internal import Kernels
internal import RawImage

/// A frame retained for super-resolution: its codes, the factors that turn them into linear values, and its motion
/// against the reference.
@safe
final class SuperResolutionFrame {
    let format: MosaicFormat
    /// The weight of a frame relative to the reference: the inverse ratio of their noise variances.
    let trust: Float
    /// The motion of each tile of the reference, row by row; empty for the reference itself.
    private let motions: [SuperResolutionMotion?]
    /// The grid of the motion field, which ignores an odd last column or row.
    private let grid: TileGrid
    private let codes: UnsafeMutablePointer<UInt16>
    /// For each of the four CFA phases of a block: two rows of black levels, then two rows of gains.
    private let levels: UnsafeMutablePointer<Float>
    /// The code from which this frame may be clipped although the reference is not; nil if its exposure is not longer.
    private let clip: UInt16?

    /// The width and height of a block in samples: a tile, its margin, and padding to whole vectors.
    static let (blockWidth, blockHeight) = (SuperResolutionTile.sampleStride, SuperResolutionTile.sampleRows)
    /// The number of black levels or gains of a CFA phase: those of an even and of an odd row.
    private static let levelCount = 2 * blockWidth

    /// The range of exposure ratios to the reference: shorter exposures add too much noise, longer ones clip too much.
    static let gains = 0.5...2

    /// Copies the codes of a frame; `gain` scales its signals to those of the reference.
    init(_ source: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, gain: Double, field: MotionField?) {
        self.format = MosaicFormat(
            width: format.width, height: format.height, pattern: format.pattern, bitDepth: format.bitDepth)
        trust = Float(1 / max(gain, 1))
        clip = gain < 0.99 ? UInt16(metadata.whiteLevel.clamped(to: 1...65535) * 0.98) : nil
        motions = field.map { SuperResolutionMotion.all(of: $0) } ?? []
        grid = field?.grid ?? TileGrid(width: 0, height: 0)
        unsafe codes = .allocate(capacity: format.width * format.height)
        unsafe levels = .allocate(capacity: 4 * 2 * Self.levelCount)
        unsafe source.withUnsafeBufferPointer { source in
            guard let source = source.baseAddress else { return }
            for row in 0..<format.height {
                unsafe (codes + row * format.width).initialize(from: source + row * format.stride, count: format.width)
            }
        }
        let sensitivity = metadata.relativeSensitivity
        for parity in 0..<4 {
            let blacks = unsafe levels + 2 * Self.levelCount * parity
            for cell in 0..<Self.levelCount {
                let (row, column) = (cell / Self.blockWidth, cell % Self.blockWidth)
                let position = 2 * ((parity >> 1 + row) & 1) + (parity + column) & 1
                let black = metadata.blackLevel[position]
                let range = (metadata.whiteLevel - black) * sensitivity[format.pattern.planes[position]]
                unsafe (blacks + cell).initialize(to: Float(black))
                unsafe (blacks + Self.levelCount + cell).initialize(to: Float(gain / range))
            }
        }
    }

    deinit {
        unsafe codes.deallocate()
        unsafe levels.deallocate()
    }

    /// Returns the motion of a tile of 16×16 mosaic pixels; nil if none was found.
    func motion(column: Int, row: Int) -> SuperResolutionMotion? {
        motions.isEmpty ? SuperResolutionMotion() : motions[grid.nearest(column: column, row: row)]
    }

    /// Loads a block as linear values clipped at 1; beyond the frame, edge pixels of the same colour are repeated.
    /// Returns whether any sample may be clipped. `block` is scratch memory for the codes of a block.
    func load(x: Int, y: Int, _ linear: UnsafeMutablePointer<Float>, _ block: UnsafeMutablePointer<UInt16>) -> Bool {
        var (start, stride) = unsafe (UnsafePointer(block), Self.blockWidth)
        if isInside(x: x, y: y) {
            unsafe (start, stride) = unsafe (UnsafePointer(codes) + y * format.width + x, format.width)
        } else {
            unsafe copyBlock(x, y, block)
        }
        let blacks = unsafe levels + 2 * Self.levelCount * (2 * (y & 1) + x & 1)
        unsafe superResolutionLinearize(start, stride, blacks, blacks + Self.levelCount, linear)
        guard let clip else { return false }
        return (0..<Self.blockHeight).contains { row in
            (0..<Self.blockWidth).contains { unsafe start[row * stride + $0] >= clip }
        }
    }

    /// Whether a block lies completely inside the frame.
    func isInside(x: Int, y: Int) -> Bool {
        x >= 0 && y >= 0 && x + Self.blockWidth <= format.width && y + Self.blockHeight <= format.height
    }

    private func copyBlock(_ x: Int, _ y: Int, _ block: UnsafeMutablePointer<UInt16>) {
        for line in 0..<Self.blockHeight {
            let row = unsafe codes + TileSource.inside(y + line, format.height) * format.width
            for column in 0..<Self.blockWidth {
                unsafe block[line * Self.blockWidth + column] = unsafe row[TileSource.inside(x + column, format.width)]
            }
        }
    }

    /// Sets the residuals outside the frame to 0.
    func clearOutside(x: Int, y: Int, _ residual: UnsafeMutablePointer<Float>) {
        guard !isInside(x: x, y: y) else { return }
        for line in 0..<Self.blockHeight {
            let isOutside = !(0..<format.height).contains(y + line)
            for column in 0..<Self.blockWidth where isOutside || !(0..<format.width).contains(x + column) {
                unsafe residual[line * Self.blockWidth + column] = 0
            }
        }
    }
}
