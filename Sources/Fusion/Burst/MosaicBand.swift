internal import PixelMemory

/// A copy of some rows of a mosaic with a margin on all sides, from which tiles can be read that extend beyond the
/// mosaic's edges.
struct MosaicBand: ~Copyable {
    /// The mosaic rows, in units of half a tile.
    private let band: Range<Int>
    private let width: Int
    private let height: Int
    private let stride: Int
    private let memory: ScratchMemory

    private static let margin = TileGrid.tile

    /// Creates a band of mosaic rows that are not set yet.
    init(_ band: Range<Int>, width: Int, height: Int, _ grid: TileGrid, _ pool: ScratchMemoryPool) {
        (self.band, self.width, self.height) = (band, width, height)
        stride = (grid.columns + 1) * TileGrid.tile
        // Two codes take the memory of a float.
        memory = pool.take(uninitialized: stride * (band.count + 2) * TileGrid.tile / 2)
    }

    private var firstRow: Int { band.lowerBound * TileGrid.tile }
    private var endRow: Int { min(height, band.upperBound * TileGrid.tile) }

    /// The memory of the mosaic rows, without the margins.
    var rows: MosaicRows { MosaicRows(start: row(firstRow), stride: stride) }

    /// Returns a mosaic row, which may lie in the margin. Index 0 is the mosaic's first column.
    func row(_ row: Int) -> MutableMemoryView<UInt16> {
        memory.view.rebound(to: UInt16.self) + ((row - firstRow + Self.margin) * stride + Self.margin)
    }

    /// Returns the codes of a tile and the distance between their rows.
    func tile(column: Int, row: Int) -> TileSource.Block {
        (MemoryView(self.row((row - 1) * TileGrid.tile) + (column - 1) * TileGrid.tile), stride)
    }

    /// Mirrors the mosaic at its edges into the margins. Beyond the band's own rows only margins that are outside the
    /// mosaic are set.
    func extendEdges() {
        for row in firstRow..<endRow {
            let codes = self.row(row)
            for column in 1...Self.margin { codes[-column] = codes[Self.mirrored(column, width)] }
            for column in width..<stride - Self.margin { codes[column] = codes[Self.mirrored(column, width)] }
        }
        if firstRow == 0 { for row in 1...Self.margin { copyRow(Self.mirrored(row, height), to: -row) } }
        guard endRow == height else { return }
        for row in height..<(band.upperBound + 1) * TileGrid.tile { copyRow(Self.mirrored(row, height), to: row) }
    }

    /// Returns the row or column of a mosaic of the given height or width that a position from 0 on shows, mirrored as
    /// often as needed: a mosaic smaller than a margin is mirrored several times. The Bayer colour stays the same.
    private static func mirrored(_ position: Int, _ count: Int) -> Int {
        let period = max(1, 2 * (count - 1))
        let rest = position % period
        return min(rest, period - rest)
    }

    private func copyRow(_ from: Int, to row: Int) {
        let margin = Self.margin
        (self.row(row) - margin).update(from: MemoryView(self.row(from) - margin), count: stride)
    }
}
