internal import Glibc
internal import RawImage

/// The balloon that drifts before the scene, prerendered; at time 0 it is where it rests when nothing moves.
struct MovingObject: Sendable {
    /// Its planes, transparent all around the edge.
    let planes: ScenePlanes
    /// Pixels in a row of it that may show something.
    let width: Int
    /// Rows.
    var height: Int { planes.rows }
    /// Where its left upper corner rests, in pixels of the frame.
    private let rest: SIMD2<Double>
    /// Pixels a unit of the scene.
    private let scale: Double

    init(frame: SceneFrame, fromScene: Matrix3) {
        let balloon = Balloon()
        let area = balloon.area
        let pixel = 1 / frame.scale
        // Two transparent pixels each side, for reading between pixels.
        let width = Int(((area.right - area.left) * frame.scale).rounded(.up)) + 4
        let rows = Int(((area.bottom - area.top) * frame.scale).rounded(.up)) + 4
        planes = ScenePlanes(width: width, rows: rows, planes: 4, fromScene: fromScene) { row, lights in
            var painted = SceneRow(
                y: area.top + (Float(row) - 1.5) * pixel, origin: area.left, originColumn: 1.5, pixel: pixel,
                lights: Array(repeating: SceneLight(repeating: 0), count: width))
            balloon.paint(over: &painted)
            lights = painted.lights
        }
        self.width = width
        scale = Double(frame.scale)
        rest = SIMD2(
            Double(frame.column(2.92 + area.left)) - 2, Double(frame.row(0.62 + area.top)) - 2)
    }

    /// Where its left upper corner is at a time in seconds.
    func corner(at time: Double) -> SIMD2<Double> {
        rest + SIMD2(-0.62 * sin(0.45 * time), 0.10 * sin(0.7 * time)) * scale
    }
}
