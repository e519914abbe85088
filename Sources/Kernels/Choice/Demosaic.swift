internal import KernelsBaseline
internal import KernelsV3

/// Turns a row of codes into roots of white-balanced light, cut at 1, as two half lines. Gives each one's highest code.
package func balanceRow(
    _ codes: UnsafePointer<UInt16>, cells: Int, even: UnsafeMutablePointer<Float>, odd: UnsafeMutablePointer<Float>,
    evenBlack: Float, oddBlack: Float, evenGain: Float, oddGain: Float, offset: Float
) -> (even: UInt16, odd: UInt16) {
    hasWideVectors
        ? KernelsV3.balanceRow(
            codes, cells: cells, even: even, odd: odd, evenBlack: evenBlack, oddBlack: oddBlack, evenGain: evenGain,
            oddGain: oddGain, offset: offset)
        : KernelsBaseline.balanceRow(
            codes, cells: cells, even: even, odd: odd, evenBlack: evenBlack, oddBlack: oddBlack, evenGain: evenGain,
            oddGain: oddGain, offset: offset)
}

/// What the light of every second code has above 1.
package func excessRow(
    _ codes: UnsafePointer<UInt16>, count: Int, black: Float, gain: Float, excess: UnsafeMutablePointer<Float>
) {
    hasWideVectors
        ? KernelsV3.excessRow(
            codes, count: count, black: black, gain: gain, excess: excess)
        : KernelsBaseline.excessRow(
            codes, count: count, black: black, gain: gain, excess: excess)
}

/// Adds to light the least of four neighbours' excess.
package func addLeastExcess(
    _ light: UnsafeMutablePointer<Float>, _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>,
    _ third: UnsafePointer<Float>, _ fourth: UnsafePointer<Float>, count: Int
) {
    hasWideVectors
        ? KernelsV3.addLeastExcess(
            light, first, second, third, fourth, count: count)
        : KernelsBaseline.addLeastExcess(
            light, first, second, third, fourth, count: count)
}

/// The light of a row's own pixels. Works on whole vectors of 8, as all kernels of the demosaic that follow.
package func finishOwn(
    root: UnsafePointer<Float>, green: UnsafePointer<Float>, opposite: UnsafePointer<Float>, offset: Float,
    own: UnsafeMutablePointer<Float>, ownGreen: UnsafeMutablePointer<Float>,
    ownOpposite: UnsafeMutablePointer<Float>, count: Int
) {
    hasWideVectors
        ? KernelsV3.finishOwn(
            root: root, green: green, opposite: opposite, offset: offset, own: own, ownGreen: ownGreen,
            ownOpposite: ownOpposite, count: count)
        : KernelsBaseline.finishOwn(
            root: root, green: green, opposite: opposite, offset: offset, own: own, ownGreen: ownGreen,
            ownOpposite: ownOpposite, count: count)
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
    hasWideVectors
        ? KernelsV3.finishGreen(
            green: green, own: own, opposite: opposite, ownAbove: ownAbove, oppositeAbove: oppositeAbove,
            ownBelow: ownBelow, oppositeBelow: oppositeBelow, across: across, acrossAbove: acrossAbove,
            acrossBelow: acrossBelow, offset: offset, greenOwn: greenOwn, greenLight: greenLight,
            greenOpposite: greenOpposite, count: count)
        : KernelsBaseline.finishGreen(
            green: green, own: own, opposite: opposite, ownAbove: ownAbove, oppositeAbove: oppositeAbove,
            ownBelow: ownBelow, oppositeBelow: oppositeBelow, across: across, acrossAbove: acrossAbove,
            acrossBelow: acrossBelow, offset: offset, greenOwn: greenOwn, greenLight: greenLight,
            greenOpposite: greenOpposite, count: count)
}

/// Writes every second pixel of a row of linear RGBA, from the half lines of its three colours.
package func storeLinear(
    _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>, count: Int,
    redScale: Float, greenScale: Float, blueScale: Float, pedestal: Float, to output: UnsafeMutableRawPointer
) {
    hasWideVectors
        ? KernelsV3.storeLinear(
            red, green, blue, count: count, redScale: redScale, greenScale: greenScale, blueScale: blueScale,
            pedestal: pedestal, to: output)
        : KernelsBaseline.storeLinear(
            red, green, blue, count: count, redScale: redScale, greenScale: greenScale, blueScale: blueScale,
            pedestal: pedestal, to: output)
}
