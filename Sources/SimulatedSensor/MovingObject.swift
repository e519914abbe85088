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
    /// The view of a lens with distortion or rotation; nil for others.
    private let view: LensView?
    /// Position of the balloon's centre at time 0 in scene units, as seen from the default position.
    private let seen: SIMD2<Float>
    /// Position of the balloon's centre at time 0 in pixels, for a lens without distortion and rotation.
    private let straight: SIMD2<Double>
    /// Position of the balloon's centre at time 0, in scene units.
    private static let center = SIMD2<Float>(2.92, 0.62)
    /// The balloon is twice as far away as the still life.
    private static let nearness: Float = 0.5

    init(_ settings: SensorSettings, fromScene: Matrix3, work: SensorWork?) {
        let frame = SceneFrame(settings)
        let balloon = Balloon()
        let area = balloon.area
        let pixel = 1 / frame.scale
        // Two transparent pixels on each side, for bilinear interpolation at the edge.
        let width = Int(((area.right - area.left) * frame.scale).rounded(.up)) + 4
        let rows = Int(((area.bottom - area.top) * frame.scale).rounded(.up)) + 4
        planes = ScenePlanes(width: width, rows: rows, planes: 4, fromScene: fromScene, work: work) { row, colors in
            var painted = SceneRow(
                y: area.top + (Float(row) - 1.5) * pixel, origin: area.left, originColumn: 1.5, pixel: pixel,
                colors: Array(repeating: SceneColor(repeating: 0), count: width))
            balloon.paint(over: &painted)
            colors = painted.colors
        }
        self.width = width
        scale = Double(frame.scale)
        rest = SIMD2(
            Double(frame.column(Self.center.x + area.left, nearness: Self.nearness)) - 2,
            Double(frame.row(Self.center.y + area.top, nearness: Self.nearness)) - 2)
        view = settings.lens.isStraight ? nil : LensView(settings)
        seen = Self.center - frame.offset * Self.nearness
        straight = SIMD2(
            Double(frame.column(Self.center.x, nearness: Self.nearness)),
            Double(frame.row(Self.center.y, nearness: Self.nearness)))
    }

    /// Returns the position of the object's top left corner, in pixels of the frame, at a time in seconds. Distortion
    /// and rotation move the object as a whole.
    func corner(at time: Double) -> SIMD2<Double> {
        let moved = SIMD2(-0.62 * sin(0.45 * time), 0.10 * sin(0.7 * time))
        guard let view else { return rest + moved * scale }
        return rest - straight + view.pixel(SIMD2(Double(seen.x), Double(seen.y)) + moved)
    }
}
