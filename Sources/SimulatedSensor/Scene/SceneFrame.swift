/// A rectangle in scene units: the built-in scene is 4 units wide and 3 high, and y points down.
struct SceneArea: Sendable {
    var left: Float
    var top: Float
    var right: Float
    var bottom: Float

    /// Returns the distance of a point from the rectangle's edge in scene units, negative inside.
    func distance(_ x: Float, _ y: Float) -> Float {
        max(max(left - x, x - right), max(top - y, y - bottom))
    }

    /// Returns the rectangle expanded by `margin` on all sides.
    func grown(by margin: Float) -> SceneArea {
        SceneArea(left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin)
    }
}

/// The mapping between scene units and pixels of a frame: the scene is centred and fits into the frame; the landscape
/// fills the rest.
struct SceneFrame: Sendable {
    /// Width of the frame in pixels.
    let width: Int
    /// Height of the frame in pixels.
    let height: Int
    /// Size of a scene unit in pixels of the frame.
    let scale: Float

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        scale = min(Float(width) / 4, Float(height) / 3)
    }

    /// Returns the fractional column of the frame at a horizontal scene coordinate.
    func column(_ x: Float) -> Float { (x - 2) * scale + Float(width) / 2 }

    /// Returns the fractional row of the frame at a vertical scene coordinate.
    func row(_ y: Float) -> Float { (y - 1.5) * scale + Float(height) / 2 }

    /// Returns the vertical scene coordinate of the centre of a row of the frame.
    func y(_ row: Int) -> Float { (Float(row) + 0.5 - Float(height) / 2) / scale + 1.5 }
}
