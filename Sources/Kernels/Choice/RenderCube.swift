internal import KernelsBaseline
internal import KernelsV3

/// Brings a line to 0…1, and tells how far each value lay beyond. What is no number becomes 0.
package func splitAtCube(_ line: UnsafeMutablePointer<Float>, count: Int, outside: UnsafeMutablePointer<Float>) {
    if hasWideVectors {
        KernelsV3.splitAtCube(line, count: count, outside: outside)
    } else {
        KernelsBaseline.splitAtCube(line, count: count, outside: outside)
    }
}

/// Replaces a row of colours from 0 to 1 by what the cube has at their places: `values` are red, green and blue at each, blue's
/// places the nearest to each other. Between places the four corners count whose tetrahedron the colour lies in.
package func readCube(
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    values: UnsafePointer<Float>, side: Int, count: Int
) {
    if hasWideVectors {
        KernelsV3.readCube(red, green, blue, values: values, side: side, count: count)
    } else {
        KernelsBaseline.readCube(red, green, blue, values: values, side: side, count: count)
    }
}
