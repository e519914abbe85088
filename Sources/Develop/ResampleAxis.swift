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
        let ratio = Double(length) / Double(count)
        let reach = (max(ratio, Double(period)) + Double(period)) / 2
        let taps = min(cells, (Int(2 * reach) + period - 1) / period + 1)
        var starts = [Int32](repeating: 0, count: count)
        var weights = [SIMD2<Float>](repeating: SIMD2(), count: count * taps)
        for pixel in 0..<count {
            let centre = (Double(pixel) + 0.5) * ratio
            let first = Int(((centre - reach - 0.5 - Double(period - 1)) / Double(period)).rounded(.down)) + 1
            let start = max(0, min(cells - taps, first))
            starts[pixel] = Int32(start)
            for place in 0..<period {
                Self.spread(
                    centre: centre, reach: reach, place: place, period: period, length: length, start: start
                ) { tap, share in weights[pixel * taps + tap][place] += Float(share) }
            }
            if !isMosaic { for tap in pixel * taps..<(pixel + 1) * taps { weights[tap].y = weights[tap].x } }
        }
        self.taps = taps
        self.starts = starts
        self.weights = weights
    }

    /// Gives each sample of one place its share of an output pixel; what falls outside the picture goes to the edge.
    private static func spread(
        centre: Double, reach: Double, place: Int, period: Int, length: Int, start: Int,
        _ give: (_ tap: Int, _ share: Double) -> Void
    ) {
        let width = Double(period)
        let samples = (length - place + period - 1) / period
        let area = reach - width / 2
        let first = Int(((centre - reach - 0.5 - Double(place)) / width).rounded(.down)) + 1
        let last = Int(((centre + reach - 0.5 - Double(place)) / width).rounded(.up)) - 1
        for index in first...max(first, last) {
            let middle = Double(index * period + place) + 0.5
            let overlap = min(centre + area, middle + width / 2) - max(centre - area, middle - width / 2)
            let inside = max(0, min(samples - 1, index))
            if overlap > 0 { give(inside - start, overlap / (2 * area)) }
        }
    }
}
