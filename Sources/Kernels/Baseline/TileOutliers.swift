internal import KernelTypes

// A kernel of burst merging on tiles laid out as in TileTransform.swift, before they are transformed.

private typealias Tile = BurstTile
private typealias Row = SIMD16<Float>
/// The bits of a row. Those of positive numbers are ordered as the numbers are, and comparing them by subtraction is
/// faster than vectors of booleans.
private typealias Bits = SIMD16<Int32>

/// Sets the outliers of a tile of differences to 0: the samples whose squares exceed the limit of their CFA position;
/// and the samples beside an outlier, of any CFA position, whose squares exceed the fraction `share` of their limit.
/// The tile remains as it is if it has more than `most` outliers, or if the squares of the other samples, each divided
/// by its limit, sum to more than `mostRest`. `scratch` has `BurstTile.outlierRows` rows. Returns whether outliers were
/// removed.
package func removeOutliers(
    _ tile: UnsafeMutablePointer<SIMD16<Float>>, _ limits: SIMD4<Float>, _ share: Float, _ most: Float,
    _ mostRest: Float, _ scratch: UnsafeMutablePointer<SIMD16<Float>>
) -> Bool {
    guard hasOutliers(tile, limits) else { return false }
    let near = UnsafeMutableRawPointer(scratch)
    var (counts, rests) = (Bits.zero, Row.zero)
    for row in 0..<Tile.planeSide {
        // One sum for each row: additions to a single sum would each wait for the one before.
        var (outliers, rest) = (Bits.zero, Row.zero)
        for plane in 0..<4 {
            let value = tile[plane &* Tile.planeSide &+ row]
            let ratio = bits(value * value * (1 / limits[plane]))
            let outlier = exceeding(ratio, bits(Row(repeating: 1)))
            counts = counts &+ outlier
            outliers = outliers | outlier
            rest += numbers(ratio & ~outlier)
        }
        rests += rest
        store(outliers, row &+ 1, near)
    }
    var rest: Float = 0
    for lane in 0..<16 { rest += rests[lane] }
    guard -Float(counts.wrappedSum()) <= most, rest <= mostRest else { return false }
    store(.zero, 0, near)
    store(.zero, Tile.planeSide &+ 1, near)
    for row in 0..<Tile.planeSide {
        var beside = Bits.zero
        for offset in 0..<9 {
            let from = near + (lineBytes &* (row &+ offset / 3) &+ 4 &* (offset % 3))
            beside = beside | from.loadUnaligned(as: Bits.self)
        }
        let limit = (beside & bits(Row(repeating: share))) | (~beside & bits(Row(repeating: 1)))
        for plane in 0..<4 {
            let value = tile[plane &* Tile.planeSide &+ row]
            let removed = exceeding(bits(value * value * (1 / limits[plane])), limit)
            tile[plane &* Tile.planeSide &+ row] = numbers(bits(value) & ~removed)
        }
    }
    return true
}

/// The distance in bytes between the rows that `store` stores: 16 values with a zero before and behind them.
private var lineBytes: Int { 4 &* (Tile.planeSide &+ 2) }

/// Stores a row with a zero before and behind it.
@inline(__always)
private func store(_ values: Bits, _ row: Int, _ rows: UnsafeMutableRawPointer) {
    let line = rows + lineBytes &* row
    line.storeBytes(of: 0, as: Int32.self)
    line.storeBytes(of: values, toByteOffset: 4, as: Bits.self)
    line.storeBytes(of: 0, toByteOffset: lineBytes &- 4, as: Int32.self)
}

/// Returns whether any sample's square exceeds the limit of its CFA position.
@inline(__always)
private func hasOutliers(_ tile: UnsafeMutablePointer<SIMD16<Float>>, _ limits: SIMD4<Float>) -> Bool {
    var signs = Bits.zero
    for plane in 0..<4 {
        let limit = bits(Row(repeating: limits[plane]))
        for row in plane &* Tile.planeSide..<(plane &+ 1) &* Tile.planeSide {
            signs = signs | (limit &- bits(tile[row] * tile[row]))
        }
    }
    var sign: Int32 = 0
    for lane in 0..<16 { sign |= signs[lane] }
    return sign < 0
}

/// Returns −1, all bits, where a positive number exceeds another, and 0 elsewhere.
@inline(__always)
private func exceeding(_ number: Bits, _ limit: Bits) -> Bits { (limit &- number) &>> Bits(repeating: 31) }

@inline(__always)
private func bits(_ numbers: Row) -> Bits { unsafeBitCast(numbers, to: Bits.self) }

@inline(__always)
private func numbers(_ bits: Bits) -> Row { unsafeBitCast(bits, to: Row.self) }
