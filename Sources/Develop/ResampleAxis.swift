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
                for index in area.first...area.last {
                    let tap = max(0, min(edge, index)) - start
                    weights[pixel * taps + tap][place] += Float(area.share(of: index, place: place))
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

        /// How much of the area belongs to the sample at one place of a cell.
        func share(of cell: Int, place: Int) -> Double {
            let middle = Double(cell) * period + Double(place) + 0.5
            let overlap = min(centre + half, middle + period / 2) - max(centre - half, middle - period / 2)
            return max(0, overlap / (2 * half))
        }
    }
}
