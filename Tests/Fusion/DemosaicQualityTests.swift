import BurstScenes
import Demosaic
import Fusion
import Glibc
import RawImage
import Testing

/// Measures the demosaic against known noise-free scenes, away from the edges.
///
/// The limits lie slightly below the measured quality. They are PSNR in dB of the square roots of linear values. An
/// interpolation that only weights two directions of green by their gradients misses each limit by at least 1 dB.
@Suite struct DemosaicQualityTests {
    /// A noise-free scene whose pixels are means of 4×4 samples.
    private struct Scene {
        static let side = 256
        let light: [SIMD3<Double>]

        /// Creates a scene from its linear colour at row and column offsets, in pixels, from the centre.
        init(_ color: (Double, Double) -> SIMD3<Double>) {
            light = (0..<Self.side * Self.side).map { pixel in
                let (row, column) = pixel.quotientAndRemainder(dividingBy: Self.side)
                var sum = SIMD3<Double>()
                for sample in 0..<16 {
                    let y = Double(row - Self.side / 2) + (Double(sample / 4) + 0.5) / 4
                    let x = Double(column - Self.side / 2) + (Double(sample % 4) + 0.5) / 4
                    sum += color(y, x)
                }
                return sum / 16
            }
        }

        /// Returns the square roots of the demosaiced photo's linear values, away from the edges, and those of the true
        /// values.
        func roots(_ method: Demosaic.Method, _ pattern: BayerPattern) throws -> [(
            found: SIMD3<Double>, true: SIMD3<Double>
        )] {
            let metadata = DemosaicTests.metadata()
            let side = Self.side
            let format = MosaicFormat(width: side, height: side, pattern: pattern, bitDepth: 14)
            let codes = (0..<side * side).map { pixel in
                let (row, column) = pixel.quotientAndRemainder(dividingBy: side)
                let plane = pattern.plane(row: row, column: column)
                let black = metadata.blackLevel[2 * (row & 1) + column & 1]
                let response = metadata.neutral[plane] * light[pixel][plane]
                return UInt16((black + (metadata.whiteLevel - black) * response).rounded())
            }
            let photo = try Demosaic.linear(Mosaic(format: format, metadata: metadata, codes: codes), method: method)
            return (0..<side * side).compactMap { pixel in
                let (row, column) = pixel.quotientAndRemainder(dividingBy: side)
                guard min(row, column) >= 16, max(row, column) < side - 16 else { return nil }
                let response = SIMD3((0..<3).map { DemosaicTests.response(photo.values[4 * pixel + $0]) })
                return ((response / metadata.neutral).squareRoot(), light[pixel].squareRoot())
            }
        }

        func quality(_ method: Demosaic.Method, _ pattern: BayerPattern = .rggb) throws -> Double {
            let roots = try roots(method, pattern)
            let error = roots.reduce(0.0) { sum, root in
                let difference = root.found - root.true
                return sum + (difference * difference).sum()
            }
            return -10 * log10(error / Double(3 * roots.count))
        }

        /// Returns the largest difference of red or blue from green in the demosaiced photo of a grey scene: its false
        /// colour.
        func fringe(_ method: Demosaic.Method) throws -> Double {
            try roots(method, .rggb).reduce(0.0) { largest, root in
                max(largest, abs(root.found.x - root.found.y), abs(root.found.z - root.found.y))
            }
        }
    }

    private static func star(_ dark: SIMD3<Double>, _ bright: SIMD3<Double>) -> Scene {
        Scene { y, x in sin(36 * atan2(y, x)) > 0 ? bright : dark }
    }

    @Test(arguments: [(Demosaic.Method.fast, 32.5, 0.48), (.best, 36, 0.3)])
    func aStarChartHasNoMaze(_ method: Demosaic.Method, _ bar: Double, _ fringe: Double) throws {
        let star = Self.star(SIMD3(repeating: 0.1), SIMD3(repeating: 0.7))
        #expect(try star.quality(method) > bar)
        #expect(try star.fringe(method) < fringe)
    }

    @Test(arguments: [(Demosaic.Method.fast, 30.8), (.best, 30.5)])
    func aStarOfTwoColoursIsClear(_ method: Demosaic.Method, _ bar: Double) throws {
        #expect(try Self.star(SIMD3(0.05, 0.08, 0.15), SIMD3(0.7, 0.5, 0.3)).quality(method) > bar)
    }

    @Test(arguments: BayerPattern.allCases, [(Demosaic.Method.fast, 33.5), (.best, 37.5)])
    func aZonePlateIsSharp(_ pattern: BayerPattern, _ kind: (method: Demosaic.Method, bar: Double)) throws {
        let plate = Scene { y, x in SIMD3(repeating: 0.4 + 0.35 * wave((x * x + y * y) * 0.3 / 256)) }
        #expect(try plate.quality(kind.method, pattern) > kind.bar)
    }

    @Test(arguments: [(Demosaic.Method.fast, 39), (.best, 38)])
    func smallDiscsKeepTheirColours(_ method: Demosaic.Method, _ bar: Double) throws {
        let discs = (0..<60).map { index in
            let number = Double(index)
            let (angle, distance) = (number * 2.399, 110 * (number / 60).squareRoot())
            let color = SIMD3(abs(sin(number * 1.3)), abs(sin(number * 2.1)), abs(sin(number * 3.7)))
            return (
                y: distance * sin(angle), x: distance * cos(angle),
                radius: 3 + number.truncatingRemainder(dividingBy: 7),
                color: 0.1 + 0.7 * color
            )
        }
        let scene = Scene { y, x in
            discs.last { hypot(y - $0.y, x - $0.x) < $0.radius }?.color ?? SIMD3(0.3, 0.35, 0.4)
        }
        #expect(try scene.quality(method) > bar)
    }

    @Test(arguments: [(Demosaic.Method.fast, 0.16), (.best, 0.12)], [0, 0.1, 0.3, 0.5, 0.7854, 1.2, 2, 2.7])
    func greyEdgesHaveNoFringes(_ kind: (method: Demosaic.Method, bound: Double), _ angle: Double) throws {
        let edge = Scene { y, x in SIMD3(repeating: x * cos(angle) + y * sin(angle) > 0 ? 0.9 : 0.05) }
        #expect(try edge.fringe(kind.method) < kind.bound)
    }

    @Test(arguments: [Demosaic.Method.fast, .best]) func aSmoothPictureIsNearlyExact(_ method: Demosaic.Method) throws {
        let waves = Scene { y, x in
            0.4 + 0.3 * SIMD3(wave(x / 70 + y / 90), wave(x / 60 - y / 110), wave(y / 80))
        }
        #expect(try waves.quality(method) > 58.5)
    }
}
