internal import Demosaic
internal import KernelTypes
internal import RawImage

/// The noise of both photos in units of the wide one's linear values.
struct TeleNoiseModel {
    let kernel: TeleNoise

    /// The part of a pixel's variance that interpolation between pixels keeps.
    private static let interpolated = 0.66
    /// The variance of grey relative to that of a colour; demosaiced colours share part of their noise.
    private static let grey = 0.6

    /// The relative difference in which the lenses render the same light.
    private static let rendition = 0.012

    init(_ view: TeleView, gain: Double, strength: Double) {
        let wide = Self.profiles(view.wide.metadata)
        let tele = Self.profiles(view.tele.metadata).map { noise in
            let scaled = noise.amplified(by: gain)
            return NoiseProfile(shot: scaled.shot * Self.interpolated, read: scaled.read * Self.interpolated)
        }
        let side = view.cameras.magnification.rounded(.up)
        kernel = TeleNoise(
            wideShot: Self.vector(wide.map(\.shot)), wideRead: Self.vector(wide.map(\.read)),
            teleShot: Self.vector(tele.map(\.shot)), teleRead: Self.vector(tele.map(\.read)),
            kept: Float(min(1, 1.3 / (side * side))), patience: Float(2 * strength), slack: Float(0.04 * strength),
            aliasing: Float(1.5 * strength), bias: Float(0.7 * strength),
            rendition: Float(Self.rendition * Self.rendition), neighbours: Float(TeleAgreement.neighbours))
    }

    /// Returns the noise of red, green and blue, with the rounding to codes.
    private static func profiles(_ metadata: FrameMetadata) -> [NoiseProfile] {
        let stated = metadata.noise.isEmpty ? [CodeNoise.unknown] : metadata.noise
        let step = 1 / (metadata.whiteLevel - metadata.blackLevel[0])
        return (0..<3).map { color in
            let noise = stated[min(color, stated.count - 1)]
            return NoiseProfile(shot: max(noise.shot, 0), read: max(noise.read, 0) + step * step / 12 + 1e-9)
        }
    }

    private static func vector(_ values: [Double]) -> SIMD4<Float> {
        SIMD4(Float(values[0]), Float(values[1]), Float(values[2]), Float((values[1] * grey)))
    }
}
