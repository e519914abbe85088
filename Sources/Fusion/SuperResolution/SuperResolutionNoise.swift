internal import Demosaic
internal import Glibc
internal import RawImage

/// The noise of one frame in white-balanced linear values, and of the super-resolved photo.
struct SuperResolutionNoise: Sendable {
    /// The noise of one frame: shot and read term of red, of green and of blue. The variance is shot · value + read.
    let linear: [Float]
    /// The noise, in the layout of `linear`, of a photo in which each pixel comes from one frame: sparsely sampled
    /// colours have more noise than in the frame. The strength of denoising multiplies it.
    let picture: [Float]
    /// The distribution of a photo's noise variance over the 8×8 frequencies of a block: 64 values for what
    /// the colours have in common, then 64 for their differences.
    let shapes: [Float]

    /// The mosaic pixels per sample of red, green and blue.
    private static let areas: [Float] = [4, 2, 4]

    init(_ metadata: FrameMetadata, scale: Double, denoising: Double) {
        let profiles = CodeNoise.usable(metadata)
        let sensitivity = metadata.relativeSensitivity
        let range = metadata.whiteLevel - metadata.blackLevel.reduce(0, +) / 4
        linear = (0..<3).flatMap { plane in
            let profile = profiles[min(plane, profiles.count - 1)]
            // Rounding to whole codes adds a variance of 1/12.
            let read = profile.read + 1 / (12 * range * range)
            return [Float(profile.shot / sensitivity[plane]), Float(read / (sensitivity[plane] * sensitivity[plane]))]
        }
        picture = linear.enumerated().map { $1 * Self.areas[$0 / 2] * Float(denoising) }
        shapes =
            Self.shape(scale) { 0.8 * expf(-powf($0 / 1.18, 3)) } + Self.shape(scale) { 1.1 * expf(-$0 * $0 / 0.5) }
    }

    /// Returns, for each of the 8×8 frequencies of a block, the noise variance that the interpolation kernels leave.
    /// `left` computes that variance from the distance from frequency 0 in units of the mosaic's highest frequency.
    private static func shape(_ scale: Double, _ left: (Float) -> Float) -> [Float] {
        (0..<64).map { position in
            let distance = hypotf(Float(position % 8), Float(position / 8)) / 7 * Float(scale)
            return Float(scale * scale) * left(distance) + 0.002
        }
    }
}
