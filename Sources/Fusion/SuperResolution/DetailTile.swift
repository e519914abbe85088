internal import Glibc
internal import Kernels
internal import RawImage

/// What is regressed tile by tile: the samples of all frames, against a guide.
struct DetailTiles {
    let frames: [DetailFrame]
    let noise: DetailNoise
    /// One for each tile of the reference, row by row: whether the frames' samples cover it.
    let isCovered: [Bool]
    let grid: TileGrid

    /// Mosaic pixels to the side of a tile.
    static let side = 16
    /// The kernel's deviation in pixels.
    private static let sharpness: Float = 0.6
    /// The same where the picture is enlarged.
    private static let fineSharpness: Float = 0.5
    /// A sum of weights that halves what samples say.
    private static let fewest: Float = 0.25
    /// A motion may be wrong by so many pixels.
    private static let slack: Float = 0.2
    /// The share of the guide's detail, and of its colour, that may be the folding of detail too fine for it.
    private static let detail: Float = 0.5
    private static let color: Float = 0.1
    /// How much the mean of samples may differ where the reference's own samples are not what the guide shows.
    private static let patience: Float = 6
    /// The mean of squared differences from the reference's samples, in variances of its noise, up to which a result is
    /// believed.
    static let tolerance: Float = 0.9
    /// Signal over noise at which a second look at the samples says half of what it could.
    static let restraint: Float = 0.12

    /// Three planes of light, of which the first value lies at a place of the picture.
    @unsafe
    struct Planes {
        let start: UnsafeMutablePointer<Float>
        /// The place of the first value, across and down.
        let x: Int
        let y: Int
        static let stride = 320
        static let size = 320 * 320

        func at(_ x: Int, _ y: Int, color: Int = 0) -> UnsafeMutablePointer<Float> {
            unsafe start + (color * Self.size + (y - self.y) * Self.stride + x - self.x)
        }
    }

    /// The memory for one tile.
    @unsafe
    struct Room {
        private let memory: UnsafeMutablePointer<Float>
        let block: UnsafeMutablePointer<UInt16>

        init() {
            unsafe memory = .allocate(capacity: 10_304)
            unsafe memory.initialize(repeating: 0, count: 10_304)
            unsafe block = .allocate(capacity: 480)
        }

        func deallocate() {
            unsafe memory.deallocate()
            unsafe block.deallocate()
        }

        var light: UnsafeMutablePointer<Float> { unsafe memory }
        var scratch: UnsafeMutablePointer<Float> { unsafe memory + 512 }
        /// For what moves as the whole frame, and for the rest.
        func precision(_ isGlobal: Bool) -> UnsafeMutablePointer<Float> { unsafe memory + (isGlobal ? 1792 : 3456) }
        var reference: UnsafeMutablePointer<Float> { unsafe memory + 2304 }
        var weights: UnsafeMutablePointer<Float> { unsafe memory + 2368 }
        var counts: UnsafeMutablePointer<Float> { unsafe memory + 2560 }
        /// Four taps across and down, five taps across and down, and the noise.
        var taps: UnsafeMutablePointer<Float> { unsafe memory + 2624 }
        /// Guides between pixels, of three colours.
        var between: UnsafeMutablePointer<Float> { unsafe memory + 2688 }
        /// Of each quarter of a pixel where the picture is enlarged.
        var sums: UnsafeMutablePointer<Float> { unsafe memory + 4096 }
    }

