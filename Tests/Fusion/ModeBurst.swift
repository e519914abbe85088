import BurstScenes
import Fusion
import Glibc
import RawImage

/// A hand-held burst at ISO 3200 of a camera that responds to colours unequally, and the photos of its modes.
struct ModeBurst {
    let burst: RandomBurst
    let metadata: FrameMetadata
    private let frames: [[UInt16]]
    /// The noise-free signals of the reference frame at all pixels: red, green and blue.
    private let truth: [[Float]]

    init(_ scene: TestScene, seed: Int, frames count: Int = 8) {
        var random = Random(UInt64(seed) + 4000)
        var burst = RandomBurst(seed: seed)
        (burst.scene, burst.width, burst.height, burst.bitDepth) = (scene, 384, 288, 12)
        (burst.iso, burst.lens, burst.level, burst.glints, burst.pattern) = (3200, 0.18, 0.9, 0, .rggb)
        burst.views = (0..<count).map { index in
            let (reach, turn): (Float, Float) = index == 0 ? (0, 0) : (14, 0.0015)
            return RandomBurst.View(
                right: random.uniform(-reach, reach), down: random.uniform(-reach, reach),
                turn: random.uniform(-turn, turn))
        }
        burst.faults = Array(repeating: nil, count: count)
        (burst.exposures, burst.flicker) = (Array(repeating: 1, count: count), Array(repeating: 1, count: count))
        burst.objects = []
        self.burst = burst
        var metadata = burst.metadata
        metadata.neutral = SIMD3<Double>(TestScene.neutral)
        self.metadata = metadata
        frames = burst.signals().enumerated().map { burst.codes($1, noise: UInt64($0)) }
        truth = (0..<3).map { burst.signals(color: $0)[0] }
    }

    /// The frame that photos are compared with: the reference.
    var frame: Mosaic {
        get throws { try Mosaic(format: burst.format, metadata: metadata, codes: frames[0]) }
    }

    /// Returns the photo of the first `count` frames, super-resolved as the options say or, if it is given, at a scale.
    func photo(
        _ options: FusionOptions, frames count: Int = 8, scale: SuperResolutionScale? = nil
    ) throws -> LinearImage {
        try fusion(options, frames: count).finishLinearPhoto(scale).photo
    }

    /// Returns the merged mosaic of the first `count` frames.
    func mosaic(_ options: FusionOptions, frames count: Int = 8) throws -> Mosaic {
        try fusion(options, frames: count).finish().mosaic
    }

    private func fusion(_ options: FusionOptions, frames count: Int) throws -> BurstFusion {
        var options = options
        options.reference = 0
        let fusion = BurstFusion(options)
        for codes in frames.prefix(count) { try fusion.add(codes.span, format: burst.format, metadata: metadata) }
        return fusion
    }

    /// Returns the signal-to-noise ratio of a photo in dB, white-balanced and with a display's gamma, except within 24
    /// pixels of an edge.
    func quality(_ photo: LinearImage) -> Double {
        let edge = 24
        var sum = 0.0
        for row in edge..<burst.height - edge {
            for column in edge..<burst.width - edge {
                for color in 0..<3 {
                    let value = Float(photo.values[row * photo.format.stride + 4 * column + color]) / 65_535
                    let expected = truth[color][row * burst.width + column]
                    let error = Double(shown(value, color) - shown(expected, color))
                    sum += error * error
                }
            }
        }
        return -10 * log10(sum / Double(3 * (burst.height - 2 * edge) * (burst.width - 2 * edge)))
    }

    private func shown(_ signal: Float, _ color: Int) -> Float {
        powf(min(max(signal / TestScene.neutral[color], 0), 1), 1 / 2.2)
    }
}
