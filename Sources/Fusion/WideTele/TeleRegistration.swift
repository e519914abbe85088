internal import Kernels
internal import PixelMemory
internal import RawImage

/// Finds the shifts between the wide photo and the tele's that the calibrations leave: by the lenses' positions, as
/// near things shift more than far ones, and by errors of the calibrations.
///
/// Tiles of grey values are compared from a coarse resolution to the wide's. Each level starts with the shifts of the
/// level before, of the tile and its neighbours, so that the edge of a near object may lie between tiles. What these
/// shifts have in common gives the lines on which shifts lie; on these all tiles are searched again together. Then the
/// shifts are refined to fractions of a pixel by least squares.
struct TeleRegistration {
    let field: TeleField
    /// Distance of the nearest things in millimetres.
    let nearest: Double
    let cores: Int?
    /// The factor from the tele's brightness to the wide's.
    private let brightness: Float

    /// The error of the calibrations that is corrected, in wide pixels.
    private static let tolerance = 8.0
    /// The greatest shift in pixels that is searched at the coarsest level.
    private static let coarsestShift = 5.0

    /// The value of a grey pixel that the tele does not see.
    private static let none: Float = -1e9

    /// Creates the registration of a field's photos.
    init(field: TeleField, nearest: Double, cores: Int?) {
        (self.field, self.nearest, self.cores) = (field, nearest, cores)
        brightness = Self.brightness(field)
    }

    /// Returns the shifts on the grid of the flow.
    func flow() -> TeleFlow {
        let parallax = field.view.cameras.shift(at: nearest)
        let least = pointwiseMin(parallax, SIMD2()) - Self.tolerance
        let most = pointwiseMax(parallax, SIMD2()) + Self.tolerance
        let range = max((most - least).max() / 2, 1)
        var levels = [finest()]
        while range / Double(1 << (levels.count - 1)) > Self.coarsestShift, let last = levels.last,
            min(last.width, last.height) >= 4 * TeleLevel.tile
        {
            levels.append(halved(last))
        }
        var search: TeleTileSearch?
        for (index, level) in levels.enumerated().reversed() {
            let size = Double(1 << index)
            search = TeleTileSearch(
                level: level, coarser: search, least: least / size, most: most / size, cores: cores)
        }
        var flow = TeleFlow(width: field.area.width, height: field.area.height)
        guard let search else { return flow }
        let lines = TeleLines(
            search.samples(), parallax: parallax, tolerance: Self.tolerance, width: field.area.width,
            height: field.area.height)
        let noise = TeleNoiseModel(field.view, gain: Double(brightness), strength: 1).kernel
        let shifts = TeleDepthSearch(level: search.level, lines: lines, noise: noise, cores: cores).shifts()
        let tiles = TeleTileSearch(level: search.level, shifts: shifts, cores: cores).refined()
        TeleShiftChoice(tiles: tiles, noise: noise).write(to: &flow, cores: cores)
        return flow
    }

    /// Returns the flow for which the field's tele pixels were computed, corrected by what still shifts them.
    ///
    /// A shift of the tele's means by part of a pixel blurs them. The place of an edge is then found with an error,
    /// which is the same all along a straight edge. The means at the flow's positions are not blurred.
    func corrected(_ flow: TeleFlow) -> TeleFlow {
        let level = finest()
        let shifts = Array(repeating: SIMD2<Float>(), count: level.columns * level.rows)
        let changes = TeleTileSearch(level: level, shifts: shifts, cores: cores).samples()
        var result = flow
        result.shifts.withMutableView { target in
            concurrentBands(rows: flow.rows, of: 4, cores: cores) { band in
                for row in band {
                    for column in 0..<flow.columns {
                        target[row * flow.columns + column] += change(column, row, flow, changes, level)
                    }
                }
            }
        }
        return result
    }

    /// The reach of the tiles that correct a point of the flow, in tiles, and the largest difference in pixels of their
    /// shifts from its own.
    private static let (reach, mostChange): (Int, Float) = (2, 0.8)

    /// Returns the mean of the changes of the tiles around a point of the flow, weighted by their structure in each
    /// direction.
    private func change(
        _ column: Int, _ row: Int, _ flow: TeleFlow, _ changes: [TeleLines.Sample], _ level: TeleLevel
    ) -> SIMD2<Float> {
        let own = flow.shifts[row * flow.columns + column]
        func around(_ place: Int, _ count: Int) -> ClosedRange<Int> {
            let tile = (place - TeleLevel.tile / 2 + TeleLevel.step / 2) / TeleLevel.step
            let middle = min(max(tile, 0), count - 1)
            return max(0, middle - Self.reach)...min(count - 1, middle + Self.reach)
        }
        var (sum, weights) = (SIMD2<Float>(), SIMD2<Float>())
        for y in around(row * TeleFlow.step, level.rows) {
            for x in around(column * TeleFlow.step, level.columns) {
                let other = changes[y * level.columns + x]
                let (flowColumn, flowRow) = (Int(other.place.x) / TeleFlow.step, Int(other.place.y) / TeleFlow.step)
                let difference = flow.shifts[flowRow * flow.columns + flowColumn] - own
                guard (difference * difference).sum() < Self.mostChange * Self.mostChange else { continue }
                sum += other.structure * other.shift
                weights += other.structure
            }
        }
        return SIMD2(weights.x > 0 ? sum.x / weights.x : 0, weights.y > 0 ? sum.y / weights.y : 0)
    }

    /// Returns the grey values of the field.
    private func finest() -> TeleLevel {
        let (width, height) = (field.area.width, field.area.height)
        func grey(_ pixels: [SIMD4<Float>], none: Float) -> [Float] {
            [Float](filling: width * height) { target in
                pixels.withView { pixels in
                    concurrentBands(rows: height, of: TeleField.bandHeight, cores: cores) { band in
                        let (start, count) = (band.lowerBound * width, band.count * width)
                        unsafe teleGrey(
                            (target + start).pointer(count), (pixels + start).pointer(count), count: count, none: none)
                    }
                }
            }
        }
        return TeleLevel(
            wide: grey(field.wide, none: 0),
            tele: grey(field.tele, none: Self.none).map { $0 * brightness },
            width: width, height: height)
    }

    /// Returns the factor from the tele's brightness to the wide's, by the means of both.
    private static func brightness(_ field: TeleField) -> Float {
        var (wide, tele) = (0.0, 0.0)
        for index in stride(from: 0, to: field.wide.count, by: 7) where field.tele[index].w >= 0 {
            wide += Double((field.wide[index].x + field.wide[index].y + field.wide[index].z))
            tele += Double((field.tele[index].x + field.tele[index].y + field.tele[index].z))
        }
        return tele > 0 && wide > 0 ? Float(min(max(wide / tele, 0.01), 100)) : 1
    }

    private func halved(_ level: TeleLevel) -> TeleLevel {
        let (width, height) = (level.width / 2, level.height / 2)
        func half(_ values: [Float]) -> [Float] {
            [Float](filling: width * height) { target in
                values.withView { values in
                    for row in 0..<height {
                        let start = 2 * row * level.width
                        unsafe halveTeleGrey(
                            (target + row * width).pointer(width), (values + start).pointer(2 * width),
                            (values + (start + level.width)).pointer(2 * width), count: width)
                    }
                }
            }
        }
        return TeleLevel(wide: half(level.wide), tele: half(level.tele), width: width, height: height)
    }
}
