internal import Kernels
internal import RawImage

/// Pixels of the sensor that tell nothing of the scene: they stand out of every frame at the same place, though the
/// scene has moved under them.
struct DefectivePixels: Sendable {
    /// Where they are in the codes of a frame without gaps, ascending: row times width plus column.
    private(set) var places: [Int] = []

    /// Square of how many standard deviations a pixel stands out: of twelve million one does so by chance, and then it
    /// has to do so in every frame.
    private static let distinction: Float = 25
    /// So many pixels the scene must have moved: then a point of light is brighter in the next pixel of its colour.
    private static let leastMotion: Float = 2

    /// Within so many pixels of a defect stand out, with itself, at most so many.
    private static let (solitude, company) = (4, 1)

    /// A frame, and where it shows the reference's tiles.
    struct Witness {
        var frame: Mosaic
        var field: MotionField
    }

    init() {}

    /// Finds the pixels that stand out of a frame and of all witnesses that have moved; none where nothing has.
    init(in reference: Mosaic, _ witnesses: [Witness], cores: Int?) {
        let moved = witnesses.filter { witness in
            let global = witness.field.global
            return max(abs(global.x), abs(global.y)) >= Double(Self.leastMotion) / 2
        }
        guard !moved.isEmpty else { return }
        let width = reference.format.width
        places = Self.lonely(in: Self.outliers(in: reference, cores: cores), width).filter { place in
            let (row, column) = (place / width, place % width)
            let testimonies = moved.filter { $0.hasMoved(row: row, column: column, by: Self.leastMotion) }
            return !testimonies.isEmpty && testimonies.allSatisfy { Self.isOutlier($0.frame, row, column) }
        }
    }

    /// Puts what the neighbours say in the place of each.
    func repair(_ codes: inout [UInt16], _ format: MosaicFormat) {
        for place in places {
            let (row, column) = (place / format.width, place % format.width)
            let at = row * format.stride + column
            let across = (Int(codes[at - 2]), Int(codes[at + 2]))
            let down = (Int(codes[at - 2 * format.stride]), Int(codes[at + 2 * format.stride]))
            // Along an edge rather than over it.
            let pair = abs(across.0 - across.1) <= abs(down.0 - down.1) ? across : down
            codes[at] = UInt16((pair.0 + pair.1 + 1) / 2)
        }
    }

    /// Those that have hardly another near: where many stand out it is the scene's detail.
    private static func lonely(in rows: [[Int]], _ width: Int) -> [Int] {
        rows.indices.flatMap { row in
            let near = max(row - solitude, 0)...min(row + solitude, rows.count - 1)
            return rows[row].filter { place in
                var count = 0
                return near.allSatisfy { other in
                    let middle = place + (other - row) * width
                    count += Self.count(of: rows[other], in: middle - solitude...middle + solitude)
                    return count <= company
                }
            }
        }
    }

    /// How many of ascending places lie in a range.
    private static func count(of places: [Int], in range: ClosedRange<Int>) -> Int {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < range.lowerBound { low = middle + 1 } else { high = middle }
        }
        return places[low...].prefix { range.contains($0) }.count
    }

    /// The places of outliers, row by row.
    private static func outliers(in frame: Mosaic, cores: Int?) -> [[Int]] {
        let format = frame.format
        guard format.width >= 5, format.height >= 5 else { return [] }
        var rows = [[Int]](repeating: [], count: format.height)
        unsafe rows.withUnsafeMutableBufferPointer { rows in
            // Bands write to rows of their own.
            nonisolated(unsafe) let target = rows.baseAddress
            concurrentBands(rows: format.height - 4, of: 64, cores: cores) { band in
                guard let target = unsafe target else { return }
                var marks = [UInt8](repeating: 0, count: format.width)
                for row in band { unsafe target[row + 2] = outliers(in: frame, row + 2, &marks) }
            }
        }
        return rows
    }

    private static func outliers(in frame: Mosaic, _ row: Int, _ marks: inout [UInt8]) -> [Int] {
        let format = frame.format
        let black = Float(frame.metadata.blackLevel.reduce(0, +) / 4)
        let (shot, read) = threshold(frame.metadata)
        let found = unsafe frame.codes.withUnsafeBufferPointer { codes in
            guard let start = codes.baseAddress else { return 0 }
            let here = unsafe start + row * format.stride
            return unsafe marks.withUnsafeMutableBufferPointer { marks in
                guard let marks = marks.baseAddress else { return 0 }
                return unsafe markOutliers(
                    here - 2 * format.stride, here, here + 2 * format.stride, format.width, black, shot, read, marks)
            }
        }
        guard found > 0 else { return [] }
        return marks.indices.filter { marks[$0] == 1 }.map { row * format.width + $0 }
    }

    private static func isOutlier(_ frame: Mosaic, _ row: Int, _ column: Int) -> Bool {
        let stride = frame.format.stride
        let at = row * stride + column
        var (lowest, highest) = (UInt16.max, UInt16.min)
        for down in [-2, 0, 2] {
            for right in [-2, 0, 2] where (down, right) != (0, 0) {
                let code = frame.codes[at + down * stride + right]
                (lowest, highest) = (min(lowest, code), max(highest, code))
            }
        }
        let black = Float(frame.metadata.blackLevel.reduce(0, +) / 4)
        let (shot, read) = threshold(frame.metadata)
        let value = Float(frame.codes[at])
        let (over, under) = (max(value - Float(highest), 0), max(Float(lowest) - value, 0))
        return over * over > max(Float(highest) - black, 0) * shot + read
            || under * under > max(Float(lowest) - black, 0) * shot + read
    }

    /// The square of how far a pixel must stand out, in codes: for each code of signal, and without any.
    private static func threshold(_ metadata: FrameMetadata) -> (shot: Float, read: Float) {
        let noise = CodeNoise.mean(metadata)
        let range = metadata.whiteLevel - metadata.blackLevel.reduce(0, +) / 4
        return (
            distinction * Float(noise.shot * range), distinction * Float(noise.read * range * range + 1.0 / 12)
        )
    }
}

extension DefectivePixels.Witness {
    /// Whether the frame shows something else at a place of the sensor than the reference does.
    fileprivate func hasMoved(row: Int, column: Int, by least: Float) -> Bool {
        let motion = field.tile(column: column / 2 / TileGrid.step + 1, row: row / 2 / TileGrid.step + 1)
        return motion.agrees && 2 * max(abs(motion.right), abs(motion.down)) >= least
    }
}
