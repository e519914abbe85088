package import RawImage

/// Generates frames of an analytic scene, so that every shift is exact.
package struct SyntheticBurst {
    package var format: MosaicFormat
    package var metadata: FrameMetadata
    /// The scene's signal, 0…1, as a function of column and row; its texture is coarser than a 2×2 cell.
    package var scene: (Double, Double) -> Double = Self.hills

    package init(_ width: Int, _ height: Int, pattern: BayerPattern = .rggb, bitDepth: Int = 12, stride: Int? = nil) {
        format = MosaicFormat(width: width, height: height, pattern: pattern, bitDepth: bitDepth, stride: stride)
        metadata = FrameMetadata(bitDepth: bitDepth)
        let unit = Double(1 << bitDepth) / 4096
        metadata.blackLevel = [256 * unit, 256 * unit, 256 * unit, 256 * unit]
        metadata.noise = Array(repeating: NoiseProfile(shot: 1e-3, read: 1e-5), count: 3)
        metadata.exposureTime = 0.01
        metadata.iso = 800
    }

    /// Returns the signal of a scene of smooth random hills of three sizes, without repetition.
    package static func hills(_ x: Double, _ y: Double) -> Double {
        0.1 + 0.25 * hill(x / 71, y / 71, 1) + 0.2 * hill(x / 23, y / 23, 2) + 0.15 * hill(x / 7, y / 7, 3)
    }

    /// Interpolates smoothly between random values at whole coordinates.
    private static func hill(_ x: Double, _ y: Double, _ seed: UInt64) -> Double {
        func value(_ x: Double, _ y: Double) -> Double {
            var random = Random(UInt64(bitPattern: Int64(x) &* 7919 &+ Int64(y)) &+ seed << 40)
            return Double(random.next() >> 11) * 0x1p-53
        }
        // Without SSE4.1, rounded(.down) is a call, which took a third of the time.
        func floor(_ x: Double) -> Double {
            let whole = Double(Int(x))
            return whole > x ? whole - 1 : whole
        }
        func smooth(_ t: Double) -> Double { t * t * t * (t * (6 * t - 15) + 10) }
        let (left, top) = (floor(x), floor(y))
        let (u, v) = (smooth(x - left), smooth(y - top))
        let upper = value(left, top) * (1 - u) + value(left + 1, top) * u
        let lower = value(left, top + 1) * (1 - u) + value(left + 1, top + 1) * u
        return upper * (1 - v) + lower * v
    }

    /// Returns the codes of a frame in which the scene is shifted by pixels to the right and down; with a seed it has
    /// noise.
    package func frame(right: Double = 0, down: Double = 0, exposure: Double = 1, seed: UInt64? = nil) -> [UInt16] {
        let (black, range) = (metadata.blackLevel[0], metadata.whiteLevel - metadata.blackLevel[0])
        var random = seed.map(Random.init)
        var codes = [UInt16](repeating: 0, count: format.codeCount)
        for row in 0..<format.height {
            for column in 0..<format.width {
                var signal = exposure * scene(Double(column) - right, Double(row) - down)
                signal += metadata.noise[0].variance(at: signal).squareRoot() * (random?.normal() ?? 0)
                let code = (signal * range + black).rounded()
                codes[row * format.stride + column] = UInt16(min(max(code, 0), metadata.whiteLevel))
            }
        }
        return codes
    }

    /// Returns the mean and the root mean square of a merged mosaic's error against the scene, in codes of the frames.
    package func errors(
        of mosaic: Mosaic, rows: Range<Int>? = nil, columns: Range<Int>? = nil
    ) -> (mean: Double, deviation: Double) {
        let unit = Double(1 << (16 - format.bitDepth))
        let (black, range) = (metadata.blackLevel[0], metadata.whiteLevel - metadata.blackLevel[0])
        var (sum, squares, count) = (0.0, 0.0, 0.0)
        for row in rows ?? 0..<format.height {
            for column in columns ?? 0..<format.width {
                let truth = scene(Double(column), Double(row)) * range + black
                let error = Double(mosaic.codes[row * mosaic.format.stride + column]) / unit - truth
                sum += error
                squares += error * error
                count += 1
            }
        }
        return (sum / count, (squares / count).squareRoot())
    }
}

/// A pseudorandom generator that is reproducible on every machine.
package struct Random {
    private var state: UInt64

    package init(_ seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }

    /// Returns an approximately normal number of mean 0 and standard deviation 1: the sum of twelve uniform numbers.
    package mutating func normal() -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + Double(next() >> 11) * 0x1p-53 }
    }
}
