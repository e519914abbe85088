internal import Glibc
internal import KernelTypes
internal import Kernels
internal import PixelMemory
internal import RawImage

/// A gain table map resampled for live views: a table has 64 gains per doubling of brightness + 1/256, so close
/// together that no interpolation by brightness is needed.
struct PreviewGains: Sendable {
    /// The weights in the brightness that selects a table's gain.
    let weights: GainWeights
    /// Gains per table: 64 for each of 8 doublings of brightness + 1/256, and one for a brightness of 1.
    static let pitch = 8 * 64 + 1
    /// Gains in a row of tables: the last table is duplicated, so that every pixel has a right neighbour.
    var rowLength: Int { (map.columns + 1) * Self.pitch }

    /// The map without its gains, for its geometry.
    private var map: GainTableMap
    private let gains: [Float]

    /// The largest number of tables; a larger map is finer than a live view shows and would take more memory than its
    /// picture.
    private static let mostTables = 1 << 14

    /// Resamples a map. `amount` is the exponent applied to all gains, and `scale` multiplies the brightness. Returns
    /// nil for a map with too many tables.
    init?(_ map: GainTableMap, amount: Double, scale: Double) {
        guard map.rows <= Self.mostTables / (map.columns + 1) else { return nil }
        let weights = map.weights.map { $0 * Float(scale) }
        self.weights = GainWeights(
            color: SIMD3(weights[0], weights[1], weights[2]), least: weights[3], most: weights[4])
        let last = map.tableLength - 1
        let entries = (0..<Self.pitch).map { index -> (first: Int, weight: Float) in
            let middle = Float(bitPattern: UInt32(0x3B81_0000 + index << 17)) - 0x1p-8
            let entry = min(powf(min(middle, 1), map.gamma) * Float(map.tableLength), Float(last))
            return (min(Int(entry), max(0, last - 1)), entry - Float(min(Int(entry), max(0, last - 1))))
        }
        var gains: [Float] = []
        gains.reserveCapacity(map.rows * (map.columns + 1) * Self.pitch)
        for row in 0..<map.rows {
            for column in 0...map.columns {
                let start = (row * map.columns + min(column, map.columns - 1)) * map.tableLength
                for entry in entries {
                    let low = map.gains[start + entry.first]
                    let gain = low + (map.gains[start + min(entry.first + 1, last)] - low) * entry.weight
                    gains.append(amount == 1 ? gain : powf(gain, Float(amount)))
                }
            }
        }
        self.gains = gains
        var map = map
        map.gains = []
        self.map = map
    }

    /// Returns the gains of a part of the image, in which positions are relative to the part.
    func part(_ view: PixelRectangle, ofWidth width: Int, height: Int) -> PreviewGains {
        var part = self
        let (across, down) = (Double(view.width) / Double(width), Double(view.height) / Double(height))
        part.map.origin.across = (map.origin.across - Double(view.left) / Double(width)) / across
        part.map.origin.down = (map.origin.down - Double(view.top) / Double(height)) / down
        part.map.spacing.across /= across
        part.map.spacing.down /= down
        return part
    }

    /// Returns, for each pixel of a row of `width` pixels, the offset in gains of the table to its left and the
    /// interpolation weight, 0...1, of the table to its right; both arrays are padded to whole SIMD vectors.
    func columns(_ width: Int) -> (bases: [UInt32], weights: [Float]) {
        var bases: [UInt32] = []
        var weights: [Float] = []
        for column in 0..<(width + 15) / 8 * 8 {
            let position = (Double(column) + 0.5) / Double(width)
            let index = Self.tableIndex(position, map.origin.across, map.spacing.across, count: map.columns)
            bases.append(UInt32(Int(index) * Self.pitch))
            weights.append(Float(index - Double(Int(index))))
        }
        return (bases, weights)
    }

    /// Interpolates vertically between two rows of tables, at a height of 0 (top of the picture) to 1 (bottom).
    func mix(at position: Double, into tables: MutableMemoryView<Float>) {
        let row = Self.tableIndex(position, map.origin.down, map.spacing.down, count: map.rows)
        let upper = Int(row)
        gains.withView { gains in
            let lower = min(upper + 1, map.rows - 1)
            unsafe mixTables(
                (gains + upper * rowLength).pointer(rowLength), (gains + lower * rowLength).pointer(rowLength),
                share: Float(row - Double(upper)), count: rowLength, tables: tables.pointer(rowLength))
        }
    }

    /// Converts a relative position to a fractional table index, clamped to the outermost tables.
    private static func tableIndex(_ position: Double, _ origin: Double, _ spacing: Double, count: Int) -> Double {
        let index = (position - origin) / spacing
        return index.isFinite ? min(max(index, 0), Double(count - 1)) : 0
    }
}
