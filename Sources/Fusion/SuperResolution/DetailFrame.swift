internal import Demosaic
internal import Glibc
internal import Kernels
internal import RawImage

/// A frame of a burst as the super-resolved demosaic reads it: its codes, how they become light, and where each tile of
/// the reference lies in it.
@safe
final class DetailFrame {
    let format: MosaicFormat
    /// One over the noise variance of a code against the reference's.
    let trust: Float
    /// One for each tile of the reference, row by row; empty for the reference, which does not move.
    private let motions: [DetailMotion?]
    /// That of the field, which knows nothing of an odd last column or row.
    private let grid: TileGrid
    private let codes: UnsafeMutablePointer<UInt16>
    /// For each of four parities of a block's place: two rows of black levels, and two rows of gains.
    private let levels: UnsafeMutablePointer<Float>
    /// Codes from here up may be clipped where the reference's are not; nil where that cannot be.
    private let clip: UInt16?

    /// Samples to the side of a block: a tile of 16, two more around it, and whole vectors.
    static let (blockWidth, blockHeight) = (24, 20)

    /// Frames exposed otherwise show too little, or clip too much.
    static let gains = 0.5...2

    /// Copies a frame whose signals times `gain` are those of the reference, whose balance is given.
    init(_ source: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, gain: Double, field: MotionField?) {
        self.format = MosaicFormat(
            width: format.width, height: format.height, pattern: format.pattern, bitDepth: format.bitDepth)
        trust = Float(1 / max(gain, 1))
        clip = gain < 0.99 ? UInt16(metadata.whiteLevel.clamped(to: 1...65535) * 0.98) : nil
        motions = field.map { DetailMotion.all(of: $0) } ?? []
        grid = field?.grid ?? TileGrid(width: 0, height: 0)
        unsafe codes = .allocate(capacity: format.width * format.height)
        unsafe levels = .allocate(capacity: 4 * 96)
        unsafe source.withUnsafeBufferPointer { source in
            guard let source = source.baseAddress else { return }
            for row in 0..<format.height {
                unsafe (codes + row * format.width).initialize(from: source + row * format.stride, count: format.width)
            }
        }
        let sensitivity = metadata.relativeSensitivity
        for parity in 0..<4 {
            for cell in 0..<48 {
                let place = 2 * ((parity >> 1 + cell / 24) & 1) + (parity + cell % 24) & 1
                let black = metadata.blackLevel[place]
                let range = (metadata.whiteLevel - black) * sensitivity[format.pattern.planes[place]]
                unsafe (levels + 96 * parity + cell).initialize(to: Float(black))
                unsafe (levels + 96 * parity + 48 + cell).initialize(to: Float(gain / range))
            }
        }
    }

    deinit {
        unsafe codes.deallocate()
        unsafe levels.deallocate()
    }

    /// Where a tile of 16×16 mosaic pixels is found; nil where it was not.
    func motion(column: Int, row: Int) -> DetailMotion? {
        motions.isEmpty ? DetailMotion() : motions[grid.nearest(column: column, row: row)]
    }

    /// Reads the block at a place as light cut at 1; beyond the frame pixels repeat the last of their colour. Gives
    /// whether any of it may be clipped. `block` has room for a block of codes.
    func load(x: Int, y: Int, _ light: UnsafeMutablePointer<Float>, _ block: UnsafeMutablePointer<UInt16>) -> Bool {
        var (start, stride) = unsafe (UnsafePointer(block), Self.blockWidth)
        if isInside(x: x, y: y) {
            unsafe (start, stride) = unsafe (UnsafePointer(codes) + y * format.width + x, format.width)
        } else {
            unsafe copyBlock(x, y, block)
        }
        let levels = unsafe levels + 96 * (2 * (y & 1) + x & 1)
        unsafe detailLight(start, stride, levels, levels + 48, light)
        guard let clip else { return false }
        return (0..<Self.blockHeight).contains { row in
            (0..<Self.blockWidth).contains { unsafe start[row * stride + $0] >= clip }
        }
    }

    /// Whether all of a block is in the frame.
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

    /// Sets to 0 what a block at a place has from beyond the frame.
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
