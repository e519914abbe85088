internal import KernelTypes
internal import Kernels
internal import PixelMemory

/// The mosaic rows between the centres of some rows of tiles, to which the overlapping tiles are added.
struct OverlappingTiles: ~Copyable {
    private let band: Range<Int>
    private let stride: Int
    private let memory: ScratchMemory

    init(_ band: Range<Int>, _ grid: TileGrid, _ pool: ScratchMemoryPool) {
        self.band = band
        stride = (grid.columns + 1) * TileGrid.tile
        memory = pool.take(stride * band.count * TileGrid.tile)
    }

    /// Adds a tile times a window. Of the tiles of the first and the last row only the inner half is added.
    func add(
        _ tile: MutableMemoryView<SIMD16<Float>>, _ window: MutableMemoryView<Float>, column: Int, row: Int
    ) {
        let side = TileGrid.tile
        let (isFirst, isLast) = (row == band.lowerBound, row == band.upperBound)
        let start = memory.view + (isFirst ? 0 : (row - band.lowerBound) * side - side) * stride + column * side
        let rows = isFirst || isLast ? 8 : 16
        unsafe overlayTile(
            tile.pointer(BurstTile.rows), isFirst ? 8 : 0, rows, window.pointer(BurstTile.planeSide),
            start.pointer(columns: BurstTile.side, rows: 2 * rows, stride: stride), stride)
    }

    /// Returns a row of sums, counted from the band's first mosaic row. It begins at the mosaic's first column.
    func row(_ line: Int) -> MutableMemoryView<Float> { memory.view + line * stride + TileGrid.tile }
}
