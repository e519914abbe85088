internal import CProcessor
internal import KernelTypes

// Kernels of burst merging in the frequency domain, on tiles of 32×32 mosaic pixels laid out as in TileTransform.swift.
// A frame contributes its difference from the reference frame: where frames are equal nothing can go wrong, and
// differences fit 16 bits.

private typealias Tile = BurstTile

/// Returns the sums of a 32×32 tile's codes, one for each of the four CFA positions.
package func sumsOfTile(_ codes: UnsafePointer<UInt16>, _ stride: Int) -> SIMD4<Float> {
    var sums = SIMD4<Float>(repeating: 0)
    for parity in 0..<2 {
        var (even, odd) = (SIMD16<Float>(repeating: 0), SIMD16<Float>(repeating: 0))
        for row in 0..<Tile.planeSide {
            let line: Int = 2 &* row &+ parity
            let here = cells(UnsafeRawPointer(codes + line &* stride))
            even += here.even
            odd += here.odd
        }
        sums[2 &* parity] = even.sum()
        sums[2 &* parity &+ 1] = odd.sum()
    }
    return sums
}

/// Returns the highest code of a block of `columns` × `rows` codes.
package func highestCode(_ codes: UnsafePointer<UInt16>, _ stride: Int, _ columns: Int, _ rows: Int) -> UInt16 {
    var highest: UInt16 = 0
    for line in 0..<rows {
        let from = codes + line &* stride
        for column in 0..<columns { highest = max(highest, from[column]) }
    }
    return highest
}

/// Computes the excess of each frequency of a tile of differences, the ratio of its energy to that of noise: its
/// energy, averaged with that of the opposite frequency, divided by the noise energy `referenceNoise` + `frameNoise`
/// times the power that interpolation passes at its row (`rowPower`) and column (`lanePower`). `scratch` has
/// `BurstTile.energyRows` rows. Returns the sum of the ratios of all 256 frequencies and that of the nine lowest.
package func noiseExcess(
    _ tile: UnsafePointer<SIMD16<Float>>, _ referenceNoise: Float, _ frameNoise: Float,
    _ rowPower: UnsafePointer<Float>,
    _ lanePower: SIMD16<Float>, _ excess: UnsafeMutablePointer<SIMD16<Float>>,
    _ scratch: UnsafeMutablePointer<SIMD16<Float>>
) -> (all: Float, low: Float) {
    let energy = UnsafeMutableRawPointer(scratch)
    for row in 0..<Tile.planeSide {
        let (a, b) = (tile[row], tile[row &+ Tile.planeSide])
        let (c, d) = (tile[row &+ 2 &* Tile.planeSide], tile[row &+ 3 &* Tile.planeSide])
        var sum: SIMD16<Float> = a * a + b * b
        sum += c * c
        sum += d * d
        storeCircular(sum, row, energy)
    }
    var total = SIMD16<Float>(repeating: 0)
    let lanes = lanePower * frameNoise
    for row in 0..<Tile.planeSide {
        let value = gscap_quotient(withOpposite(row, energy), lanes * rowPower[row] + referenceNoise)
        excess[row] = value
        total += value
    }
    var low: Float = 0
    for row in 0..<3 {
        let low3 = excess[(row &+ 15) & 15]
        low += low3[0] + low3[1] + low3[15]
    }
    return (total.sum(), low)
}

/// The distance in bytes between the rows that `storeCircular` stores: 16 values and the first one repeated.
private var circularBytes: Int { 4 &* (Tile.planeSide &+ 1) }

/// Stores a row of 16 frequencies and repeats the first behind them, so that the row can be read backward starting from
/// frequency 0.
@inline(__always)
private func storeCircular(_ values: SIMD16<Float>, _ row: Int, _ rows: UnsafeMutableRawPointer) {
    rows.storeBytes(of: values, toByteOffset: circularBytes &* row, as: SIMD16<Float>.self)
    rows.storeBytes(of: values[0], toByteOffset: circularBytes &* row &+ 4 &* Tile.planeSide, as: Float.self)
}

