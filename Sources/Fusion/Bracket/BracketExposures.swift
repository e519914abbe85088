internal import RawImage

/// How long the exposures of a bracket are against each other, and which is its middle.
struct BracketExposures: Sendable {
    /// The light that a frame gathered, on a scale of the bracket's own.
    let light: [Double]

    /// From what the frames tell; where one does not, from the pictures.
    init(_ frames: [BracketFrame]) {
        let told = frames.map { $0.metadata.exposureTime * $0.metadata.iso }
        light = told.allSatisfy { $0 > 0 && $0.isFinite } ? told : Self.estimate(frames)
    }

    /// What signals of a frame are to be multiplied with to be those of the reference.
    func gain(of frame: BracketFrame, to reference: BracketFrame) -> Double {
        light[reference.index] / light[frame.index] * reference.range / frame.range
    }

    /// The frame of middle exposure; of two, the one that shows more.
    func middle(of frames: [BracketFrame]) -> Int {
        let order = frames.indices.sorted { (light[$0], $0) < (light[$1], $1) }
        let (lower, upper) = (order[(order.count - 1) / 2], order[order.count / 2])
        guard light[lower] != light[upper] else { return lower }
        let (short, long) = (Self.sample(frames[lower]), Self.sample(frames[upper]))
        return Self.hidden(long) <= Self.hidden(short) ? upper : lower
    }

    /// How many of sorted signals are clipped or lost in the dark.
    private static func hidden(_ signals: [Double]) -> Int { signals.count { $0 < 1.0 / 256 || $0 > 0.98 } }

    /// Some mean signals of quads, 1 for white, sorted.
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

    /// The scene is nearly the same in all frames, so the same share of it is darker than the same light: from frame to
    /// frame in order of brightness, the median ratio of quantiles that both frames show well.
    private static func estimate(_ frames: [BracketFrame]) -> [Double] {
        let samples = frames.map(sample)
        let order = frames.indices.sorted { sum(samples[$0]) < sum(samples[$1]) }
        var light = [Double](repeating: 1, count: frames.count)
        for (darker, brighter) in zip(order, order.dropFirst()) {
            let ratios = zip(samples[darker], samples[brighter])
                .filter { $0 > 0.01 && $1 < 0.85 }.map { $1 / $0 }.sorted()
            light[brighter] = light[darker] * (ratios.isEmpty ? 1 : max(ratios[ratios.count / 2], 1e-6))
        }
        return light
    }

    private static func sum(_ signals: [Double]) -> Double { signals.reduce(0, +) }
}
