import Foundation
import RawImage
import SimulatedSensor

/// What both lenses see, by their true calibrations.
struct SharedView {
    private let (wide, tele): (CameraCalibration, CameraCalibration)

    /// The part of the tele's picture at its edge that is left out, since near things are shifted.
    private static let margin = 0.03

    init(_ tele: SensorLens) {
        wide = SensorLens().calibration(width: 2016, height: 1512)
        self.tele = tele.calibration(width: 2016, height: 1512)
    }

    /// Whether the tele sees a place of the wide photo, both 0…1.
    func contains(_ place: SIMD2<Double>) -> Bool {
        let ray = wide.ray(ofPixel: place * SIMD2(Double(wide.width), Double(wide.height)))
        let direction = tele.rotation * wide.rotation.transposed * SIMD3(ray.x, ray.y, 1)
        let pixel = tele.pixel(ofRay: SIMD2(direction.x, direction.y) / direction.z)
        let seen = pixel / SIMD2(Double(tele.width), Double(tele.height))
        return min(seen.x, seen.y) > Self.margin && max(seen.x, seen.y) < 1 - Self.margin
    }
}

/// A photo as a simple converter shows it: white-balanced, clipped, and on a scale of 0 to 255 with a gamma of 2.2.
struct DisplayedPhoto {
    private let width: Int
    private let height: Int
    /// Red, green and blue, row by row.
    private var values: [SIMD3<Float>]
    private static let side = 64

    init(_ photo: LinearImage) {
        (width, height) = (photo.format.width, photo.format.height)
        let (black, neutral) = (photo.metadata.blackLevel[0], photo.metadata.neutral)
        let range = photo.metadata.whiteLevel - black
        let curves = (0..<3).map { color in
            (0...65_535).map { code in
                Float(255 * pow(min(max((Double(code) - black) / range / neutral[color], 0), 1), 1 / 2.2))
            }
        }
        values = []
        values.reserveCapacity(width * height)
        for row in 0..<height {
            for column in 0..<width {
                let start = row * photo.format.stride + column * 4
                values.append(
                    SIMD3(
                        curves[0][Int(photo.values[start])],
                        curves[1][Int(photo.values[start + 1])], curves[2][Int(photo.values[start + 2])]))
            }
        }
    }

    private init(width: Int, height: Int, _ values: [SIMD3<Float>]) {
        self.width = width
        self.height = height
        self.values = values
    }

    /// The photo enlarged by bicubic interpolation. Its pixels lie a quarter of a pixel from those of the photo.
    var twiceAsLarge: DisplayedPhoto {
        let wider = Self.doubled(values, lines: height, count: width, step: 1, between: width)
        let whole = Self.doubled(wider, lines: 2 * width, count: height, step: 2 * width, between: 1)
        return DisplayedPhoto(width: 2 * width, height: 2 * height, whole)
    }

    /// Doubles the number of values along lines, which are `between` values apart, as those in a line are `step`.
    private static func doubled(
        _ values: [SIMD3<Float>], lines: Int, count: Int, step: Int, between: Int
    ) -> [SIMD3<Float>] {
        // At a quarter and three quarters between two pixels.
        let weights: [Float] = [-9 / 128, 111 / 128, 29 / 128, -3 / 128]
        var result = Array(repeating: SIMD3<Float>(), count: 2 * values.count)
        let (lineStart, target) = (between == 1 ? 1 : 2 * between, step)
        for line in 0..<lines {
            for place in 0..<2 * count {
                let (index, direction) = (place / 2, place % 2 == 0 ? -1 : 1)
                var sum = SIMD3<Float>()
                for tap in 0..<4 {
                    let neighbour = min(max(index + direction * (tap - 1), 0), count - 1)
                    sum += values[line * between + neighbour * step] * weights[tap]
                }
                result[line * lineStart + place * target] = sum.clamped(
                    lowerBound: SIMD3(), upperBound: SIMD3(repeating: 255))
            }
        }
        return result
    }