    /// Makes one tile of the result; `counts` of the room then says how many frames agreed.
    ///
    /// Without `restraint` all is taken that the samples show beyond the guide.
    func merge(
        column: Int, row: Int, guide: Planes, restraint: Float, into result: Planes, _ room: Room
    ) {
        let (x, y) = (Self.side * column - 8, Self.side * row - 8)
        let isCovered = isCovered[grid.nearest(column: column, row: row)]
        unsafe prepare(x, y, guide, room)
        unsafe room.sums.update(repeating: 0, count: 1536)
        for (index, frame) in frames.enumerated() {
            guard let motion = frame.motion(column: column, row: row),
                let samples = unsafe compare(frame, motion, x, y, guide, isReference: index == 0, room), isCovered
            else { continue }
            unsafe gather(samples, .zero, Self.sharpness, room, room.sums)
        }
        for color in 0..<3 {
            unsafe detailResolve(
                guide.at(x, y, color: color), guide.at(x, y, color: 1), Planes.stride, room.sums + 256 * color,
                Self.fewest, noise.light[2], noise.light[3], restraint, result.at(x, y, color: color), Planes.stride)
        }
    }

    /// Makes one tile of a picture of twice the size, as `merge` does; `result` counts in its pixels.
    ///
    /// Of other frames each quad counts as far as `trust` says.
    func enlarge(
        column: Int, row: Int, guide: Planes, restraint: Float, trust: UnsafePointer<Float>, _ trustStride: Int,
        into result: Planes, _ room: Room
    ) {
        let (x, y) = (Self.side * column - 8, Self.side * row - 8)
        let isCovered = isCovered[grid.nearest(column: column, row: row)]
        unsafe prepare(x, y, guide, room)
        unsafe room.sums.update(repeating: 0, count: 4 * 1536)
        for (index, frame) in frames.enumerated() {
            guard let motion = frame.motion(column: column, row: row),
                let samples = unsafe compare(frame, motion, x, y, guide, isReference: index == 0, room), isCovered
            else { continue }
            if index > 0 { unsafe detailScaleWeights(room.weights, trust, trustStride) }
            for quarter in 0..<4 {
                unsafe gather(samples, Self.offset(quarter), Self.fineSharpness, room, room.sums + 1536 * quarter)
            }
        }
        for quarter in 0..<4 {
            let offset = Self.offset(quarter)
            let base = offset.rounded(.down)
            unsafe CubicWeights.set(offset.x - base.x, room.taps)
            unsafe CubicWeights.set(offset.y - base.y, room.taps + 4)
            for color in 0..<3 {
                unsafe detailBetween(
                    guide.at(x - 1 + Int(base.x), y - 1 + Int(base.y), color: color), Planes.stride, room.taps,
                    room.taps + 4, room.between + 256 * color)
            }
            for color in 0..<3 {
                unsafe detailResolve(
                    room.between + 256 * color, room.between + 256, 16, room.sums + (1536 * quarter + 256 * color),
                    Self.fewest, noise.light[2], noise.light[3], restraint, room.scratch, 16)
                let start = unsafe result.at(2 * x + quarter & 1, 2 * y + quarter >> 1, color: color)
                unsafe detailInterleave(room.scratch, start, Planes.stride)
            }
        }
    }

    /// Where a pixel of a picture of twice the size lies against the pixel it is a quarter of.
    private static func offset(_ quarter: Int) -> SIMD2<Float> {
        SIMD2(Float(quarter & 1), Float(quarter >> 1)) / 2 - 0.25
    }

    /// Says how far the samples of a tile may differ from the guide.
    private func prepare(_ x: Int, _ y: Int, _ guide: Planes, _ room: Room) {
        for index in 0..<6 { unsafe room.taps[18 + index] = noise.light[index] * 1.2 }
        for isGlobal in [true, false] {
            unsafe detailPrecision(
                guide.at(x - 2, y - 2), guide.at(x - 2, y - 2, color: 1), guide.at(x - 2, y - 2, color: 2),
                Planes.stride, room.taps + 18, Self.slack * Self.slack / 36, isGlobal ? Self.detail : 0,
                isGlobal ? Self.color : 0, room.precision(isGlobal))
        }
    }

