internal import Kernels
internal import PixelMemory
internal import RawImage

/// Finds the shifts between the wide photo and the tele's that the calibrations leave: by the lenses' positions, as
/// near things shift more than far ones, and by errors of the calibrations.
///
/// Tiles of grey values are compared from a coarse resolution to the wide's. Each level starts with the shifts of the
/// level before, of the tile and its neighbours, so that the edge of a near object may lie between tiles. At the finest
/// level the shifts are refined to fractions of a pixel by least squares.
struct TeleRegistration {
    let field: TeleField
    /// Distance of the nearest things in millimetres.
    let nearest: Double
    let cores: Int?

    /// Side of a tile in pixels of its level.
    static let tile = 16
    /// Distance between tiles in pixels of their level: they overlap by half.
    static let step = 8
    /// The error of the calibrations that is corrected, in wide pixels.
    private static let tolerance = 8.0
    /// The greatest shift in pixels that is searched at the coarsest level.
    private static let coarsestShift = 5.0

    /// The grey values of both photos at one resolution.
    struct Level {
        let wide: [Float]
        let tele: [Float]
        let width: Int
        let height: Int
        /// Number of tiles across and down.
        var columns: Int { max(1, (width - TeleRegistration.tile) / TeleRegistration.step + 1) }
        var rows: Int { max(1, (height - TeleRegistration.tile) / TeleRegistration.step + 1) }
    }

    /// The value of a grey pixel that the tele does not see.
    private static let none: Float = -1e9

    /// Returns the shifts on the grid of the flow.
    func flow() -> TeleFlow {
        let parallax = field.view.cameras.shift(at: nearest)
        let least = pointwiseMin(parallax, SIMD2()) - Self.tolerance
        let most = pointwiseMax(parallax, SIMD2()) + Self.tolerance
        let range = max((most - least).max() / 2, 1)
        var levels = [finest()]
        while range / Double(1 << (levels.count - 1)) > Self.coarsestShift, let last = levels.last,
            min(last.width, last.height) >= 4 * Self.tile
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
        if let search { TeleShiftChoice(tiles: search.refined()).write(to: &flow, cores: cores) }
        return flow
    }

    /// Returns the grey values of the field.
    private func finest() -> Level {
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
        let brightness = Self.brightness(field)
        return Level(
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

    private func halved(_ level: Level) -> Level {
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
        return Level(wide: half(level.wide), tele: half(level.tele), width: width, height: height)
    }
}