    /// Returns the mean squared errors in tiles.
    func errors(_ truth: DisplayedPhoto) -> [Double] {
        let columns = width / Self.side
        return (0..<columns * (height / Self.side)).map { tile in
            var sum: Float = 0
            for row in tile / columns * Self.side..<(tile / columns + 1) * Self.side {
                for column in tile % columns * Self.side..<(tile % columns + 1) * Self.side {
                    let difference = values[row * width + column] - truth.values[row * width + column]
                    sum += (difference * difference).sum()
                }
            }
            return Double(sum) / Double(3 * Self.side * Self.side)
        }
    }
}

/// The mean colours of a photo in tiles.
struct ColorTiles {
    private static let side = 64
    private let (columns, rows): (Int, Int)
    private var means: [SIMD3<Double>] = []

    init(_ photo: LinearImage) {
        (columns, rows) = (photo.format.width / Self.side, photo.format.height / Self.side)
        for tile in 0..<columns * rows {
            var sum = SIMD3<Double>()
            for row in tile / columns * Self.side..<(tile / columns + 1) * Self.side {
                for column in tile % columns * Self.side..<(tile % columns + 1) * Self.side {
                    let start = row * photo.format.stride + column * 4
                    sum += SIMD3(
                        Double(photo.values[start]), Double(photo.values[start + 1]), Double(photo.values[start + 2]))
                }
            }
            means.append(
                (sum / Double(Self.side * Self.side) - photo.metadata.blackLevel[0])
                    / (photo.metadata.whiteLevel - photo.metadata.blackLevel[0]))
        }
    }

    /// Returns by how much each colour's ratio to the truth deviates from the mean ratio of a tile, in the tiles that
    /// the tele sees and that are neither dark nor clipped.
    func deviations(from truth: ColorTiles, _ view: SharedView) -> [Double] {
        means.indices.flatMap { tile -> [Double] in
            let place = SIMD2(Double(tile % columns) + 0.5, Double(tile / columns) + 0.5)
            guard view.contains(place / SIMD2(Double(columns), Double(rows))), truth.means[tile].min() > 0.02,
                truth.means[tile].max() < 0.9
            else { return [] }
            let ratios = (0..<3).map { log(means[tile][$0] / truth.means[tile][$0]) }
            let mean = ratios.reduce(0, +) / 3
            return ratios.map { $0 - mean }
        }
    }
}

/// Squared errors against the truth on a perceptual scale, in tiles.
struct Errors {
    private static let side = 64
    private(set) var tiles: [Double] = []
    private let columns: Int
    private let rows: Int

    init(_ photo: LinearImage, _ truth: LinearImage) {
        columns = photo.format.width / Self.side
        rows = photo.format.height / Self.side
        for tile in 0..<columns * rows {
            var sum = 1e-9
            for row in tile / columns * Self.side..<(tile / columns + 1) * Self.side {
                for column in tile % columns * Self.side..<(tile % columns + 1) * Self.side {
                    for color in 0..<3 {
                        let difference =
                            Self.value(photo, row, column, color) - Self.value(truth, row, column, color)
                        sum += difference * difference
                    }
                }
            }
            tiles.append(sum)
        }
    }

    /// Returns the error in the tiles that the tele sees.
    func sum(in view: SharedView) -> Double {
        let size = SIMD2(Double(columns * Self.side), Double(rows * Self.side))
        return tiles.indices.reduce(0) { sum, tile in
            let corner = SIMD2(Double(tile % columns * Self.side), Double(tile / columns * Self.side))
            let isSeen = [(0.0, 0.0), (1, 0), (0, 1), (1, 1)].allSatisfy { right, down in
                view.contains((corner + SIMD2(right, down) * Double(Self.side)) / size)
            }
            return isSeen ? sum + tiles[tile] : sum
        }
    }

    /// Returns a white-balanced sample on a scale of square roots.
    private static func value(_ photo: LinearImage, _ row: Int, _ column: Int, _ color: Int) -> Double {
        let black = photo.metadata.blackLevel[0]
        let code = Double(photo.values[row * photo.format.stride + column * 4 + color])
        let signal = (code - black) / (photo.metadata.whiteLevel - black)
        return max(signal / photo.metadata.neutral[color], 0).squareRoot()
    }
}
