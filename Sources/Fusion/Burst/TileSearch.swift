internal import Kernels
internal import RawImage

/// A search for the motion of each tile on one level of the pyramids.
struct TileSearch: Sendable {
    let frame: GreyPyramid.Plane
    let reference: GreyPyramid.Plane
    /// The motion on the next coarser level, which has a quarter of the size; zero on the coarsest.
    let coarser: MotionField
    let isCoarsest: Bool
    /// The level of the pyramid; 0 is the finest.
    let level: Int
    /// The noise profile of the reference's mosaic.
    let noise: NoiseProfile

    /// The search radius in pixels: one step on the coarser level is four pixels here.
    private var radius: Int { isCoarsest ? 6 : level == 0 ? 1 : 4 }
    /// The expected error of a whole-pixel motion. It regularises the sub-pixel refinement, so that tiles without
    /// contrast keep the whole-pixel result.
    private static let expectedError: Float = 0.5
    /// The least gain of a step, in standard deviations of the noise of one difference (a sum of 256 has 16). A lower
    /// threshold lets noise move flat tiles, preferably to the darker side, where there is less noise.
    private static let stepThreshold: Float = 12

    /// The number of Lucas-Kanade iterations.
    private static let steps = 3

    /// Scratch memory for the sub-pixel refinement.
    @unsafe private struct Scratch {
        let sums = UnsafeMutablePointer<Int32>.allocate(capacity: 23)
        let gradients = UnsafeMutablePointer<Int16>.allocate(capacity: 1056)

        func deallocate() {
            unsafe sums.deallocate()
            unsafe gradients.deallocate()
        }
    }

    /// Computes the motions of a row of tiles.
    func findRow(_ row: Int, _ motions: UnsafeMutablePointer<MotionField.Motion>) {
        unsafe reference.values.withUnsafeBufferPointer { a in
            unsafe frame.values.withUnsafeBufferPointer { b in
                guard let a = a.baseAddress, let b = b.baseAddress else { return }
                let scratch = unsafe Scratch()
                defer { unsafe scratch.deallocate() }
                for column in 0..<reference.grid.columns {
                    unsafe motions[column] = find(column, row, a, b, scratch)
                }
            }
        }
    }

    private func find(
        _ column: Int, _ row: Int, _ a: UnsafePointer<Int16>, _ b: UnsafePointer<Int16>, _ scratch: Scratch
    ) -> MotionField.Motion {
        let stride = reference.width
        let start = reference.grid.alignmentStart(column: column, row: row)
        let reach = reference.grid.reach(from: start)
        let (here, there) = unsafe (a + start.y * stride + start.x, b + start.y * stride + start.x)
        let (mean, deviation) = unsafe tileContrast(here, stride)
        let sigma = noiseOfDifference(mean)
        // The least reduction of the sum of differences that justifies a step.
        let stepCost = UInt32(Self.stepThreshold * sigma)
        var guess = (right: 0, down: 0, cost: UInt32.max)
        for neighbour in 0..<(isCoarsest ? 1 : 5) {
            let candidate = candidate(neighbour, column, row)
            let (right, down) = (candidate.right.clamped(to: reach.right), candidate.down.clamped(to: reach.down))
            // Neighbouring tiles often have the same motion, which need not be tried twice.
            if neighbour > 0, (right, down) == (guess.right, guess.down) { continue }
            var cost = unsafe tileDifference(here, stride, there + down * stride + right, stride)
            if neighbour > 0 { cost += stepCost }
            if cost < guess.cost { guess = (right, down, cost) }
        }
        var found = unsafe search(around: (guess.right, guess.down), here, there, reach, stepCost)
        // On the finest level the radius is one pixel, so a search that moved is repeated from its result.
        if level == 0, (found.right, found.down) != (guess.right, guess.down) {
            unsafe found = search(around: (found.right, found.down), here, there, reach, stepCost)
        }
        var motion = MotionField.Motion(right: Float(found.right), down: Float(found.down))
        motion.agrees = Float(found.cost) < max(256 * 2 * sigma, Float(deviation) * 0.5)
        unsafe refine(&motion, here, there, hold: sigma * sigma / (Self.expectedError * Self.expectedError), scratch)
        return motion
    }

