internal import Kernels
internal import RawImage

/// The search for the tiles of one level in another frame.
struct TileSearch: Sendable {
    let frame: GreyPyramid.Plane
    let reference: GreyPyramid.Plane
    /// What the level of a quarter of the size found; still on the coarsest.
    let coarser: MotionField
    let isCoarsest: Bool
    /// 0 is the finest.
    let level: Int
    /// Of the reference's mosaic.
    let noise: NoiseProfile

    /// How far around the best guess: a step of the coarser level is four here.
    private var radius: Int { isCoarsest ? 6 : level == 0 ? 1 : 4 }
    /// Tiles without contrast are held near the whole shift: half a pixel is what a search leaves open.
    private static let openness: Float = 0.5
    /// Near the noise of a sum of 256, in standard deviations of one. Less lets noise move flat tiles, and toward the
    /// darker side, where there is less of it.
    private static let disbelief: Float = 12

    /// Steps of a refinement.
    private static let steps = 3

    /// The memory that refinement needs.
    @unsafe private struct Room {
        let sums = UnsafeMutablePointer<Int32>.allocate(capacity: 23)
        let gradients = UnsafeMutablePointer<Int16>.allocate(capacity: 1056)

        func deallocate() {
            unsafe sums.deallocate()
            unsafe gradients.deallocate()
        }
    }

    /// Fills in a row of tiles.
    func findRow(_ row: Int, _ motions: UnsafeMutablePointer<MotionField.Motion>) {
        unsafe reference.values.withUnsafeBufferPointer { a in
            unsafe frame.values.withUnsafeBufferPointer { b in
                guard let a = a.baseAddress, let b = b.baseAddress else { return }
                let room = unsafe Room()
                defer { unsafe room.deallocate() }
                for column in 0..<reference.grid.columns {
                    unsafe motions[column] = find(column, row, a, b, room)
                }
            }
        }
    }

    private func find(
        _ column: Int, _ row: Int, _ a: UnsafePointer<Int16>, _ b: UnsafePointer<Int16>, _ room: Room
    ) -> MotionField.Motion {
        let stride = reference.width
        let start = reference.grid.alignmentStart(column: column, row: row)
        let reach = reference.grid.reach(from: start)
        let (here, there) = unsafe (a + start.y * stride + start.x, b + start.y * stride + start.x)
        let (mean, deviation) = unsafe tileContrast(here, stride)
        let sigma = noiseOfDifference(mean)
        // What a step of a pixel must gain to be believed.
        let effort = UInt32(Self.disbelief * sigma)
        var guess = (right: 0, down: 0, cost: UInt32.max)
        for neighbour in 0..<(isCoarsest ? 1 : 5) {
            let candidate = candidate(neighbour, column, row)
            let (right, down) = (candidate.right.clamped(to: reach.right), candidate.down.clamped(to: reach.down))
            // Neighbours mostly move alike.
            if neighbour > 0, (right, down) == (guess.right, guess.down) { continue }
            var cost = unsafe tileDifference(here, stride, there + down * stride + right, stride)
            if neighbour > 0 { cost += effort }
            if cost < guess.cost { guess = (right, down, cost) }
        }
        var found = unsafe search(around: (guess.right, guess.down), here, there, reach, effort)
        // On the finest level the guess is seldom wrong by more than a step; where it is, another follows.
        if level == 0, (found.right, found.down) != (guess.right, guess.down) {
            unsafe found = search(around: (found.right, found.down), here, there, reach, effort)
        }
        var motion = MotionField.Motion(right: Float(found.right), down: Float(found.down))
        motion.agrees = Float(found.cost) < max(256 * 2 * sigma, Float(deviation) * 0.5)
        unsafe refine(&motion, here, there, hold: sigma * sigma / (Self.openness * Self.openness), room)
        return motion
    }

    private func search(
        around guess: (right: Int, down: Int), _ here: UnsafePointer<Int16>, _ there: UnsafePointer<Int16>,
        _ reach: (right: ClosedRange<Int>, down: ClosedRange<Int>), _ effort: UInt32
    ) -> (right: Int, down: Int, cost: UInt32) {
        let stride = reference.width
        return unsafe searchTile(
            here, stride, there, stride, guess.right, guess.down, max(guess.right - radius, reach.right.lowerBound),
            min(guess.right + radius, reach.right.upperBound), max(guess.down - radius, reach.down.lowerBound),
            min(guess.down + radius, reach.down.upperBound), effort)
    }

    /// The motion that the coarser level found here (0), left, right, above or below.
    private func candidate(_ neighbour: Int, _ column: Int, _ row: Int) -> (right: Int, down: Int) {
        if isCoarsest { return (0, 0) }
        // Tile n has its middle at 8n on each level.
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

    /// The standard deviation of the difference of two frames' grey where the reference has this value.
    private func noiseOfDifference(_ value: Int32) -> Float {
        let white = Double(GreyPyramid.white)
        // A grey value is the mean of four pixels, and of sixteen times as many on each level above; there are two
        // frames, and rounding adds a twelfth to each.
        let count = Double(4 << (4 * level))
        let variance = noise.variance(at: Double(value) / white) * white * white * 2 / count + 1.0 / 6
        return Float(variance.squareRoot())
    }

    /// Lucas–Kanade steps to a fraction of a pixel, held back where noise is all there is to see.
    private func refine(
        _ motion: inout MotionField.Motion, _ a: UnsafePointer<Int16>, _ b: UnsafePointer<Int16>, hold: Float,
        _ room: Room
    ) {
        let (right, down) = (motion.right, motion.down)
        let stride = reference.width
        unsafe correlateGradients(a, stride, b + Int(down) * stride + Int(right), stride, room.sums, room.gradients)
        let sums = unsafe room.sums
        let (xx, xy, yy) = unsafe (Float(sums[0]) + hold, Float(sums[1]), Float(sums[2]) + hold)
        let determinant = xx * yy - xy * xy
        guard determinant > 0 else { return }
        var (x, y) = (Float(0), Float(0))
        for _ in 0..<Self.steps {
            let (xd, yd) = unsafe Self.misfit(sums, x, y)
            // A step beyond the pixels next to the best one is no refinement.
            (x, y) = (
                (x + (yy * xd - xy * yd) / determinant).clamped(to: -1...1),
                (y + (xx * yd - xy * xd) / determinant).clamped(to: -1...1)
            )
        }
        motion.right = right + x
        motion.down = down + y
    }

    /// What is left of the gradients' products with the difference when the other tile is read a fraction of a pixel on.
    private static func misfit(_ sums: UnsafePointer<Int32>, _ x: Float, _ y: Float) -> (x: Float, y: Float) {
        // The first of four neighbours of the nine.
        let first = 5 + 2 * ((x < 0 ? 0 : 3) + (y < 0 ? 0 : 1))
        // The numbers are large and nearly alike.
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
