import Foundation
import RawImage
import SimulatedSensor

/// The part of the scene that both lenses see, by their true calibrations.
struct SharedView {
    private let (wide, tele): (CameraCalibration, CameraCalibration)

    /// The part of the tele's picture at its edge that is left out, since near things are shifted.
    private static let margin = 0.03

    init(_ tele: SensorLens, wide: SensorLens = SensorLens()) {
        self.wide = wide.calibration(width: 2016, height: 1512)
        self.tele = tele.calibration(width: 2016, height: 1512)
    }

    /// Whether the tele sees a place of the wide photo, both 0…1.
    func contains(_ place: SIMD2<Double>) -> Bool {
        let ray = wide.ray(ofPixel: place * SIMD2(Double(wide.width), Double(wide.height)))
        let turn: Matrix3 = tele.rotation * wide.rotation.transposed
        let direction = turn * SIMD3(ray.x, ray.y, 1)
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

    /// Doubles the values along each line (Catmull-Rom). Lines begin `between` values apart; the values of a line are
    /// `step` apart.
    private static func doubled(
        _ values: [SIMD3<Float>], lines: Int, count: Int, step: Int, between: Int
    ) -> [SIMD3<Float>] {
        // At a quarter of the distance from the nearest pixel to the next.
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
        let tiles = JudgedTiles(width: width, height: height)
        return tiles.sums { row, column in
            let difference = values[row * width + column] - truth.values[row * width + column]
            return SIMD3<Double>(difference * difference)
        }.map { $0.sum() / Double(3 * JudgedTiles.side * JudgedTiles.side) }
    }
}

/// The mean colours of a photo in tiles.
struct ColorTiles {
    private let tiles: JudgedTiles
    private let means: [SIMD3<Double>]
    private let variances: [SIMD3<Double>]

    init(_ photo: LinearImage) {
        let tiles = JudgedTiles(width: photo.format.width, height: photo.format.height)
        let count = Double(JudgedTiles.side * JudgedTiles.side)
        let means = tiles.sums { row, column in photo.signal(row, column) }.map { $0 / count }
        let squares = tiles.sums { row, column in photo.signal(row, column) * photo.signal(row, column) }
        variances = zip(squares, means).map { $0 / count - $1 * $1 }
        (self.tiles, self.means) = (tiles, means)
    }

    /// Returns by how much each colour's ratio to the truth deviates from the mean ratio of a tile, in the tiles that
    /// the tele sees and that are smooth, neither dark nor clipped.
    func deviations(from truth: ColorTiles, _ view: SharedView) -> [Double] {
        means.indices.flatMap { tile -> [Double] in
            guard view.contains(tiles.place(tile, SIMD2(0.5, 0.5))), truth.means[tile].min() > 0.02,
                truth.means[tile].max() < 0.9, truth.variances[tile].max() < 1e-4
            else { return [] }
            let ratios = (0..<3).map { log(means[tile][$0] / truth.means[tile][$0]) }
            let mean = ratios.reduce(0, +) / 3
            return ratios.map { $0 - mean }
        }
    }
}

/// Squared errors against the truth on a perceptual scale, in tiles.
struct Errors {
    let tiles: [Double]
    private let grid: JudgedTiles

    init(_ photo: LinearImage, _ truth: LinearImage) {
        grid = JudgedTiles(width: photo.format.width, height: photo.format.height)
        tiles = grid.sums { row, column in
            let difference = Self.value(photo, row, column) - Self.value(truth, row, column)
            return difference * difference
        }.map { $0.sum() + 1e-9 }
    }

    /// Returns the error in the tiles that the tele sees.
    func sum(in view: SharedView) -> Double {
        tiles.indices.reduce(0) { sum, tile in
            let isSeen = [SIMD2(0.0, 0), SIMD2(1, 0), SIMD2(0, 1), SIMD2(1, 1)].allSatisfy {
                view.contains(grid.place(tile, $0))
            }
            return isSeen ? sum + tiles[tile] : sum
        }
    }

    /// Returns a white-balanced pixel on a scale of square roots.
    private static func value(_ photo: LinearImage, _ row: Int, _ column: Int) -> SIMD3<Double> {
        let balanced = photo.signal(row, column) / photo.metadata.neutral
        return balanced.replacing(with: 0, where: balanced .< 0).squareRoot()
    }
}

/// The whole tiles of 64×64 pixels in a photo, row by row.
struct JudgedTiles {
    static let side = 64
    private let columns: Int
    private let rows: Int

    init(width: Int, height: Int) {
        columns = width / Self.side
        rows = height / Self.side
    }

    /// Returns the sum of a value over the pixels of each tile.
    func sums(_ value: (_ row: Int, _ column: Int) -> SIMD3<Double>) -> [SIMD3<Double>] {
        (0..<columns * rows).map { tile in
            var sum = SIMD3<Double>()
            for row in tile / columns * Self.side..<(tile / columns + 1) * Self.side {
                for column in tile % columns * Self.side..<(tile % columns + 1) * Self.side {
                    sum += value(row, column)
                }
            }
            return sum
        }
    }

    /// Returns a point of a tile as a part of the area of all tiles, 0…1; `part` is its position in the tile, 0…1.
    func place(_ tile: Int, _ part: SIMD2<Double>) -> SIMD2<Double> {
        (SIMD2(Double(tile % columns), Double(tile / columns)) + part) / SIMD2(Double(columns), Double(rows))
    }
}

extension LinearImage {
    /// Returns the red, green and blue of a pixel, from black (0) to white (1).
    fileprivate func signal(_ row: Int, _ column: Int) -> SIMD3<Double> {
        let start = row * format.stride + column * 4
        let codes = SIMD3(Double(values[start]), Double(values[start + 1]), Double(values[start + 2]))
        return (codes - metadata.blackLevel[0]) / (metadata.whiteLevel - metadata.blackLevel[0])
    }
}
