internal import Kernels
internal import PixelMemory
internal import RawImage

/// Samples the tele photo at the positions of wide pixels, or of parts of them.
struct TeleSampler: Sendable {
    let view: TeleView
    /// The tele's positions at the grid points of the flow.
    let positions: [SIMD2<Float>]
    /// Number of grid columns.
    let columns: Int

    /// Returns scratch memory for rows of `count` pixels.
    func row(_ count: Int) -> Row { Row(sampler: self, count: count) }

    /// Scratch memory for the samples of one row at a time.
    struct Row: ~Copyable {
        private let sampler: TeleSampler
        private let count: Int
        private let points: OwnedMemory<SIMD2<Float>>
        private let places: OwnedMemory<Float>
        private let energies: OwnedMemory<Float>

        fileprivate init(sampler: TeleSampler, count: Int) {
            self.sampler = sampler
            self.count = count
            points = OwnedMemory(repeating: SIMD2(), count: sampler.columns)
            places = OwnedMemory(repeating: 0, count: 2 * count)
            energies = OwnedMemory(repeating: 0, count: count)
        }

        /// Computes the means of `samples`×`samples` samples in each pixel of a row, whose pixels are `step` wide
        /// pixels apart; `first` is the first one's centre, in wide pixels from that of the field's first pixel.
        mutating func sample(
            into target: MutableMemoryView<SIMD4<Float>>, first: SIMD2<Float>, step: Float, samples: Int
        ) {
            target.update(repeating: SIMD4(), count: count)
            energies.view.update(repeating: 0, count: count)
            for part in 0..<samples * samples {
                let right = (Float(part % samples) + 0.5) / Float(samples) - 0.5
                let down = (Float(part / samples) + 0.5) / Float(samples) - 0.5
                add(to: target, first: first + SIMD2(right, down) * step, step: step)
            }
            unsafe finishTeleSamples(
                target.pointer(count), energies.view.pointer(count), count: count, samples: samples * samples)
        }

        private func add(to target: MutableMemoryView<SIMD4<Float>>, first: SIMD2<Float>, step: Float) {
            let grid = Float(TeleFlow.step)
            // The first samples are up to half a pixel before the first grid point: positions are extrapolated there.
            interpolatePoints(row: first.y / grid)
            let (x, y) = (places.view, places.view + count)
            unsafe telePositions(
                x.pointer(count), y.pointer(count), count: count, points: points.view.pointer(sampler.columns),
                start: first.x / grid, step: step / grid)
            sampler.view.withTele { photo in
                unsafe addTeleSamples(
                    target.pointer(count), energies.view.pointer(count), count: count, x: x.pointer(count),
                    y: y.pointer(count), photo: photo)
            }
        }

        /// Interpolates the grid's positions at a fractional grid row, and extrapolates them before the first.
        private func interpolatePoints(row: Float) {
            let rows = sampler.positions.count / sampler.columns
            let upper = min(Int(row), rows - 2)
            let part = row - Float(upper)
            let start = upper * sampler.columns
            for column in 0..<sampler.columns {
                let above = sampler.positions[start + column]
                points.view[column] = above + (sampler.positions[start + sampler.columns + column] - above) * part
            }
        }
    }
}
