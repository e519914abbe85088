/// A colour of the scene: linear sRGB in x, y and z, where white is 1, and opacity in w.
typealias SceneColor = SIMD4<Float>

/// An object of the built-in scene.
protocol SceneItem: Sendable {
    /// Bounding box of the object including its shadow, in scene units.
    var area: SceneArea { get }
    /// Returns the colour at the point (x, y), given the colour of everything behind the object. `pixel` is the size of
    /// a pixel in scene units, for antialiasing.
    func shade(over behind: SceneColor, x: Float, y: Float, pixel: Float) -> SceneColor
    /// Paints the object over a row of pixels. This is a requirement, although all types use the default
    /// implementation, so that the compiler specialises the loop for each type.
    func paint(over row: inout SceneRow)
}

extension SceneItem {
    func paint(over row: inout SceneRow) {
        for column in row.columns(of: area) {
            row.colors[column] = shade(
                over: row.colors[column], x: row.x(column), y: row.y, pixel: row.pixel)
        }
    }
}

/// A row of pixels in which the scene is painted.
struct SceneRow {
    /// Vertical scene coordinate of the row's centre.
    var y: Float
    /// Horizontal scene coordinate at the fractional column `originColumn`.
    let origin: Float
    /// The fractional column whose horizontal scene coordinate is `origin`.
    let originColumn: Float
    /// Size of a pixel in scene units.
    let pixel: Float
    /// Colours of the pixels from left to right.
    var colors: [SceneColor]

    /// Returns the horizontal scene coordinate of the centre of a column.
    func x(_ column: Int) -> Float {
        (Float(column) - originColumn) * pixel + origin
    }

    /// Returns the columns that an area can touch; empty when the row is outside it.
    func columns(of area: SceneArea) -> Range<Int> {
        guard area.top <= y, y <= area.bottom else { return 0..<0 }
        let first = column(area.left)
        return first..<max(first, column(area.right))
    }

    private func column(_ x: Float) -> Int {
        Int(min(max((x - origin) / pixel + originColumn, 0), Float(colors.count)))
    }
}

/// Returns the fraction, 0…1, of a pixel of size `pixel` that a shape covers whose edge is at `distance` from the
/// pixel's centre; negative distances are inside the shape.
func coverage(_ distance: Float, _ pixel: Float) -> Float {
    min(max(0.5 - distance / pixel, 0), 1)
}

/// Returns 0 below `low`, 1 above `high`, and a smooth cubic transition between.
func smoothStep(_ low: Float, _ high: Float, _ value: Float) -> Float {
    let t = min(max((value - low) / (high - low), 0), 1)
    return t * t * (3 - 2 * t)
}

/// Returns the linear interpolation between `back` at weight 0 and `front` at weight 1.
func mix(_ back: SceneColor, _ front: SceneColor, _ weight: Float) -> SceneColor {
    back + (front - back) * weight
}

/// Returns an opaque colour from linear sRGB.
func opaque(_ red: Float, _ green: Float, _ blue: Float) -> SceneColor {
    SceneColor(red, green, blue, 1)
}
