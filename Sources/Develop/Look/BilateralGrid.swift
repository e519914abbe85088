internal import Glibc
internal import Kernels
internal import PixelMemory
internal import RawImage

/// A bilateral grid: a coarse grid of brightness histograms over the picture.
///
/// It yields a base level for each pixel: the mean level of nearby pixels of similar brightness. Pixels across an
/// edge are dissimilar, so a gain chosen by the base causes no halo, and fine detail, the difference from the base,
/// keeps its contrast.
struct BilateralGrid {
    let rows: Int
    let columns: Int
    private let levels: Int
    private let lowest: Float
    /// For each grid position (gain table) and histogram bin, the sum of the weights of the pixels in it.
    private var masses: [Float]
    /// For each grid position and bin, the weighted sum of the levels of the same pixels, in EV relative to the
    /// sensor's white.
    private var sums: [Float]

    /// The largest number of histograms, one for each gain table, along the longer side of the picture.
    private static let mostTables = 16
    /// The fewest pixels of the picture along a side of a table's area, so that the gains of a small picture do not
    /// take more bytes than its pixels.
    private static let leastArea = 24
    /// The width of a histogram bin, in EV.
    private static let step: Float = 0.5
    /// The standard deviation, in EV, of the Gaussian function of level difference that measures similarity.
    private static let similarityWidth: Float = 1.25
    /// The weight of a level as its own base, which dominates where no similar pixels are near.
    private static let selfWeight: Float = 0.04

    init(_ scene: SceneLevels) {
        let longest = Double(max(scene.width, scene.height))
        let most = max(1, min(Self.mostTables, scene.pictureSide / Self.leastArea))
        func tables(_ side: Int) -> Int {
            let count = Double(side) / longest * Double(most)
            return max(1, min(Int(count.rounded()), side / 4))
        }
        rows = tables(scene.height)
        columns = tables(scene.width)
        lowest = SceneLevels.darkest
        levels = Int((-lowest / Self.step).rounded()) + 1
        masses = [Float](repeating: 0, count: rows * columns * levels)
        sums = masses
        fill(scene)
        for _ in 0..<2 {
            blur(count: rows, stride: columns * levels, lines: columns * levels, lineStride: 1)
            for row in 0..<rows {
                blur(count: columns, stride: levels, lines: levels, lineStride: 1, from: row * columns * levels)
            }
        }
    }

    /// Adds each pixel of the scene sample to the histograms of the grid positions around it, with bilinear weights.
    private mutating func fill(_ scene: SceneLevels) {
        let mass = Float(rows * columns) / Float(scene.levels.count)
        let across = (0..<scene.width).map { Self.neighbours(of: $0, of: scene.width, among: columns) }
        for row in 0..<scene.height {
            let down = Self.neighbours(of: row, of: scene.height, among: rows)
            for column in 0..<scene.width {
                let level = scene.levels[row * scene.width + column]
                let position = (level - lowest) / Self.step
                let bin = min(levels - 1, max(0, Int(position.rounded())))
                let side = across[column]
                func add(_ row: Int, _ column: Int, _ weight: Float) {
                    let index = (row * columns + column) * levels + bin
                    masses[index] += weight
                    sums[index] += weight * level
                }
                add(down.first, side.first, mass * down.firstWeight * side.firstWeight)
                add(down.first, side.last, mass * down.firstWeight * side.lastWeight)
                add(down.last, side.first, mass * down.lastWeight * side.firstWeight)
                add(down.last, side.last, mass * down.lastWeight * side.lastWeight)
            }
        }
    }

    /// The two grid positions beside a pixel along one direction; at an edge the first is the last as well, with a
    /// weight of 0.
    private struct Neighbours {
        var first: Int
        var last: Int
        var firstWeight: Float
        var lastWeight: Float
    }

    private static func neighbours(of pixel: Int, of pixels: Int, among tables: Int) -> Neighbours {
        let position = max(
            0, min(Float(tables - 1), (Float(pixel) + 0.5) / Float(pixels) * Float(tables) - 0.5))
        let first = min(Int(position), tables - 1)
        let weight = position - Float(first)
        return Neighbours(
            first: first, last: weight > 0 ? first + 1 : first, firstWeight: 1 - weight, lastWeight: weight)
    }

    /// Smooths along one grid direction with the kernel 1/4, 1/2, 1/4.
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

    /// Returns the similarity, 0...1, of each level in `pixelLevels` to each histogram bin: all levels for the first
    /// bin, then all for the next, and so on.
    func similarity(to pixelLevels: [Float]) -> [Float] {
        (0..<levels).flatMap { bin in
            pixelLevels.map { level in
                let distance = (level - lowest - Float(bin) * Self.step) / Self.similarityWidth
                return expf(-distance * distance / 2)
            }
        }
    }

    /// Returns the base level that a pixel of each of the given levels has at the grid position of one gain table.
    func bases(at table: Int, of pixelLevels: [Float], similarity: [Float]) -> [Float] {
        var masses = [Float](repeating: Self.selfWeight, count: pixelLevels.count)
        var sums = pixelLevels.map { Self.selfWeight * $0 }
        for bin in 0..<levels {
            let (mass, sum) = (self.masses[table * levels + bin], self.sums[table * levels + bin])
            guard mass > 0 else { continue }
            similarity.withView { similarity in
                let weights = similarity.part(bin * pixelLevels.count, count: pixelLevels.count)
                add(weights, times: mass, to: &masses)
                add(weights, times: sum, to: &sums)
            }
        }
        return zip(sums, masses).map { $0 / $1 }
    }

    private func add(_ row: MemoryView<Float>, times weight: Float, to total: inout [Float]) {
        let count = total.count
        unsafe addWeightedRow(row.pointer(count), weight: weight, count: count, to: &total)
    }
}
