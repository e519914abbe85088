internal import Synchronization

/// Scaling weights along one axis.
///
/// Each output pixel is the weighted mean of the samples under its area, where a sample extends to the next sample of
/// the same colour. In an enlargement the area is one sample wide. The weights preserve constants and suppress
/// aliasing. Because the samples at even and odd positions of a mosaic are weighted by their true positions, the
/// colours do not shift against each other.
struct ResampleAxis: Sendable {
    /// The number of consecutive cells that are read for each output pixel; some of them may have weight 0.
    let taps: Int
    /// The number of the first cell that is read for each output pixel.
    let starts: [Int32]
    /// The weights of a cell's four samples for each tap and output pixel: the even and odd position, twice. The
    /// weights of one position add up to `unit` over the taps.
    let cellWeights: [UInt16]

    /// The sum of an output pixel's weights for one sample position. A weight has 16 bits, so if a single tap has all
    /// the weight, the sum is 65,535 instead.
    private static let unit = 65_536

    /// The mean number of taps with a weight above 0 per output pixel. Each such tap truncates its product, which loses
    /// half a code on average; `CellMatrix` compensates for the loss.
    let meanTaps: Float

    /// The parameters that determine an axis, used as the cache key.
    private struct Shape: Hashable {
        var length: Int
        var count: Int
        var isMosaic: Bool
    }

    /// The axis cache: consecutive preview frames use the same two axes.
    private static let cache = Mutex<[Shape: ResampleAxis]>([:])

    /// Returns a cached axis or computes it.
    static func of(length: Int, count: Int, isMosaic: Bool) -> ResampleAxis {
        let shape = Shape(length: length, count: count, isMosaic: isMosaic)
        if let axis = cache.withLock({ $0[shape] }) { return axis }
        let axis = ResampleAxis(length: length, count: count, isMosaic: isMosaic)
        cache.withLock { axes in
            if axes.count >= 16 { axes.removeAll() }
            axes[shape] = axis
        }
        return axis
    }

    /// Returns the weight of the sample at position `position` of a cell, for one tap of an output pixel.
    func weight(of pixel: Int, tap: Int, position: Int) -> UInt16 {
        cellWeights[4 * (tap * starts.count + pixel) + position]
    }

    /// Creates an axis that scales `length` samples to `count` pixels. A mosaic's cell has two samples, at even
    /// and odd positions; otherwise a cell is one sample that counts for both positions.
    private init(length: Int, count: Int, isMosaic: Bool) {
        let period = isMosaic ? 2 : 1
        let cells = (length + period - 1) / period
        let areas = (0..<count).map { pixel in
            Area(pixel: pixel, ratio: Double(length) / Double(count), period: period)
        }
        let taps = min(cells, areas.reduce(1) { max($0, $1.last - $1.first + 1) })
        var starts = [Int32](repeating: 0, count: count)
        var weights = [UInt16](repeating: 0, count: 4 * count * taps)
        for (pixel, area) in areas.enumerated() {
            let start = max(0, min(cells - taps, area.first))
            starts[pixel] = Int32(start)
            for position in 0..<2 {
                let fractions = area.fractions(position: position % period, length: length, start: start, taps: taps)
                for (tap, weight) in Self.wholeWeights(fractions).enumerated() {
                    weights[4 * (tap * count + pixel) + position] = weight
                    weights[4 * (tap * count + pixel) + position + 2] = weight
                }
            }
        }
        self.taps = taps
        self.starts = starts
        cellWeights = weights
        meanTaps = Float(weights.count { $0 > 0 }) / Float(4 * count)
    }

    /// Converts fractions that add up to 1 to 16-bit integer weights that add up to `unit` (65,535 for a single
    /// fraction of 1).
    private static func wholeWeights(_ fractions: [Double]) -> [UInt16] {
        var (sum, assigned) = (0.0, 0)
        return fractions.map { fraction in
            // Rounding the cumulative sum, rather than each weight, preserves the total.
            sum += fraction
            let weight = Int((min(sum, 1) * Double(unit)).rounded()) - assigned
            assigned += weight
            return UInt16(max(0, min(65_535, weight)))
        }
    }

    /// The interval of source samples that an output pixel covers, at least one sample period wide.
    private struct Area {
        private let centre: Double
        private let half: Double
        private let period: Double

        /// The first and last cell with a sample that extends into the interval.
        let first: Int
        let last: Int

        init(pixel: Int, ratio: Double, period: Int) {
            self.period = Double(period)
            centre = (Double(pixel) + 0.5) * ratio
            half = max(ratio, self.period) / 2
            let reach = half + self.period / 2
            first = Int(((centre - reach - self.period + 0.5) / self.period).rounded(.down)) + 1
            last = max(first, Int(((centre + reach - 0.5) / self.period).rounded(.up)) - 1)
        }

        /// Returns the fractions of the interval covered by `taps` cells from `start` on, for the samples at one
        /// position in the cell.
        func fractions(position: Int, length: Int, start: Int, taps: Int) -> [Double] {
            let step = Int(period)
            // Coverage outside the picture is added to the edge sample.
            let edge = (length - position + step - 1) / step - 1
            let tilt = tilt(position: position)
            var fractions = [Double](repeating: 0, count: taps)
            for index in first...last {
                fractions[max(0, min(edge, index)) - start] += fraction(of: index, position: position, tilt)
            }
            return fractions
        }

        /// Returns the fraction of the interval that one sample covers, weighted by `tilt`.
        private func fraction(of cell: Int, position: Int, _ tilt: (slope: Double, scale: Double)) -> Double {
            let offset = offset(of: cell, position: position)
            let overlap = min(half, offset + period / 2) - max(-half, offset - period / 2)
            return max(0, overlap / (2 * half) * (1 + tilt.slope * offset) * tilt.scale)
        }

        /// Returns a linear weighting that moves the centroid of the samples to the centre of the interval, so that
        /// gradients are reproduced exactly, and a scale that keeps the sum of fractions at 1.
        private func tilt(position: Int) -> (slope: Double, scale: Double) {
            var (centre, spread) = (0.0, 0.0)
            for cell in first...last {
                let offset = offset(of: cell, position: position)
                let fraction = self.fraction(of: cell, position: position, (0, 1))
                centre += fraction * offset
                spread += fraction * offset * offset
            }
            guard spread - centre * centre > 1e-6 else { return (0, 1) }
            let slope = -centre / spread
            return (slope, 1 / (1 + slope * centre))
        }

        private func offset(of cell: Int, position: Int) -> Double {
            Double(cell) * period + Double(position) + 0.5 - centre
        }
    }
}
