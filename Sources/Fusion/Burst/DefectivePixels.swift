internal import Demosaic
internal import Kernels
internal import RawImage

/// Pixels of the sensor that tell nothing of the scene: they stand out of every frame at the same place, though the
/// scene has moved under them; or, where it has not, alone.
struct DefectivePixels: Sendable {
    /// Where they are in the codes of a frame without gaps, ascending: row times width plus column.
    private(set) var places: [Int] = []

    /// Square of how many standard deviations a pixel stands out: of twelve million one does so by chance, and then it
    /// has to do so in every frame.
    private static let distinction: Float = 25
    /// So many pixels the scene must have moved: then a point of light is nearer to the next pixel of its colour, two pixels on.
    private static let leastMotion: Float = 1.4

    /// Within so many pixels of a defect stand out, with itself, at most so many.
    private static let (solitude, company) = (4, 1)

    /// A frame, and where it shows the reference's tiles.
    struct Witness {
        var frame: Mosaic
        var field: MotionField
    }

    init() {}

    /// Finds the pixels that stand out of a frame and of all witnesses that have moved there; where none has, those that
    /// shine alone.
    init(in reference: Mosaic, _ witnesses: [Witness], cores: Int?) {
        let moved = witnesses.filter { witness in
            let global = witness.field.global
            return max(abs(global.x), abs(global.y)) >= Double(Self.leastMotion) / 2
        }
        let width = reference.format.width
        let lone = LonePixels(reference.format, reference.metadata)
        let rows = Self.outliers(in: reference, cores: cores)
        places = unsafe reference.codes.withUnsafeBufferPointer { codes in
            guard let codes = codes.baseAddress else { return [] }
            return rows.indices.flatMap { row in
                rows[row].filter { place in
                    let column = place - row * width
                    func tells(_ witness: Witness) -> Bool {
                        witness.hasMoved(row: row, column: column, by: Self.leastMotion)
                    }
                    guard moved.contains(where: tells) else {
                        return unsafe lone.contain(row: row, column: column, of: codes)
                            && Self.shines(reference, row, column)
                    }
                    return Self.isLonely(place, row, in: rows, width)
                        && moved.allSatisfy { !tells($0) || Self.isOutlier($0.frame, row, column) }
                }
            }
        }
    }

    /// Puts what the neighbours say in the place of each.
    func repair(_ codes: inout [UInt16], _ format: MosaicFormat) {
        let gap = format.stride - format.width
        LonePixels.repair(&codes, places.map { $0 + $0 / format.width * gap }, stride: format.stride)
    }

    /// Whether a place has hardly another near: where many stand out it is the scene's detail.
    private static func isLonely(_ place: Int, _ row: Int, in rows: [[Int]], _ width: Int) -> Bool {
        var count = 0
        return (max(row - solitude, 0)...min(row + solitude, rows.count - 1)).allSatisfy { other in
            let middle = place + (other - row) * width
            count += Self.count(of: rows[other], in: middle - solitude...middle + solitude)
            return count <= company
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
                var columns = [Int32](repeating: 0, count: format.width)
                for row in band { unsafe target[row + 2] = outliers(in: frame, row + 2, &columns) }
            }
        }
        return rows
    }

    private static func outliers(in frame: Mosaic, _ row: Int, _ columns: inout [Int32]) -> [Int] {
        let format = frame.format
        let black = Float(frame.metadata.blackLevel.reduce(0, +) / 4)
        let (shot, read) = threshold(frame.metadata)
        let found = unsafe frame.codes.withUnsafeBufferPointer { codes in
            guard let start = codes.baseAddress else { return 0 }
            let here = unsafe start + row * format.stride
            return unsafe columns.withUnsafeMutableBufferPointer { columns in
                guard let columns = columns.baseAddress else { return 0 }
                return unsafe findOutliers(
                    here - 2 * format.stride, here, here + 2 * format.stride, format.width, black, shot, read, columns)
            }
        }
        return columns[..<found].map { row * format.width + Int($0) }
    }

    /// Whether a pixel is brighter than its colour beside it. A dark speck that nothing moved over may be the scene's, and is
    /// hardly seen.
    private static func shines(_ frame: Mosaic, _ row: Int, _ column: Int) -> Bool {
        let at = row * frame.format.stride + column
        return frame.codes[at] > frame.codes[at + 2]
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
