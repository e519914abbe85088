internal import KernelsBaseline
internal import KernelsV3

/// Turns a row of codes into white-balanced light, black 0 and white 1, cut at a limit, as two half lines.
package func balanceRow(
    _ codes: UnsafePointer<UInt16>, cells: Int, even: UnsafeMutablePointer<Float>, odd: UnsafeMutablePointer<Float>,
    evenBlack: Float, oddBlack: Float, evenGain: Float, oddGain: Float,
    limit: Float
) {
    if hasWideVectors {
        KernelsV3.balanceRow(
            codes, cells: cells, even: even, odd: odd, evenBlack: evenBlack, oddBlack: oddBlack, evenGain: evenGain,
            oddGain: oddGain, limit: limit)
    } else {
        KernelsBaseline.balanceRow(
            codes, cells: cells, even: even, odd: odd, evenBlack: evenBlack, oddBlack: oddBlack, evenGain: evenGain,
            oddGain: oddGain, limit: limit)
    }
}

/// Cuts light at 1 and keeps what lies above.
package func splitExcess(_ light: UnsafeMutablePointer<Float>, count: Int, excess: UnsafeMutablePointer<Float>) {
    if hasWideVectors {
        KernelsV3.splitExcess(light, count: count, excess: excess)
    } else {
        KernelsBaseline.splitExcess(light, count: count, excess: excess)
    }
}

/// Adds to light the least of four neighbours' excess.
package func addLeastExcess(
    _ light: UnsafePointer<Float>, _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>,
    _ third: UnsafePointer<Float>, _ fourth: UnsafePointer<Float>, count: Int, into sum: UnsafeMutablePointer<Float>
) {
    if hasWideVectors {
        KernelsV3.addLeastExcess(light, first, second, third, fourth, count: count, into: sum)
    } else {
        KernelsBaseline.addLeastExcess(light, first, second, third, fourth, count: count, into: sum)
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
    if hasWideVectors {
        KernelsV3.interpolateGreen(
            own: own, beside: beside, above: above, below: below, farAbove: farAbove, farBelow: farBelow, green: green,
            difference: difference, count: count, flatness: flatness)
    } else {
        KernelsBaseline.interpolateGreen(
            own: own, beside: beside, above: above, below: below, farAbove: farAbove, farBelow: farBelow, green: green,
            difference: difference, count: count, flatness: flatness)
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
    if hasWideVectors {
        KernelsV3.interpolateChroma(
            estimatedGreen: estimatedGreen, knownGreen: knownGreen, ownBeside: ownBeside, otherAbove: otherAbove,
            otherBelow: otherBelow, diagonalAbove: diagonalAbove, diagonalBelow: diagonalBelow, ownAtGreen: ownAtGreen,
            otherAtGreen: otherAtGreen, otherAtOwn: otherAtOwn, count: count)
    } else {
        KernelsBaseline.interpolateChroma(
            estimatedGreen: estimatedGreen, knownGreen: knownGreen, ownBeside: ownBeside, otherAbove: otherAbove,
            otherBelow: otherBelow, diagonalAbove: diagonalAbove, diagonalBelow: diagonalBelow, ownAtGreen: ownAtGreen,
            otherAtGreen: otherAtGreen, otherAtOwn: otherAtOwn, count: count)
    }
}

/// Writes every second pixel of a row of linear RGBA, from the half lines of its three colours.
package func storeLinear(
    _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>, count: Int,
    redScale: Float, greenScale: Float, blueScale: Float, pedestal: Float, to output: UnsafeMutableRawPointer
) {
    if hasWideVectors {
        KernelsV3.storeLinear(
            red, green, blue, count: count, redScale: redScale, greenScale: greenScale, blueScale: blueScale,
            pedestal: pedestal, to: output)
    } else {
        KernelsBaseline.storeLinear(
            red, green, blue, count: count, redScale: redScale, greenScale: greenScale, blueScale: blueScale,
            pedestal: pedestal, to: output)
    }
}
