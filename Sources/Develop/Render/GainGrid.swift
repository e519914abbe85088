internal import Glibc
internal import Kernels
internal import RawImage

/// A gain table map laid over a finished picture.
struct GainGrid: Sendable {
    /// Gains in a table.
    let length: Int
    /// From table to table: each ends with its last gain three times, so that nothing need look for its end.
    var pitch: Int { length + 2 }
    /// Gains in a row of tables: there is one more than columns.
    let rowLength: Int
    /// How much colours count for the brightness, then the least and the greatest of them.
    let weights: SIMD3<Float>
    let leastWeight: Float
    let mostWeight: Float
    /// Brightness to the table's light; nil when they are alike.
    let power: CurveTable?
    /// Where the table left of each pixel begins, and the way to the next.
    let bases: [UInt32]
    let shares: [Float]

    private let gains: [Float]
    private let rows: Int
    private let frame: RenderFrame
    private let origin: Double
    private let spacing: Double

    /// The map's gains to a power: 1 for all of them.
    init(_ map: GainTableMap, amount: Double, _ frame: RenderFrame) {
        length = map.tableLength
        let pitch = length + 2
        rowLength = (map.columns + 1) * pitch
        weights = SIMD3(map.weights[0], map.weights[1], map.weights[2])
        leastWeight = map.weights[3]
        mostWeight = map.weights[4]
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
        var shares: [Float] = []
        for column in 0..<(frame.width + 15) / 8 * 8 {
            let centre = Double(frame.crop.left) + (Double(column) + 0.5) * frame.columnScale
            let share = (centre - Double(frame.area.left)) / Double(frame.area.width)
            let place = Self.place(share, map.origin.across, map.spacing.across, count: map.columns)
            let table = Int(place)
            bases.append(UInt32(table * pitch))
            shares.append(Float(place - Double(table)))
        }
        self.bases = bases
        self.shares = shares
    }

    /// A place among tables, the last of which is followed by itself.
    private static func place(_ share: Double, _ origin: Double, _ spacing: Double, count: Int) -> Double {
        let place = (share - origin) / spacing
        return place.isFinite ? min(max(place, 0), Double(count - 1)) : 0
    }

    /// Mixes the tables for a row of the finished picture.
    func tables(row: Int, into tables: UnsafeMutablePointer<Float>) {
        let centre = Double(frame.crop.top) + (Double(row) + 0.5) * frame.rowScale
        let share = (centre - Double(frame.area.top)) / Double(frame.area.height)
        let place = Self.place(share, origin, spacing, count: rows)
        let upper = Int(place)
        unsafe gains.withUnsafeBufferPointer { gains in
            guard let gains = gains.baseAddress else { return }
            unsafe mixTables(
                gains + upper * rowLength, gains + min(upper + 1, rows - 1) * rowLength,
                share: Float(place - Double(upper)), count: rowLength, tables: tables)
        }
    }
}
