internal import RawImage

/// Which of the first frames the others are aligned with.
enum ReferenceChoice {
    /// The first frame shows the moment that was meant: another must be this much sharper to replace it.
    private static let margin = 1.1
    /// Of so many rows of quads one is looked at where a picture is large; small ones have too few to leave any out.
    private static let rowStep = 8
    /// Rows that are enough.
    private static let enoughRows = 192

    /// The place of the sharpest frame: that with the most energy in its gradients, beyond that of noise.
    static func sharpest(of frames: [Mosaic]) -> Int {
        guard frames.count > 1 else { return 0 }
        let energies = frames.map(sharpness)
        var best = 0
        for index in energies.indices where energies[index] > margin * max(energies[0], 0) {
            if energies[index] > energies[best] { best = index }
        }
        return best
    }

    /// The mean square of the steps between neighbouring quads, in light relative to white and exposure, less what noise makes.
    private static func sharpness(_ frame: Mosaic) -> Double {
        let format = frame.format
        let (columns, rows) = (format.width / 2, format.height / 2)
        guard columns >= 2, rows >= 2 else { return 0 }
        var (energy, light, count) = (0.0, 0.0, 0)
        let step = (rows / enoughRows).clamped(to: 1...rowStep)
        for row in stride(from: 0, to: rows - 1, by: step) {
            var last = quad(frame, 0, row)
            for column in 1..<columns {
                let here = quad(frame, column, row)
                let (across, down) = (here - last, quad(frame, column, row + 1) - here)
                energy += Double(across * across + down * down)
                light += Double(here)
                last = here
            }
            count += columns - 1
        }
        let black = frame.metadata.blackLevel.reduce(0, +)
        let range = 4 * frame.metadata.whiteLevel - black
        let mean = (light / Double(count) - black) / range
        let noise = CodeNoise.mean(frame.metadata).variance(at: mean)
        let exposure = frame.metadata.exposureTime * frame.metadata.iso
        // A step has the noise of two quads, and a quad a quarter of that of a pixel; there are two steps.
        return (energy / Double(count) / (range * range) - noise) / (exposure > 0 ? exposure * exposure : 1)
    }

    private static func quad(_ frame: Mosaic, _ column: Int, _ row: Int) -> Float {
        let place = 2 * row * frame.format.stride + 2 * column
        let below = place + frame.format.stride
        let upper = Int(frame.codes[place]) + Int(frame.codes[place + 1])
        return Float(upper + Int(frame.codes[below]) + Int(frame.codes[below + 1]))
    }
}
