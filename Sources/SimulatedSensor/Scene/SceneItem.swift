/// A colour of the scene: linear sRGB in x, y and z, where white is 1, and opacity in w.
typealias SceneColor = SIMD4<Float>

/// An object of the built-in scene.
protocol SceneItem: Sendable {
    /// Bounding box of the object including its shadow, in scene units.
    var area: SceneArea { get }
    /// The distance of the still life divided by that of this object: how far the object shifts in the frame when the
    /// lens moves by a scene unit, in scene units. 1 for the still life, nearly 0 for the landscape.
    var nearness: Float { get }
    /// Returns the colour at the point (x, y), given the colour of everything behind the object. `pixel` is the size of
    /// a pixel in scene units, for antialiasing.
    func shade(over behind: SceneColor, x: Float, y: Float, pixel: Float) -> SceneColor
    /// Paints the object over a row of pixels. This is a requirement, although all types use the default
    /// implementation, so that the compiler specialises the loop for each type.
    func paint(over row: inout SceneRow)
}

extension SceneItem {
    var nearness: Float { 1 }

    func paint(over row: inout SceneRow) {
        let shift = row.offset * nearness
        guard row.points.isEmpty else { return paintCurved(over: &row, shift) }
        let (x, y) = (row.origin + shift.x, row.y + shift.y)
        for column in row.columns(of: area.grown(by: row.reach), shift) {
            row.colors[column] = shade(
                over: row.colors[column], x: (Float(column) - row.originColumn) * row.pixel + x, y: y, pixel: row.pixel)
        }
    }

    /// Paints the object over a row of pixels that is not straight in the scene.
    private func paintCurved(over row: inout SceneRow, _ shift: SIMD2<Float>) {
        let area = area.grown(by: row.reach)
        for column in row.colors.indices {
            let point = row.points[column] + shift
            guard area.left <= point.x, point.x <= area.right, area.top <= point.y, point.y <= area.bottom else {
                continue
            }
            row.colors[column] = shade(over: row.colors[column], x: point.x, y: point.y, pixel: row.pixel)
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
    /// Position of the lens in scene units: objects appear shifted by it, times their nearness.
    var offset = SIMD2<Float>()
    /// Distance in scene units from which an object covers a part of a pixel: half a pixel, so that its edge is at the
    /// same place at every resolution; or 0, for the frames of earlier versions.
    var reach: Float = 0
    /// The scene coordinates of the pixels from left to right, if the row is not straight in the scene; otherwise
    /// empty.
    var points: [SIMD2<Float>] = []

    /// Returns the columns that an area shifted to the left and up can touch; empty when the row is outside it.
    func columns(of area: SceneArea, _ shift: SIMD2<Float>) -> Range<Int> {
        guard area.top <= y + shift.y, y + shift.y <= area.bottom else { return 0..<0 }
        let first = column(area.left - shift.x)
        // The pixel in which the right edge lies is covered in part.
        let right = area.right + (reach > 0 ? pixel : 0)
        return first..<max(first, column(right - shift.x))
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
