internal import Kernels
internal import RawImage

/// Where each part of the reference is found in another frame, in pixels of the grey plane (two of the mosaic).
struct MotionField: Sendable {
    /// A shift to the right and down.
    struct Shift: Sendable, Hashable {
        var right: Float
        var down: Float
    }

    /// Grey pixels to the side of a tile.
    static let tile = 32

    let columns: Int
    let rows: Int
    /// A shift for each tile, row by row.
    private(set) var shifts: [Shift]
    /// The shift of the frame as a whole, in whole pixels.
    let global: (right: Int, down: Int)

    /// Finds `frame` in the coordinates of `reference`.
    init(of frame: GreyPyramid, in reference: GreyPyramid) {
        let plane = reference.levels[0]
        columns = max(1, (plane.width + Self.tile - 1) / Self.tile)
        rows = max(1, (plane.height + Self.tile - 1) / Self.tile)
        let whole = Self.globalShift(of: frame, in: reference)
        global = whole
        let (columns, rows) = (columns, rows)
        let still = Shift(right: Float(whole.right), down: Float(whole.down))
        var found = [Shift](repeating: still, count: columns * rows)
        unsafe found.withUnsafeMutableBufferPointer { buffer in
            // Bands write to rows of their own.
            nonisolated(unsafe) let target = buffer.baseAddress
            guard let target = unsafe target else { return }
            concurrentBands(rows: rows, of: 1) { band in
                for row in band {
                    for column in 0..<columns {
                        let search = TileSearch(frame.levels[0], plane, column: column, row: row)
                        unsafe target[row * columns + column] = search.shift(near: whole) ?? still
                    }
                }
            }
        }
        shifts = found
    }

    /// The shift at a place of the grey plane, between the centres of the tiles around it.
    func shift(atColumn x: Float, row y: Float) -> Shift {
        let size = Float(Self.tile)
        let (u, v) = (
            (x / size - 0.5).clamped(to: 0...Float(columns - 1)), (y / size - 0.5).clamped(to: 0...Float(rows - 1))
        )
        let (column, row) = (min(Int(u), max(0, columns - 2)), min(Int(v), max(0, rows - 2)))
        let (fx, fy) = (u - Float(column), v - Float(row))
        func at(_ c: Int, _ r: Int) -> Shift { shifts[min(r, rows - 1) * columns + min(c, columns - 1)] }
        let (a, b, c, d) = (at(column, row), at(column + 1, row), at(column, row + 1), at(column + 1, row + 1))
        func mix(_ field: KeyPath<Shift, Float>) -> Float {
            let upper = a[keyPath: field] * (1 - fx) + b[keyPath: field] * fx
            let lower = c[keyPath: field] * (1 - fx) + d[keyPath: field] * fx
            return upper * (1 - fy) + lower * fy
        }
        return Shift(right: mix(\.right), down: mix(\.down))
    }

    /// The one shift that fits best: a search on the coarsest level, then one step finer at a time.
    private static func globalShift(of frame: GreyPyramid, in reference: GreyPyramid) -> (right: Int, down: Int) {
        var shift = (right: 0, down: 0)
        for level in reference.levels.indices.reversed() {
            let reach = level == reference.levels.count - 1 ? 6 : 1
            shift = best(
                around: (shift.right * 2, shift.down * 2), reach: reach, frame.levels[level], reference.levels[level])
        }
        return shift
    }

    private static func best(
        around centre: (right: Int, down: Int), reach: Int, _ frame: GreyPyramid.Plane, _ reference: GreyPyramid.Plane
    ) -> (right: Int, down: Int) {
        var best = (right: centre.right, down: centre.down, cost: Float.infinity)
        for down in centre.down - reach...centre.down + reach {
            for right in centre.right - reach...centre.right + reach {
                let cost = meanDifference(frame, reference, right: right, down: down)
                // Of equals the nearest to no motion.
                if cost < best.cost { best = (right, down, cost) }
            }
        }
        return (best.right, best.down)
    }

    /// The mean difference where both frames see, on every fourth row.
    private static func meanDifference(
        _ frame: GreyPyramid.Plane, _ reference: GreyPyramid.Plane, right: Int, down: Int
    ) -> Float {
        let columns = max(0, -right)..<min(reference.width, reference.width - right)
        let rows = max(0, -down)..<min(reference.height, reference.height - down)
        guard columns.count * 2 > reference.width, rows.count * 2 > reference.height else { return .infinity }
        let step = reference.height > 256 ? 4 : 1
        var sum: Float = 0
        var count = 0
        unsafe reference.values.withUnsafeBufferPointer { a in
            unsafe frame.values.withUnsafeBufferPointer { b in
                guard let a = a.baseAddress, let b = b.baseAddress else { return }
                for row in stride(from: rows.lowerBound, to: rows.upperBound, by: step) {
                    let here = unsafe a + row * reference.width + columns.lowerBound
                    let there = unsafe b + (row + down) * reference.width + columns.lowerBound + right
                    unsafe sum += blockDifference(here, 0, there, 0, columns.count, 1)
                    count += columns.count
                }
            }
        }
        return count == 0 ? .infinity : sum / Float(count)
    }
}

extension Float {
    func clamped(to range: ClosedRange<Float>) -> Float {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
