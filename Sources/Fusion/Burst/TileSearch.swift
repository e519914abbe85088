internal import KernelTypes
internal import Kernels
internal import PixelMemory
internal import RawImage

/// A search for the motion of each tile on one level of the pyramids.
struct TileSearch: Sendable {
    let frame: GreyPyramid.Plane
    let reference: GreyPyramid.Plane
    /// The tiles of the reference, row by row.
    let tiles: [ReferencePyramid.Tile]
    let isCoarsest: Bool
    /// The level of the pyramid; 0 is the finest.
    let level: Int
    /// The grid of the next coarser level, which has a quarter of the size.
    private let coarser: TileGrid
    /// The motion of the whole frame on the coarser level.
    let coarserFrame: GlobalMotion
    /// The motion of each tile of the coarser level, right and down, in whole pixels of this level.
    private let predictions: [SIMD2<Int32>]
    /// The variance of the difference of two grey values, in grey values squared: that of a unit of the signal, and
    /// that of black.
    private let (shot, read): (Float, Float)

    /// The search radius in pixels: one step on the coarser level is four pixels here.
    var radius: Int { isCoarsest ? 6 : level == 0 ? 1 : 4 }
    /// The expected error of a whole-pixel motion, in pixels. It regularises the sub-pixel refinement, so that tiles
    /// without contrast keep the whole-pixel result.
    private static let expectedError: Float = 0.5
    /// The least reduction of a tile's sum of differences that justifies one pixel of distance from the predicted
    /// motion, in standard deviations of the noise of one pixel's difference (the sum over 256 pixels has 16 of them).
    /// A lower threshold lets noise move flat tiles, preferably to the darker side, where there is less noise.
    private static let stepThreshold: Float = 12

    /// The number of Lucas-Kanade iterations.
    private static let steps = 3

    private typealias Tile = AlignmentTile

    /// Creates a search on a level. `coarser` is the motion on the next coarser one, zero on the coarsest; `noise` is
    /// the profile of the reference's mosaic.
    init(
        frame: GreyPyramid.Plane, reference: ReferencePyramid.Level, coarser: MotionField, isCoarsest: Bool, level: Int,
        noise: NoiseProfile
    ) {
        self.frame = frame
        self.reference = reference.plane
        tiles = reference.tiles
        self.isCoarsest = isCoarsest
        self.level = level
        self.coarser = coarser.grid
        coarserFrame = coarser.frame
        predictions = coarser.tiles.map { motion in
            SIMD2(Int32((motion.right * 4).rounded()), Int32((motion.down * 4).rounded()))
        }
        // A grey value is the mean of four pixels, and of sixteen times as many on each coarser level; two frames
        // differ, and rounding adds 1/12 for each.
        let (white, count) = (Double(GreyPyramid.white), Double(4 << (4 * level)))
        shot = Float(noise.shot * white * 2 / count)
        read = Float(noise.read * white * white * 2 / count + 1.0 / 6)
    }

    /// Computes the motions of a row of tiles, and the information of each on its motion. The search also tries the
    /// motion of the whole frame.
    func findRow(
        _ row: Int, from frameMotion: GlobalMotion, _ motions: MutableMemoryView<MotionField.Motion>,
        _ information: MutableMemoryView<MotionInformation>
    ) {
        reference.withView { a in
            frame.withView { b in
                predictions.withView { predictions in
                    let gradients = OwnedMemory<Int16>(uninitialized: Tile.gradientCount)
                    for column in 0..<reference.grid.columns {
                        (motions[column], information[column]) = find(
                            column, row, frameMotion[column, row], a, b, predictions, gradients.view)
                    }
                }
            }
        }
    }

