// Colours moved by a map of hue, saturation and value.

/// Moves a row of colours. `shifts` has at each place the shift of hue in sixths of the circle, and the factors of
/// saturation and value: for each value each hue, for each hue each saturation. `valueScale` takes values to the map's,
/// whose place is found by `encode`, a table of steps, when there is one; `decode` leads back.
package func moveColors(
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    shifts: UnsafePointer<Float>, hues: Int, saturations: Int, values: Int, valueScale: Float,
    encode: UnsafePointer<Float>?, decode: UnsafePointer<Float>?, count: Int
) {
    for i in 0..<count {
        let (r, g, b) = (notBelow(red[i]), notBelow(green[i]), notBelow(blue[i]))
        let value = r > g ? (r > b ? r : b) : (g > b ? g : b)
        let least = r < g ? (r < b ? r : b) : (g < b ? g : b)
        let range = value - least
        // What is no number, or endless, stays as it is.
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
        if let encode { mapped = step(encode, mapped) }
        var shift: (Float, Float, Float) = (0, 0, 0)
        let (v, vShare) = split(mapped < 1 ? mapped : 1, values - 1, values)
        let (h, hShare) = split(hue * (1.0 / 6), hues, hues)
        let (s, sShare) = split(saturation < 1 ? saturation : 1, saturations - 1, saturations)
        let nextHue = h + 1 < hues ? h + 1 : 0
        for corner in 0..<8 {
            let vAt = corner & 4 == 0 || v + 1 >= values ? v : v + 1
            let hAt = corner & 2 == 0 ? h : nextHue
            let sAt = corner & 1 == 0 || s + 1 >= saturations ? s : s + 1
            let weight =
                (corner & 4 == 0 ? 1 - vShare : vShare) * (corner & 2 == 0 ? 1 - hShare : hShare)
                * (corner & 1 == 0 ? 1 - sShare : sShare)
            let entry = shifts + 3 &* ((vAt &* hues &+ hAt) &* saturations &+ sAt)
            shift.0 += entry[0] * weight
            shift.1 += entry[1] * weight
            shift.2 += entry[2] * weight
        }
        var moved = value * shift.2
        if let encode, let decode {
            let target = step(encode, value * valueScale) * shift.2
            moved = step(decode, target < 1 ? target : 1) / valueScale
        }
        let full = saturation * shift.1
        let turned = (hue + shift.0) * (1.0 / 6)
        let color = color(turned - turned.rounded(.down), full < 1 ? full : 1, moved)
        (red[i], green[i], blue[i]) = color
    }
}

@inline(__always)
private func notBelow(_ value: Float) -> Float { value > 0 ? value : 0 }

/// The value of a table of steps.
@inline(__always)
private func step(_ steps: UnsafePointer<Float>, _ light: Float) -> Float {
    let bits = ((light > 0 ? (light < 1 ? light : 1) : 0) + 0x1p-8).bitPattern
    let share = Float(Int32(truncatingIfNeeded: bits & 0x7FFF)) * 0x1p-15
    let entry = steps + 2 &* Int((bits &>> 15) &- (0x3B80_0000 >> 15))
    return entry[0] + entry[1] * share
}

/// A place from 0 to 1 among entries.
@inline(__always)
private func split(_ place: Float, _ steps: Int, _ count: Int) -> (Int, Float) {
    let scaled = place * Float(Int32(truncatingIfNeeded: steps))
    let whole = Int((scaled.rounded(.down) + 12_582_912).bitPattern & 0x3F_FFFF)
    let index = whole < count ? whole : count - 1
    return (index, scaled - Float(Int32(truncatingIfNeeded: index)))
}

/// The colour of a hue as a share of the circle, a saturation and a value.
@inline(__always)
private func color(_ hue: Float, _ saturation: Float, _ value: Float) -> (Float, Float, Float) {
    let sixth = hue * 6
    let share = sixth - sixth.rounded(.down)
    let least = value * (1 - saturation)
    let (falling, rising) = (value * (1 - saturation * share), value * (1 - saturation * (1 - share)))
    if sixth < 1 { return (value, rising, least) }
    if sixth < 2 { return (falling, value, least) }
    if sixth < 3 { return (least, value, rising) }
    if sixth < 4 { return (least, falling, value) }
    if sixth < 5 { return (rising, least, value) }
    if sixth < 6 { return (value, least, falling) }
    return (value, least, least)
}
