internal import Demosaic
internal import Kernels
internal import PixelMemory
internal import RawImage

/// The defective pixels of a sensor (hot or dead), found in a burst: they deviate at the same sensor position in every
/// frame although the scene has moved; where the scene is still, a pixel must be an isolated bright outlier.
struct DefectivePixels: Sendable {
    /// Indices into the codes of a frame without row padding (row times width plus column), ascending.
    private(set) var positions: [Int] = []

    /// The square of the distance, in standard deviations of noise, by which an outlier lies above or below all eight
    /// neighbours of its colour. Gaussian noise makes fewer than one in ten million pixels an outlier.
    private static let outlierThreshold: Float = 25

    /// The gains of frames whose signals and noise are averaged with the reference's.
    private static let stillGains: ClosedRange<Float> = 0.9...1.1

    /// A frame and its motion field against the reference, to test whether an outlier stays at its sensor position.
    /// `gain` scales the frame's signals to the reference's.
    struct AlignedFrame {
        var frame: Mosaic
        var field: MotionField
        var gain: Float
    }

    init() {}

    /// Finds the defective pixels of `reference`: outliers of any frame that deviate from the scene alike in all frames
    /// that show it from other pixels; where the scene has not moved, outliers of the reference that are isolated and
    /// bright in the mean of the frames.
    init(in reference: Mosaic, _ frames: [AlignedFrame], cores: Int?) {
        let (format, metadata) = (reference.format, reference.metadata)
        let detector = IsolatedDefects(format, metadata)
        positions = Self.withViews([reference.codes] + frames.map(\.frame.codes)) { views in
            let others = zip(frames, views.dropFirst()).map { aligned, codes in
                EvidenceFrame(codes, aligned.frame.format, aligned.frame.metadata, aligned.field, gain: aligned.gain)
            }
            let evidence = DefectEvidence(frames: [EvidenceFrame(views[0], format, metadata, nil, gain: 1)] + others)
            let suspects = zip(views, [reference] + frames.map(\.frame)).map { codes, frame in
                Self.outliers(in: codes, frame.format, frame.metadata, cores: cores)
            }
            let still = Self.still(reference, frames, views, evidence)
            var found = [[Int]](repeating: [], count: format.height)
            found.withMutableView { found in
                concurrentBands(rows: format.height, of: 64, cores: cores) { band in
                    for row in band {
                        // Without motion a dark speck may belong to the scene, and is hardly visible.
                        found[row] = Self.defects(in: row, suspects.map { $0[row] }, evidence) { column in
                            detector.kind(row: row, column: column, of: still) == .bright
                        }
                    }
                }
            }
            return found.flatMap(\.self)
        }
    }

    /// Returns the reference and the frames that show the scene from the same pixels, exposed alike. In their mean a
    /// defect differs more clearly from a light.
    private static func still(
        _ reference: Mosaic, _ frames: [AlignedFrame], _ views: [MemoryView<UInt16>], _ evidence: DefectEvidence
    ) -> [IsolatedDefects.StillFrame] {
        let others = frames.indices.filter { index in
            let aligned = frames[index]
            return evidence.isStill(index + 1) && stillGains.contains(aligned.gain)
                && aligned.frame.format.stride == reference.format.stride
                && aligned.frame.metadata.noise == reference.metadata.noise
        }
        return [IsolatedDefects.StillFrame(views[0], gain: 1)]
            + others.map { IsolatedDefects.StillFrame(views[$0 + 1], gain: frames[$0].gain) }
    }

    /// Returns the defects among the outliers of a row in each frame, the reference first; `isIsolated` decides on the
    /// reference's where nothing has moved.
    private static func defects(
        in row: Int, _ outliers: [[Int]], _ evidence: DefectEvidence, isIsolated: (_ column: Int) -> Bool
    ) -> [Int] {
        var found: Set<Int> = []
        let start = row * evidence.frames[0].width
        for (frame, positions) in outliers.enumerated() {
            for position in positions where !found.contains(position) {
                let column = position - start
                let isDefective = evidence.isDefective(SIMD2(column, row), suspectIn: frame)
                if isDefective ?? (frame == 0 && isIsolated(column)) { found.insert(position) }
            }
        }
        return found.sorted()
    }

    /// Calls `body` with views of several arrays.
    private static func withViews<R>(
        _ arrays: [[UInt16]], _ views: [MemoryView<UInt16>] = [], _ body: ([MemoryView<UInt16>]) -> R
    ) -> R {
        guard views.count < arrays.count else { return body(views) }
        return arrays[views.count].withView { withViews(arrays, views + [$0], body) }
    }

    /// Finds the isolated bright outliers of a single frame, and calls `body` on several cores with each range of rows
    /// that has just been examined, so that it finds the rows in a core's cache.
    init(
        alone codes: MemoryView<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, cores: Int?,
        _ body: (Range<Int>) -> Void
    ) {
        let detector = IsolatedDefects(format, metadata)
        let still = [IsolatedDefects.StillFrame(codes, gain: 1)]
        let rows = Self.outliers(in: codes, format, metadata, cores: cores, body)
        // A dark speck may belong to the scene, and is hardly visible.
        positions = rows.indices.flatMap { row in
            rows[row].filter { detector.kind(row: row, column: $0 - row * format.width, of: still) == .bright }
        }
    }

    /// Replaces each defective pixel by an interpolation of its neighbours. All codes are multiples of `unit`.
    func repair(_ codes: inout [UInt16], _ format: MosaicFormat, unit: Int = 1) {
        let gap = format.stride - format.width
        IsolatedDefects.repair(
            &codes, positions.map { $0 + $0 / format.width * gap }, stride: format.stride, unit: unit)
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