    /// Says of each quad of a tile how far a result is from the reference's samples: the squares of four differences, in
    /// variances of its noise.
    func contradict(
        column: Int, row: Int, guide: Planes, result: Planes, _ errors: UnsafeMutablePointer<Float>,
        _ errorStride: Int, _ room: Room
    ) {
        let (x, y) = (Self.side * column - 8, Self.side * row - 8)
        let frame = frames[0]
        _ = unsafe frame.load(x: x, y: y, room.light, room.block)
        for index in 0..<6 { unsafe room.taps[18 + index] = noise.light[index] }
        unsafe detailPrecision(
            guide.at(x - 2, y - 2), guide.at(x - 2, y - 2, color: 1), guide.at(x - 2, y - 2, color: 2), Planes.stride,
            room.taps + 18, 0, 0, 0, room.precision(true))
        let red = frame.format.pattern.redOffset
        unsafe detailContradiction(
            room.light, result.at(x, y), result.at(x, y, color: 1), result.at(x, y, color: 2), Planes.stride,
            room.precision(true) + 17, (red.row ^ y) & 1, (red.column ^ x) & 1, errors, errorStride)
    }

    /// Samples of a frame around a tile, which the room holds as what they show beyond the guide.
    private struct Samples {
        /// What the tile's place in the frame is beyond whole pixels.
        var fraction: SIMD2<Float>
        var redRow: Int
        var redColumn: Int
    }

    /// Reads a frame's samples around a tile, and sees how far they agree with the guide; nil where they may be clipped.
    private func compare(
        _ frame: DetailFrame, _ motion: DetailMotion, _ x: Int, _ y: Int, _ guide: Planes, isReference: Bool,
        _ room: Room
    ) -> Samples? {
        let whole = motion.shift.rounded(.toNearestOrEven)
        let fraction = motion.shift - whole
        let (left, top) = (x - 2 + Int(whole.x), y - 2 + Int(whole.y))
        if unsafe frame.load(x: left, y: top, room.light, room.block) { return nil }
        let red = frame.format.pattern.redOffset
        let (redRow, redColumn) = ((red.row ^ top) & 1, (red.column ^ left) & 1)
        let base = (-fraction).rounded(.down)
        unsafe CubicWeights.set(-fraction.x - base.x, room.taps)
        unsafe CubicWeights.set(-fraction.y - base.y, room.taps + 4)
        let (tapX, tapY) = (x - 3 + Int(base.x), y - 3 + Int(base.y))
        unsafe detailResidual(
            room.light, guide.at(tapX, tapY), guide.at(tapX, tapY, color: 1), guide.at(tapX, tapY, color: 2),
            Planes.stride, room.taps, room.taps + 4, redRow, redColumn, room.scratch)
        unsafe frame.clearOutside(x: left, y: top, room.light)
        unsafe detailAgreement(
            room.light, room.precision(motion.isGlobal), redRow, redColumn, isReference, frame.trust,
            motion.isGlobal ? Self.patience : 0, room.reference, room.weights, room.counts, room.scratch)
        return Samples(fraction: fraction, redRow: redRow, redColumn: redColumn)
    }

    /// Spreads samples to the pixels, or to places so far from them.
    private func gather(
        _ samples: Samples, _ offset: SIMD2<Float>, _ sharpness: Float, _ room: Room,
        _ sums: UnsafeMutablePointer<Float>
    ) {
        let shift = samples.fraction + offset
        unsafe Self.setKernel(shift.x, sharpness, room.taps + 8)
        unsafe Self.setKernel(shift.y, sharpness, room.taps + 13)
        unsafe detailGather(
            room.light, room.weights, room.taps + 8, room.taps + 13, samples.redRow, samples.redColumn, sums)
    }

    /// The weights of samples two before to two after a pixel, which lie so far before it.
    private static func setKernel(_ shift: Float, _ sharpness: Float, _ taps: UnsafeMutablePointer<Float>) {
        for tap in 0..<5 {
            let distance = Float(tap - 2) - shift
            unsafe taps[tap] = expf(-distance * distance / (2 * sharpness * sharpness))
        }
    }
}
