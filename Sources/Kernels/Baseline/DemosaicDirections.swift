package import KernelTypes

// Kernels that estimate along which direction a picture changes least. The neighbours to the left and right of
// `line[i]` are `beside[i]` and `beside[i + 1]` of the other half row; diagonal neighbours are found likewise.

/// Computes the squares of a high-pass filter at each pixel of a half row, along its row (`across`) and its column
/// (`down`).
package func detail(
    column: LineNeighbours, beside: UnsafePointer<Float>, across: UnsafeMutablePointer<Float>,
    down: UnsafeMutablePointer<Float>, count: Int
) {
    let (line, above1, above2, above3) = (column.centre, column.before1, column.before2, column.before3)
    let (below1, below2, below3) = (column.after1, column.after2, column.after3)
    for i in stride(from: 0, to: count, by: 8) {
        let centre = load8(line + i) * 6
        let rowNear = load8(beside + i) + load8(beside + i + 1)
        let rowMiddle = load8(line + i - 1) + load8(line + i + 1)
        let rowFar = load8(beside + i - 1) + load8(beside + i + 2)
        let columnNear = load8(above1 + i) + load8(below1 + i)
        let columnMiddle = load8(above2 + i) + load8(below2 + i)
        let columnFar = load8(above3 + i) + load8(below3 + i)
        let row = centre - rowNear - rowMiddle * 3 + rowFar
        let column = centre - columnNear - columnMiddle * 3 + columnFar
        store8(row * row, across + i)
        store8(column * column, down + i)
    }
}

/// Computes, at a row's own pixels (those with a red or a blue sample), the squares of a high-pass filter along both
/// diagonals, and the local mean of all colours.
///
/// `falling` runs down to the right, `rising` up to the right. Rows an odd distance away hold opposite-colour samples
/// on the diagonals; `greens` are the green samples to the left and right of the own pixels, and those above and below
/// them.
package func diagonalHighPass(
    rows: LineNeighbours, greens: RowTriple, falling: UnsafeMutablePointer<Float>,
    rising: UnsafeMutablePointer<Float>, mean: UnsafeMutablePointer<Float>, count: Int
) {
    let (line, above1, above2, above3) = (rows.centre, rows.before1, rows.before2, rows.before3)
    let (below1, below2, below3) = (rows.after1, rows.after2, rows.after3)
    let (greenBeside, greenAbove, greenBelow) = (greens.row, greens.above, greens.below)
    for i in stride(from: 0, to: count, by: 8) {
        let own = load8(line + i)
        let centre = own * 6
        let fallingNear = load8(above1 + i) + load8(below1 + i + 1)
        let fallingMiddle = load8(above2 + i - 1) + load8(below2 + i + 1)
        let fallingFar = load8(above3 + i - 1) + load8(below3 + i + 2)
        let risingNear = load8(above1 + i + 1) + load8(below1 + i)
        let risingMiddle = load8(above2 + i + 1) + load8(below2 + i - 1)
        let risingFar = load8(above3 + i + 2) + load8(below3 + i - 1)
        let down = centre - fallingNear - fallingMiddle * 3 + fallingFar
        let up = centre - risingNear - risingMiddle * 3 + risingFar
        store8(down * down, falling + i)
        store8(up * up, rising + i)
        let beside: SIMD8<Float> = load8(greenBeside + i) + load8(greenBeside + i + 1)
        let sides: SIMD8<Float> = beside + load8(greenAbove + i) + load8(greenBelow + i)
        let corners: SIMD8<Float> = fallingNear + risingNear
        let weighted: SIMD8<Float> = own * 0.25 + sides * 0.125 + corners * 0.0625
        store8(weighted, mean + i)
    }
}

/// Computes direction weights at a row's own pixels (those with a red or a blue sample): `across` is near 1 where the
/// picture changes least along the row and near 0 where it changes least along the column; `rising` is near 1 for the
/// rising diagonal and near 0 for the falling one.
///
/// The high-pass energies of a pixel and its two neighbours along the same direction are added: `acrossBeside` has
/// those of the pixels to the left and right. Energy below `noise` is not significant: both directions then get similar
/// weights.
package func directions(
    energyAcross: UnsafePointer<Float>, acrossBeside: UnsafePointer<Float>, energyDown: RowTriple,
    energyFalling: RowTriple, energyRising: RowTriple, noise: Float, across: UnsafeMutablePointer<Float>,
    rising: UnsafeMutablePointer<Float>, count: Int
) {
    let (downHere, downAbove, downBelow) = (energyDown.row, energyDown.above, energyDown.below)
    let (fallingHere, fallingAbove, fallingBelow) = (energyFalling.row, energyFalling.above, energyFalling.below)
    let (risingHere, risingAbove, risingBelow) = (energyRising.row, energyRising.above, energyRising.below)
    for i in stride(from: 0, to: count, by: 8) {
        let besideRow: SIMD8<Float> = load8(acrossBeside + i) + load8(acrossBeside + i + 1)
        let besideColumn: SIMD8<Float> = load8(downAbove + i) + load8(downBelow + i)
        let besideDown: SIMD8<Float> = load8(fallingAbove + i) + load8(fallingBelow + i + 1)
        let besideUp: SIMD8<Float> = load8(risingAbove + i + 1) + load8(risingBelow + i)
        let row: SIMD8<Float> = load8(energyAcross + i) + besideRow + noise
        let column: SIMD8<Float> = load8(downHere + i) + besideColumn + noise
        let down: SIMD8<Float> = load8(fallingHere + i) + besideDown + noise
        let up: SIMD8<Float> = load8(risingHere + i) + besideUp + noise
        store8(column / (row + column), across + i)
        store8(down / (down + up), rising + i)
    }
}
