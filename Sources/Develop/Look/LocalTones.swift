internal import Glibc
internal import Kernels
internal import RawImage

/// Where a scene's light lies, place by place and level by level: a coarse grid of histograms.
///
/// It gives each pixel a base, the mean level of what is near it and alike: across an edge nothing is alike, so that a gain
/// chosen by the base knows no halo, and detail, the difference to the base, keeps its contrast.
struct LocalTones {
    let rows: Int
    let columns: Int
    private let levels: Int
    private let lowest: Float
    /// How much lies at each level of each table, and the sum of its levels.
    private var masses: [Float]
    private var sums: [Float]

    /// Tables along the longer side.
    private static let longestSide = 16
    /// EV from level to level.
    private static let step: Float = 0.5
    /// How far levels may differ and still be alike, in EV.
    private static let alikeness: Float = 1.25
    /// How much every level counts where there is nothing like it: it is its own base there.
    private static let doubt: Float = 0.04

    init(_ light: SceneLight) {
        let longest = Double(max(light.width, light.height))
        func tables(_ side: Int) -> Int {
            let share = Double(side) / longest * Double(Self.longestSide)
            return max(1, min(Int(share.rounded()), side / 4))
        }
        rows = tables(light.height)
        columns = tables(light.width)
        lowest = SceneLight.darkest
        levels = Int((-lowest / Self.step).rounded()) + 1
        masses = [Float](repeating: 0, count: rows * columns * levels)
        sums = masses
        fill(light)
        for _ in 0..<2 {
            blur(count: rows, stride: columns * levels, lines: columns * levels, lineStride: 1)
            for row in 0..<rows {
                blur(count: columns, stride: levels, lines: levels, lineStride: 1, from: row * columns * levels)
            }
        }
    }

    /// Shares each place among the tables around it.
    private mutating func fill(_ light: SceneLight) {
        let mass = Float(rows * columns) / Float(light.levels.count)
        let across = (0..<light.width).map { Self.neighbours(of: $0, of: light.width, among: columns) }
        for row in 0..<light.height {
            let down = Self.neighbours(of: row, of: light.height, among: rows)
            for column in 0..<light.width {
                let level = light.levels[row * light.width + column]
                let place = (level - lowest) / Self.step
                let bin = min(levels - 1, max(0, Int(place.rounded())))
                for (table, share) in down {
                    for (side, part) in across[column] {
                        let index = (table * columns + side) * levels + bin
                        masses[index] += mass * share * part
                        sums[index] += mass * share * part * level
                    }
                }
            }
        }
    }

    private static func neighbours(of place: Int, of places: Int, among tables: Int) -> [(table: Int, share: Float)] {
        let position = max(
            0, min(Float(tables - 1), (Float(place) + 0.5) / Float(places) * Float(tables) - 0.5))
        let first = min(Int(position), tables - 1)
        let share = position - Float(first)
        return share > 0 ? [(first, 1 - share), (first + 1, share)] : [(first, Float(1))]
    }

    /// Spreads what tables hold to their neighbours along one direction: a quarter to each side.
    private mutating func blur(count: Int, stride: Int, lines: Int, lineStride: Int, from start: Int = 0) {
        guard count > 1 else { return }
        for line in 0..<lines {
            let first = start + line * lineStride
            Self.blur(&masses, first, count, stride)
            Self.blur(&sums, first, count, stride)
        }
    }

    private static func blur(_ values: inout [Float], _ first: Int, _ count: Int, _ stride: Int) {
        var before = values[first]
        for index in 0..<count {
            let here = values[first + index * stride]
            let after = index + 1 < count ? values[first + (index + 1) * stride] : here
            values[first + index * stride] = (before + 2 * here + after) / 4
            before = here
        }
    }

    /// How much each of the given levels is like each of the histograms', which follow each other.
    func alikeness(to wanted: [Float]) -> [Float] {
        (0..<levels).flatMap { bin in
            wanted.map { level in
                let distance = (level - lowest - Float(bin) * Self.step) / Self.alikeness
                return expf(-distance * distance / 2)
            }
        }
    }

    /// The bases of pixels of the given levels at a table.
    func bases(at table: Int, of wanted: [Float], alikeness: [Float]) -> [Float] {
        var masses = [Float](repeating: Self.doubt, count: wanted.count)
        var sums = wanted.map { Self.doubt * $0 }
        for bin in 0..<levels {
            let (mass, sum) = (self.masses[table * levels + bin], self.sums[table * levels + bin])
            guard mass > 0 else { continue }
            unsafe alikeness.withUnsafeBufferPointer { alikeness in
                guard let likeness = alikeness.baseAddress else { return }
                unsafe add(likeness + bin * wanted.count, times: mass, to: &masses)
                unsafe add(likeness + bin * wanted.count, times: sum, to: &sums)
            }
        }
        return zip(sums, masses).map { $0 / $1 }
    }

    private func add(_ row: UnsafePointer<Float>, times weight: Float, to total: inout [Float]) {
        let count = total.count
        unsafe total.withUnsafeMutableBufferPointer { total in
            guard let total = total.baseAddress else { return }
            unsafe addWeightedRow(row, weight: weight, count: count, to: total)
        }
    }
}
