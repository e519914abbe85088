internal import Glibc
internal import Kernels
internal import RawImage

/// A gain table map as a live view wants it: gains by brightness in steps that grow with it, so close that none need be made
/// between two of them.
struct PreviewGains: Sendable {
    /// How much colours count for the brightness, then the least and the greatest of them.
    let weights: SIMD3<Float>
    let leastWeight: Float
    let mostWeight: Float
    /// From table to table: the gains of one.
    static let pitch = 8 * 64 + 1
    /// Gains in a row of tables: there is one more than columns, since the last is followed by itself.
    var rowLength: Int { (map.columns + 1) * Self.pitch }

    /// The map, but for its gains.
    private let map: GainTableMap
    private let gains: [Float]

    /// Maps of more tables are finer than a live view shows, and would take more memory than it.
    private static let mostTables = 1 << 14

    /// The map's gains to a power: 1 for all of them. `scale` is what brightness is multiplied by first. Nil for a map of too
    /// many tables.
    init?(_ map: GainTableMap, amount: Double, scale: Double) {
        guard map.rows <= Self.mostTables / (map.columns + 1) else { return nil }
        let weights = map.weights.map { $0 * Float(scale) }
        self.weights = SIMD3(weights[0], weights[1], weights[2])
        (leastWeight, mostWeight) = (weights[3], weights[4])
        let last = map.tableLength - 1
        let places = (0..<Self.pitch).map { index -> (first: Int, share: Float) in
            let middle = Float(bitPattern: UInt32(0x3B80_0000 + index << 17 + 1 << 16)) - 0x1p-8
            let place = min(powf(min(middle, 1), map.gamma) * Float(map.tableLength), Float(last))
            return (min(Int(place), max(0, last - 1)), place - Float(min(Int(place), max(0, last - 1))))
        }
        var gains: [Float] = []
        gains.reserveCapacity(map.rows * (map.columns + 1) * Self.pitch)
        for row in 0..<map.rows {
            for column in 0...map.columns {
                let start = (row * map.columns + min(column, map.columns - 1)) * map.tableLength
                for place in places {
                    let low = map.gains[start + place.first]
                    let gain = low + (map.gains[start + min(place.first + 1, last)] - low) * place.share
                    gains.append(amount == 1 ? gain : powf(gain, Float(amount)))
                }
            }
        }
        self.gains = gains
        var map = map
        map.gains = []
        self.map = map
    }

    /// Where the table left of each pixel of a row begins, and the way to the next; with room for whole vectors.
    func columns(_ width: Int) -> (bases: [UInt32], shares: [Float]) {
        var bases: [UInt32] = []
        var shares: [Float] = []
        for column in 0..<(width + 15) / 8 * 8 {
            let share = (Double(column) + 0.5) / Double(width)
            let place = Self.place(share, map.origin.across, map.spacing.across, count: map.columns)
            bases.append(UInt32(Int(place) * Self.pitch))
            shares.append(Float(place - Double(Int(place))))
        }
        return (bases, shares)
    }

    /// Mixes the tables for what lies at a share of the picture's height.
    func mix(at share: Double, into tables: UnsafeMutablePointer<Float>) {
        let place = Self.place(share, map.origin.down, map.spacing.down, count: map.rows)
        let upper = Int(place)
        unsafe gains.withUnsafeBufferPointer { gains in
            guard let gains = gains.baseAddress else { return }
            unsafe mixTables(
                gains + upper * rowLength, gains + min(upper + 1, map.rows - 1) * rowLength,
                share: Float(place - Double(upper)), count: rowLength, tables: tables)
        }
    }

    /// A place among tables, of which the outermost reach to the edges.
    private static func place(_ share: Double, _ origin: Double, _ spacing: Double, count: Int) -> Double {
        let place = (share - origin) / spacing
        return place.isFinite ? min(max(place, 0), Double(count - 1)) : 0
    }
}
