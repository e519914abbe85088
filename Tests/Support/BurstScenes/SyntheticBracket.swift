internal import Fusion
package import RawImage

/// A bracket: several exposures of an analytic scene that is brighter than the middle exposure can show.
package struct SyntheticBracket {
    package var burst: SyntheticBurst
    /// The camera's response to white: red, green and blue, relative to green.
    package var response = SIMD3(0.5, 1, 0.62)
    package var frames: [(codes: [UInt16], metadata: FrameMetadata)] = []

    package init(_ width: Int, _ height: Int, pattern: BayerPattern = .rggb, bitDepth: Int = 12) {
        burst = SyntheticBurst(width, height, pattern: pattern, bitDepth: bitDepth)
        burst.scene = Self.lamps
        burst.metadata.iso = 100
        burst.metadata.noise = Array(repeating: NoiseProfile(shot: 1.25e-4, read: 1e-7), count: 3)
        burst.metadata.neutral = response
    }

    /// Returns the linear value, at a position in pixels, of a scene of dark hills with large soft lamps, up to 3.3
    /// times white.
    package static func lamps(_ x: Double, _ y: Double) -> Double {
        let hills = SyntheticBurst.hills(x, y)
        let lamp = max(0, SyntheticBurst.hills(x / 2 + 500, y / 2 + 500) - 0.3)
        return 0.01 + 0.15 * hills * hills + 36 * lamp * lamp
    }

    /// Returns the noise-free signal of a pixel in the middle exposure, without clipping.
    package func truth(_ column: Int, _ row: Int) -> Double {
        burst.scene(Double(column), Double(row)) * response[burst.format.pattern.plane(row: row, column: column)]
    }

    /// Adds a frame with an exposure in EV relative to the middle one and a shift of the scene in pixels.
    package mutating func expose(
        _ stops: Double, right: Double = 0, down: Double = 0, seed: UInt64 = 1,
        scene: ((Double, Double) -> Double)? = nil
    ) {
        let (format, scene) = (burst.format, scene ?? burst.scene)
        var metadata = burst.metadata
        let exposure = (0..<Int(abs(stops))).reduce(1.0) { value, _ in stops > 0 ? value * 2 : value / 2 }
        metadata.exposureTime *= exposure
        metadata.sensorDigests = ["\(stops)"]
        let (black, range) = (metadata.blackLevel[0], metadata.whiteLevel - metadata.blackLevel[0])
        var random = Random(seed &* 7919)
        var codes = [UInt16](repeating: 0, count: format.codeCount)
        for row in 0..<format.height {
            for column in 0..<format.width {
                let light = scene(Double(column) - right, Double(row) - down)
                var signal = exposure * light * response[format.pattern.plane(row: row, column: column)]
                signal += metadata.noise[0].variance(at: signal).squareRoot() * random.normal()
                codes[row * format.stride + column] = UInt16(
                    min(max((signal * range + black).rounded(), 0), metadata.whiteLevel))
            }
        }
        frames.append((codes, metadata))
    }

    /// Adds frames at 0, −2 and +2 EV, with camera shake in proportion to `shift`.
    package mutating func exposeThree(shift: Double = 0) {
        expose(0, seed: 1)
        expose(-2, right: 3.3 * shift, down: -2.6 * shift, seed: 2)
        expose(2, right: -5.7 * shift, down: 4.4 * shift, seed: 3)
    }

    package func fuse(
        reference: Int? = nil, cores: Int? = nil, order: [Int]? = nil
    ) throws -> (mosaic: Mosaic, report: FusionReport) {
        let fusion = BracketFusion(reference: reference, cores: cores)
        for index in order ?? Array(frames.indices) {
            let codes = frames[index].codes
            try fusion.add(codes.span, format: burst.format, metadata: frames[index].metadata)
        }
        return try fusion.finish()
    }

    /// Returns the signals of a fused bracket, with 1 at the white of its reference frame.
    package func signals(_ result: (mosaic: Mosaic, report: FusionReport)) -> [Double] {
        let metadata = result.mosaic.metadata
        let factor = (0..<Int(result.report.headroom.rounded())).reduce(1.0) { value, _ in value * 2 }
        let range = metadata.whiteLevel - metadata.blackLevel[0]
        return result.mosaic.codes.map { (Double($0) - metadata.blackLevel[0]) / range * factor }
    }

    /// Returns the signals of the frame with this index, with 1 at its white.
    package func signals(ofFrame index: Int) -> [Double] {
        let metadata = frames[index].metadata
        let range = metadata.whiteLevel - metadata.blackLevel[0]
        return frames[index].codes.map { (Double($0) - metadata.blackLevel[0]) / range }
    }

    /// Returns the mean and the root mean square of the errors over the pixels that satisfy a condition, `margin`
    /// pixels away from the edges.
    package func errors(
        _ signals: [Double], margin: Int = 0, where isCounted: (_ x: Int, _ y: Int, _ truth: Double) -> Bool
    ) -> (mean: Double, deviation: Double) {
        var (sum, squares, count) = (0.0, 0.0, 0.0)
        for row in margin..<burst.format.height - margin {
            for column in margin..<burst.format.width - margin {
                let truth = truth(column, row)
                guard isCounted(column, row, truth) else { continue }
                let error = signals[row * burst.format.width + column] - truth
                sum += error
                squares += error * error
                count += 1
            }
        }
        return (sum / count, (squares / count).squareRoot())
    }
}
