internal import Glibc
internal import RawImage

/// A prerendered scene in camera colour: red, green and blue planes, and for objects a fourth that tells how much they
/// hide.
///
/// Colours are kept as square roots of light, in 16 bits: steps are then fine in the dark as well.
struct ScenePlanes: Sendable {
    /// Light of the largest value; whatever is brighter is cut.
    static let brightest: Float = 16
    /// Light of a squared value of 1.
    static let unit = brightest / (65_535 * 65_535)
    /// Values that kernels may read behind the last row.
    private static let slack = 128

    /// Values in a row.
    let stride: Int
    /// Rows of a plane.
    let rows: Int
    /// Values from one plane to the next.
    var planeSize: Int { stride * rows }
    /// The planes, one behind the other.
    let values: [UInt16]

    /// Renders `width`×`rows` pixels of `planes` planes, on all cores. `paint` fills a row with light in linear sRGB;
    /// `fromScene` takes that to camera colour.
    init(
        width: Int, rows: Int, planes: Int, fromScene: Matrix3,
        paint: @Sendable (_ row: Int, _ lights: inout [SceneLight]) -> Void
    ) {
        let stride = (width + 31) / 32 * 32 + 32
        let columns = Self.columns(of: fromScene)
        self.stride = stride
        self.rows = rows
        let count = stride * rows * planes + Self.slack
        values = unsafe Array(unsafeUninitializedCapacity: count) { buffer, initialized in
            unsafe buffer.initialize(repeating: 0)
            // Bands write to rows of their own.
            nonisolated(unsafe) let target = unsafe buffer
            concurrentBands(rows: rows, of: 16) { band in
                var lights = [SceneLight](repeating: SceneLight(repeating: 0), count: width)
                for row in band {
                    paint(row, &lights)
                    for plane in 0..<planes {
                        let start = plane * stride * rows + row * stride
                        for column in 0..<width {
                            unsafe target[start + column] = Self.value(lights[column], plane, columns)
                        }
                    }
                }
            }
            initialized = count
        }
    }

    private static func value(_ light: SceneLight, _ plane: Int, _ columns: [SceneLight]) -> UInt16 {
        if plane == 3 { return UInt16(min(max(light.w, 0), 1) * 65_535 + 0.5) }
        let camera = (light * columns[plane]).sum()
        return UInt16(min(max(camera / brightest, 0), 1).squareRoot() * 65_535 + 0.5)
    }

    /// What each plane takes of red, green and blue.
    private static func columns(of matrix: Matrix3) -> [SceneLight] {
        [matrix.rows.0, matrix.rows.1, matrix.rows.2].map { row in
            SceneLight(Float(row.x), Float(row.y), Float(row.z), 0)
        }
    }
}

extension ScenePlanes {
    /// The built-in scene or a picture, with `margin` pixels around the frame.
    init(settings: SensorSettings, margin: Int, fromScene: Matrix3) throws(SensorError) {
        let frame = SceneFrame(width: settings.width, height: settings.height)
        let width = settings.width + 2 * margin
        let rows = settings.height + 2 * margin
        switch settings.scene {
        case .chart:
            let scene = ChartScene()
            self.init(width: width, rows: rows, planes: 3, fromScene: fromScene) { row, lights in
                var painted = SceneRow(
                    y: frame.y(row - margin), origin: 2, originColumn: Float(margin) + Float(settings.width) / 2 - 0.5,
                    pixel: 1 / frame.scale, lights: [])
                swap(&painted.lights, &lights)
                scene.paint(&painted)
                swap(&painted.lights, &lights)
            }
        case .picture(let path):
            let cover = PictureCover(
                picture: try Picture(path: path), width: settings.width, height: settings.height)
            self.init(width: width, rows: rows, planes: 3, fromScene: fromScene) { row, lights in
                for column in 0..<width {
                    lights[column] = cover.light(column: column - margin, row: row - margin)
                }
            }
        }
    }
}
