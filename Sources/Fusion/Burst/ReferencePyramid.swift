internal import KernelTypes
internal import Kernels
internal import PixelMemory
internal import RawImage

/// The grey pyramid of a reference frame. Its tiles are measured once, for all frames that are aligned with it.
struct ReferencePyramid: Sendable {
    /// A plane and its tiles.
    struct Level: Sendable {
        let plane: GreyPyramid.Plane
        /// The tiles, row by row; empty if the plane is too small to align.
        fileprivate(set) var tiles: [Tile] = []
    }

    /// A tile of 16×16 grey values.
    struct Tile: BitwiseCopyable, Sendable {
        /// The rounded mean of the values, and the sum of their absolute deviations from it.
        let mean: Int32
        let deviation: Int32
        /// The sums of the squares of the gradients, to the right (`xx`) and down (`yy`), and of their products.
        let xx: Float
        let xy: Float
        let yy: Float
        /// The sums of the products of the gradients, to the right and down, with the values.
        let products: SIMD2<Double>

        fileprivate static let none = Tile(mean: 0, deviation: 0, xx: 0, xy: 0, yy: 0, products: .zero)
    }

    /// The levels from fine to coarse; never empty.
    let levels: [Level]

    /// Measures the tiles of a pyramid.
    init(_ pyramid: GreyPyramid, cores: Int?) { levels = pyramid.levels.map { Level($0, cores: cores) } }
}

extension ReferencePyramid.Level {
    fileprivate init(_ plane: GreyPyramid.Plane, cores: Int?) {
        self.plane = plane
        let grid = plane.grid
        guard grid.canAlign else { return }
        tiles = Array(repeating: .none, count: grid.count)
        plane.withView { values in
            tiles.withMutableView { tiles in
                // Concurrent bands write to different rows.
                concurrentBands(rows: grid.rows, of: 8, cores: cores) { band in
                    let gradients = OwnedMemory<Int16>(uninitialized: AlignmentTile.gradientCount)
                    for row in band {
                        for column in 0..<grid.columns {
                            let start = grid.alignmentStart(column: column, row: row)
                            tiles[row * grid.columns + column] = ReferencePyramid.Tile(
                                values + (start.y * grid.width + start.x), grid.width, gradients.view)
                        }
                    }
                }
            }
        }
    }
}

extension ReferencePyramid.Tile {
    /// Measures the tile that starts at the first of `values`, whose rows are `stride` apart; `gradients` is scratch
    /// memory.
    fileprivate init(_ values: MemoryView<Int16>, _ stride: Int, _ gradients: MutableMemoryView<Int16>) {
        let (side, count) = (AlignmentTile.side, AlignmentTile.gradientCount)
        // One pixel around the tile is read for the gradients.
        unsafe tileGradients(values.pointer(-stride..<side * (stride + 1)), stride, gradients.pointer(count))
        let squares = unsafe gradientSquares(gradients.pointer(count))
        let own = unsafe correlateGradients(
            values.pointer(columns: side, rows: side, stride: stride), stride, gradients.pointer(count))
        let contrast = unsafe tileContrast(values.pointer(columns: side, rows: side, stride: stride), stride)
        self.init(
            mean: contrast.mean, deviation: contrast.deviation, xx: Float(squares.xx), xy: Float(squares.xy),
            yy: Float(squares.yy), products: SIMD2(Double(own.across), Double(own.down)))
    }
}
