import BurstScenes
import Fusion
import RawImage
import Testing

/// Tests that merging neither darkens nor brightens the picture.
@Suite struct BiasTests {
    /// The mean of fused flat signals of several levels equals that of the frames: signal-dependent noise must not
    /// favour darker frames, and rounding must not be biased. Each burst is paired with a mirrored one whose noise has
    /// the opposite sign, so that chance cancels and only a bias remains.
    @Test(arguments: [258, 271, 371, 1024, 2559], [800.0, 3200])
    func flatSignalsKeepTheirMean(_ code: UInt16, _ iso: Double) throws {
        var burst = SyntheticBurst(256, 256)
        let shot = 1e-3 * iso / 800
        burst.metadata.noise = Array(repeating: NoiseProfile(shot: shot, read: 10 * shot * shot), count: 3)
        let light = (Double(code) - 256) / 3839
        burst.scene = { _, _ in light }
        var bias = 0.0
        let bursts = 4
        for seed in 0..<bursts {
            let frames = (0..<8).map { burst.frame(seed: UInt64(seed * 100 + $0)) }
            for frames in [frames, frames.map { Self.mirror($0, at: code) }] {
                let fusion = BurstFusion(FusionOptions(reference: 0), cores: 1)
                for frame in frames { try fusion.add(frame.span, format: burst.format, metadata: burst.metadata) }
                let photo = try fusion.finish().mosaic
                let mean = frames.map { Self.mean($0) }.reduce(0, +) / Double(frames.count)
                bias += (Self.mean(photo.codes) / 16 - mean) / Double(2 * bursts)
            }
        }
        #expect(abs(bias) < 0.02, "\(bias) counts")
    }

    /// A burst whose frames flicker, which the metadata does not record, keeps the reference frame's brightness within
    /// 0.1 %.
    @Test func flickerDoesNotChangeTheMean() throws {
        let burst = SyntheticBurst(256, 256)
        let factors = [1, 0.9, 1.1, 0.94, 1.07, 0.91, 1.02, 0.97]
        var (bias, uncertainty) = (0.0, 0.0)
        let bursts = 6
        for seed in 0..<bursts {
            let frames = factors.indices.map { index in
                burst.frame(exposure: factors[index], seed: UInt64(seed * 100 + index))
            }
            let fusion = BurstFusion(FusionOptions(reference: 0), cores: 1)
            for frame in frames { try fusion.add(frame.span, format: burst.format, metadata: burst.metadata) }
            let errors = burst.errors(of: try fusion.finish().mosaic)
            bias += errors.mean / Double(bursts)
            let one = try Self.only(frames[0], burst)
            uncertainty = burst.errors(of: one).deviation / (256 * Double(bursts).squareRoot())
        }
        #expect(abs(bias) < 1.3 + 4 * uncertainty, "\(bias) counts")
    }

    private static func mirror(_ codes: [UInt16], at middle: UInt16) -> [UInt16] {
        codes.map { code in 2 * middle - min(code, 2 * middle) }
    }

    private static func mean(_ codes: [UInt16]) -> Double {
        Double(codes.reduce(0) { $0 + Int($1) }) / Double(codes.count)
    }

    /// Fuses a burst of one frame, which gives that frame as a fused mosaic.
    private static func only(_ frame: [UInt16], _ burst: SyntheticBurst) throws -> Mosaic {
        let fusion = BurstFusion()
        try fusion.add(frame.span, format: burst.format, metadata: burst.metadata)
        return try fusion.finish().mosaic
    }
}
