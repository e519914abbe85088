internal import CProcessor
internal import KernelTypes

// Kernels of burst alignment on grey planes of half size: one value per 2×2 quad of a mosaic, scaled so that white is
// 2048. Values lie in −512…3583, so that the absolute differences of 16 rows add up to less than 65536 and fit the
// 16-bit vector lanes of a tile's sum.

private typealias Tile = AlignmentTile

/// Averages each quad of two mosaic rows, subtracts the black level, multiplies by `gain` and rounds to −512…3583.
package func greyRow(
    _ upper: UnsafePointer<UInt16>, _ lower: UnsafePointer<UInt16>, _ grey: UnsafeMutablePointer<Int16>, _ count: Int,
    _ black: Float, _ gain: Float
) {
    for index in 0..<count {
        let sum =
            UInt32(upper[2 &* index]) &+ UInt32(upper[2 &* index &+ 1]) &+ UInt32(lower[2 &* index])
            &+ UInt32(lower[2 &* index &+ 1])
        let value = (Float(Int32(truncatingIfNeeded: sum)) * 0.25 - black) * gain
        // Adding 1.5 · 2²³ leaves no mantissa bits for a fraction, so the low bits of the sum hold the rounded value.
        let rounded = (min(max(value, -512), 3583) + 12_582_912).bitPattern
        grey[index] = Int16(truncatingIfNeeded: rounded)
    }
}

/// Averages each 4×4 block of a plane to one value; `rows` points at the first of four rows.
package func quarterRow(
    _ rows: UnsafePointer<Int16>, _ stride: Int, _ quarter: UnsafeMutablePointer<Int16>, _ count: Int
) {
    for index in 0..<count {
        var sum: Int32 = 8
        for row in 0..<4 {
            let four = rows + (row &* stride &+ 4 &* index)
            sum &+= Int32(four[0]) &+ Int32(four[1]) &+ Int32(four[2]) &+ Int32(four[3])
        }
        quarter[index] = Int16(truncatingIfNeeded: sum >> 4)
    }
}

/// Returns the sum of absolute differences of two tiles of 16×16 values.
package func tileDifference(
    _ a: UnsafePointer<Int16>, _ aStride: Int, _ b: UnsafePointer<Int16>, _ bStride: Int
) -> UInt32 {
    sumOfDifferences(UnsafeRawPointer(a), 2 &* aStride, UnsafeRawPointer(b), 2 &* bStride)
}

@inline(__always)
private func sumOfDifferences(_ a: UnsafeRawPointer, _ aBytes: Int, _ b: UnsafeRawPointer, _ bBytes: Int) -> UInt32 {
    let zero = SIMD16<Int16>(repeating: 0)
    var sums = zero
    for row in 0..<Tile.side {
        let one = (a + row &* aBytes).loadUnaligned(as: SIMD16<Int16>.self)
        let two = (b + row &* bBytes).loadUnaligned(as: SIMD16<Int16>.self)
        let difference = one &- two
        sums &+= difference.replacing(with: zero &- difference, where: difference .< zero)
    }
    // Each lane of 32 bits holds two sums of 16; both bit casts are between vectors of 32 bytes without invalid values.
    let pairs = unsafeBitCast(sums, to: SIMD8<UInt32>.self)
    let eight = (pairs & 0xFFFF) &+ (pairs &>> 16)
    return UInt32(bitPattern: sum(unsafeBitCast(eight, to: SIMD8<Int32>.self)))
}

/// Finds the shift within a window at which a 16×16 tile of `b` matches the tile `a` best by the sum of absolute
/// differences; the first of equal ones is returned. `b` points at the tile without a shift. Each pixel of distance
/// from the predicted shift `(right, down)` adds `effort` to the cost, so that noise alone does not move the result
/// away from it.
package func searchTile(
    _ a: UnsafePointer<Int16>, _ aStride: Int, _ b: UnsafePointer<Int16>, _ bStride: Int, _ right: Int, _ down: Int,
    _ firstRight: Int, _ lastRight: Int, _ firstDown: Int, _ lastDown: Int, _ effort: UInt32
) -> (right: Int, down: Int, cost: UInt32) {
    var best = (right: right, down: down, cost: UInt32.max)
    var y = firstDown
    while y <= lastDown {
        var x = firstRight
        while x <= lastRight {
            let there = UnsafeRawPointer(b + (y &* bStride &+ x))
            let difference = sumOfDifferences(UnsafeRawPointer(a), 2 &* aStride, there, 2 &* bStride)
            let distance = UInt32(truncatingIfNeeded: abs(x &- right) &+ abs(y &- down))
            let cost = difference &+ effort &* distance
            if cost < best.cost { best = (x, y, cost) }
            x &+= 1
        }
        y &+= 1
    }
    return best
}

