internal import Demosaic
internal import Kernels
internal import PixelMemory
internal import RawImage

/// The defective pixels of a sensor (hot or dead), found in a burst: they deviate at the same sensor position in every
/// frame although the scene has moved; where the scene is still, a pixel must be an isolated outlier.
struct DefectivePixels: Sendable {
    /// Indices into the codes of a frame without row padding (row times width plus column), ascending.
    private(set) var positions: [Int] = []

    /// The square of the distance, in standard deviations of noise, by which an outlier lies above or below all eight
    /// neighbours of its colour. Gaussian noise makes fewer than one in ten million pixels an outlier.
    private static let outlierThreshold: Float = 25
    /// The least motion of the scene, in mosaic pixels, at which frames are compared. Pixels of one colour lie two
    /// pixels apart, so after more than one pixel of motion a point of light is nearest to another pixel of its colour.
    private static let leastMotion: Float = 1.4

    /// The neighbourhood radius in pixels, and the most outliers in it, including the pixel itself: more are texture of
    /// the scene.
    private static let (isolationRadius, mostOutliers) = (4, 1)

    /// A frame and its motion field against the reference, to test whether an outlier stays at its sensor position.
    struct AlignedFrame {
        var frame: Mosaic
        var field: MotionField
    }

    init() {}

    /// Finds the defective pixels of `reference`: isolated outliers that are outliers as well, at the same sensor
    /// position, in all frames whose motion there is large enough to compare; where no frame has moved, isolated bright
    /// outliers.
    init(in reference: Mosaic, _ frames: [AlignedFrame], cores: Int?) {
        let moved = frames.filter { frame in
            let global = frame.field.global
            return max(abs(global.x), abs(global.y)) >= Double(Self.leastMotion) / 2
        }
        let width = reference.format.width
        let detector = IsolatedDefects(reference.format, reference.metadata)
        positions = reference.codes.withView { codes in
            let rows = Self.outliers(in: codes, reference.format, reference.metadata, cores: cores)
            return rows.indices.flatMap { row in
                rows[row].filter { position in
                    let column = position - row * width
                    func hasMoved(_ frame: AlignedFrame) -> Bool {
                        frame.hasMoved(row: row, column: column, by: Self.leastMotion)
                    }
                    guard moved.contains(where: hasMoved) else {
                        return detector.containsBright(row: row, column: column, of: codes)
                    }
                    return Self.isIsolated(position, row, in: rows, width)
                        && moved.allSatisfy { !hasMoved($0) || Self.isOutlier($0.frame, row, column) }
                }
            }
        }
    }

    /// Finds the isolated bright outliers of a single frame, and calls `body` on several cores with each range of rows
    /// that has just been examined, so that it finds the rows in a core's cache.
    init(
        alone codes: MemoryView<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, cores: Int?,
        _ body: (Range<Int>) -> Void
    ) {
        let detector = IsolatedDefects(format, metadata)
        let rows = Self.outliers(in: codes, format, metadata, cores: cores, body)
        positions = rows.indices.flatMap { row in
            rows[row].filter { detector.containsBright(row: row, column: $0 - row * format.width, of: codes) }
        }
    }

    /// Replaces each defective pixel by an interpolation of its neighbours. All codes are multiples of `unit`.
    func repair(_ codes: inout [UInt16], _ format: MosaicFormat, unit: Int = 1) {
        let gap = format.stride - format.width
        IsolatedDefects.repair(
            &codes, positions.map { $0 + $0 / format.width * gap }, stride: format.stride, unit: unit)
    }

    /// Whether an outlier has few others nearby: many close outliers are texture of the scene.
    private static func isIsolated(_ position: Int, _ row: Int, in rows: [[Int]], _ width: Int) -> Bool {
        var count = 0
        return (max(row - isolationRadius, 0)...min(row + isolationRadius, rows.count - 1)).allSatisfy { other in
            let middle = position + (other - row) * width
            count += Self.count(of: rows[other], in: middle - isolationRadius...middle + isolationRadius)
            return count <= mostOutliers
        }
    }

    /// Returns how many of the ascending indices lie in a range.
    private static func count(of positions: [Int], in range: ClosedRange<Int>) -> Int {
        var (low, high) = (0, positions.count)
        while low < high {
            let middle = (low + high) / 2
            if positions[middle] < range.lowerBound { low = middle + 1 } else { high = middle }
        }
        return positions[low...].prefix { range.contains($0) }.count
    }

    /// Returns the indices of the outliers of a frame, row by row, and calls `body` with each range of rows after it
    /// was examined.
    private static func outliers(
        in codes: MemoryView<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, cores: Int?,
        _ body: (Range<Int>) -> Void = { _ in }
    ) -> [[Int]] {
        let examined = format.width >= 5 && format.height >= 5 ? 2..<format.height - 2 : 0..<0
        let black = Float(metadata.blackLevel.reduce(0, +) / 4)
        let (shot, read) = threshold(metadata)
        var rows = [[Int]](repeating: [], count: format.height)
        rows.withMutableView { rows in
            // Concurrent bands write to different rows.
            concurrentBands(rows: format.height, of: 64, cores: cores) { band in
                var columns = [Int32](repeating: 0, count: format.width)
                for row in band.clamped(to: examined) {
                    let here = codes + row * format.stride
                    let (above, below) = (here - 2 * format.stride, here + 2 * format.stride)
                    let found = unsafe findIsolatedDefects(
                        above.pointer(format.width), here.pointer(format.width), below.pointer(format.width),
                        format.width, black, shot, read, &columns)
                    rows[row] = columns[..<found].map { row * format.width + Int($0) }
                }
                body(band)
            }
        }
        return rows
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

    /// Returns the two terms of the squared deviation, in codes², above which a code is an outlier: `shot` times the
    /// signal, plus `read`.
    private static func threshold(_ metadata: FrameMetadata) -> (shot: Float, read: Float) {
        let noise = CodeNoise.mean(metadata)
        let range = metadata.whiteLevel - metadata.blackLevel.reduce(0, +) / 4
        return (
            outlierThreshold * Float(noise.shot * range),
            outlierThreshold * Float(noise.read * range * range + 1.0 / 12)
        )
    }
}

extension IsolatedDefects {
    /// Whether a pixel is defective and brighter than the next one of its colour. Without motion a dark speck may
    /// belong to the scene, and is hardly visible, so only bright pixels are repaired.
    fileprivate func containsBright(row: Int, column: Int, of codes: MemoryView<UInt16>) -> Bool {
        guard contain(row: row, column: column, of: codes) else { return false }
        let pixel = codes + (row * format.stride + column)
        return pixel[0] > pixel[2]
    }
}

extension DefectivePixels.AlignedFrame {
    /// Whether the tile at a sensor position has moved by at least `least` mosaic pixels against the reference.
    fileprivate func hasMoved(row: Int, column: Int, by least: Float) -> Bool {
        let motion = field.tile(column: column / 2 / TileGrid.step + 1, row: row / 2 / TileGrid.step + 1)
        return motion.agrees && 2 * max(abs(motion.right), abs(motion.down)) >= least
    }
}
