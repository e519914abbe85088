internal import KernelsBaseline
internal import KernelsV3

/// Where the pixels of a row of the straight picture were recorded, in pixels of the raw one: no farther outside than a pixel,
/// and what is no number at the edge.
///
/// `first` is the first pixel's place against the optical centre, `step` the distance of pixels, both with `radius` for 1;
/// the centre's own place is in pixels. `radial` and `tangential` are DNG's. Works on whole vectors.
package func warpPlaces(
    first: SIMD2<Float>, step: Float, radius: Float, centre: SIMD2<Float>, radial: SIMD4<Float>,
    tangential: SIMD2<Float>, limits: SIMD2<Float>, count: Int, across: UnsafeMutablePointer<Float>,
    down: UnsafeMutablePointer<Float>
) {
    if hasWideVectors {
        KernelsV3.warpPlaces(
            first: first, step: step, radius: radius, centre: centre, radial: radial, tangential: tangential,
            limits: limits, count: count, across: across, down: down)
    } else {
        KernelsBaseline.warpPlaces(
            first: first, step: step, radius: radius, centre: centre, radial: radial, tangential: tangential,
            limits: limits, count: count, across: across, down: down)
    }
}

/// The same, with the ratios of distances in a table: from 0 to 1 at equal steps, beyond as at 1.
package func warpPlacesByTable(
    first: SIMD2<Float>, step: Float, radius: Float, centre: SIMD2<Float>, ratios: UnsafePointer<Float>, steps: Int,
    tangential: SIMD2<Float>, limits: SIMD2<Float>, count: Int, across: UnsafeMutablePointer<Float>,
    down: UnsafeMutablePointer<Float>
) {
    if hasWideVectors {
        KernelsV3.warpPlacesByTable(
            first: first, step: step, radius: radius, centre: centre, ratios: ratios, steps: steps,
            tangential: tangential, limits: limits, count: count, across: across, down: down)
    } else {
        KernelsBaseline.warpPlacesByTable(
            first: first, step: step, radius: radius, centre: centre, ratios: ratios, steps: steps,
            tangential: tangential, limits: limits, count: count, across: across, down: down)
    }
}

/// Reads one colour or three at places between pixels, by a cubic that passes through them, as light: what is above black,
/// scaled.
///
/// `line` is the first colour's part of the picture's first row; colours lie `planePitch` values apart and rows `pitch`, with 8
/// values of each end's own colour beyond it. Places are no farther outside than a pixel. Works on whole vectors.
package func readWarped(
    _ line: UnsafePointer<UInt16>, planePitch: Int, pitch: Int, width: Int, height: Int, across: UnsafePointer<Float>,
    down: UnsafePointer<Float>, black: Float, gains: SIMD3<Float>, planes: Int, count: Int,
    red: UnsafeMutablePointer<Float>, green: UnsafeMutablePointer<Float>, blue: UnsafeMutablePointer<Float>
) {
    if hasWideVectors {
        KernelsV3.readWarped(
            line, planePitch: planePitch, pitch: pitch, width: width, height: height, across: across, down: down,
            black: black, gains: gains, planes: planes, count: count, red: red, green: green, blue: blue)
    } else {
        KernelsBaseline.readWarped(
            line, planePitch: planePitch, pitch: pitch, width: width, height: height, across: across, down: down,
            black: black, gains: gains, planes: planes, count: count, red: red, green: green, blue: blue)
    }
}

/// Stores a row of light as whole numbers, those outside their range at its ends.
package func storePlane(
    _ light: UnsafePointer<Float>, scale: Float, pedestal: Float, count: Int, line: UnsafeMutablePointer<UInt16>
) {
    if hasWideVectors {
        KernelsV3.storePlane(light, scale: scale, pedestal: pedestal, count: count, line: line)
    } else {
        KernelsBaseline.storePlane(light, scale: scale, pedestal: pedestal, count: count, line: line)
    }
}
