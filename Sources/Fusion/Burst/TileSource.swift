internal import Kernels
internal import RawImage

/// The codes of a frame, read block by block, also beyond its edges.
///
/// Valid only while the codes are.
@unsafe struct TileSource {
    let codes: UnsafePointer<UInt16>
    let format: MosaicFormat
    let black: SIMD4<Float>
    /// What codes above black are multiplied with to be signals of the reference.
    let gain: Float
    /// Codes from here up are clipped.
    let white: UInt16
    /// Codes from here up may be clipped where the reference's are not; nil where that cannot be.
    let clip: UInt16?

    /// Pixels to the side of a tile in the mosaic.
    static let side = 2 * TileGrid.tile
    /// The largest block.
    static let largest = 40 * 40

    init(_ codes: UnsafePointer<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, gain: Double) {
        unsafe self.codes = unsafe codes
        unsafe self.format = format
        unsafe black = SIMD4(metadata.blackLevel.map(Float.init))
        unsafe self.gain = Float(gain)
        let level = metadata.whiteLevel.clamped(to: 1...65535)
        unsafe white = UInt16(level)
        unsafe clip = gain < 0.99 ? UInt16(level * 0.98) : nil
    }

    /// A block of codes and how far its rows are apart.
    typealias Block = (codes: UnsafePointer<UInt16>, stride: Int)

    /// The block at a place, which may reach beyond the frame, where pixels repeat the last of their colour; `room` is
    /// for the largest.
    func block(x: Int, y: Int, columns: Int, rows: Int, _ room: UnsafeMutablePointer<UInt16>) -> Block {
        if unsafe x >= 0 && y >= 0 && x + columns <= format.width && y + rows <= format.height {
            return unsafe (codes + y * format.stride + x, format.stride)
        }
        for line in 0..<rows {
            let row = unsafe codes + Self.inside(y + line, format.height) * format.stride
            for column in 0..<columns {
                unsafe room[line * columns + column] = row[Self.inside(x + column, format.width)]
            }
        }
        return unsafe (UnsafePointer(room), columns)
    }

    /// Whether something in a block may be clipped that the reference still shows.
    func mayBeClipped(_ block: Block, columns: Int, rows: Int) -> Bool {
        guard let clip = unsafe clip else { return false }
        return unsafe highestCode(block.codes, block.stride, columns, rows) >= clip
    }

    /// The mean signal of a tile's pixels that are not clipped, and the share of those that are, by place.
    func level(of tile: Block) -> (signal: SIMD4<Float>, clipped: SIMD4<Float>) {
        let side = unsafe Self.side
        // A little below white, where noise would otherwise decide.
        let least = unsafe UInt16(Float(white) * 0.995)
        guard unsafe highestCode(tile.codes, tile.stride, side, side) >= least else {
            return unsafe (sumsOfTile(tile.codes, tile.stride) / 256 - black, .zero)
        }
        var (counts, sums) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
        for line in 0..<side {
            for column in 0..<side {
                let (code, place) = unsafe (tile.codes[line * tile.stride + column], 2 * (line & 1) + column & 1)
                if code >= least { counts[place] += 1 } else { unsafe sums[place] += Float(code) - black[place] }
            }
        }
        return (sums / pointwiseMax(256 - counts, SIMD4(repeating: 1)), counts / 256)
    }

    /// The nearest place of the same colour inside; `size` is at least 2.
    static func inside(_ place: Int, _ size: Int) -> Int {
        if place < 0 { return place & 1 }
        return place < size ? place : size - 2 + (place ^ size) & 1
    }
}
