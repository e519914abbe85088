internal import Glibc
package import RawImage

/// Estimates of the camera neutral from a photo: from a grey area, or from the whole scene.
package enum NeutralEstimate {
    /// The approximate number of cells to read at most: in a larger area, cells at even distances are read.
    private static let mostCells = 400_000
    /// Cells with a channel above this fraction of white are skipped as clipped.
    private static let clipping = 0.95

    /// Returns the mean camera colour of an area of a mosaic, such as a grey card, scaled to a maximum of 1; nil if all
    /// of it is clipped or dark.
    package static func mean(of mosaic: Mosaic, in area: PixelRectangle) -> SIMD3<Double>? {
        neutral(Cells(mosaic), area, power: 1)
    }

    /// Returns the mean camera colour of an area of a linear image, scaled to a maximum of 1; nil if all of it is
    /// clipped or dark.
    package static func mean(of photo: LinearImage, in area: PixelRectangle) -> SIMD3<Double>? {
        neutral(Cells(photo), area, power: 1)
    }

    /// Estimates the camera colour of a mosaic's illuminant, scaled to a maximum of 1, by the shades-of-grey method
    /// with Minkowski norm 5, in which bright areas count most; nil if all of it is clipped or dark.
    package static func illuminant(of mosaic: Mosaic) -> SIMD3<Double>? {
        neutral(Cells(mosaic), nil, power: 5)
    }

    /// Estimates the camera colour of a linear image's illuminant, scaled to a maximum of 1, by the shades-of-grey
    /// method; nil if all of it is clipped or dark.
    package static func illuminant(of photo: LinearImage) -> SIMD3<Double>? {
        neutral(Cells(photo), nil, power: 5)
    }

    private static func neutral(_ cells: Cells, _ area: PixelRectangle?, power: Double) -> SIMD3<Double>? {
        let (columns, rows) = cells.range(of: area)
        let step = max(1, Int((Double(columns.count * rows.count) / Double(mostCells)).squareRoot().rounded(.up)))
        var (sums, count) = (SIMD3<Double>.zero, 0)
        for row in stride(from: rows.lowerBound, to: rows.upperBound, by: step) {
            for column in stride(from: columns.lowerBound, to: columns.upperBound, by: step) {
                let color = cells.color(column, row)
                guard color.max() < clipping, color.min() > 0 else { continue }
                sums += power == 1 ? color : SIMD3(pow(color.x, power), pow(color.y, power), pow(color.z, power))
                count += 1
            }
        }
        guard count > 0, sums.min() > 0 else { return nil }
        let means = sums / Double(count)
        let roots =
            power == 1 ? means : SIMD3(pow(means.x, 1 / power), pow(means.y, 1 / power), pow(means.z, 1 / power))
        return roots / roots.max()
    }

    /// A raw image as RGB cells: 2×2 pixels of a mosaic, or one pixel of a linear image.
    private struct Cells {
        let color: (_ column: Int, _ row: Int) -> SIMD3<Double>
        private let size: (columns: Int, rows: Int)
        private let period: Int

        init(_ mosaic: Mosaic) {
            let (format, codes) = (mosaic.format, mosaic.codes)
            let levels = Levels(mosaic.metadata)
            let planes = format.pattern.planes
            period = 2
            size = (format.width / 2, format.height / 2)
            color = { column, row in
                var (sums, counts) = (SIMD3<Double>.zero, SIMD3<Double>.zero)
                for position in 0..<4 {
                    let (x, y): (Int, Int) = (2 * column + position % 2, 2 * row + position / 2)
                    let code: UInt16 = codes[y * format.stride + x]
                    sums[planes[position]] += levels.linear(code, position)
                    counts[planes[position]] += 1
                }
                return sums / counts
            }
        }

        init(_ photo: LinearImage) {
            let (format, values) = (photo.format, photo.values)
            let levels = Levels(photo.metadata)
            period = 1
            size = (format.width, format.height)
            color = { column, row in
                let start = row * format.stride + column * LinearFormat.channels
                return SIMD3(
                    levels.linear(values[start], 0), levels.linear(values[start + 1], 0),
                    levels.linear(values[start + 2], 0))
            }
        }

        /// Returns the cells that an area covers, clipped to the image.
        func range(of area: PixelRectangle?) -> (columns: Range<Int>, rows: Range<Int>) {
            guard let area else { return (0..<size.columns, 0..<size.rows) }
            func cells(_ start: Int, _ length: Int, _ count: Int) -> Range<Int> {
                let first = min(max(start / period, 0), count)
                let last = min(max((start + length + period - 1) / period, first), count)
                return first..<last
            }
            return (cells(area.left, area.width, size.columns), cells(area.top, area.height, size.rows))
        }
    }

    /// Conversion of codes to linear values: 0 at black level, 1 at white level.
    private struct Levels {
        private let blacks: [Double]
        private let white: Double

        init(_ metadata: FrameMetadata) {
            blacks = metadata.blackLevel
            white = metadata.whiteLevel
        }

        func linear(_ code: UInt16, _ index: Int) -> Double {
            (Double(code) - blacks[index]) / (white - blacks[index])
        }
    }
}
