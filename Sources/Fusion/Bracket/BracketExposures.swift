internal import RawImage

/// The relative exposures of a bracket's frames, and the choice of the middle one.
struct BracketExposures: Sendable {
    /// The exposure of each frame, in arbitrary units common to the bracket.
    let exposure: [Double]

    /// Computes exposures from exposure time and ISO; if a frame lacks either, estimates all from the pictures.
    init(_ frames: [BracketFrame]) {
        let recorded = frames.map { $0.metadata.exposureTime * $0.metadata.iso }
        exposure = recorded.allSatisfy { $0 > 0 && $0.isFinite } ? recorded : Self.estimate(frames)
    }

    /// Returns the factor that scales signals of a frame to those of the reference.
    func gain(of frame: BracketFrame, to reference: BracketFrame) -> Double {
        exposure[reference.index] / exposure[frame.index] * reference.range / frame.range
    }

    /// Returns the index of the frame with the median exposure. Of an even number of frames it is the one of the two in
    /// the middle that has fewer clipped and dark pixels.
    func middle(of frames: [BracketFrame]) -> Int {
        let order = frames.indices.sorted { (exposure[$0], $0) < (exposure[$1], $1) }
        let (lower, upper) = (order[(order.count - 1) / 2], order[order.count / 2])
        guard exposure[lower] != exposure[upper] else { return lower }
        let (short, long) = (Self.sample(frames[lower]), Self.sample(frames[upper]))
        return Self.hidden(long) <= Self.hidden(short) ? upper : lower
    }

    /// Returns the number of signals (1 at white) below 1/256 or above 0.98, which are too dark or clipped.
    private static func hidden(_ signals: [Double]) -> Int { signals.count { $0 < 1.0 / 256 || $0 > 0.98 } }

    /// Returns the mean signals, sorted, of 60,000 to 240,000 evenly distributed quads (of all quads of a small
    /// picture), where 1 is white.
    private static func sample(_ frame: BracketFrame) -> [Double] {
        let format = frame.format
        let (rows, columns) = (format.height / 2, format.width / 2)
        let step = max(1, Int((Double(rows * columns) / 60_000).squareRoot()))
        var signals: [Double] = []
        for row in stride(from: 0, to: rows, by: step) {
            for column in stride(from: 0, to: columns, by: step) {
                let upper = 2 * row * format.stride + 2 * column
                let lower = upper + format.stride
                let sum =
                    Int(frame.codes[upper]) + Int(frame.codes[upper + 1]) + Int(frame.codes[lower])
                    + Int(frame.codes[lower + 1])
                signals.append((Double(sum) / 4 - frame.black) / frame.range)
            }
        }
        return signals.sorted()
    }

    /// Estimates exposures from brightness quantiles: the scene is nearly the same in all frames, so equal quantiles
    /// show the same scene brightness. From each frame to the next brighter one, the ratio is the median over quantiles
    /// that are well exposed in both.
    private static func estimate(_ frames: [BracketFrame]) -> [Double] {
        let samples = frames.map(sample)
        let order = frames.indices.sorted { sum(samples[$0]) < sum(samples[$1]) }
        var exposure = [Double](repeating: 1, count: frames.count)
        for (darker, brighter) in zip(order, order.dropFirst()) {
            let ratios = zip(samples[darker], samples[brighter])
                .filter { $0 > 0.01 && $1 < 0.85 }.map { $1 / $0 }.sorted()
            exposure[brighter] = exposure[darker] * (ratios.isEmpty ? 1 : max(ratios[ratios.count / 2], 1e-6))
        }
        return exposure
    }

    private static func sum(_ signals: [Double]) -> Double { signals.reduce(0, +) }
}
