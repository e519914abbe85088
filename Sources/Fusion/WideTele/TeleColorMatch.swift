internal import Glibc
internal import KernelTypes
internal import Kernels
internal import PixelMemory
internal import RawImage

/// The conversion of the tele's colours to those of the wide photo: gains that change slowly over the picture, because
/// the lens shading does, and a matrix for the whole picture, because the sensors and exposures differ.
///
/// The shading that all colours share is fitted first. Colours vary with the position in most scenes (skies are at the
/// top), so a matrix fitted before would explain part of the shading by mixing colours.
struct TeleColorMatch: Sendable {
    /// Side of a tile in wide pixels.
    private static let tile = 32
    /// The least number of pixels in a tile that both photos have.
    private static let leastCount = Double(tile * tile) / 4
    /// A colour weaker than this fraction of a tile's light gets no more weight than one at it.
    private static let leastFraction = 0.05
    /// The largest deviation of a tile from the expected colour, as a natural logarithm.
    private static let largestDeviation = 0.5

    private let matrix: Matrix3
    /// The shading that the colours share, as a natural logarithm.
    private let shading: TeleShading
    /// The shading of red, green and blue relative to the shared one, as natural logarithms.
    private let tints: [TeleShading]

    /// The mean factor from the tele's brightness to the wide's.
    var gain: Double {
        let mean = matrix * SIMD3(repeating: 1)
        return mean.x * 0.25 + mean.y * 0.5 + mean.z * 0.25
    }

    /// Measures both photos of a field.
    init(_ field: TeleField) {
        let columns = (field.area.width + Self.tile - 1) / Self.tile
        let rows = (field.area.height + Self.tile - 1) / Self.tile
        var sums = Self.sums(field, columns, rows)
        let usual = Self.usualRatio(sums)
        for index in sums.indices { sums[index].tele *= usual }
        let shading = Self.shading(field, columns, .fourth, sums.map { ($0.sharedRatio, $0.count) })
        for index in sums.indices { sums[index].tele *= exp(shading.value(at: Self.place(index, columns))) }
        let mixing = Self.mixing(sums)
        tints = (0..<3).map { color in
            Self.shading(
                field, columns, .second, sums.map { ($0.ratio(of: color, to: mixing * $0.tele), $0.count) })
        }
        (self.shading, matrix) = (shading, mixing * Matrix3(diagonal: usual))
    }

    /// The mean colours of both photos in a tile, and the number of pixels that both have.
    private struct Sums {
        var wide = SIMD3<Double>()
        var tele = SIMD3<Double>()
        var count = 0.0

        /// Whether the tile has light of a colour in both photos.
        func hasLight(of color: Int) -> Bool { count > leastCount && tele[color] > 1e-4 && wide[color] > 1e-4 }

        /// Whether the tile has light of all colours in both photos.
        var isUsable: Bool { (0..<3).allSatisfy(hasLight) }

        /// The logarithm of the wide photo's colour over an expected one; nil if the tile is too small or dark, or
        /// deviates too far.
        func ratio(of color: Int, to expected: SIMD3<Double>) -> Double? {
            guard count > leastCount, expected[color] > 1e-3, wide[color] > 1e-3 else { return nil }
            let ratio = log(wide[color] / expected[color])
            return abs(ratio) < largestDeviation ? ratio : nil
        }

        /// The median of the colours' ratios.
        var sharedRatio: Double? {
            let ratios = (0..<3).compactMap { ratio(of: $0, to: tele) }.sorted()
            return ratios.count == 3 ? ratios[1] : nil
        }
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

    /// Returns the median of each colour's ratio of the wide photo to the tele's. A colour that the scene lacks gets
    /// that of another.
    private static func usualRatio(_ tiles: [Sums]) -> SIMD3<Double> {
        let medians = (0..<3).map { color -> Double? in
            let ratios = tiles.filter { $0.hasLight(of: color) }.map { $0.wide[color] / $0.tele[color] }.sorted()
            return ratios.isEmpty ? nil : ratios[ratios.count / 2]
        }
        let other = medians[1] ?? medians[0] ?? medians[2] ?? 1
        return SIMD3(medians[0] ?? other, medians[1] ?? other, medians[2] ?? other)
    }

    /// Returns the matrix that fits the tiles best, close to the identity. Tiles that deviate, such as those with a
    /// near object before a far one, lose weight in each of a few rounds. A weak prior keeps the colours apart where
    /// the scene has few colours.
    private static func mixing(_ tiles: [Sums]) -> Matrix3 {
        let used = tiles.filter(\.isUsable)
        guard !used.isEmpty else { return .identity }
        var result = Matrix3.identity
        for _ in 0..<4 { result = fit(used, result) ?? result }
        return result
    }

    /// Returns the weighted least-squares matrix, with weights from the deviations from the one before.
    private static func fit(_ tiles: [Sums], _ last: Matrix3) -> Matrix3? {
        let trust = tiles.map { tile in
            let expected = last * tile.tele
            let deviation = (tile.wide - expected) / expected
            let strangeness = max(deviation.max(), -deviation.min()) / 0.03
            return 1 / (1 + strangeness * strangeness)
        }
        let rows = (0..<3).compactMap { row(of: $0, tiles, trust) }
        return rows.count == 3 ? Matrix3(rows[0], rows[1], rows[2]) : nil
    }

    /// Returns the row of the matrix that gives a colour. Errors are relative to the colour: in a saturated orange,
    /// blue is a small difference of large numbers, and 2 % of it changes the hue.
    private static func row(of color: Int, _ tiles: [Sums], _ trust: [Double]) -> SIMD3<Double>? {
        let unit = SIMD3<Double>(color == 0 ? 1 : 0, color == 1 ? 1 : 0, color == 2 ? 1 : 0)
        let amount = Double(tiles.count) * 0.1
        var squares = Matrix3(diagonal: SIMD3(repeating: amount))
        var products = unit * amount
        for (tile, trust) in zip(tiles, trust) {
            let floor = leastFraction * leastFraction * (tile.tele * tile.tele).sum()
            let weight = trust / (tile.tele[color] * tile.tele[color] + floor)
            squares = squares + outer(tile.tele, tile.tele) * weight
            products += tile.tele * (tile.wide[color] * weight)
        }
        return squares.inverse.map { $0 * products }
    }

    private static func outer(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Matrix3 {
        Matrix3(b * a.x, b * a.y, b * a.z)
    }

    /// Fits a smooth function of the position to logarithms of ratios, one per tile.
    private static func shading(
        _ field: TeleField, _ columns: Int, _ degree: TeleShading.Degree, _ ratios: [(value: Double?, count: Double)]
    ) -> TeleShading {
        let samples = ratios.enumerated().compactMap { index, ratio in
            ratio.value.map { TeleShading.Sample(place: place(index, columns), value: $0, weight: ratio.count) }
        }
        return TeleShading(
            samples, width: Double(field.area.width), height: Double(field.area.height), degree: degree,
            usualDeviation: 0.01)
    }

    /// Returns the centre of a tile in the field.
    private static func place(_ index: Int, _ columns: Int) -> SIMD2<Double> {
        SIMD2(Double(index % columns) + 0.5, Double(index / columns) + 0.5) * Double(tile)
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
        let shared = shading.value(at: place)
        let gains = tints.map { Float(exp(shared + $0.value(at: place))) }
        return SIMD4(gains[0], gains[1], gains[2], 1)
    }
}
