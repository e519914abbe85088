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
    /// `taps` pairs for each output pixel: the weights of the even and of the odd place of a cell. Each place's add
    /// up to 1.
    let weights: [SIMD2<Float>]

    /// An axis of `length` samples made `count` long. The samples of a mosaic alternate between two places of a cell;
    /// a cell of any other photo is one sample, which counts as both its places.
    init(length: Int, count: Int, isMosaic: Bool) {
        let period = isMosaic ? 2 : 1
        let cells = (length + period - 1) / period
        let areas = (0..<count).map { pixel in
            Area(pixel: pixel, ratio: Double(length) / Double(count), period: period)
        }
        let taps = min(cells, areas.reduce(1) { max($0, $1.last - $1.first + 1) })
        var starts = [Int32](repeating: 0, count: count)
        var weights = [SIMD2<Float>](repeating: SIMD2(), count: count * taps)
        for (pixel, area) in areas.enumerated() {
            let start = max(0, min(cells - taps, area.first))
            starts[pixel] = Int32(start)
            for place in 0..<period {
                // What falls outside the picture goes to the sample at its edge.
                let edge = (length - place + period - 1) / period - 1
                let tilt = area.tilt(place: place)
                for index in area.first...area.last {
                    let tap = max(0, min(edge, index)) - start
                    weights[pixel * taps + tap][place] += Float(area.share(of: index, place: place, tilt))
                }
            }
            if !isMosaic { for tap in pixel * taps..<(pixel + 1) * taps { weights[tap].y = weights[tap].x } }
        }
        self.taps = taps
        self.starts = starts
        self.weights = weights
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

        /// How much of the area belongs to the sample at one place of a cell, leant to one side.
        func share(of cell: Int, place: Int, _ tilt: (slope: Double, scale: Double)) -> Double {
            let offset = offset(of: cell, place: place)
            let overlap = min(half, offset + period / 2) - max(-half, offset - period / 2)
            return max(0, overlap / (2 * half) * (1 + tilt.slope * offset) * tilt.scale)
        }

        /// The lean that brings the samples' common centre to the area's, so that slopes come out where they are, and
        /// the scale that keeps the sum of shares at 1.
        func tilt(place: Int) -> (slope: Double, scale: Double) {
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
