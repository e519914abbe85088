// Kernels that apply a DNG hue/saturation/value table (ProfileHueSatMap, ProfileLookTable).

/// Applies a hue/saturation/value table to a row of colours, with trilinear interpolation. Each entry of `shifts` has a
/// hue shift in sixths of the circle and factors of saturation and value; value divisions vary slowest, then hue, then
/// saturation.
///
/// `valueScale` scales values to the table's 0…1. `encode`, if present, is a curve table applied to the value before
/// lookup, and `decode` its inverse.
package func applyHueSatMap(
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    shifts: UnsafePointer<Float>, hues: Int, saturations: Int, values: Int, valueScale: Float,
    encode: UnsafePointer<Float>?, decode: UnsafePointer<Float>?, count: Int
) {
    for i in 0..<count {
        let (r, g, b) = (nonNegative(red[i]), nonNegative(green[i]), nonNegative(blue[i]))
        let value = r > g ? (r > b ? r : b) : (g > b ? g : b)
        let least = r < g ? (r < b ? r : b) : (g < b ? g : b)
        let range = value - least
        // Colours that are black, NaN or infinite stay unchanged.
        if !(value > 0 && value < 1e30) { continue }
        var hue: Float = 0
        if range > 0 {
            if value == r {
                hue = (g - b) / range
            } else if value == g {
                hue = 2 + (b - r) / range
            } else {
                hue = 4 + (r - g) / range
            }
            if hue < 0 { hue += 6 }
        }
        let saturation = range / value
        var mapped = value * valueScale
        if let encode { mapped = curveValue(encode, mapped) }
        var shift: (Float, Float, Float) = (0, 0, 0)
        let (v, vFraction) = split(mapped < 1 ? mapped : 1, values - 1, values)
        let (h, hFraction) = split(hue * (1.0 / 6), hues, hues)
        let (s, sFraction) = split(saturation < 1 ? saturation : 1, saturations - 1, saturations)
        let nextHue = h + 1 < hues ? h + 1 : 0
        for corner in 0..<8 {
            let vAt = corner & 4 == 0 || v + 1 >= values ? v : v + 1
            let hAt = corner & 2 == 0 ? h : nextHue
            let sAt = corner & 1 == 0 || s + 1 >= saturations ? s : s + 1
            let weight =
                (corner & 4 == 0 ? 1 - vFraction : vFraction) * (corner & 2 == 0 ? 1 - hFraction : hFraction)
                * (corner & 1 == 0 ? 1 - sFraction : sFraction)
            let entry = shifts + 3 &* ((vAt &* hues &+ hAt) &* saturations &+ sAt)
            shift.0 += entry[0] * weight
            shift.1 += entry[1] * weight
            shift.2 += entry[2] * weight
        }
        var mappedValue = value * shift.2
        if let encode, let decode {
            let target = curveValue(encode, value * valueScale) * shift.2
            mappedValue = curveValue(decode, target < 1 ? target : 1) / valueScale
        }
        let mappedSaturation = saturation * shift.1
        let mappedHue = (hue + shift.0) * (1.0 / 6)
        let color = color(
            mappedHue - mappedHue.rounded(.down), mappedSaturation < 1 ? mappedSaturation : 1, mappedValue)
        (red[i], green[i], blue[i]) = color
    }
}

/// Returns the value, or 0 where it is negative or NaN.
@inline(__always)
private func nonNegative(_ value: Float) -> Float { value > 0 ? value : 0 }

/// Looks up a linear value, limited to 0…1, in a curve table each of whose entries is a value and the difference to the
/// next entry's value.
@inline(__always)
private func curveValue(_ steps: UnsafePointer<Float>, _ linear: Float) -> Float {
    let bits = ((linear > 0 ? (linear < 1 ? linear : 1) : 0) + 0x1p-8).bitPattern
    let fraction = Float(Int32(truncatingIfNeeded: bits & 0x7FFF)) * 0x1p-15
    let entry = steps + 2 &* Int((bits &>> 15) &- (0x3B80_0000 >> 15))
    return entry[0] + entry[1] * fraction
}

/// Splits a position 0…1 in a table into the index of the entry at or below it and the fraction of the way to the next
/// entry.
@inline(__always)
private func split(_ position: Float, _ steps: Int, _ count: Int) -> (Int, Float) {
    let scaled = position * Float(Int32(truncatingIfNeeded: steps))
    let whole = Int((scaled.rounded(.down) + 12_582_912).bitPattern & 0x3F_FFFF)
    let index = whole < count ? whole : count - 1
    return (index, scaled - Float(Int32(truncatingIfNeeded: index)))
}

/// Converts HSV to RGB; hue is a fraction 0…1 of the circle.
@inline(__always)
private func color(_ hue: Float, _ saturation: Float, _ value: Float) -> (Float, Float, Float) {
    let sixth = hue * 6
    let fraction = sixth - sixth.rounded(.down)
    let least = value * (1 - saturation)
    let (falling, rising) = (value * (1 - saturation * fraction), value * (1 - saturation * (1 - fraction)))
    if sixth < 1 { return (value, rising, least) }
    if sixth < 2 { return (falling, value, least) }
    if sixth < 3 { return (least, value, rising) }
    if sixth < 4 { return (least, falling, value) }
    if sixth < 5 { return (rising, least, value) }
    if sixth < 6 { return (value, least, falling) }
    return (value, least, least)
}