/// Computes the gradients of a 16×16 tile to the right and, behind them, down. One pixel around the tile is read too.
package func tileGradients(_ a: UnsafePointer<Int16>, _ stride: Int, _ gradients: UnsafeMutablePointer<Int16>) {
    storeGradients(a, 1, stride, gradients)
    storeGradients(a, stride, stride, gradients + Tile.count)
}

/// Returns the sums of the squares of a tile's gradients, to the right (`xx`) and down (`yy`), and of their products.
package func gradientSquares(_ gradients: UnsafePointer<Int16>) -> (xx: Int32, xy: Int32, yy: Int32) {
    let zero = SIMD8<Int32>.zero
    var (xx, xy, yy) = (zero, zero, zero)
    let across = UnsafeRawPointer(gradients)
    let down = across + 2 &* Tile.count
    for row in 0..<Tile.side {
        let (x, y) = (values(across, row), values(down, row))
        xx &+= gscap_products(x, x)
        xy &+= gscap_products(x, y)
        yy &+= gscap_products(y, y)
    }
    return (sum(xx), sum(xy), sum(yy))
}

/// Returns the sums of the products of a tile's gradients to the right and down with another tile of 16×16 values.
package func correlateGradients(
    _ b: UnsafePointer<Int16>, _ stride: Int, _ gradients: UnsafePointer<Int16>
) -> (across: Int32, down: Int32) {
    var (across, down) = (SIMD8<Int32>.zero, SIMD8<Int32>.zero)
    let rows = UnsafeRawPointer(gradients)
    for row in 0..<Tile.side {
        let here = UnsafeRawPointer(b + row &* stride).loadUnaligned(as: SIMD16<Int16>.self)
        across &+= gscap_products(values(rows, row), here)
        down &+= gscap_products(values(rows + 2 &* Tile.count, row), here)
    }
    return (sum(across), sum(down))
}

/// Returns a row of 16 gradients.
@inline(__always)
private func values(_ rows: UnsafeRawPointer, _ row: Int) -> SIMD16<Int16> {
    rows.loadUnaligned(fromByteOffset: 32 &* row, as: SIMD16<Int16>.self)
}

/// Returns the sum of the lanes. 32 bits hold it: gradients lie in −2048…2047 and values in −512…3583.
@inline(__always)
private func sum(_ lanes: SIMD8<Int32>) -> Int32 {
    let four = lanes.lowHalf &+ lanes.highHalf
    return four.x &+ four.y &+ four.z &+ four.w
}

/// Stores central differences of 16×16 values: half the difference of the values `step` after and `step` before each,
/// rounded down.
@inline(__always)
private func storeGradients(
    _ from: UnsafePointer<Int16>, _ step: Int, _ stride: Int, _ to: UnsafeMutablePointer<Int16>
) {
    let one = SIMD16<Int16>(repeating: 1)
    let target = UnsafeMutableRawPointer(to)
    for row in 0..<Tile.side {
        let (before, after) = (from + (row &* stride &- step), from + (row &* stride &+ step))
        let difference =
            UnsafeRawPointer(after).loadUnaligned(as: SIMD16<Int16>.self)
            &- UnsafeRawPointer(before).loadUnaligned(as: SIMD16<Int16>.self)
        target.storeBytes(of: difference &>> one, toByteOffset: 32 &* row, as: SIMD16<Int16>.self)
    }
}

/// Returns the rounded mean of a 16×16 tile and the sum of absolute deviations from it.
package func tileContrast(_ a: UnsafePointer<Int16>, _ stride: Int) -> (mean: Int32, deviation: Int32) {
    var sum: Int32 = 0
    for row in 0..<Tile.side {
        let here = a + row &* stride
        for column in 0..<Tile.side { sum &+= Int32(here[column]) }
    }
    let mean = (sum &+ 128) >> 8
    var deviation: Int32 = 0
    for row in 0..<Tile.side {
        let here = a + row &* stride
        for column in 0..<Tile.side { deviation &+= abs(Int32(here[column]) &- mean) }
    }
    return (mean, deviation)
}