    private func find(
        _ column: Int, _ row: Int, _ first: SIMD2<Float>, _ a: MemoryView<Int16>, _ b: MemoryView<Int16>,
        _ predictions: MemoryView<SIMD2<Int32>>, _ gradients: MutableMemoryView<Int16>
    ) -> (MotionField.Motion, MotionInformation) {
        let stride = reference.width
        let start = reference.grid.alignmentStart(column: column, row: row)
        let reach = reference.grid.reach(from: start)
        let (here, there) = (a + start.y * stride + start.x, b + start.y * stride + start.x)
        let tile = tiles[row * reference.grid.columns + column]
        let sigma = noiseOfDifference(tile.mean)
        // The least reduction of the sum of differences that justifies a step.
        let stepCost = UInt32(Self.stepThreshold * sigma)
        var guess = (right: 0, down: 0, cost: UInt32.max)
        let common = SIMD2(Int32(first.x.rounded()), Int32(first.y.rounded()))
        for neighbour in 0...(isCoarsest ? 1 : 5) {
            let isCommon = neighbour == (isCoarsest ? 0 : 5)
            let predicted = isCommon ? common : prediction(neighbour, column, row, predictions)
            let right = Int(predicted.x).clamped(to: reach.right)
            let down = Int(predicted.y).clamped(to: reach.down)
            // Neighbouring tiles often have the same motion, which need not be tried twice.
            if neighbour > 0, right == guess.right, down == guess.down { continue }
            var cost = difference(here, there, right, down)
            if neighbour > 0 { cost += stepCost }
            if cost < guess.cost { guess = (right, down, cost) }
        }
        var found = search(around: (guess.right, guess.down), here, there, reach, stepCost)
        // On the finest level the radius is one pixel, so a search that moved is repeated from its result.
        if level == 0, (found.right, found.down) != (guess.right, guess.down) {
            found = search(around: (found.right, found.down), here, there, reach, stepCost)
        }
        var motion = MotionField.Motion(right: Float(found.right), down: Float(found.down))
        motion.agrees = Self.agrees(found.cost, tile.deviation, sigma)
        let information = refine(&motion, tile, here, there, variance: sigma * sigma, gradients)
        return (motion, information)
    }

    /// Whether the sum of a tile's differences is explained by noise, or small compared with the tile's contrast.
    private static func agrees(_ cost: UInt32, _ deviation: Int32, _ sigma: Float) -> Bool {
        Float(cost) < max(256 * 2 * sigma, Float(deviation) * 0.5)
    }

    /// Returns the sum of absolute differences of a tile of the reference, whose first pixel is `here`, and the other
    /// frame's tile at a shift.
    func difference(
        _ here: MemoryView<Int16>, _ there: MemoryView<Int16>, _ right: Int, _ down: Int
    ) -> UInt32 {
        let stride = reference.width
        return unsafe tileDifference(
            here.pointer(columns: Tile.side, rows: Tile.side, stride: stride), stride,
            (there + down * stride + right).pointer(columns: Tile.side, rows: Tile.side, stride: stride), stride)
    }

    private func search(
        around guess: (right: Int, down: Int), _ here: MemoryView<Int16>, _ there: MemoryView<Int16>,
        _ reach: (right: ClosedRange<Int>, down: ClosedRange<Int>), _ stepCost: UInt32
    ) -> (right: Int, down: Int, cost: UInt32) {
        let stride = reference.width
        let (left, right) = (
            max(guess.right - radius, reach.right.lowerBound), min(guess.right + radius, reach.right.upperBound)
        )
        let (top, bottom) = (
            max(guess.down - radius, reach.down.lowerBound), min(guess.down + radius, reach.down.upperBound)
        )
        let end = (bottom + Tile.side - 1) * stride + right + Tile.side
        return unsafe searchTile(
            here.pointer(columns: Tile.side, rows: Tile.side, stride: stride), stride,
            there.pointer(top * stride + left..<end), stride, guess.right, guess.down, left, right, top, bottom,
            stepCost)
    }

    /// Returns the motion that the coarser level found at this tile (0) or at its left, right, upper or lower neighbour
    /// (1 to 4). No motion on the coarsest level.
    private func prediction(
        _ neighbour: Int, _ column: Int, _ row: Int, _ predictions: MemoryView<SIMD2<Int32>>
    ) -> SIMD2<Int32> {
        if isCoarsest { return .zero }
        // On every level tile n is centred at pixel 8n, so tile n of this level lies nearest to tile n / 4 of the
        // coarser level.
        var (x, y) = ((column + 2) / 4, (row + 2) / 4)
        switch neighbour {
        case 0: break
        case 1: x -= 1
        case 2: x += 1
        case 3: y -= 1
        default: y += 1
        }
        return predictions[coarser.nearest(column: x, row: y)]
    }

    /// Returns the standard deviation of the difference of two grey values where the reference has this value.
    func noiseOfDifference(_ value: Int32) -> Float { (shot * Float(max(value, 0)) + read).squareRoot() }

