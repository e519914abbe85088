internal import KernelsBaseline
internal import KernelsV3

/// Moves a row of colours. `shifts` has at each place the shift of hue in sixths of the circle, and the factors of
/// saturation and value: for each value each hue, for each hue each saturation. `valueScale` takes values to the map's,
/// whose place is found by `encode`, a table of steps, when there is one; `decode` leads back.
package func moveColors(
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    shifts: UnsafePointer<Float>, hues: Int, saturations: Int, values: Int, valueScale: Float,
    encode: UnsafePointer<Float>?, decode: UnsafePointer<Float>?, count: Int
) {
    if hasWideVectors {
        KernelsV3.moveColors(
            red, green, blue, shifts: shifts, hues: hues, saturations: saturations, values: values,
            valueScale: valueScale, encode: encode, decode: decode, count: count)
    } else {
        KernelsBaseline.moveColors(
            red, green, blue, shifts: shifts, hues: hues, saturations: saturations, values: values,
            valueScale: valueScale, encode: encode, decode: decode, count: count)
    }
}
