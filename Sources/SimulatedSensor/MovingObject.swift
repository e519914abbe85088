internal import Glibc
internal import RawImage

/// The balloon that drifts in front of the scene, prerendered. At time 0 it is at its rest position.
struct MovingObject: Sendable {
    /// The rendered object: red, green, blue and opacity planes, with a transparent border.
    let planes: ScenePlanes
    /// Width of the rendered object in pixels, without the padding of `planes`.
    let width: Int
    /// Height of the rendered object in pixels.
    var height: Int { planes.rows }
    /// Position of the object's top left corner at time 0, in pixels of the frame.
    private let rest: SIMD2<Double>
    /// Size of a scene unit in pixels of the frame.
    private let scale: Double

    init(frame: SceneFrame, fromScene: Matrix3) {
        let balloon = Balloon()
        let area = balloon.area
        let pixel = 1 / frame.scale
        // Two transparent pixels on each side, for bilinear interpolation at the edge.
        let width = Int(((area.right - area.left) * frame.scale).rounded(.up)) + 4
        let rows = Int(((area.bottom - area.top) * frame.scale).rounded(.up)) + 4
        planes = ScenePlanes(width: width, rows: rows, planes: 4, fromScene: fromScene) { row, colors in
            var painted = SceneRow(
                y: area.top + (Float(row) - 1.5) * pixel, origin: area.left, originColumn: 1.5, pixel: pixel,
                colors: Array(repeating: SceneColor(repeating: 0), count: width))
            balloon.paint(over: &painted)
            colors = painted.colors
        }
        self.width = width
        scale = Double(frame.scale)
        rest = SIMD2(
            Double(frame.column(2.92 + area.left)) - 2, Double(frame.row(0.62 + area.top)) - 2)
    }

    /// Returns the position of the object's top left corner, in pixels of the frame, at a time in seconds.
    func corner(at time: Double) -> SIMD2<Double> {
        rest + SIMD2(-0.62 * sin(0.45 * time), 0.10 * sin(0.7 * time)) * scale
    }
}
