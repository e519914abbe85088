// Kernels that remove noise at low frequencies: the means of square cells of a picture's pixels are denoised as a small
// picture of three planes, red, green and blue, and the changes are added to the picture.

/// Computes the means of a row of square cells of 16-bit RGBA pixels, times a factor for each colour.
///
/// `side` is the width and height of a cell in pixels, at most 128. `planes` points at the first cell of the row in
/// red; green and blue follow at a distance of `plane` values each.
package func meansOfCells(
    _ pixels: UnsafePointer<UInt16>, _ stride: Int, _ side: Int, _ count: Int, _ factors: SIMD4<Float>,
    _ planes: UnsafeMutablePointer<Float>, _ plane: Int
) {
    let scale = factors / Float(side &* side)
    for cell in 0..<count {
        // Two sums of 32 bits in each: red and blue, green and alpha.
        var (redAndBlue, green) = (UInt64(0), UInt64(0))
        for row in 0..<side {
            let start: Int = row &* stride &+ 4 &* side &* cell
            let line = UnsafeRawPointer(pixels + start)
            for column in 0..<side {
                let pixel = line.loadUnaligned(fromByteOffset: 8 &* column, as: UInt64.self)
                redAndBlue &+= pixel & alternate
                green &+= pixel &>> 16 & alternate
            }
        }
        planes[cell] = Float(Int32(truncatingIfNeeded: redAndBlue)) * scale[0]
        planes[plane &+ cell] = Float(Int32(truncatingIfNeeded: green)) * scale[1]
        planes[2 &* plane &+ cell] = Float(Int32(truncatingIfNeeded: redAndBlue &>> 32)) * scale[2]
    }
}

/// The first and the third of four numbers of 16 bits.
private var alternate: UInt64 { 0x0000_FFFF_0000_FFFF }

/// Computes by how much denoising changes the means of a row of cells of one colour, times a factor: sums of weighted
/// blocks, divided by their weights, less the means.
package func changesOfCells(
    _ sums: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, _ means: UnsafePointer<Float>, _ factor: Float,
    _ changes: UnsafeMutablePointer<Float>, _ count: Int
) {
    for cell in 0..<count { changes[cell] = (sums[cell] / weights[cell] - means[cell]) * factor }
}

/// Interpolates between two rows of changes: `fraction` of the way from the first to the second.
package func betweenChanges(
    _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, _ fraction: Float,
    _ changes: UnsafeMutablePointer<Float>, _ count: Int
) {
    for cell in 0..<count { changes[cell] = upper[cell] + (lower[cell] - upper[cell]) * fraction }
}

/// Adds changes of cells, interpolated between the cells' centres, to a row of 16-bit RGBA pixels. Clipped colours, of
/// code 65535, remain.
///
/// The row has `width` pixels and a cell `side`, so the last cell may be cut off. `changes` points at the first cell's
/// change of red, with one more value before and behind the row; green and blue follow at a distance of `plane` values
/// each.
package func addChanges(
    _ pixels: UnsafeMutablePointer<UInt16>, _ width: Int, _ side: Int, _ changes: UnsafePointer<Float>, _ plane: Int
) {
    for phase in 0..<side {
        let offset = (Float(phase) + 0.5) / Float(side) - 0.5
        let first = changes + (offset < 0 ? -1 : 0)
        let fraction = offset < 0 ? offset + 1 : offset
        for cell in 0..<(width &- phase &+ side &- 1) / side {
            let pixel = pixels + 4 &* (side &* cell &+ phase)
            for color in 0..<3 {
                let from = first + (color &* plane &+ cell)
                let change = from[0] + (from[1] - from[0]) * fraction
                let code = pixel[color]
                if code < 65535 { pixel[color] = nearestCode(Float(Int32(code)) + change) }
            }
        }
    }
}
