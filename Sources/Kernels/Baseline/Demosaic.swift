package import KernelTypes

// Kernels that convert codes to the input of the demosaic and its output to linear values. A row is stored as two half
// rows, its even and its odd columns, so that every vector lane does the same work. "Own" colour is a row's red or
// blue, "own" pixels are those that sample it; the other of red and blue, sampled only in the rows above and below, is
// "opposite".
//
// The demosaic works on square roots of linear values: there noise is alike in shadows and highlights, and errors count
// as they are perceived. An offset is added before the root so that values slightly below black survive.

/// Converts a row of codes to two half rows (even and odd columns) of square roots: of the white-balanced linear value,
/// limited to 1, plus `offset`. Returns the highest code of each half row.
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

/// Computes by how much the linear value of every second code exceeds 1; 0 where it does not.
package func excessRow(
    _ codes: UnsafePointer<UInt16>, count: Int, black: Float, gain: Float, excess: UnsafeMutablePointer<Float>
) {
    for i in 0..<count { excess[i] = max((Float(codes[2 &* i]) - black) * gain - 1, 0) }
}

/// Adds to each linear value the smallest of four neighbouring samples' excesses (by how much they are above 1).
package func addLeastExcess(
    _ values: UnsafeMutablePointer<Float>, _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>,
    _ third: UnsafePointer<Float>, _ fourth: UnsafePointer<Float>, count: Int
) {
    for i in 0..<count {
        values[i] += min(min(first[i], second[i]), min(third[i], fourth[i]))
    }
}

/// Computes linear red, green and blue at a row's own pixels (those with a red or a blue sample) from square roots: of
/// the sample, of the green estimate, and the opposite colour (the other of red and blue) as a difference from green.
/// Works on whole vectors of 8 values, into the rows' padding.
package func linearizeOwn(
    root: UnsafePointer<Float>, green: UnsafePointer<Float>, opposite: UnsafePointer<Float>, offset: Float,
    result: ColorRows, count: Int
) {
    let (own, ownGreen, ownOpposite) = (result.own, result.green, result.opposite)
    for i in stride(from: 0, to: count, by: 8) {
        let estimate = load8(green + i)
        store8(linear(load8(root + i), offset), own + i)
        store8(linear(estimate, offset), ownGreen + i)
        store8(linear(estimate + load8(opposite + i), offset), ownOpposite + i)
    }
}

/// Computes linear red, green and blue at a row's green pixels. The row's own colour (red or blue) and the opposite one
/// are interpolated from their differences to green at the four neighbours, weighting rows against columns by the mean
/// of `across`, the weight of the row direction.
///
/// `own.row[i]` and `own.row[i + 1]` are the differences left and right of `green[i]`, and likewise for `opposite` and
/// `across`. Own colour in the rows above and below is this row's opposite colour. Works on whole vectors of 8 values,
/// into the rows' padding.
package func linearizeGreen(
    green: UnsafePointer<Float>, own: RowTriple, opposite: RowTriple, across: RowTriple, offset: Float,
    result: ColorRows, count: Int
) {
    let (ownHere, ownAbove, ownBelow) = (own.row, own.above, own.below)
    let (oppositeHere, oppositeAbove, oppositeBelow) = (opposite.row, opposite.above, opposite.below)
    let (acrossHere, acrossAbove, acrossBelow) = (across.row, across.above, across.below)
    let (greenOwn, greenLinear, greenOpposite) = (result.own, result.green, result.opposite)
    for i in stride(from: 0, to: count, by: 8) {
        let root = load8(green + i)
        let weight =
            (load8(acrossHere + i) + load8(acrossHere + i + 1) + load8(acrossAbove + i) + load8(acrossBelow + i)) * 0.25
        let ownAcross = load8(ownHere + i) + load8(ownHere + i + 1)
        let ownDown = load8(oppositeAbove + i) + load8(oppositeBelow + i)
        let oppositeAcross = load8(oppositeHere + i) + load8(oppositeHere + i + 1)
        let oppositeDown = load8(ownAbove + i) + load8(ownBelow + i)
        store8(linear(root + (ownDown + (ownAcross - ownDown) * weight) * 0.5, offset), greenOwn + i)
        store8(linear(root, offset), greenLinear + i)
        store8(
            linear(root + (oppositeDown + (oppositeAcross - oppositeDown) * weight) * 0.5, offset), greenOpposite + i)
    }
}

/// Returns the linear values of eight square roots, root² − `offset`; a negative root counts as 0.
@inline(__always)
private func linear(_ root: SIMD8<Float>, _ offset: Float) -> SIMD8<Float> {
    let inRange = notNegative(root)
    return inRange * inRange - offset
}

/// Stores three half rows of linear values as every second pixel of a row of 16-bit RGBA codes: value times scale plus
/// `pedestal`, rounded; alpha is 65535.
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

/// Returns the nearest whole number, limited to the 16-bit codes 0…65535.
@inline(__always)
private func roundedCode(_ value: Float) -> UInt32 {
    // Adding 2²³ leaves no mantissa bits for a fraction, which rounds: the low bits of the sum hold the whole number.
    let inRange = max(0, min(65_535, value))
    return (inRange + 8_388_608).bitPattern & 0x7F_FFFF
}
