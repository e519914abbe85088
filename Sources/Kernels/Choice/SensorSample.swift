internal import KernelsBaseline
internal import KernelsV3

/// Reads a stretch of a row out of a scene.
package func sampleScene(
    _ signal: UnsafeMutablePointer<Float>, count: Int, even: UnsafePointer<UInt16>, odd: UnsafePointer<UInt16>,
    stride: Int, right: Int, down: Int, slope: Int
) {
    if hasWideVectors {
        KernelsV3.sampleScene(
            signal, count: count, even: even, odd: odd, stride: stride, right: right, down: down, slope: slope)
    } else {
        KernelsBaseline.sampleScene(
            signal, count: count, even: even, odd: odd, stride: stride, right: right, down: down, slope: slope)
    }
}

/// Lays an object over a stretch of a row.
package func sampleObject(
    _ signal: UnsafeMutablePointer<Float>, first: Int, end: Int, even: UnsafePointer<UInt16>,
    odd: UnsafePointer<UInt16>, cover: UnsafePointer<UInt16>, stride: Int, right: Float, down: Float
) {
    if hasWideVectors {
        KernelsV3.sampleObject(
            signal, first: first, end: end, even: even, odd: odd, cover: cover, stride: stride, right: right,
            down: down)
    } else {
        KernelsBaseline.sampleObject(
            signal, first: first, end: end, even: even, odd: odd, cover: cover, stride: stride, right: right,
            down: down)
    }
}
