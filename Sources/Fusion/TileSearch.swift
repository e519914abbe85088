internal import Kernels

/// The search for one tile of the reference in another frame.
struct TileSearch {
    private let frame: GreyPyramid.Plane
    private let reference: GreyPyramid.Plane
    private let left: Int
    private let top: Int
    private let width: Int
    private let height: Int

    /// Hands turn a little: tiles far from the middle move otherwise than the whole.
    private static let reach = 4
    private static let steps = 3

    init(_ frame: GreyPyramid.Plane, _ reference: GreyPyramid.Plane, column: Int, row: Int) {
        self.frame = frame
        self.reference = reference
        // One pixel of margin: gradients look at neighbours.
        left = max(1, column * MotionField.tile)
        top = max(1, row * MotionField.tile)
        width = min(reference.width - 2, (column + 1) * MotionField.tile) - left
        height = min(reference.height - 2, (row + 1) * MotionField.tile) - top
    }

    /// The tile's shift; nil when the tile is too small or has nothing to hold on to.
    func shift(near global: (right: Int, down: Int)) -> MotionField.Shift? {
        guard width >= 8, height >= 8, sees(right: global.right, down: global.down) else { return nil }
        return unsafe reference.values.withUnsafeBufferPointer { a in
            unsafe frame.values.withUnsafeBufferPointer { b in
                guard let a = a.baseAddress, let b = b.baseAddress,
                    let whole = unsafe wholeShift(a, b, near: global)
                else { return nil }
                return unsafe refine(a, b, from: whole)
            }
        }
    }

    /// The best whole shift, searched around the shift of the whole frame.
    private func wholeShift(
        _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, near global: (right: Int, down: Int)
    ) -> (right: Int, down: Int)? {
        var best: (right: Int, down: Int, cost: Float)?
        let here = unsafe a + top * reference.width + left
        for down in global.down - Self.reach...global.down + Self.reach {
            for right in global.right - Self.reach...global.right + Self.reach where sees(right: right, down: down) {
                let there = unsafe b + (top + down) * frame.width + left + right
                let difference = unsafe blockDifference(here, reference.width, there, frame.width, width, height)
                // A tile without detail goes with the whole frame.
                let distance = abs(right - global.right) + abs(down - global.down)
                let cost = difference * (1 + 0.01 * Float(distance))
                if cost < best?.cost ?? .infinity { best = (right, down, cost) }
            }
        }
        return best.map { ($0.right, $0.down) }
    }

    /// Whether the shifted tile, with a pixel around it, is inside the frame.
    private func sees(right: Int, down: Int) -> Bool {
        left + right >= 0 && top + down >= 0 && left + right + width + 1 <= frame.width
            && top + down + height + 1 <= frame.height
    }

    /// Lucas–Kanade steps to a fraction of a pixel.
    private func refine(
        _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, from whole: (right: Int, down: Int)
    ) -> MotionField.Shift? {
        var shift = MotionField.Shift(right: Float(whole.right), down: Float(whole.down))
        var sums: [Float] = [0, 0, 0, 0, 0]
        for _ in 0..<Self.steps {
            let (right, down) = (Int(shift.right.rounded(.down)), Int(shift.down.rounded(.down)))
            guard sees(right: right, down: down) else { break }
            unsafe sums.withUnsafeMutableBufferPointer { result in
                guard let result = result.baseAddress else { return }
                unsafe gradientSums(
                    a + top * reference.width + left, reference.width, b + (top + down) * frame.width + left + right,
                    frame.width, width, height, shift.right - Float(right), shift.down - Float(down), result)
            }
            guard let step = solve(sums) else { break }
            shift.right += step.right
            shift.down += step.down
        }
        let isNear = abs(shift.right - Float(whole.right)) <= 1.5 && abs(shift.down - Float(whole.down)) <= 1.5
        return isNear ? shift : MotionField.Shift(right: Float(whole.right), down: Float(whole.down))
    }

    /// Two equations in two unknowns, held back where there is nothing to see.
    private func solve(_ sums: [Float]) -> MotionField.Shift? {
        let (xx, xy, yy) = (sums[0], sums[1], sums[2])
        let hold = 0.001 * (xx + yy) + 1e-9
        let determinant = (xx + hold) * (yy + hold) - xy * xy
        guard determinant > 0, determinant.isFinite else { return nil }
        let right = ((yy + hold) * sums[3] - xy * sums[4]) / determinant
        let down = ((xx + hold) * sums[4] - xy * sums[3]) / determinant
        return MotionField.Shift(right: right.clamped(to: -1...1), down: down.clamped(to: -1...1))
    }
}