/// Returns, for each frequency of a row, the mean of its energy and the energy of the frequency of opposite sign.
@inline(__always)
private func withOpposite(_ row: Int, _ rows: UnsafeMutableRawPointer) -> SIMD16<Float> {
    let forward = (rows + circularBytes &* row).loadUnaligned(as: SIMD16<Float>.self)
    let backward = (rows + (circularBytes &* ((16 &- row) & 15) &+ 4)).loadUnaligned(as: SIMD16<Float>.self)
    return (forward + reversed(backward)) * 0.5
}

@inline(__always)
private func reversed(_ v: SIMD16<Float>) -> SIMD16<Float> {
    SIMD16(
        v[15], v[14], v[13], v[12], v[11], v[10], v[9], v[8], v[7], v[6], v[5], v[4], v[3], v[2], v[1], v[0])
}

/// Copies the nine lowest spatial frequencies of a tile's planes, and their excess over noise, to another tile.
package func copyLowFrequencies(
    _ tile: UnsafePointer<SIMD16<Float>>, _ excess: UnsafePointer<SIMD16<Float>>,
    _ otherTile: UnsafeMutablePointer<SIMD16<Float>>, _ otherExcess: UnsafeMutablePointer<SIMD16<Float>>
) {
    for index in 0..<3 {
        let row = (index &+ 15) & 15
        for part in 0..<5 {
            let from = part < 4 ? tile[Tile.planeSide &* part &+ row] : excess[row]
            let to = part < 4 ? otherTile + (Tile.planeSide &* part &+ row) : otherExcess + row
            to[0][0] = from[0]
            to[0][1] = from[1]
            to[0][15] = from[15]
        }
    }
}

/// Replaces each frequency's excess, the ratio of its energy to the noise energy, by its weight: `most` · limit² /
/// (limit² + ratio²), which is `most` at ratio 0 and half of it at ratio `limit`. Returns the mean weight divided by
/// `most`.
package func weightsOfExcess(
    _ excess: UnsafeMutablePointer<SIMD16<Float>>, _ limit: Float, _ most: Float
) -> Float {
    let square = limit * limit
    let numerator = most * square
    var total = SIMD16<Float>(repeating: 0)
    for row in 0..<Tile.planeSide {
        let weight = gscap_quotient(SIMD16(repeating: numerator), excess[row] * excess[row] + square)
        excess[row] = weight
        total += weight
    }
    return total.sum() / (Float(Tile.planeCount) * most)
}

/// Adds a tile of differences, times its weights, to the tile's sums (`BurstTile.sumCount`): weighted differences in
/// units of 1/`scale`, then weights in units of 1/256. The sums of the next tile, which lie behind them, are
/// prefetched.
package func addDifference(
    _ tile: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, _ scale: Float, _ sums: UnsafeMutablePointer<Int16>
) {
    var next = Tile.sumCount
    while next < 2 &* Tile.sumCount {
        gscap_expect(sums + next)
        next &+= sumsOfCacheLine
    }
    accumulate(tile, weights, scale, sums, isFirst: false)
}

/// Stores the sums of a tile of the first frame, as `addDifference` adds those of the others.
package func storeDifference(
    _ tile: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, _ scale: Float, _ sums: UnsafeMutablePointer<Int16>
) {
    accumulate(tile, weights, scale, sums, isFirst: true)
}

@inline(__always)
private func accumulate(
    _ tile: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, _ scale: Float, _ sums: UnsafeMutablePointer<Int16>,
    isFirst: Bool
) {
    for row in 0..<Tile.planeSide {
        let weight = row16(weights, row)
        let scaled = weight * scale
        for part in 0..<4 {
            let place = Tile.planeSide &* part &+ row
            add(row16(tile, place) * scaled, to: sums, place, isFirst)
        }
        add(weight * 256, to: sums, 4 &* Tile.planeSide &+ row, isFirst)
    }
}

/// Loads a row of 16 values.
@inline(__always)
private func row16(_ rows: UnsafePointer<Float>, _ row: Int) -> SIMD16<Float> {
    UnsafeRawPointer(rows + Tile.planeSide &* row).loadUnaligned(as: SIMD16<Float>.self)
}

