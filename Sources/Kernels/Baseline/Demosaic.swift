// Kernels of the demosaic. A row is held as two half lines, its even and its odd columns, so that every lane of a
// vector does the same work. Where a half line holds red or blue it is called "own" and its colour likewise; the
// other of red and blue, met only in the rows above and below, is "other".

/// Turns a row of codes into white-balanced light, black 0 and white 1, cut at a limit, as two half lines.
package func balanceRow(
    _ codes: UnsafePointer<UInt16>, cells: Int, even: UnsafeMutablePointer<Float>, odd: UnsafeMutablePointer<Float>,
    evenBlack: Float, oddBlack: Float, evenGain: Float, oddGain: Float,
    limit: Float
) {
    for cell in 0..<cells {
        even[cell] = min((Float(codes[2 &* cell]) - evenBlack) * evenGain, limit)
        odd[cell] = min((Float(codes[2 &* cell &+ 1]) - oddBlack) * oddGain, limit)
    }
}

/// Cuts light at 1 and keeps what lies above.
package func splitExcess(_ light: UnsafeMutablePointer<Float>, count: Int, excess: UnsafeMutablePointer<Float>) {
    for i in 0..<count {
        let whole = light[i]
        let cut = min(whole, 1)
        light[i] = cut
        excess[i] = whole - cut
    }
}

/// Adds to light the least of four neighbours' excess.
package func addLeastExcess(
    _ light: UnsafePointer<Float>, _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>,
    _ third: UnsafePointer<Float>, _ fourth: UnsafePointer<Float>, count: Int, into sum: UnsafeMutablePointer<Float>
) {
    for i in 0..<count {
        sum[i] = light[i] + min(min(first[i], second[i]), min(third[i], fourth[i]))
    }
}

/// Estimates green where a row has its own colour, and the own colour's difference from it.
///
/// Horizontal and vertical estimates are mixed by how little the picture changes along each. Works on whole vectors
/// of 8: lines must be padded. `beside[i]` and `beside[i + 1]` are the greens left and right of `own[i]`.
package func interpolateGreen(
    own: UnsafePointer<Float>, beside: UnsafePointer<Float>, above: UnsafePointer<Float>, below: UnsafePointer<Float>,
    farAbove: UnsafePointer<Float>, farBelow: UnsafePointer<Float>, green: UnsafeMutablePointer<Float>,
    difference: UnsafeMutablePointer<Float>, count: Int, flatness: Float
) {
    var i = 0
    while i < count {
        let centre = load8(own + i)
        let left = load8(beside + i)
        let right = load8(beside + i + 1)
        let top = load8(above + i)
        let bottom = load8(below + i)
        let twice = centre + centre
        let bendAcross = twice - load8(own + i - 1) - load8(own + i + 1)
        let bendDown = twice - load8(farAbove + i) - load8(farBelow + i)
        let stepAcross = left - right
        let stepDown = top - bottom
        let across = (left + right) * 0.5 + bendAcross * 0.25
        let down = (top + bottom) * 0.5 + bendDown * 0.25
        let changeAcross = stepAcross * stepAcross + bendAcross * bendAcross + flatness
        let changeDown = stepDown * stepDown + bendDown * bendDown + flatness
        let estimate = (across * changeDown + down * changeAcross) / (changeAcross + changeDown)
        store8(estimate, green + i)
        store8(centre - estimate, difference + i)
        i &+= 8
    }
}

/// Completes a row: the own colour at its greens, and the other colour everywhere, from differences to green.
///
/// Works on whole vectors of 8. `ownBeside[i]` and `[i + 1]` are the own differences left and right of `knownGreen[i]`;
/// `diagonalAbove` and `diagonalBelow` likewise the other differences around `estimatedGreen[i]`; `otherAbove[i]` and
/// `otherBelow[i]` are the other differences over and under `knownGreen[i]`.
package func interpolateChroma(
    estimatedGreen: UnsafePointer<Float>, knownGreen: UnsafePointer<Float>, ownBeside: UnsafePointer<Float>,
    otherAbove: UnsafePointer<Float>, otherBelow: UnsafePointer<Float>, diagonalAbove: UnsafePointer<Float>,
    diagonalBelow: UnsafePointer<Float>, ownAtGreen: UnsafeMutablePointer<Float>,
    otherAtGreen: UnsafeMutablePointer<Float>, otherAtOwn: UnsafeMutablePointer<Float>, count: Int
) {
    var i = 0
    while i < count {
        let green = load8(knownGreen + i)
        store8(green + (load8(ownBeside + i) + load8(ownBeside + i + 1)) * 0.5, ownAtGreen + i)
        store8(green + (load8(otherAbove + i) + load8(otherBelow + i)) * 0.5, otherAtGreen + i)
        let diagonals =
            load8(diagonalAbove + i) + load8(diagonalAbove + i + 1) + load8(diagonalBelow + i)
            + load8(diagonalBelow + i + 1)
        store8(load8(estimatedGreen + i) + diagonals * 0.25, otherAtOwn + i)
        i &+= 8
    }
}

/// Writes every second pixel of a row of linear RGBA, from the half lines of its three colours.
package func storeLinear(
    _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>, count: Int,
    redScale: Float, greenScale: Float, blueScale: Float, pedestal: Float, to output: UnsafeMutableRawPointer
) {
    for i in 0..<count {
        let r = UInt64(roundedCode(red[i] * redScale + pedestal))
        let g = UInt64(roundedCode(green[i] * greenScale + pedestal))
        let b = UInt64(roundedCode(blue[i] * blueScale + pedestal))
        let pixel = r | g << 16 | b << 32 | 0xFFFF << 48
        output.storeBytes(of: pixel, toByteOffset: i &* 16, as: UInt64.self)
    }
}

/// The nearest code of 16 bits.
@inline(__always)
private func roundedCode(_ value: Float) -> UInt32 {
    // 2²³ moves the fraction out of the mantissa, which rounds; what is left in its low bits is the whole number.
    let inRange = max(0, min(65_535, value))
    return (inRange + 8_388_608).bitPattern & 0x7F_FFFF
}

@inline(__always)
private func load8(_ values: UnsafePointer<Float>) -> SIMD8<Float> {
    UnsafeRawPointer(values).loadUnaligned(as: SIMD8<Float>.self)
}

@inline(__always)
private func store8(_ vector: SIMD8<Float>, _ values: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(values).storeBytes(of: vector, as: SIMD8<Float>.self)
}
