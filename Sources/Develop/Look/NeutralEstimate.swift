internal import Glibc
package import RawImage

/// The camera's response to what is grey in a photo, or taken for it.
package enum NeutralEstimate {
    /// Colours that are looked at, at most.
    private static let most = 400_000
    /// Lighter than this share of white is clipped, or nearly.
    private static let clipping = 0.95

    /// The mean colour of a part of a mosaic, such as a grey card; nil when all is clipped or dark.
    package static func mean(of mosaic: Mosaic, in area: PixelRectangle) -> SIMD3<Double>? {
        neutral(Cells(mosaic), area, power: 1)
    }

    /// The mean colour of a part of a linear photo.
    package static func mean(of photo: LinearImage, in area: PixelRectangle) -> SIMD3<Double>? {
        neutral(Cells(photo), area, power: 1)
    }

    /// The colour of the light: what the scene would be on the whole if it were grey, with bright things counting most.
    package static func light(of mosaic: Mosaic) -> SIMD3<Double>? {
        neutral(Cells(mosaic), nil, power: 5)
    }

    /// The colour of the light in a linear photo.
    package static func light(of photo: LinearImage) -> SIMD3<Double>? {
        neutral(Cells(photo), nil, power: 5)
    }

    private static func neutral(_ cells: Cells, _ area: PixelRectangle?, power: Double) -> SIMD3<Double>? {
        let (columns, rows) = cells.range(of: area)
        let step = max(1, Int((Double(columns.count * rows.count) / Double(most)).squareRoot().rounded(.up)))
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

    /// A photo as cells of one colour each: 2×2 pixels of a mosaic, or one pixel.
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
                for place in 0..<4 {
                    let code = codes[(2 * row + place / 2) * format.stride + 2 * column + place % 2]
                    sums[planes[place]] += levels.light(code, place)
                    counts[planes[place]] += 1
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
                    levels.light(values[start], 0), levels.light(values[start + 1], 0),
                    levels.light(values[start + 2], 0))
            }
        }

        /// The cells in an area, as far as the photo reaches.
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

    /// From codes to light, 0…1.
    private struct Levels {
        private let blacks: [Double]
        private let white: Double

        init(_ metadata: FrameMetadata) {
            blacks = metadata.blackLevel
            white = metadata.whiteLevel
        }

        func light(_ code: UInt16, _ place: Int) -> Double {
            (Double(code) - blacks[place]) / (white - blacks[place])
        }
    }
}