    /// Refines a whole-pixel motion to sub-pixel precision by Lucas-Kanade iterations, and returns the information of
    /// the tile on it. The steps are damped in proportion to the variance of the noise of the tiles' difference.
    private func refine(
        _ motion: inout MotionField.Motion, _ tile: ReferencePyramid.Tile, _ a: MemoryView<Int16>,
        _ b: MemoryView<Int16>, variance: Float, _ gradients: MutableMemoryView<Int16>
    ) -> MotionInformation {
        let (right, down) = (motion.right, motion.down)
        let information = MotionInformation(tile.xx, tile.xy, tile.yy, variance: variance)
        let hold = variance / (Self.expectedError * Self.expectedError)
        let (xx, xy, yy) = (tile.xx + hold, tile.xy, tile.yy + hold)
        let determinant = xx * yy - xy * xy
        guard determinant > 0 else { return information }
        let stride = reference.width
        // The kernel reads one pixel around the tile.
        unsafe tileGradients(
            a.pointer(-stride..<Tile.side * (stride + 1)), stride, gradients.pointer(Tile.gradientCount))
        var products = ShiftProducts(
            tile: b + Int(down) * stride + Int(right), stride: stride, gradients: MemoryView(gradients))
        var (x, y) = (Float(0), Float(0))
        for _ in 0..<Self.steps {
            let misfit = products.misfit(tile.products, x, y)
            let (xd, yd) = (Float(misfit.x), Float(misfit.y))
            // The minimum lies within a pixel of the best whole-pixel motion.
            (x, y) = (
                (x + (yy * xd - xy * yd) / determinant).clamped(to: -1...1),
                (y + (xx * yd - xy * xd) / determinant).clamped(to: -1...1)
            )
        }
        motion.right = right + x
        motion.down = down + y
        return information
    }

    /// The sums of the reference tile's gradients, to the right and down, times the other frame's tile at whole-pixel
    /// shifts of −1, 0 and 1. Each sum is computed when it is first needed: the iterations seldom use more than four of
    /// the nine shifts.
    private struct ShiftProducts {
        /// The other frame's tile without a shift.
        let tile: MemoryView<Int16>
        let stride: Int
        /// The gradients of the reference tile, to the right and down.
        let gradients: MemoryView<Int16>
        private var products = InlineArray<9, SIMD2<Double>>(repeating: .zero)
        /// Whether the products of each shift are computed.
        private var isComputed = InlineArray<9, Bool>(repeating: false)

        init(tile: MemoryView<Int16>, stride: Int, gradients: MemoryView<Int16>) {
            (self.tile, self.stride, self.gradients) = (tile, stride, gradients)
        }

        /// Returns the products of the gradients with the difference between the tiles, if the other frame's tile is
        /// interpolated at a shift of `x` and `y` pixels (−1…1). `own` are the products with the reference's tile.
        mutating func misfit(_ own: SIMD2<Double>, _ x: Float, _ y: Float) -> SIMD2<Double> {
            // The whole-pixel shift of the upper left one of the four tiles between which the tile is interpolated.
            let first = (right: x < 0 ? -1 : 0, down: y < 0 ? -1 : 0)
            let (right, down) = (Double(x < 0 ? x + 1 : x), Double(y < 0 ? y + 1 : y))
            // In double precision: large, nearly equal numbers are subtracted. What has no weight is not computed.
            var left = own
            if right < 1 { left -= column(first.right, first.down, down) * (1 - right) }
            if right > 0 { left -= column(first.right + 1, first.down, down) * right }
            return left
        }

        /// Returns the products at two shifts, one above the other, of which the lower one has this weight.
        private mutating func column(_ right: Int, _ down: Int, _ weight: Double) -> SIMD2<Double> {
            var sum = SIMD2<Double>.zero
            if weight < 1 { sum += shifted(right, down) * (1 - weight) }
            if weight > 0 { sum += shifted(right, down + 1) * weight }
            return sum
        }

        private mutating func shifted(_ right: Int, _ down: Int) -> SIMD2<Double> {
            let index = 3 * (right + 1) + down + 1
            if !isComputed[index] {
                let corner = tile + (down * stride + right)
                let found = unsafe correlateGradients(
                    corner.pointer(columns: Tile.side, rows: Tile.side, stride: stride), stride,
                    gradients.pointer(Tile.gradientCount))
                products[index] = SIMD2(Double(found.across), Double(found.down))
                isComputed[index] = true
            }
            return products[index]
        }
    }
}

extension Comparable {
    func clamped(to range: ClosedRange<Self>) -> Self { min(max(self, range.lowerBound), range.upperBound) }
}
