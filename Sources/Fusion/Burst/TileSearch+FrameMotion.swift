internal import KernelTypes
internal import Kernels
internal import PixelMemory

extension TileSearch {
    /// The most by which one tile counts against a shift, in standard deviations of the noise of one pixel's
    /// difference. The difference of two sums has about 13 of them.
    private static let proof: Float = 48

    /// The tiles, at most about twice as many in each direction, that together show the frame's motion.
    private static let sampledTiles = 16

    /// Returns the motion of the whole frame, moved from a predicted one by whole pixels to where the sum of all tiles'
    /// differences is least: together they show a motion that each of them is too dark, or too faint, to show.
    func commonMotion(from predicted: GlobalMotion) -> GlobalMotion {
        let reach = isCoarsest ? radius : Self.commonReach
        var sums = ShiftSums(reach: reach)
        reference.withView { a in
            frame.withView { b in
                // Every second tile at least, so that they do not overlap.
                let (columns, rows) = (reference.grid.columns, reference.grid.rows)
                for row in stride(from: 1, to: rows, by: max(2, rows / Self.sampledTiles)) {
                    for column in stride(from: 1, to: columns, by: max(2, columns / Self.sampledTiles)) {
                        addDifferences(column, row, predicted[column, row], a, b, to: &sums)
                    }
                }
            }
        }
        return predicted.moved(by: sums.best(proof: Self.proof))
    }

    /// The distance in pixels at which the frame's motion is sought around the one that the coarser level found.
    private static let commonReach = 4

    /// Adds for each shift by how much a tile differs more than at the predicted motion, in standard deviations of the
    /// noise.
    private func addDifferences(
        _ column: Int, _ row: Int, _ predicted: SIMD2<Float>, _ a: MemoryView<Int16>, _ b: MemoryView<Int16>,
        to sums: inout ShiftSums
    ) {
        let stride = reference.width
        let start = reference.grid.alignmentStart(column: column, row: row)
        let reach = reference.grid.reach(from: start)
        let (right, down) = (Int(predicted.x.rounded()), Int(predicted.y.rounded()))
        guard reach.right ~= right, reach.down ~= down else { return }
        let (here, there) = (a + start.y * stride + start.x, b + start.y * stride + start.x)
        let mean = tiles[row * reference.grid.columns + column].mean
        let (unmoved, sigma) = (Float(difference(here, there, right, down)), noiseOfDifference(mean))
        for y in -sums.reach...sums.reach where reach.down ~= down + y {
            for x in -sums.reach...sums.reach where reach.right ~= right + x {
                let more = (Float(difference(here, there, right + x, down + y)) - unmoved) / sigma
                // No tile outvotes all others, however bright it is.
                sums.add(more.clamped(to: -Self.proof...Self.proof), right: x, down: y)
            }
        }
    }

    /// For each shift the sum of the tiles' differences, and the number of tiles.
    private struct ShiftSums {
        let reach: Int
        private var sums: [Float]
        private var counts: [Float]

        private var side: Int { 2 * reach + 1 }

        init(reach: Int) {
            self.reach = reach
            sums = [Float](repeating: 0, count: (2 * reach + 1) * (2 * reach + 1))
            counts = sums
        }

        mutating func add(_ difference: Float, right: Int, down: Int) {
            let index = (down + reach) * side + right + reach
            sums[index] += difference
            counts[index] += 1
        }

        /// Returns the shift of the least mean difference, if it is less than noise explains; otherwise zero. `proof`
        /// is what proves the shift of one tile.
        func best(proof: Float) -> SIMD2<Float> {
            let most = counts.max() ?? 0
            var (best, lowest) = (SIMD2<Float>.zero, Float(0))
            for index in sums.indices where counts[index] > 0 && 4 * counts[index] > most {
                let cost = sums[index] / counts[index] + proof / counts[index].squareRoot()
                if cost < lowest { (best, lowest) = (shift(index), cost) }
            }
            return best
        }

        private func shift(_ index: Int) -> SIMD2<Float> {
            SIMD2(Float(index % side - reach), Float(index / side - reach))
        }
    }
}
