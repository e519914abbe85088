internal import Demosaic
internal import RawImage

/// Which of the first frames the others are aligned with.
enum ReferenceChoice {
    /// The first frame shows the moment that was meant: another must be this much sharper to replace it.
    private static let margin = 1.1
    /// Frames are compared in so many rows and columns of fields: one lamp that comes into view is no sharpness.
    private static let fields = 10
    /// So many rows of quads say enough.
    private static let rowsEnough = 384

    /// The place of the sharpest frame: that with the most energy in its gradients, beyond that of noise.
    static func sharpest(of frames: [Mosaic]) -> Int {
        guard frames.count > 1 else { return 0 }
        let energies = frames.map(sharpness)
        var best = (index: 0, ratio: margin)
        for index in energies.indices.dropFirst() {
            let ratio = ratio(energies[index], energies[0])
            if ratio > best.ratio { best = (index, ratio) }
        }
        return best.index
    }

    /// How many times the energy of the first's fields another's have, in the middle of those that show most.
    private static func ratio(_ other: [Double], _ first: [Double]) -> Double {
        let pairs = zip(other, first).filter { $0 > 0 && $1 > 0 }.sorted { $0.0 + $0.1 > $1.0 + $1.1 }
        let ratios = pairs.prefix((pairs.count + 1) / 2).map { $0.0 / $0.1 }.sorted()
        return ratios.isEmpty ? 1 : ratios[ratios.count / 2]
    }

    /// The mean squares of the steps between neighbouring quads in each field, in light relative to white and exposure,
    /// less what noise makes.
    private static func sharpness(_ frame: Mosaic) -> [Double] {
        let format = frame.format
        let (columns, rows) = (format.width / 2, format.height / 2)
        guard columns >= 2, rows >= 2 else { return [] }
        var sums = [Sums](repeating: Sums(), count: fields * fields)
        for row in stride(from: 0, to: rows - 1, by: max(1, rows / rowsEnough)) {
            let first = row * fields / rows * fields
            var last = quad(frame, 0, row)
            for column in 1..<columns {
                let here = quad(frame, column, row)
                let (across, down) = (here - last, quad(frame, column, row + 1) - here)
                sums[first + column * fields / columns].add(energy: across * across + down * down, light: here)
                last = here
            }
        }
        let black = frame.metadata.blackLevel.reduce(0, +)
        let range = 4 * frame.metadata.whiteLevel - black
        let noise = CodeNoise.mean(frame.metadata)
        let exposure = frame.metadata.exposureTime * frame.metadata.iso
        return sums.map { sum in
            guard sum.count > 0 else { return 0 }
            let mean = (sum.light / sum.count - black) / range
            // A step has the noise of two quads, and a quad a quarter of that of a pixel; there are two steps.
            let energy = sum.energy / sum.count / (range * range) - noise.variance(at: mean)
            return energy / (exposure > 0 ? exposure * exposure : 1)
        }
    }

    /// What is summed up in a field.
    private struct Sums {
        private(set) var energy = 0.0
        private(set) var light = 0.0
        private(set) var count = 0.0

        mutating func add(energy: Float, light: Float) {
            self.energy += Double(energy)
            self.light += Double(light)
            count += 1
        }
    }

    private static func quad(_ frame: Mosaic, _ column: Int, _ row: Int) -> Float {
        let place = 2 * row * frame.format.stride + 2 * column
        let below = place + frame.format.stride
        let upper = Int(frame.codes[place]) + Int(frame.codes[place + 1])
        return Float(upper + Int(frame.codes[below]) + Int(frame.codes[below + 1]))
    }
}
