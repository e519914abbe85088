// Kernels that apply a three-dimensional lookup table (3D LUT) to rows of colours.

/// Clamps a row to 0…1 in place and stores in `outside` by how much each value was below 0 or above 1, with its sign.
/// NaN and infinity become 0.
package func clampToCube(_ row: UnsafeMutablePointer<Float>, count: Int, outside: UnsafeMutablePointer<Float>) {
    for i in 0..<count {
        let value = row[i] > -1e30 && row[i] < 1e30 ? row[i] : 0
        let inside = value < 0 ? 0 : value > 1 ? 1 : value
        row[i] = inside
        outside[i] = value - inside
    }
}

/// Maps a row of colours 0…1 through a 3D LUT of `side`³ entries of red, green and blue; blue's index varies fastest.
/// Uses tetrahedral interpolation between the four corners around each colour.
package func readCube(
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    values: UnsafePointer<Float>, side: Int, count: Int
) {
    let (last, edge) = (Int32(truncatingIfNeeded: side &- 2), Float(Int32(truncatingIfNeeded: side &- 1)))
    for i in 0..<count {
        let (r, g, b) = (red[i] * edge, green[i] * edge, blue[i] * edge)
        let (rAt, gAt, bAt) = (min(Int32(r), last), min(Int32(g), last), min(Int32(b), last))
        let (x, y, z) = (r - Float(rAt), g - Float(gAt), b - Float(bAt))
        let base = values + 3 &* ((Int(rAt) &* side &+ Int(gAt)) &* side &+ Int(bAt))
        let (rStep, gStep, bStep) = (3 &* side &* side, 3 &* side, 3)
        // The offsets of the second and third corner on the path from a cube cell's first corner to the opposite one,
        // along the axis with the largest fraction first.
        var (first, second) = (rStep, rStep)
        let (most, middle, least): (Float, Float, Float)
        if x >= y {
            if y >= z {
                (most, middle, least, second) = (x, y, z, rStep &+ gStep)
            } else if x >= z {
                (most, middle, least, second) = (x, z, y, rStep &+ bStep)
            } else {
                (most, middle, least, first, second) = (z, x, y, bStep, bStep &+ rStep)
            }
        } else if x >= z {
            (most, middle, least, first, second) = (y, x, z, gStep, gStep &+ rStep)
        } else if y >= z {
            (most, middle, least, first, second) = (y, z, x, gStep, gStep &+ bStep)
        } else {
            (most, middle, least, first, second) = (z, y, x, bStep, bStep &+ gStep)
        }
        let (one, two, three) = (base + first, base + second, base + (rStep &+ gStep &+ bStep))
        let (a, b0, c, d) = (1 - most, most - middle, middle - least, least)
        red[i] = a * base[0] + b0 * one[0] + c * two[0] + d * three[0]
        green[i] = a * base[1] + b0 * one[1] + c * two[1] + d * three[1]
        blue[i] = a * base[2] + b0 * one[2] + c * two[2] + d * three[2]
    }
}
