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

/// The mapping between scene units and pixels of a frame for a lens without distortion and rotation: the scene is
/// centred and fits into the frame of the default lens; the landscape fills the rest.
struct SceneFrame: Sendable {
    /// Width of the frame in pixels.
    let width: Int
    /// Height of the frame in pixels.
    let height: Int
    /// Size of a scene unit in pixels of the frame.
    let scale: Float
    /// Position of the lens in scene units.
    let offset: SIMD2<Float>

    init(_ settings: SensorSettings) {
        width = settings.width
        height = settings.height
        scale = min(Float(width) / 4, Float(height) / 3) * Float(settings.lens.zoom)
        offset = settings.lens.offset
    }

    /// Returns the fractional column of the frame at a horizontal scene coordinate of an item of this nearness.
    func column(_ x: Float, nearness: Float = 1) -> Float {
        (x - offset.x * nearness - 2) * scale + Float(width) / 2
    }

    /// Returns the fractional row of the frame at a vertical scene coordinate of an item of this nearness.
    func row(_ y: Float, nearness: Float = 1) -> Float {
        (y - offset.y * nearness - 1.5) * scale + Float(height) / 2
    }

    /// Returns the vertical scene coordinate of the centre of a row of the frame, as seen from the default position.
    func y(_ row: Int) -> Float { (Float(row) + 0.5 - Float(height) / 2) / scale + 1.5 }
}
