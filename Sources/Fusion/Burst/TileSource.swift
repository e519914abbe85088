internal import Kernels
internal import PixelMemory
internal import RawImage

/// Access to the codes of a frame in blocks, which may extend beyond its edges.
///
/// A source is valid as long as the memory of the codes.
struct TileSource {
    let codes: MemoryView<UInt16>
    let format: MosaicFormat
    let black: SIMD4<Float>
    /// The factor that scales codes above black to the signals of the reference.
    let gain: Float
    /// The white level: codes from here on are clipped.
    let white: UInt16
    /// The code from which this frame may be clipped although the reference is not; nil if the exposure is not longer
    /// than the reference's.
    let clip: UInt16?

    /// The width and height of a tile in mosaic pixels.
    static let side = 2 * TileGrid.tile
    /// The number of codes in the largest block.
    static let largest = 40 * 40

    init(_ codes: MemoryView<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, gain: Double) {
        self.codes = codes
        self.format = format
        black = SIMD4(metadata.blackLevel.map(Float.init))
        self.gain = Float(gain)
        let level = metadata.whiteLevel.clamped(to: 1...65535)
        white = UInt16(level)
        clip = gain < 0.99 ? UInt16(level * 0.98) : nil
    }

    /// A block of codes: a view that starts at its first code, and the distance between its rows in codes.
    typealias Block = (codes: MemoryView<UInt16>, stride: Int)

    /// Returns a block at a mosaic position. A block that extends beyond the frame is copied to `buffer` (of `largest`
    /// codes), with edge pixels of the same colour repeated.
    func block(x: Int, y: Int, columns: Int, rows: Int, _ buffer: MutableMemoryView<UInt16>) -> Block {
        if x >= 0 && y >= 0 && x + columns <= format.width && y + rows <= format.height {
            return (codes + y * format.stride + x, format.stride)
        }
        // The columns of the block that lie inside the frame.
        let start = (-x).clamped(to: 0...columns)
        let end = (format.width - x).clamped(to: start...columns)
        for line in 0..<rows {
            let row = codes + Self.inside(y + line, format.height) * format.stride
            let target = buffer.part(line * columns, count: columns)
            for column in 0..<start { target[column] = row[Self.inside(x + column, format.width)] }
            (target + start).update(from: row + (x + start), count: end - start)
            for column in end..<columns { target[column] = row[Self.inside(x + column, format.width)] }
        }
        return (MemoryView(buffer), columns)
    }

    /// Whether a block may contain clipped codes that are unclipped in the reference.
    func mayBeClipped(_ block: Block, columns: Int, rows: Int) -> Bool {
        guard let clip else { return false }
        let (codes, stride) = block
        let highest = unsafe highestCode(
            codes.pointer(columns: columns, rows: rows, stride: stride), stride, columns, rows)
        return highest >= clip
    }

    /// Returns the mean signal of a tile's unclipped pixels and the fraction of clipped ones, for each CFA position.
    func level(of tile: Block) -> (signal: SIMD4<Float>, clipped: SIMD4<Float>) {
        let side = Self.side
        // Slightly below white, so that noise does not decide whether a code counts as clipped.
        let least = UInt16(Float(white) * 0.995)
        let (codes, stride) = (tile.codes, tile.stride)
        guard
            unsafe highestCode(codes.pointer(columns: side, rows: side, stride: stride), stride, side, side) >= least
        else {
            let sums = unsafe sumsOfTile(codes.pointer(columns: side, rows: side, stride: stride), stride)
            return (sums / 256 - black, .zero)
        }
        var (counts, sums) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
        for line in 0..<side {
            for column in 0..<side {
                let (code, position) = (codes[line * stride + column], 2 * (line & 1) + column & 1)
                if code >= least {
                    counts[position] += 1
                } else {
                    sums[position] += Float(code) - black[position]
                }
            }
        }
        return (sums / pointwiseMax(256 - counts, SIMD4(repeating: 1)), counts / 256)
    }

    /// Returns the nearest coordinate inside with the same colour; `size` is at least 2.
    static func inside(_ position: Int, _ size: Int) -> Int {
        if position < 0 { return position & 1 }
        return position < size ? position : size - 2 + (position ^ size) & 1
    }
}
