package import RawImage

/// The repeating cell of a mosaic's colour filter array, as DNG describes it.
package struct ColorCell: Sendable {
    /// The rows and columns of the cell: 2 or 6.
    let side: Int
    /// The colour of each position by rows (CFAPattern): 0 red, 1 green, 2 blue, 3 cyan, 4 magenta, 5 yellow, 6 white.
    let colors: [Int]
    /// The colours in the order of the planes of colour matrices (CFAPlaneColor).
    let planeColors: [Int]

    /// Creates the cell of a Bayer mosaic.
    package init(_ pattern: BayerPattern) {
        (side, colors, planeColors) = (2, pattern.planes, [0, 1, 2])
    }

    /// Creates the cell of an X-Trans mosaic.
    package init(_ pattern: XTransPattern) {
        (side, colors, planeColors) = (6, pattern.planes, [0, 1, 2])
    }

    /// Creates the 2×2 cell of four colours from the plane of each position; `colors` are those of the planes.
    package init(planes: [Int], of colors: [Int]) {
        (side, self.colors, planeColors) = (2, planes.map { colors[$0] }, colors)
    }

    /// Whether the cell has red, green and blue only.
    var isRGB: Bool { planeColors.count == 3 }
}
