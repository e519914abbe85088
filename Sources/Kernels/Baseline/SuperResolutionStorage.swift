internal import KernelTypes

// Kernels of super-resolution beside the regression: they store and load the guide picture, and interleave, resize and
// store the photo.

private typealias Tile = SuperResolutionTile

/// Stores a tile of 16×16 values at every second column of every second row of a plane.
package func superResolutionInterleave(
    _ tile: UnsafePointer<Float>, _ plane: UnsafeMutablePointer<Float>, _ stride: Int
) {
    for row in 0..<Tile.side {
        let to = plane + 2 &* row &* stride
        for column in 0..<Tile.side { to[2 &* column] = tile[Tile.side &* row &+ column] }
    }
}

/// Computes a row as the weighted sum of six rows, with one weight of `taps` for each.
package func superResolutionSixRows(
    _ rows: UnsafePointer<Float>, _ stride: Int, _ taps: UnsafePointer<Float>, _ count: Int,
    _ result: UnsafeMutablePointer<Float>
) {
    for index in 0..<count {
        let from = rows + index
        let upper = from[0] * taps[0] + from[stride] * taps[1] + from[2 &* stride] * taps[2]
        let lower = from[3 &* stride] * taps[3] + from[4 &* stride] * taps[4] + from[5 &* stride] * taps[5]
        result[index] = upper + lower
    }
}

/// Resamples a row to three quarters of its length: `taps` has six taps for each of three phases, and `starts` the
/// first input offset of each phase within a period of four.
package func superResolutionThreeQuarters(
    _ row: UnsafePointer<Float>, _ taps: UnsafePointer<Float>, _ starts: UnsafePointer<Int32>, _ count: Int,
    _ result: UnsafeMutablePointer<Float>
) {
    for index in 0..<count {
        let (period, phase) = (index / 3, index % 3)
        let from = row + (4 &* period &+ Int(starts[phase]))
        let taps = taps + 6 &* phase
        let upper = from[0] * taps[0] + from[1] * taps[1] + from[2] * taps[2]
        result[index] = upper + from[3] * taps[3] + from[4] * taps[4] + from[5] * taps[5]
    }
}

/// Stores one colour of a row of the guide picture, from its even and odd columns, as 16-bit codes: value times `scale`
/// plus `zero`, which leaves codes for values below black.
package func storeGuide(
    _ even: UnsafePointer<Float>, _ odd: UnsafePointer<Float>, _ width: Int, _ scale: Float, _ zero: Float,
    _ codes: UnsafeMutablePointer<UInt16>
) {
    for cell in 0..<width / 2 {
        codes[2 &* cell] = nearestCode(even[cell] * scale + zero)
        codes[2 &* cell &+ 1] = nearestCode(odd[cell] * scale + zero)
    }
    if width & 1 == 1 { codes[width &- 1] = nearestCode(even[width / 2] * scale + zero) }
}

/// Converts codes of a stored guide picture to linear values limited to 1: (code − `zero`) times `scale`.
package func loadGuide(
    _ codes: UnsafePointer<UInt16>, _ count: Int, _ scale: Float, _ zero: Float, _ linear: UnsafeMutablePointer<Float>
) {
    for index in 0..<count { linear[index] = min((Float(Int32(codes[index])) - zero) * scale, 1) }
}

/// Adds to linear values, which were limited to 1, by how much the stored guide picture exceeds 1.
package func addGuideExcess(
    _ codes: UnsafePointer<UInt16>, _ count: Int, _ scale: Float, _ zero: Float, _ linear: UnsafeMutablePointer<Float>
) {
    for index in 0..<count { linear[index] += max((Float(Int32(codes[index])) - zero) * scale - 1, 0) }
}

/// Stores a row of linear values as 16-bit RGBA codes, alpha 65535.
package func storeSuperResolution(
    _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>, _ count: Int,
    _ redScale: Float, _ greenScale: Float, _ blueScale: Float, _ pixels: UnsafeMutablePointer<UInt16>
) {
    for index in 0..<count {
        let r = UInt64(nearestCode(red[index] * redScale))
        let g = UInt64(nearestCode(green[index] * greenScale))
        let b = UInt64(nearestCode(blue[index] * blueScale))
        UnsafeMutableRawPointer(pixels).storeBytes(
            of: r | g << 16 | b << 32 | 0xFFFF << 48, toByteOffset: 8 &* index, as: UInt64.self)
    }
}

/// Returns the nearest code, rounded by adding 1.5 · 2²³: no mantissa bits are left for a fraction, so the low bits of
/// the sum hold the whole number.
@inline(__always)
func nearestCode(_ value: Float) -> UInt16 {
    UInt16(truncatingIfNeeded: (min(max(value, 0), 65535) + 12_582_912).bitPattern)
}