/// Adds 16 values to a row of sums, or stores them, each rounded and limited to ±511, so that the sums of 64 frames fit
/// 16 bits.
@inline(__always)
private func add(_ values: SIMD16<Float>, to sums: UnsafeMutablePointer<Int16>, _ row: Int, _ isFirst: Bool) {
    let place = UnsafeMutableRawPointer(sums + Tile.planeSide &* row)
    let limited = gscap_limited(values)
    let sum = isFirst ? limited : place.loadUnaligned(as: SIMD16<Int16>.self) &+ limited
    place.storeBytes(of: sum, as: SIMD16<Int16>.self)
}

/// The number of 16-bit sums in a cache line.
private var sumsOfCacheLine: Int { 32 }

/// Computes a tile's mean difference from the reference frame over all summed frames, times `unit`, and for each of the
/// 256 frequencies the fraction of the noise variance that remains. Returns the sum of these fractions.
package func averageDifference(
    _ sums: UnsafePointer<Int16>, _ unit: Float, _ tile: UnsafeMutablePointer<Float>,
    _ fractions: UnsafeMutablePointer<Float>
) -> Float {
    remainingFractions(sums, fractions)
    for part in 0..<4 {
        let (from, to) = (sums + Tile.planeCount &* part, tile + Tile.planeCount &* part)
        for index in 0..<Tile.planeCount { to[index] = Float(Int32(from[index])) * (fractions[index] * unit) }
    }
    let rows = UnsafeRawPointer(fractions).assumingMemoryBound(to: SIMD16<Float>.self)
    var rest = SIMD16<Float>(repeating: 0)
    for row in 0..<Tile.planeSide { rest += rows[row] }
    return rest.sum()
}

/// Computes for each of a tile's 256 frequencies the fraction of the noise variance that remains.
package func remainingFractions(_ sums: UnsafePointer<Int16>, _ fractions: UnsafeMutablePointer<Float>) {
    let weights = sums + Tile.weightSums
    for index in 0..<Tile.planeCount { fractions[index] = 256 / (Float(Int32(weights[index])) + 256) }
}

/// Adds some rows of a tile's four planes, times a window, to a mosaic of signals (overlap-add).
package func overlayTile(
    _ tile: UnsafePointer<SIMD16<Float>>, _ firstRow: Int, _ rowCount: Int, _ window: UnsafePointer<Float>,
    _ target: UnsafeMutablePointer<Float>, _ stride: Int
) {
    let values = UnsafeRawPointer(tile).assumingMemoryBound(to: Float.self)
    for row in 0..<rowCount {
        let height = window[firstRow &+ row]
        for line in 0..<2 {
            let inTile: Int = Tile.planeSide &* (firstRow &+ row)
            let even = values + (2 &* Tile.planeCount &* line &+ inTile)
            let odd = even + Tile.planeCount
            let to = target + (2 &* row &+ line) &* stride
            for column in 0..<Tile.planeSide {
                let weight = height * window[column]
                to[2 &* column] += even[column] * weight
                to[2 &* column &+ 1] += odd[column] * weight
            }
        }
    }
}

/// Adds corrections to the reference frame's codes, multiplies by `scale` and rounds to 16 bits. Codes from `white` up
/// are clipped: they are scaled without a correction.
package func correctRow(
    _ codes: UnsafePointer<UInt16>, _ corrections: UnsafePointer<Float>, _ white: UInt16, _ scale: Float,
    _ result: UnsafeMutablePointer<UInt16>, _ count: Int
) {
    for index in 0..<count {
        let correction = codes[index] >= white ? 0 : corrections[index]
        let value = (Float(Int32(codes[index])) + correction) * scale
        // Adding 1.5 · 2²³ leaves no mantissa bits for a fraction, so the low bits of the sum hold the rounded value.
        result[index] = UInt16(truncatingIfNeeded: (min(max(value, 0), 65535) + 12_582_912).bitPattern)
    }
}
