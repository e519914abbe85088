internal import Demosaic
internal import Glibc
internal import RawImage

/// The noise of one frame as white-balanced light, and of the picture that samples of many frames give.
struct DetailNoise: Sendable {
    /// Shot and read noise of red, green and blue: variance = shot · light + read.
    let light: [Float]
    /// The same of a picture whose every pixel is made of one frame: colours that are sampled sparsely have more.
    let picture: [Float]
    /// How that variance lies over the 8×8 frequencies of a block: of luma, and of the differences of colours.
    let shapes: [Float]

    /// Samples of red, green and blue are so many pixels apart in area.
    private static let areas: [Float] = [4, 2, 4]

    init(_ metadata: FrameMetadata, scale: Double) {
        let profiles = CodeNoise.usable(metadata)
        let sensitivity = metadata.relativeSensitivity
        let range = metadata.whiteLevel - metadata.blackLevel.reduce(0, +) / 4
        light = (0..<3).flatMap { plane in
            let profile = profiles[min(plane, profiles.count - 1)]
            // Rounding to whole codes adds a twelfth.
            let read = profile.read + 1 / (12 * range * range)
            return [Float(profile.shot / sensitivity[plane]), Float(read / (sensitivity[plane] * sensitivity[plane]))]
        }
        picture = light.enumerated().map { $1 * Self.areas[$0 / 2] }
        shapes =
            Self.shape(scale) { 1.4 * expf(-powf($0 / 1.18, 3)) } + Self.shape(scale) { 1.1 * expf(-$0 * $0 / 0.5) }
    }

    /// What the kernels leave of noise at a distance from frequency 0, in highest frequencies of the mosaic.
    private static func shape(_ scale: Double, _ left: (Float) -> Float) -> [Float] {
        (0..<64).map { place in
            let distance = hypotf(Float(place % 8), Float(place / 8)) / 7 * Float(scale)
            return Float(scale * scale) * left(distance) + 0.002
        }
    }
}
