internal import Synchronization

/// Where each pixel of a smaller picture gets its light from, along one axis.
///
/// A pixel gathers the samples under its own area, each spread over the distance to the next of its colour. So a
/// constant stays constant, detail that the smaller picture cannot show is averaged away, and as the samples of
/// the even and odd places of a mosaic weigh by where they truly are, its colours do not shift against each other.
struct ResampleAxis: Sendable {
    /// Cells that each output pixel gathers.
    let taps: Int
    /// The first cell of each output pixel.
    let starts: [Int32]
    /// For each tap and each output pixel, the weights of a cell's four values: those of even and of odd place, twice.
    /// The taps of a place add up to `unit`.
    let cellWeights: [UInt16]

    /// The sum of weights. A single one is a step less, since it is all that 16 bits hold.
    private static let unit = 65_536

    /// How many taps of a pixel weigh anything, in the mean.
    let meanTaps: Float

    /// What axes are made of.
    private struct Shape: Hashable {
        var length: Int
        var count: Int
        var isMosaic: Bool
    }

    /// The axes made last: frame after frame needs the same two.
    private static let made = Mutex<[Shape: ResampleAxis]>([:])

    /// An axis as `init` makes it, or made before.
    static func of(length: Int, count: Int, isMosaic: Bool) -> ResampleAxis {
        let shape = Shape(length: length, count: count, isMosaic: isMosaic)
        if let axis = made.withLock({ $0[shape] }) { return axis }
        let axis = ResampleAxis(length: length, count: count, isMosaic: isMosaic)
        made.withLock { made in
            if made.count >= 16 { made.removeAll() }
            made[shape] = axis
        }
        return axis
    }

    /// The weight of one of an output pixel's taps at a place of its cell.
    func weight(of pixel: Int, tap: Int, place: Int) -> UInt16 {
        cellWeights[4 * (tap * starts.count + pixel) + place]
    }

    /// An axis of `length` samples made `count` long. The samples of a mosaic alternate between two places of a cell;
    /// a cell of any other photo is one sample, which counts as both its places.
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
            for place in 0..<2 {
                let shares = area.shares(place: place % period, length: length, start: start, taps: taps)
                for (tap, weight) in Self.wholeWeights(shares).enumerated() {
                    weights[4 * (tap * count + pixel) + place] = weight
                    weights[4 * (tap * count + pixel) + place + 2] = weight
                }
            }
        }
        self.taps = taps
        self.starts = starts
        cellWeights = weights
        meanTaps = Float(weights.count { $0 > 0 }) / Float(4 * count)
    }

    /// Shares of 1 in whole numbers.
    private static func wholeWeights(_ shares: [Double]) -> [UInt16] {
        var (share, given) = (0.0, 0)
        return shares.map { part in
            // Rounding what was given so far, and not each weight, makes them add up.
            share += part
            let weight = Int((min(share, 1) * Double(unit)).rounded()) - given
            given += weight
            return UInt16(max(0, min(65_535, weight)))
        }
    }

    /// The stretch of the source that an output pixel covers: at least as wide as one sample's.
    private struct Area {
        private let centre: Double
        private let half: Double
        private let period: Double

        /// The first and last cell with a sample that reaches into the area.
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

        /// The shares of `taps` cells from `start` on in the area, for the samples at one place of a cell.
        func shares(place: Int, length: Int, start: Int, taps: Int) -> [Double] {
            let step = Int(period)
            // What falls outside the picture goes to the sample at its edge.
            let edge = (length - place + step - 1) / step - 1
            let tilt = tilt(place: place)
            var shares = [Double](repeating: 0, count: taps)
            for index in first...last {
                shares[max(0, min(edge, index)) - start] += share(of: index, place: place, tilt)
            }
            return shares
        }

        /// How much of the area belongs to the sample at one place of a cell, leant to one side.
        private func share(of cell: Int, place: Int, _ tilt: (slope: Double, scale: Double)) -> Double {
            let offset = offset(of: cell, place: place)
            let overlap = min(half, offset + period / 2) - max(-half, offset - period / 2)
            return max(0, overlap / (2 * half) * (1 + tilt.slope * offset) * tilt.scale)
        }

        /// The lean that brings the samples' common centre to the area's, so that slopes come out where they are, and
        /// the scale that keeps the sum of shares at 1.
        private func tilt(place: Int) -> (slope: Double, scale: Double) {
            var (centre, spread) = (0.0, 0.0)
            for cell in first...last {
                let offset = offset(of: cell, place: place)
                let share = share(of: cell, place: place, (0, 1))
                centre += share * offset
                spread += share * offset * offset
            }
            guard spread - centre * centre > 1e-6 else { return (0, 1) }
            let slope = -centre / spread
            return (slope, 1 / (1 + slope * centre))
        }

        private func offset(of cell: Int, place: Int) -> Double {
            Double(cell) * period + Double(place) + 0.5 - centre
        }
    }
}
