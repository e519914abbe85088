import Fusion
import RawImage

/// A random burst with its frames, fused, and the error against its truth.
struct FusedBurst {
    let burst: RandomBurst
    let report: FusionReport
    /// The signals that the reference saw, without noise, not yet clipped.
    let scene: [Float]
    /// Codes of the reference, of the photo and of the reference without noise, on the scale of the frames.
    let reference: [Float]
    let photo: [Float]
    let truth: [Float]

    init(_ burst: RandomBurst, mode: FusionOptions.Mode = .balanced) throws {
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

    /// How much less error the photo has than the reference, in dB, at places that are chosen; those nearer to an edge
    /// than the hand shakes are left out.
    func gain(where isChosen: (_ column: Int, _ row: Int) -> Bool = { _, _ in true }) -> Double {
        let edge = 24
        var (ours, its) = (0.0, 0.0)
        for row in edge..<burst.height - edge {
            for column in edge..<burst.width - edge where isChosen(column, row) {
                let place = row * burst.width + column
                let (error, before) = (Double(photo[place] - truth[place]), Double(reference[place] - truth[place]))
                ours += error * error
                its += before * before
            }
        }
        return 10 * log10(its / ours)
    }
}
