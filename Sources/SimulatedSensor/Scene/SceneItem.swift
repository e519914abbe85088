/// Light of a place: linear sRGB, and how much of what is behind it is hidden.
typealias SceneLight = SIMD4<Float>

/// Something to be seen in the built-in scene.
protocol SceneItem: Sendable {
    /// Where it can be seen at all.
    var area: SceneArea { get }
    /// The light of a place, given the light of all that lies behind. `pixel` is the size of a pixel.
    func light(over behind: SceneLight, x: Float, y: Float, pixel: Float) -> SceneLight
    /// Paints the item over a row; there is one way to do so, asked for here so that each type has its own fast copy.
    func paint(over row: inout SceneRow)
}

extension SceneItem {
    func paint(over row: inout SceneRow) {
        for column in row.columns(of: area) {
            row.lights[column] = light(
                over: row.lights[column], x: row.x(column), y: row.y, pixel: row.pixel)
        }
    }
}

/// A row of the scene while it is painted.
struct SceneRow {
    /// The row's place on the scene.
    var y: Float
    /// The place on the scene that column `originColumn` shows, fractions of a column included.
    let origin: Float
    let originColumn: Float
    /// The size of a pixel.
    let pixel: Float
    /// Light from left to right.
    var lights: [SceneLight]

    /// The place in the middle of a column.
    func x(_ column: Int) -> Float {
        (Float(column) - originColumn) * pixel + origin
    }

    /// The columns in which something of an area can lie.
    func columns(of area: SceneArea) -> Range<Int> {
        guard area.top <= y, y <= area.bottom else { return 0..<0 }
        let first = column(area.left)
        return first..<max(first, column(area.right))
    }

    private func column(_ x: Float) -> Int {
        Int(min(max((x - origin) / pixel + originColumn, 0), Float(lights.count)))
    }
}

/// How much of a pixel lies inside a shape whose edge is `distance` away, negative inside.
func coverage(_ distance: Float, _ pixel: Float) -> Float {
    min(max(0.5 - distance / pixel, 0), 1)
}

/// 0 below `low`, 1 above `high`, smooth between.
func smoothStep(_ low: Float, _ high: Float, _ value: Float) -> Float {
    let t = min(max((value - low) / (high - low), 0), 1)
    return t * t * (3 - 2 * t)
}

/// `share` of `front` and the rest of `back`.
func mix(_ back: SceneLight, _ front: SceneLight, _ share: Float) -> SceneLight {
    back + (front - back) * share
}

/// Light of a colour that hides what is behind.
func lit(_ red: Float, _ green: Float, _ blue: Float) -> SceneLight {
    SceneLight(red, green, blue, 1)
}
