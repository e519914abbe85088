// Loops of burst alignment, on grey planes of half size: one value for each 2×2 quad of a mosaic, 2048 for white.
// Values lie in -512…3583, so that sixteen differences add up to less than 65536 and fit the lanes of a tile's sum.

/// The mean of each quad of two mosaic rows, less black, times a gain.
package func greyRow(
    _ upper: UnsafePointer<UInt16>, _ lower: UnsafePointer<UInt16>, _ grey: UnsafeMutablePointer<Int16>, _ count: Int,
    _ black: Float, _ gain: Float
) {
    for index in 0..<count {
        let sum =
            UInt32(upper[2 &* index]) &+ UInt32(upper[2 &* index &+ 1]) &+ UInt32(lower[2 &* index])
            &+ UInt32(lower[2 &* index &+ 1])
        let value = (Float(Int32(truncatingIfNeeded: sum)) * 0.25 - black) * gain
        // Beside so large a number no fraction fits: its low bits are the rounded value.
        let rounded = (min(max(value, -512), 3583) + 12_582_912).bitPattern
        grey[index] = Int16(truncatingIfNeeded: rounded)
    }
}

/// The mean of each 4×4 block of a plane; `rows` points at the first of four rows.
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

/// The sum of absolute differences of two tiles of 16×16.
package func tileDifference(
    _ a: UnsafePointer<Int16>, _ aStride: Int, _ b: UnsafePointer<Int16>, _ bStride: Int
) -> UInt32 {
    sumOfDifferences(UnsafeRawPointer(a), 2 &* aStride, UnsafeRawPointer(b), 2 &* bStride)
}

@inline(__always)
private func sumOfDifferences(_ a: UnsafeRawPointer, _ aBytes: Int, _ b: UnsafeRawPointer, _ bBytes: Int) -> UInt32 {
    let zero = SIMD16<Int16>(repeating: 0)
    var sums = zero
    for row in 0..<16 {
        let one = (a + row &* aBytes).loadUnaligned(as: SIMD16<Int16>.self)
        let two = (b + row &* bBytes).loadUnaligned(as: SIMD16<Int16>.self)
        let difference = one &- two
        sums &+= difference.replacing(with: zero &- difference, where: difference .< zero)
    }
    var sum: UInt32 = 0
    for lane in 0..<16 { sum &+= UInt32(UInt16(bitPattern: sums[lane])) }
    return sum
}

/// The shift in a window at which a tile of `b` is most like the tile `a`; of equals the first. `b` points at the tile
/// without a shift. Each pixel away from `(right, down)` adds `effort` to the cost, so that noise alone moves nothing.
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

/// What Lucas–Kanade steps need to know of a tile of 16×16 in `a`, whose gradients are gx and gy, and of `b` where it is
/// most alike. Into `sums` go gxx, gxy, gyy, gx·a, gy·a, and for `b` shifted by each of 3×3 whole pixels, column by
/// column, gx·b and gy·b: what a shift by a fraction gives lies between. `room` is for 1056 values.
package func correlateGradients(
    _ a: UnsafePointer<Int16>, _ aStride: Int, _ b: UnsafePointer<Int16>, _ bStride: Int,
    _ sums: UnsafeMutablePointer<Int32>, _ room: UnsafeMutablePointer<Int16>
) {
    let (gx, gy, values) = (room, room + 256, room + 512)
    storeGradients(a, 1, aStride, gx)
    storeGradients(a, aStride, aStride, gy)
    sums[0] = sumOfProducts(gx, gx)
    sums[1] = sumOfProducts(gx, gy)
    sums[2] = sumOfProducts(gy, gy)
    gather(a, aStride, 16, values)
    sums[3] = sumOfProducts(gx, values)
    sums[4] = sumOfProducts(gy, values)
    for column in 0..<3 {
        gather(b + (column &- 1 &- bStride), bStride, 18, values)
        for row in 0..<3 {
            let place = 5 &+ 2 &* (3 &* column &+ row)
            sums[place] = sumOfProducts(gx, values + 16 &* row)
            sums[place &+ 1] = sumOfProducts(gy, values + 16 &* row)
        }
    }
}

/// Half of the differences of the values `step` after and before each, row after row.
@inline(__always)
private func storeGradients(
    _ from: UnsafePointer<Int16>, _ step: Int, _ stride: Int, _ to: UnsafeMutablePointer<Int16>
) {
    let one = SIMD16<Int16>(repeating: 1)
    let target = UnsafeMutableRawPointer(to)
    for row in 0..<16 {
        let (before, after) = (from + (row &* stride &- step), from + (row &* stride &+ step))
        let difference =
            UnsafeRawPointer(after).loadUnaligned(as: SIMD16<Int16>.self)
            &- UnsafeRawPointer(before).loadUnaligned(as: SIMD16<Int16>.self)
        target.storeBytes(of: difference &>> one, toByteOffset: 32 &* row, as: SIMD16<Int16>.self)
    }
}

/// Puts rows of sixteen values one after the other.
@inline(__always)
private func gather(_ from: UnsafePointer<Int16>, _ stride: Int, _ rows: Int, _ to: UnsafeMutablePointer<Int16>) {
    let target = UnsafeMutableRawPointer(to)
    for row in 0..<rows {
        let values = UnsafeRawPointer(from + row &* stride).loadUnaligned(as: SIMD16<Int16>.self)
        target.storeBytes(of: values, toByteOffset: 32 &* row, as: SIMD16<Int16>.self)
    }
}

/// Of 256 gradients, which are at most 2047, so that the sum fits, and as many values.
@inline(__always)
private func sumOfProducts(_ gradients: UnsafePointer<Int16>, _ values: UnsafePointer<Int16>) -> Int32 {
    var sum: Int32 = 0
    for index in 0..<256 { sum &+= Int32(gradients[index]) &* Int32(values[index]) }
    return sum
}

/// The sum of the values of a tile of 16×16, and of their distances from a value.
package func tileContrast(_ a: UnsafePointer<Int16>, _ stride: Int) -> (mean: Int32, deviation: Int32) {
    var sum: Int32 = 0
    for row in 0..<16 {
        let here = a + row &* stride
        for column in 0..<16 { sum &+= Int32(here[column]) }
    }
    let mean = (sum &+ 128) >> 8
    var deviation: Int32 = 0
    for row in 0..<16 {
        let here = a + row &* stride
        for column in 0..<16 { deviation &+= abs(Int32(here[column]) &- mean) }
    }
    return (mean, deviation)
}
