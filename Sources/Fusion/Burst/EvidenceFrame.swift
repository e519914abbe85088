internal import Demosaic
internal import PixelMemory
internal import RawImage

/// A frame of a burst as the evidence on defective pixels reads it: signals above black, scaled to the reference's.
struct EvidenceFrame {
    let codes: MemoryView<UInt16>
    let width: Int
    let height: Int
    /// The colour planes of the four positions in the CFA cell.
    let planes: SIMD4<Int>
    private let stride: Int
    /// The motion against the reference; nil for the reference itself.
    private let field: MotionField?
    /// The median motion of the whole frame against the reference.
    let shift: SIMD2<Float>
    private let black: SIMD4<Float>
    private let gain: Float
    /// Noise variance of the signals: per signal, and at black.
    private let shot: Float
    private let read: Float
    /// The lowest code that is treated as clipped.
    private let clipped: UInt16

    init(
        _ codes: MemoryView<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, _ field: MotionField?,
        gain: Float
    ) {
        self.codes = codes
        (width, height, stride) = (format.width, format.height, format.stride)
        let pattern = format.pattern.planes
        planes = SIMD4(pattern[0], pattern[1], pattern[2], pattern[3])
        self.field = field
        shift = field.map { SIMD2<Float>($0.global) } ?? .zero
        self.gain = gain
        black = SIMD4(metadata.blackLevel.map(Float.init))
        let noise = CodeNoise.mean(metadata)
        let range = metadata.whiteLevel - metadata.blackLevel.reduce(0, +) / 4
        shot = Float(noise.shot * range) * gain
        read = Float(noise.read * range * range + 1.0 / 12) * gain * gain
        clipped = UInt16((metadata.whiteLevel - range / 64).clamped(to: 1...65_535))
    }

    /// The standard deviation of the noise at black.
    var darkNoise: Float { read.squareRoot() }

    /// Returns the noise variance of a signal.
    func variance(_ signal: Float) -> Float { max(signal, 0) * shot + read }

    @inline(__always)
    func signal(_ x: Int, _ y: Int) -> Float {
        (Float(codes[y &* stride &+ x]) - black[(y & 1) &<< 1 | x & 1]) * gain
    }

    /// Returns the black levels of the 2×2 pixels from a position to the right and down.
    func black(_ x: Int, _ y: Int) -> SIMD4<Float> {
        let rows = y & 1 == 0 ? black : SIMD4(black[2], black[3], black[0], black[1])
        return x & 1 == 0 ? rows : SIMD4(rows[1], rows[0], rows[3], rows[2])
    }

    /// Returns the signals of the 2×2 pixels from a position to the right and down, whose black levels are `black`.
    @inline(__always)
    func cell(_ x: Int, _ y: Int, _ black: SIMD4<Float>) -> SIMD4<Float> {
        let upper = y &* stride &+ x
        let lower = upper &+ stride
        let codes = SIMD4(codes[upper], codes[upper &+ 1], codes[lower], codes[lower &+ 1])
        return (SIMD4<Float>(codes) - black) * gain
    }

    @inline(__always)
    func plane(_ x: Int, _ y: Int) -> Int { planes[(y & 1) &<< 1 | x & 1] }

    func isClipped(_ x: Int, _ y: Int) -> Bool { codes[y * stride + x] >= clipped }

    /// Returns by how much a pixel is brighter than the darkest, and than the brightest, of the eight next ones of its
    /// colour.
    func heights(_ x: Int, _ y: Int) -> (overDarkest: Float, overBrightest: Float) {
        let here = y &* stride &+ x
        var (darkest, brightest) = (UInt16.max, UInt16.min)
        for neighbour in 0..<9 where neighbour != 4 {
            let code = codes[here &+ 2 &* ((neighbour / 3 &- 1) &* stride &+ neighbour % 3 &- 1)]
            (darkest, brightest) = (min(darkest, code), max(brightest, code))
        }
        let code = Float(codes[here])
        return ((code - Float(darkest)) * gain, (code - Float(brightest)) * gain)
    }

    /// Returns the signal that repair gives a pixel.
    func repaired(_ x: Int, _ y: Int) -> Float {
        let (left, right) = (signal(x - 2, y), signal(x + 2, y))
        let (above, below) = (signal(x, y - 2), signal(x, y + 2))
        return abs(left - right) <= abs(above - below) ? (left + right) / 2 : (above + below) / 2
    }

    /// Returns the motion of the scene from the reference to this frame, in mosaic pixels, at a position in the
    /// reference; nil if the tile there does not agree.
    func motion(at place: SIMD2<Float>) -> SIMD2<Float>? {
        guard let field else { return .zero }
        // On the finest level tile n is centred at grey pixel 8n.
        let tile = (place / Float(2 * TileGrid.step)).rounded(.toNearestOrEven)
        let motion = field.tile(column: Int(tile.x), row: Int(tile.y))
        return motion.agrees ? 2 * SIMD2(motion.right, motion.down) : nil
    }
}
