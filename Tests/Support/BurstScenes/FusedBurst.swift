internal import Fusion
internal import Glibc
package import RawImage

/// A random burst with its reference frame, its fused photo and the noise-free truth of both.
package struct FusedBurst {
    package let burst: RandomBurst
    package let report: FusionReport
    /// The noise-free, unclipped signals of the reference frame, with 1 at white.
    package let scene: [Float]
    /// Codes on the scale of the frames: of the reference frame, of the fused photo, and of the noise-free reference.
    package let reference: [Float]
    package let photo: [Float]
    package let truth: [Float]

    package init(_ burst: RandomBurst, mode: FusionMode = .balanced) throws {
        let signals = burst.signals()
        let frames = signals.indices.map { burst.codes(signals[$0], noise: UInt64($0)) }
        let fusion = BurstFusion(FusionOptions(mode: mode, reference: burst.reference), cores: 1)
        for (index, frame) in frames.enumerated() {
            try fusion.add(frame.span, format: burst.format, metadata: burst.metadata(index))
        }
        let (mosaic, report) = try fusion.finish()
        let (black, white) = (Float(burst.metadata.blackLevel[0]), Float(burst.metadata.whiteLevel))
        let unit = Float(1 << (16 - burst.bitDepth))
        self.burst = burst
        self.report = report
        scene = signals[report.reference]
        truth = scene.map { min($0, 1) * (white - black) + black }
        reference = frames[report.reference].map(Float.init)
        photo = mosaic.codes.map { Float($0) / unit }
    }

    /// Returns by how many dB the photo's squared error is smaller than the reference frame's, over the chosen pixels
    /// except those within 24 pixels of an edge.
    package func gain(where isChosen: (_ column: Int, _ row: Int) -> Bool = { _, _ in true }) -> Double {
        let edge = 24
        var (photoSum, referenceSum) = (0.0, 0.0)
        for row in edge..<burst.height - edge {
            for column in edge..<burst.width - edge where isChosen(column, row) {
                let position = row * burst.width + column
                let (error, before) = (
                    Double(photo[position] - truth[position]), Double(reference[position] - truth[position])
                )
                photoSum += error * error
                referenceSum += before * before
            }
        }
        return 10 * log10(referenceSum / photoSum)
    }
}
