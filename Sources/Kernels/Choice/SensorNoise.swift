internal import KernelsBaseline
internal import KernelsV3

/// Turns a stretch of a row's light into codes.
package func exposeSensor(
    _ output: UnsafeMutablePointer<UInt16>, _ signal: UnsafePointer<Float>, count: Int, firstColumn: Int,
    scale: Float, shading: Float, centre: Float, heightSquare: Float, shot: Float, read: Float, black: Float,
    white: Float, key: UInt32, secondKey: UInt32
) {
    if hasWideVectors {
        KernelsV3.exposeSensor(
            output, signal, count: count, firstColumn: firstColumn, scale: scale, shading: shading, centre: centre,
            heightSquare: heightSquare, shot: shot, read: read, black: black, white: white, key: key,
            secondKey: secondKey)
    } else {
        KernelsBaseline.exposeSensor(
            output, signal, count: count, firstColumn: firstColumn, scale: scale, shading: shading, centre: centre,
            heightSquare: heightSquare, shot: shot, read: read, black: black, white: white, key: key,
            secondKey: secondKey)
    }
}
