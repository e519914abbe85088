internal import KernelsBaseline
internal import KernelsV3

/// The mean of each quad of two mosaic rows, less black, times a gain.
package func greyRow(
    _ upper: UnsafePointer<UInt16>, _ lower: UnsafePointer<UInt16>, _ grey: UnsafeMutablePointer<Int16>, _ count: Int,
    _ black: Float, _ gain: Float
) {
    hasWideVectors
        ? KernelsV3.greyRow(upper, lower, grey, count, black, gain)
        : KernelsBaseline.greyRow(upper, lower, grey, count, black, gain)
}

/// The mean of each 4×4 block of a plane; `rows` points at the first of four rows.
package func quarterRow(
    _ rows: UnsafePointer<Int16>, _ stride: Int, _ quarter: UnsafeMutablePointer<Int16>, _ count: Int
) {
    hasWideVectors
        ? KernelsV3.quarterRow(rows, stride, quarter, count) : KernelsBaseline.quarterRow(rows, stride, quarter, count)
}

/// The sum of absolute differences of two tiles of 16×16.
package func tileDifference(
    _ a: UnsafePointer<Int16>, _ aStride: Int, _ b: UnsafePointer<Int16>, _ bStride: Int
) -> UInt32 {
    hasWideVectors
        ? KernelsV3.tileDifference(a, aStride, b, bStride) : KernelsBaseline.tileDifference(a, aStride, b, bStride)
}

/// The shift in a window at which a tile of `b` is most like the tile `a`; of equals the first.
package func searchTile(
    _ a: UnsafePointer<Int16>, _ aStride: Int, _ b: UnsafePointer<Int16>, _ bStride: Int, _ right: Int, _ down: Int,
    _ firstRight: Int, _ lastRight: Int, _ firstDown: Int, _ lastDown: Int, _ effort: UInt32
) -> (right: Int, down: Int, cost: UInt32) {
    hasWideVectors
        ? KernelsV3.searchTile(
            a, aStride, b, bStride, right, down, firstRight, lastRight, firstDown, lastDown, effort)
        : KernelsBaseline.searchTile(
            a, aStride, b, bStride, right, down, firstRight, lastRight, firstDown, lastDown, effort)
}

/// What Lucas–Kanade steps need to know of a tile of 16×16 in `a`, whose gradients are gx and gy, and of `b` where it is
/// most alike. Into `sums` go gxx, gxy, gyy, gx·a, gy·a, and for `b` shifted by each of 3×3 whole pixels, column by
/// column, gx·b and gy·b: what a shift by a fraction gives lies between. `room` is for 1056 values.
package func correlateGradients(
    _ a: UnsafePointer<Int16>, _ aStride: Int, _ b: UnsafePointer<Int16>, _ bStride: Int,
    _ sums: UnsafeMutablePointer<Int32>, _ room: UnsafeMutablePointer<Int16>
) {
    hasWideVectors
        ? KernelsV3.correlateGradients(a, aStride, b, bStride, sums, room)
        : KernelsBaseline.correlateGradients(a, aStride, b, bStride, sums, room)
}

/// The mean of a tile of 16×16, and the sum of the distances from it.
package func tileContrast(_ a: UnsafePointer<Int16>, _ stride: Int) -> (mean: Int32, deviation: Int32) {
    hasWideVectors ? KernelsV3.tileContrast(a, stride) : KernelsBaseline.tileContrast(a, stride)
}
