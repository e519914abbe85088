// Parameters of the demosaic kernels: pointers to half rows of a mosaic, its even or its odd columns. Where a group has
// half rows of both kinds, their pointers are shifted so that equal indices are neighbouring columns.

/// A half row (the even or the odd columns of a mosaic row) and the half rows above and below it, at a distance of one
/// or of two rows.
@unsafe
package struct RowTriple {
    package let row: UnsafePointer<Float>
    package let above: UnsafePointer<Float>
    package let below: UnsafePointer<Float>

    /// Groups a half row, the one above and the one below.
    package init(_ row: UnsafePointer<Float>, above: UnsafePointer<Float>, below: UnsafePointer<Float>) {
        self.row = row
        self.above = above
        self.below = below
    }
}

/// The half rows (even or odd columns) above and below a mosaic row, without the row itself.
@unsafe
package struct RowPair {
    package let above: UnsafePointer<Float>
    package let below: UnsafePointer<Float>

    /// Groups the half rows above and below a row.
    package init(above: UnsafePointer<Float>, below: UnsafePointer<Float>) {
        self.above = above
        self.below = below
    }
}

/// A half row and its neighbours up to three pixels before and after along one direction. Along columns these are three
/// half rows above and three below; along a row they are the row's two half rows, shifted.
@unsafe
package struct LineNeighbours {
    package let centre: UnsafePointer<Float>
    package let before1: UnsafePointer<Float>
    package let before2: UnsafePointer<Float>
    package let before3: UnsafePointer<Float>
    package let after1: UnsafePointer<Float>
    package let after2: UnsafePointer<Float>
    package let after3: UnsafePointer<Float>

    /// Groups the half rows that `neighbour` returns for −3, the farthest before, to 3, the farthest after.
    package init(_ neighbour: (_ distance: Int) -> UnsafeMutablePointer<Float>) {
        centre = UnsafePointer(neighbour(0))
        (before1, before2) = (UnsafePointer(neighbour(-1)), UnsafePointer(neighbour(-2)))
        before3 = UnsafePointer(neighbour(-3))
        (after1, after2) = (UnsafePointer(neighbour(1)), UnsafePointer(neighbour(2)))
        after3 = UnsafePointer(neighbour(3))
    }

    /// Groups a half row's neighbours along the row; `beside[i]` and `beside[i + 1]` are the left and right neighbours
    /// of `line[i]`.
    package init(alongRow line: UnsafePointer<Float>, beside: UnsafePointer<Float>) {
        centre = line
        (before1, before2, before3) = (beside, line - 1, beside - 1)
        (after1, after2, after3) = (beside + 1, line + 1, beside + 2)
    }
}

/// Memory for the three colours of a half row. `own` is red or blue, whichever the row samples, and `opposite` the
/// other of the two, which the rows above and below sample.
@unsafe
package struct ColorRows {
    package let own: UnsafeMutablePointer<Float>
    package let green: UnsafeMutablePointer<Float>
    package let opposite: UnsafeMutablePointer<Float>

    /// Groups the memory for the three colours of a half row.
    package init(
        own: UnsafeMutablePointer<Float>, green: UnsafeMutablePointer<Float>, opposite: UnsafeMutablePointer<Float>
    ) {
        self.own = own
        self.green = green
        self.opposite = opposite
    }
}
