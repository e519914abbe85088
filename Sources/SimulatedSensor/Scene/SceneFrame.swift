/// A rectangle of the built-in scene, in its own units: the scene is 4 wide and 3 high, rows running downwards.
struct SceneArea: Sendable {
    var left: Float
    var top: Float
    var right: Float
    var bottom: Float

    /// The distance of a place from the edge, negative inside.
    func distance(_ x: Float, _ y: Float) -> Float {
        max(max(left - x, x - right), max(top - y, y - bottom))
    }

    /// The rectangle with its edges moved outwards.
    func grown(by margin: Float) -> SceneArea {
        SceneArea(left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin)
    }
}

/// How the scene lies in a frame: wholly inside and in the middle; its landscape goes on beyond.
struct SceneFrame: Sendable {
    /// Pixels in a row.
    let width: Int
    /// Rows.
    let height: Int
    /// Pixels a unit of the scene.
    let scale: Float

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        scale = min(Float(width) / 4, Float(height) / 3)
    }

    /// The column, fractions of a pixel included, of a place on the scene.
    func column(_ x: Float) -> Float { (x - 2) * scale + Float(width) / 2 }

    /// The row of a place on the scene.
    func row(_ y: Float) -> Float { (y - 1.5) * scale + Float(height) / 2 }

    /// The place on the scene in the middle of a row.
    func y(_ row: Int) -> Float { (Float(row) + 0.5 - Float(height) / 2) / scale + 1.5 }
}
