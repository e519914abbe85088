internal import RawImage

/// The pattern of a mosaic of red, green and blue of 2×4 or 4×2 pixels, which is no Bayer pattern, and its
/// interpolation to three samples a pixel.
struct LongPattern: Sendable, Hashable {
    let rows: Int
    let columns: Int
    /// The colour planes of the pattern at the picture's top left, row by row.
    let planes: [Int]

    /// Reads the pattern of a directory, whose origin is the active area; nil for others.
    init?(_ directory: TIFFDirectory, activeArea: PixelRectangle) {
        let (sides, colors) = (directory.integers(.cfaRepeatPatternDim), directory.integers(.cfaPattern))
        guard sides == [2, 4] || sides == [4, 2], colors.count == 8, Set(colors) == [0, 1, 2] else { return nil }
        let (rows, columns) = (sides[0], sides[1])
        (self.rows, self.columns) = (rows, columns)
        planes = (0..<8).map { index in
            let row = (index / columns - activeArea.top % rows + rows) % rows
            let column = (index % columns - activeArea.left % columns + columns) % columns
            return colors[row * columns + column]
        }
    }

    /// The colour plane of a pixel.
    func plane(row: Int, column: Int) -> Int { planes[row % rows * columns + column % columns] }

    /// A pixel near another one, and its weight in the mean of its colour.
    private struct Neighbor {
        let down: Int
        let across: Int
        let plane: Int
        let weight: Float
    }

    /// Returns the neighbours of a pixel up to the distance in which each quadrant has all colours. Their weights fall
    /// with the fourth power of the distance, so that the nearest ones count.
    private func neighbors(row: Int, column: Int) -> [Neighbor] {
        ((1 - rows)...(rows - 1)).flatMap { down in
            ((1 - columns)...(columns - 1)).compactMap { across -> Neighbor? in
                guard down != 0 || across != 0 else { return nil }
                let square = Float(down * down + across * across)
                let plane = plane(row: row + rows + down, column: column + columns + across)
                return Neighbor(down: down, across: across, plane: plane, weight: 1 / (square * square))
            }
        }
    }

    /// Returns red, green and blue of each pixel: its own code, and the weighted means of the codes of the other
    /// colours around it.
    func interpolated(_ codes: [UInt16], width: Int, height: Int) -> [UInt16] {
        let cells = (0..<8).map { neighbors(row: $0 / columns, column: $0 % columns) }
        return unsafe codes.withUnsafeBufferPointer { codes in
            unsafe [UInt16](
                large: width * height * 4,
                inRanges: { values, target in
                    guard let source = codes.baseAddress else { return }
                    // Ranges start and end at pixel boundaries, of four values each.
                    for pixel in values.lowerBound / 4..<values.upperBound / 4 {
                        let (row, column) = pixel.quotientAndRemainder(dividingBy: width)
                        let cell = row % rows * columns + column % columns
                        var (sums, weights) = (SIMD4<Float>(), SIMD4<Float>())
                        for neighbor in cells[cell] {
                            let (down, across) = (row + neighbor.down, column + neighbor.across)
                            guard down >= 0, down < height, across >= 0, across < width else { continue }
                            sums[neighbor.plane] += neighbor.weight * Float(unsafe source[down * width + across])
                            weights[neighbor.plane] += neighbor.weight
                        }
                        for plane in 0..<3 {
                            let mean = weights[plane] > 0 ? sums[plane] / weights[plane] : 0
                            unsafe target[pixel * 4 + plane] = UInt16(mean.rounded())
                        }
                        unsafe target[pixel * 4 + planes[cell]] = unsafe source[pixel]
                        unsafe target[pixel * 4 + 3] = .max
                    }
                })
        }
    }
}
