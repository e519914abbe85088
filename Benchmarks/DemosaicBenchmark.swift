internal import Demosaic
internal import Fusion
internal import RawImage

/// Compares gscap's demosaicing methods on one core with GStreamer's bayer2rgb.
enum DemosaicBenchmark {
    /// Compares the fast demosaicing method, for noisy pictures, with bayer2rgb.
    static func fast(width: Int, height: Int) throws -> Comparison {
        try comparison(.fast, "fast", width, height, aim: 7)
    }

    /// Compares the best demosaicing method, for clean pictures, with bayer2rgb.
    static func best(width: Int, height: Int) throws -> Comparison {
        try comparison(.best, "best", width, height, aim: 12)
    }

    private static func comparison(
        _ method: Demosaic.Method, _ name: String, _ width: Int, _ height: Int, aim: Double
    ) throws -> Comparison {
        let format = MosaicFormat(width: width, height: height, pattern: .rggb, bitDepth: 12)
        // The input is a sawtooth gradient with noise: the method's branches depend on local contrast, so the picture
        // must not be flat.
        let codes = (0..<format.codeCount).map { index in
            UInt16(((index / width * 13 + index % width * 7) % 1024) * 3 + (index &* 40_503) >> 7 & 63)
        }
        let output = LinearFormat(width: width, height: height)
        var values = [UInt16](repeating: 0, count: output.valueCount)
        return Comparison(
            name: "Demosaic, \(name), 12 to 3×16 bits",
            ours: {
                for _ in 0..<FrameBenchmark.count {
                    var span = values.mutableSpan
                    try Demosaic.linear(
                        codes.span, format: format, metadata: FrameMetadata(bitDepth: 12), into: &span, output: output,
                        method: method, cores: 1)
                }
            },
            peerName: "bayer2rgb, 8 to 3×8 bits", peer: try FrameBenchmark.bayer2rgb(width, height),
            cores: "each on one core", frames: FrameBenchmark.count, aim: aim,
            megapixels: Double(width * height) / 1e6)
    }
}
