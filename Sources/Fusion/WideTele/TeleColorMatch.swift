internal import Glibc
internal import KernelTypes
internal import Kernels
internal import PixelMemory
internal import RawImage

/// The conversion of the tele's colours to those of the wide photo: a matrix for the whole picture, because the sensors
/// and exposures differ, and gains that change slowly over the picture, because
/// the lens shading does.
struct TeleColorMatch: Sendable {
    /// Side of a tile in wide pixels.
    private static let tile = 32
    /// The least number of pixels in a tile that both photos have.
    private static let leastCount = Double(tile * tile) / 4
    /// The largest shading beyond the matrix, as a natural logarithm.
    private static let mostShading = 0.5

    private let matrix: Matrix3
    /// The shading of red, green and blue, as natural logarithms.
    private let shading: [TeleShading]

    /// The mean factor from the tele's brightness to the wide's.
    var gain: Double {
        let mean = matrix * SIMD3(repeating: 1)
        return mean.x * 0.25 + mean.y * 0.5 + mean.z * 0.25
    }

    /// Measures both photos of a field.
    init(_ field: TeleField) {
        let columns = (field.area.width + Self.tile - 1) / Self.tile
        let rows = (field.area.height + Self.tile - 1) / Self.tile
        let sums = Self.sums(field, columns, rows)
        matrix = Self.matrix(sums)
        shading = Self.shading(sums, matrix, field, columns: columns)
    }

    /// The mean colours of both photos in a tile, and the number of pixels that both have.
    private struct Sums {
        var wide = SIMD3<Double>()
        var tele = SIMD3<Double>()
        var count = 0.0
    }

    private static func sums(_ field: TeleField, _ columns: Int, _ rows: Int) -> [Sums] {
        var all = Array(repeating: Sums(), count: columns * rows)
        let width = field.area.width
        all.withMutableView { target in
            field.wide.withView { wide in
                field.tele.withView { tele in
                    concurrentBands(rows: rows, of: 1, cores: field.cores) { band in
                        for row in band.lowerBound * tile..<min(band.upperBound * tile, field.area.height) {
                            for column in 0..<width where tele[row * width + column].w >= 0 {
                                let (own, other) = (wide[row * width + column], tele[row * width + column])
                                let index = band.lowerBound * columns + column / tile
                                target[index].wide += SIMD3(Double(own.x), Double(own.y), Double(own.z))
                                target[index].tele += SIMD3(Double(other.x), Double(other.y), Double(other.z))
                                target[index].count += 1
                            }
                        }
                    }
                }
            }
        }
        return all.map { sums in
            guard sums.count > 0 else { return sums }
            return Sums(wide: sums.wide / sums.count, tele: sums.tele / sums.count, count: sums.count)
        }
    }

    /// Returns the matrix that fits the tiles best. Tiles that deviate, such as those with a near object before a far
    /// one, lose weight in each of a few rounds. A weak prior keeps the colours apart where the scene has few colours.
    private static func matrix(_ tiles: [Sums]) -> Matrix3 {
        let used = tiles.filter { $0.count > leastCount && $0.tele.min() > 1e-4 && $0.wide.min() > 1e-4 }
        guard !used.isEmpty else { return .identity }
        var ratio = SIMD3<Double>()
        for color in 0..<3 {
            let ratios = used.map { $0.wide[color] / $0.tele[color] }.sorted()
            ratio[color] = ratios[ratios.count / 2]
        }
        var result = Matrix3(diagonal: ratio)
        for _ in 0..<4 { result = fit(used, result, prior: Matrix3(diagonal: ratio)) ?? result }
        return result
    }

    /// Returns the weighted least-squares matrix, with weights from the deviations from the one before.
    private static func fit(_ tiles: [Sums], _ last: Matrix3, prior: Matrix3) -> Matrix3? {
        var (squares, products) = (Matrix3(diagonal: SIMD3()), Matrix3(diagonal: SIMD3()))
        for tile in tiles {
            let expected = last * tile.tele
            let deviation = ((tile.wide - expected) / expected).max()
            let strangeness = deviation / 0.03
            let weight = 1 / ((1 + strangeness * strangeness) * max((tile.tele * tile.tele).sum(), 1e-6))
            squares = squares + outer(tile.tele, tile.tele) * weight
            products = products + outer(tile.wide, tile.tele) * weight
        }
        let amount = Double(tiles.count) * 0.01
        let ridge = Matrix3(diagonal: SIMD3(repeating: amount))
        guard let inverse = (squares + ridge).inverse else { return nil }
        return (products + prior * amount) * inverse
    }

    private static func outer(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Matrix3 {
        Matrix3(b * a.x, b * a.y, b * a.z)
    }

    /// Returns the shading of each colour: the ratio that the matrix leaves, as a smooth function of the position.
    private static func shading(_ tiles: [Sums], _ matrix: Matrix3, _ field: TeleField, columns: Int) -> [TeleShading] {
        (0..<3).map { color in
            let samples = tiles.indices.compactMap { index -> TeleShading.Sample? in
                let expected = (matrix * tiles[index].tele)[color]
                guard tiles[index].count > leastCount, expected > 1e-3, tiles[index].wide[color] > 1e-3 else {
                    return nil
                }
                let ratio = log(tiles[index].wide[color] / expected)
                guard abs(ratio) < mostShading else { return nil }
                let place = SIMD2(Double(index % columns) + 0.5, Double(index / columns) + 0.5) * Double(tile)
                return TeleShading.Sample(place: place, value: ratio, weight: tiles[index].count)
            }
            return TeleShading(
                samples, width: Double(field.area.width), height: Double(field.area.height), degree: .fourth,
                usualDeviation: 0.01)
        }
    }

    /// Converts a row of tele pixels, `step` wide pixels apart from `first` on.
    func apply(to pixels: MutableMemoryView<SIMD4<Float>>, count: Int, first: SIMD2<Float>, step: Float) {
        let colors = TeleColors(
            red: column(SIMD3(1, 0, 0)), green: column(SIMD3(0, 1, 0)), blue: column(SIMD3(0, 0, 1)))
        let perTile = max(1, Int(Float(Self.tile) / step))
        for part in (0..<count).parts(of: perTile) {
            let start = gain(at: first + SIMD2(Float(part.lowerBound) * step, 0))
            let end = gain(at: first + SIMD2(Float(part.upperBound) * step, 0))
            unsafe matchTeleColors(
                (pixels + part.lowerBound).pointer(part.count), count: part.count, colors: colors, first: start,
                change: (end - start) / Float(part.count))
        }
    }

    private func column(_ unit: SIMD3<Double>) -> SIMD4<Float> {
        let color = matrix * unit
        return SIMD4(Float(color.x), Float(color.y), Float(color.z), 0)
    }

    /// Returns the gains at a position in the field.
    private func gain(at place: SIMD2<Float>) -> SIMD4<Float> {
        let place = SIMD2(Double(place.x), Double(place.y))
        let gains = shading.map { Float(exp($0.value(at: place))) }
        return SIMD4(gains[0], gains[1], gains[2], 1)
    }
}
