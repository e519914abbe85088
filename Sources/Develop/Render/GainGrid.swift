internal import Glibc
internal import KernelTypes
internal import Kernels
internal import PixelMemory
internal import RawImage

/// A gain table map (DNG ProfileGainTableMap) with its interpolation precomputed for one rendered picture.
struct GainGrid: Sendable {
    /// Gains in one table.
    let length: Int
    /// Entries from one table to the next: each table repeats its last gain twice, so that interpolation needs no
    /// bounds check.
    var pitch: Int { length + 2 }
    /// Entries in a row of tables: the last column is duplicated, so that every pixel has a right neighbour.
    let rowLength: Int
    /// The weights in the brightness that selects a table's gain.
    let weights: GainWeights
    /// The curve that raises the weighted brightness to the power of the map's gamma; nil when gamma is 1.
    let power: CurveTable?
    /// For each output column, the offset, in entries of a row of tables, of the table to the left of the column's
    /// centre.
    let bases: [UInt32]
    /// For each output column, the interpolation weight 0…1 of the table to the right of its centre.
    let columnWeights: [Float]

    private let gains: [Float]
    private let rows: Int
    private let frame: RenderFrame
    private let origin: Double
    private let spacing: Double

    /// Precomputes the tables for `frame`. `amount` is the exponent applied to all gains; 1 keeps them.
    init(_ map: GainTableMap, amount: Double, _ frame: RenderFrame) {
        length = map.tableLength
        let pitch = length + 2
        rowLength = (map.columns + 1) * pitch
        weights = GainWeights(
            color: SIMD3(map.weights[0], map.weights[1], map.weights[2]), least: map.weights[3], most: map.weights[4])
        power = map.gamma == 1 ? nil : CurveTable { pow($0, Double(map.gamma)) }
        rows = map.rows
        var gains: [Float] = []
        gains.reserveCapacity(map.rows * rowLength)
        for row in 0..<map.rows {
            for column in 0...map.columns {
                let start = (row * map.columns + min(column, map.columns - 1)) * length
                let table = map.gains[start..<start + length]
                gains += amount == 1 ? Array(table) : table.map { pow($0, Float(amount)) }
                gains += [gains[gains.count - 1], gains[gains.count - 1]]
            }
        }
        self.gains = gains
        self.frame = frame
        (origin, spacing) = (map.origin.down, map.spacing.down)
        var bases: [UInt32] = []
        var columnWeights: [Float] = []
        for column in 0..<(frame.width + 15) / 8 * 8 {
            let centre = Double(frame.crop.left) + (Double(column) + 0.5) * frame.columnScale
            let position = (centre - Double(frame.area.left)) / Double(frame.area.width)
            let index = Self.tableIndex(position, map.origin.across, map.spacing.across, count: map.columns)
            let table = Int(index)
            bases.append(UInt32(table * pitch))
            columnWeights.append(Float(index - Double(table)))
        }
        self.bases = bases
        self.columnWeights = columnWeights
    }

    /// Converts a relative position in the active area to a fractional table index, clamped to the outermost tables.
    private static func tableIndex(_ position: Double, _ origin: Double, _ spacing: Double, count: Int) -> Double {
        let index = (position - origin) / spacing
        return index.isFinite ? min(max(index, 0), Double(count - 1)) : 0
    }

    /// Interpolates vertically between the two rows of tables above and below the centre of an output row. `tables`
    /// receives `rowLength` gains.
    func tables(row: Int, into tables: MutableMemoryView<Float>) {
        let centre = Double(frame.crop.top) + (Double(row) + 0.5) * frame.rowScale
        let position = (centre - Double(frame.area.top)) / Double(frame.area.height)
        let index = Self.tableIndex(position, origin, spacing, count: rows)
        let upper = Int(index)
        gains.withView { gains in
            let lower = min(upper + 1, rows - 1)
            unsafe mixTables(
                (gains + upper * rowLength).pointer(rowLength), (gains + lower * rowLength).pointer(rowLength),
                share: Float(index - Double(upper)), count: rowLength, tables: tables.pointer(rowLength))
        }
    }
}
