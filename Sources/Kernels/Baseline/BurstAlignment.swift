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
    var sums = SIMD16<Int16>(repeating: 0)
    for row in 0..<16 {
        let one = (a + row &* aBytes).loadUnaligned(as: SIMD16<Int16>.self)
        let two = (b + row &* bBytes).loadUnaligned(as: SIMD16<Int16>.self)
        let isLess = one .< two
        sums &+= one.replacing(with: two, where: isLess) &- two.replacing(with: one, where: isLess)
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

/// The sums of one Lucas–Kanade step over every `step`th row of a tile of 16×16: gxx, gxy, gyy, gx·d, gy·d, where d is
/// `a` less `b` read `right` and `down` 32nds of a pixel on.
package func gradientSums(
    _ a: UnsafePointer<Int16>, _ aStride: Int, _ b: UnsafePointer<Int16>, _ bStride: Int, _ right: Int32,
    _ down: Int32, _ step: Int, _ result: UnsafeMutablePointer<Int32>
) {
    let (w00, w01) = ((32 &- right) &* (32 &- down), right &* (32 &- down))
    let (w10, w11) = ((32 &- right) &* down, right &* down)
    var (xx, xy, yy, xd, yd) = (Int32(0), Int32(0), Int32(0), Int32(0), Int32(0))
    var row = 0
    while row < 16 {
        let here = a + row &* aStride
        let upper = b + row &* bStride
        let lower = upper + bStride
        for column in 0..<16 {
            let gx = (Int32(here[column &+ 1]) &- Int32(here[column &- 1])) >> 1
            let gy = (Int32(here[column &+ aStride]) &- Int32(here[column &- aStride])) >> 1
            let top = Int32(upper[column]) &* w00 &+ Int32(upper[column &+ 1]) &* w01
            let bottom = Int32(lower[column]) &* w10 &+ Int32(lower[column &+ 1]) &* w11
            let d = min(max(Int32(here[column]) &- (top &+ bottom &+ 512) >> 10, -2047), 2047)
            xx &+= gx &* gx
            xy &+= gx &* gy
            yy &+= gy &* gy
            xd &+= gx &* d
            yd &+= gy &* d
        }
        row &+= step
    }
    result[0] = xx
    result[1] = xy
    result[2] = yy
    result[3] = xd
    result[4] = yd
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
