// Light into and out of the demosaic. A row is held as two half lines, its even and its odd columns, so that every lane
// of a vector does the same work. The pixels that have red or blue are called "own", and their row's colour likewise;
// the other of red and blue, met only in the rows above and below, is "opposite".
//
// In between, light is held as its root: there noise is alike in shadow and light, and errors count as the eye sees
// them. An offset before the root is taken keeps what lies a little below black.

/// Turns a row of codes into roots of white-balanced light, cut at 1, as two half lines. Gives each one's highest code.
package func balanceRow(
    _ codes: UnsafePointer<UInt16>, cells: Int, even: UnsafeMutablePointer<Float>, odd: UnsafeMutablePointer<Float>,
    evenBlack: Float, oddBlack: Float, evenGain: Float, oddGain: Float, offset: Float
) -> (even: UInt16, odd: UInt16) {
    var highest: (even: UInt16, odd: UInt16) = (0, 0)
    for cell in 0..<cells {
        let (first, second) = (codes[2 &* cell], codes[2 &* cell &+ 1])
        highest = (max(highest.even, first), max(highest.odd, second))
        even[cell] = max(min((Float(first) - evenBlack) * evenGain, 1) + offset, 0).squareRoot()
        odd[cell] = max(min((Float(second) - oddBlack) * oddGain, 1) + offset, 0).squareRoot()
    }
    return highest
}

/// What the light of every second code has above 1.
package func excessRow(
    _ codes: UnsafePointer<UInt16>, count: Int, black: Float, gain: Float, excess: UnsafeMutablePointer<Float>
) {
    for i in 0..<count { excess[i] = max((Float(codes[2 &* i]) - black) * gain - 1, 0) }
}

/// Adds to light the least of four neighbours' excess.
package func addLeastExcess(
    _ light: UnsafeMutablePointer<Float>, _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>,
    _ third: UnsafePointer<Float>, _ fourth: UnsafePointer<Float>, count: Int
) {
    for i in 0..<count {
        light[i] += min(min(first[i], second[i]), min(third[i], fourth[i]))
    }
}

/// The light of a row's own pixels. Works on whole vectors of 8, as all kernels of the demosaic that follow.
package func finishOwn(
    root: UnsafePointer<Float>, green: UnsafePointer<Float>, opposite: UnsafePointer<Float>, offset: Float,
    own: UnsafeMutablePointer<Float>, ownGreen: UnsafeMutablePointer<Float>,
    ownOpposite: UnsafeMutablePointer<Float>, count: Int
) {
    for i in stride(from: 0, to: count, by: 8) {
        let estimate = load8(green + i)
        store8(light(load8(root + i), offset), own + i)
        store8(light(estimate, offset), ownGreen + i)
        store8(light(estimate + load8(opposite + i), offset), ownOpposite + i)
    }
}

/// The light of a row's green pixels: own and opposite colour from their differences to green on all four sides, mixed
/// by the share that changes least along rows.
///
/// `own[i]` and `own[i + 1]` are the differences left and right of `green[i]`, and `opposite` and `across` likewise;
/// those above and below are of the rows there, whose own colour is this row's opposite one.
package func finishGreen(
    green: UnsafePointer<Float>, own: UnsafePointer<Float>, opposite: UnsafePointer<Float>,
    ownAbove: UnsafePointer<Float>, oppositeAbove: UnsafePointer<Float>, ownBelow: UnsafePointer<Float>,
    oppositeBelow: UnsafePointer<Float>, across: UnsafePointer<Float>, acrossAbove: UnsafePointer<Float>,
    acrossBelow: UnsafePointer<Float>, offset: Float, greenOwn: UnsafeMutablePointer<Float>,
    greenLight: UnsafeMutablePointer<Float>, greenOpposite: UnsafeMutablePointer<Float>, count: Int
) {
    for i in stride(from: 0, to: count, by: 8) {
        let root = load8(green + i)
        let share =
            (load8(across + i) + load8(across + i + 1) + load8(acrossAbove + i) + load8(acrossBelow + i)) * 0.25
        let ownAcross = load8(own + i) + load8(own + i + 1)
        let ownDown = load8(oppositeAbove + i) + load8(oppositeBelow + i)
        let oppositeAcross = load8(opposite + i) + load8(opposite + i + 1)
        let oppositeDown = load8(ownAbove + i) + load8(ownBelow + i)
        store8(light(root + (ownDown + (ownAcross - ownDown) * share) * 0.5, offset), greenOwn + i)
        store8(light(root, offset), greenLight + i)
        store8(light(root + (oppositeDown + (oppositeAcross - oppositeDown) * share) * 0.5, offset), greenOpposite + i)
    }
}

@inline(__always)
private func light(_ root: SIMD8<Float>, _ offset: Float) -> SIMD8<Float> {
    let inRange = notNegative(root)
    return inRange * inRange - offset
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