    private func search(
        around guess: (right: Int, down: Int), _ here: UnsafePointer<Int16>, _ there: UnsafePointer<Int16>,
        _ reach: (right: ClosedRange<Int>, down: ClosedRange<Int>), _ stepCost: UInt32
    ) -> (right: Int, down: Int, cost: UInt32) {
        let stride = reference.width
        return unsafe searchTile(
            here, stride, there, stride, guess.right, guess.down, max(guess.right - radius, reach.right.lowerBound),
            min(guess.right + radius, reach.right.upperBound), max(guess.down - radius, reach.down.lowerBound),
            min(guess.down + radius, reach.down.upperBound), stepCost)
    }

    /// Returns the motion that the coarser level found at this tile (0) or at its left, right, upper or lower neighbour
    /// (1 to 4).
    private func candidate(_ neighbour: Int, _ column: Int, _ row: Int) -> (right: Int, down: Int) {
        if isCoarsest { return (0, 0) }
        // On every level tile n is centred at pixel 8n.
        let (x, y) = ((column + 2) / 4, (row + 2) / 4)
        let motion =
            switch neighbour {
            case 0: coarser.tile(column: x, row: y)
            case 1: coarser.tile(column: x - 1, row: y)
            case 2: coarser.tile(column: x + 1, row: y)
            case 3: coarser.tile(column: x, row: y - 1)
            default: coarser.tile(column: x, row: y + 1)
            }
        return (Int((motion.right * 4).rounded()), Int((motion.down * 4).rounded()))
    }

    /// Returns the standard deviation of the difference of two grey values where the reference has this value.
    private func noiseOfDifference(_ value: Int32) -> Float {
        let white = Double(GreyPyramid.white)
        // A grey value is the mean of four pixels, and of sixteen times as many on each coarser level; two frames
        // differ, and rounding adds 1/12 for each.
        let count = Double(4 << (4 * level))
        let variance = noise.variance(at: Double(value) / white) * white * white * 2 / count + 1.0 / 6
        return Float(variance.squareRoot())
    }

    /// Refines a motion to sub-pixel precision by Lucas-Kanade iterations, damped by the noise (`hold`).
    private func refine(
        _ motion: inout MotionField.Motion, _ a: UnsafePointer<Int16>, _ b: UnsafePointer<Int16>, hold: Float,
        _ scratch: Scratch
    ) {
        let (right, down) = (motion.right, motion.down)
        let stride = reference.width
        unsafe correlateGradients(
            a, stride, b + Int(down) * stride + Int(right), stride, scratch.sums, scratch.gradients)
        let sums = unsafe scratch.sums
        let (xx, xy, yy) = unsafe (Float(sums[0]) + hold, Float(sums[1]), Float(sums[2]) + hold)
        let determinant = xx * yy - xy * xy
        guard determinant > 0 else { return }
        var (x, y) = (Float(0), Float(0))
        for _ in 0..<Self.steps {
            let (xd, yd) = unsafe Self.misfit(sums, x, y)
            // The minimum lies within a pixel of the best whole-pixel motion.
            (x, y) = (
                (x + (yy * xd - xy * yd) / determinant).clamped(to: -1...1),
                (y + (xx * yd - xy * xd) / determinant).clamped(to: -1...1)
            )
        }
        motion.right = right + x
        motion.down = down + y
    }

    /// Returns the gradients' products with the difference that remains if the other tile is interpolated at a fraction
    /// of a pixel.
    private static func misfit(_ sums: UnsafePointer<Int32>, _ x: Float, _ y: Float) -> (x: Float, y: Float) {
        // The sums of the upper left of the four interpolation neighbours, among nine.
        let first = 5 + 2 * ((x < 0 ? 0 : 3) + (y < 0 ? 0 : 1))
        // In double precision: large, nearly equal numbers are subtracted.
        let (right, down) = (Double(x < 0 ? x + 1 : x), Double(y < 0 ? y + 1 : y))
        var left = unsafe SIMD2(Double(sums[3]), Double(sums[4]))
        for (column, across) in [(0, 1 - right), (6, right)] {
            for (row, along) in [(0, 1 - down), (2, down)] {
                let there = first + column + row
                unsafe left -= SIMD2(Double(sums[there]), Double(sums[there + 1])) * (across * along)
            }
        }
        return (Float(left.x), Float(left.y))
    }
}

extension Comparable {
    func clamped(to range: ClosedRange<Self>) -> Self { min(max(self, range.lowerBound), range.upperBound) }
}
