internal import Demosaic
internal import PixelMemory
internal import RawImage

/// Chooses the reference frame among the first frames of a burst.
enum ReferenceChoice {
    /// The ratio of sharpness to the first frame that a later frame must exceed to become the reference: the first
    /// frame is preferred because it shows the moment of the press.
    private static let margin = 1.1
    /// Sharpness is compared in a grid of 10×10 fields, so that a lamp entering the frame does not count as sharpness
    /// everywhere.
    private static let fields = 10
    /// The least number of quad rows that are sampled, where the picture has that many; about twice as many at most.
    private static let rowsEnough = 384

    /// Returns the index of the sharpest frame, the one with the most gradient energy beyond noise; the first unless
    /// another is clearly sharper.
    static func sharpest(of frames: ArraySlice<Mosaic>, cores: Int?) -> Int {
        guard frames.count > 1 else { return 0 }
        var energies = [[Double]](repeating: [], count: frames.count)
        energies.withMutableView { energies in
            // Each frame is measured on a core.
            concurrently(frames.count, cores: cores) { energies[$0] = sharpness(frames[frames.startIndex + $0]) }
        }
        var best = (index: 0, ratio: margin)
        for index in energies.indices.dropFirst() {
            let ratio = ratio(energies[index], energies[0])
            if ratio > best.ratio { best = (index, ratio) }
        }
        return best.index
    }

    /// Returns the median ratio of gradient energy of another frame to the first, over the half of the fields with the
    /// most energy.
    private static func ratio(_ other: [Double], _ first: [Double]) -> Double {
        let pairs = zip(other, first).filter { $0 > 0 && $1 > 0 }.sorted { $0.0 + $0.1 > $1.0 + $1.1 }
        let ratios = pairs.prefix((pairs.count + 1) / 2).map { $0.0 / $0.1 }.sorted()
        return ratios.isEmpty ? 1 : ratios[ratios.count / 2]
    }

    /// Returns for each field the mean squared gradient of neighbouring quads, relative to white and exposure, less the
    /// part that is noise.
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
                sums[first + column * fields / columns].add(energy: across * across + down * down, brightness: here)
                last = here
            }
        }
        let black = frame.metadata.blackLevel.reduce(0, +)
        let range = 4 * frame.metadata.whiteLevel - black
        let noise = CodeNoise.mean(frame.metadata)
        let exposure = frame.metadata.exposureTime * frame.metadata.iso
        return sums.map { sum in
            guard sum.count > 0 else { return 0 }
            let mean = (sum.brightness / sum.count - black) / range
            // The variance of a quad is a quarter of a pixel's, a gradient has that of two quads, and two gradients are
            // summed: together the noise variance of one pixel is subtracted.
            let energy = sum.energy / sum.count / (range * range) - noise.variance(at: mean)
            return energy / (exposure > 0 ? exposure * exposure : 1)
        }
    }

    /// The accumulated gradient energy and brightness of a field.
    private struct Sums {
        private(set) var energy = 0.0
        private(set) var brightness = 0.0
        private(set) var count = 0.0

        mutating func add(energy: Float, brightness: Float) {
            self.energy += Double(energy)
            self.brightness += Double(brightness)
            count += 1
        }
    }

    private static func quad(_ frame: Mosaic, _ column: Int, _ row: Int) -> Float {
        let position = 2 * row * frame.format.stride + 2 * column
        let below = position + frame.format.stride
        let upper = Int(frame.codes[position]) + Int(frame.codes[position + 1])
        return Float(upper + Int(frame.codes[below]) + Int(frame.codes[below + 1]))
    }
}
