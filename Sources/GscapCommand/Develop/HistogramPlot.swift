internal import Develop
internal import RawImage

/// Draws a histogram as a picture of three overlapping bar charts in red, green and blue, which add up to white;
/// vertical lines mark whole stops.
enum HistogramPlot {
    /// The width of a histogram bin in pixels.
    private static let fieldWidth = 5
    private static let height = 300
    private static let margin = 10

    /// Returns the plot of a histogram, in sRGB.
    static func picture(_ histogram: Histogram) throws(GscapError) -> Picture {
        let fields = Histogram.fieldCount
        let (width, fullHeight) = (fields * fieldWidth + 2 * margin, height + 2 * margin)
        // Bars are as high as the square roots of the counts, so that small counts are visible beside large ones. This
        // is the largest square root.
        let most = Double(histogram.counts.flatMap(\.self).max() ?? 1).squareRoot()
        let heights = histogram.counts.map { counts in
            counts.map { Int((Double($0).squareRoot() / max(most, 1) * Double(height)).rounded()) }
        }
        var bytes = [UInt8](repeating: 24, count: width * fullHeight * Picture.channels)
        for row in 0..<height {
            for column in 0..<fields * fieldWidth {
                let (field, pixel) = (column / fieldWidth, (row + margin) * width + column + margin)
                for channel in 0..<Picture.channels {
                    let isFilled = height - row <= heights[channel][field]
                    bytes[pixel * Picture.channels + channel] = isFilled ? 225 : line(column)
                }
            }
        }
        return try Picture(width: width, height: fullHeight, color: .sRGB, samples: .bytes(bytes))
    }

    /// Returns the background value 0…255 of a column of the plot: brighter at whole stops, brightest at 0 EV, which is
    /// diffuse white.
    private static func line(_ column: Int) -> UInt8 {
        let stopWidth = Histogram.fieldsOfStop * fieldWidth
        guard column % stopWidth == 0 else { return 36 }
        return column / stopWidth == -Histogram.stops.lowerBound ? 150 : 72
    }
}
