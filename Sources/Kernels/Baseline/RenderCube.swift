// Colours read from a cube of colours.

/// Brings a line to 0…1, and tells how far each value lay beyond. What is no number becomes 0.
package func splitAtCube(_ line: UnsafeMutablePointer<Float>, count: Int, outside: UnsafeMutablePointer<Float>) {
    for i in 0..<count {
        let value = line[i] > -1e30 && line[i] < 1e30 ? line[i] : 0
        let inside = value < 0 ? 0 : value > 1 ? 1 : value
        line[i] = inside
        outside[i] = value - inside
    }
}

/// Replaces a row of colours from 0 to 1 by what the cube has at their places: `values` are red, green and blue at each, blue's
/// places the nearest to each other. Between places the four corners count whose tetrahedron the colour lies in.
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
        // From the first corner to the opposite one along the edges, that of the largest share first.
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
