internal import Glibc
internal import RawImage

/// A prerendered scene or object in camera-native colour: red, green and blue planes, and for objects an opacity plane.
///
/// Colours are stored as 16-bit square roots of linear values, which gives fine steps in the shadows.
struct ScenePlanes: Sendable {
    /// Linear value of the code 65,535, where white is 1; brighter values are clamped.
    static let brightest: Float = 16
    /// Linear value of the code 1: codes are square roots, so a linear value is the squared code times this.
    static let unit = brightest / (65_535 * 65_535)
    /// Number of values in memory after the last row of the last plane, which kernels may read.
    private static let slack = 128

    /// Distance between the starts of two rows, in values.
    let stride: Int
    /// Number of rows in a plane.
    let rows: Int
    /// Distance between the starts of two planes, in values.
    var planeSize: Int { stride * rows }
    /// The stored values of all planes: red, green and blue, and for objects opacity; each plane row by row.
    let values: [UInt16]

    /// Renders `width`×`rows` pixels with 3 or 4 `planes` on all cores. `paint` fills a row with linear sRGB, which
    /// `fromScene` converts to camera-native colour. If `work` is ended meanwhile, the remaining rows are black.
    init(
        width: Int, rows: Int, planes: Int, fromScene: Matrix3, work: SensorWork?,
        paint: @Sendable (_ row: Int, _ colors: inout [SceneColor]) -> Void
    ) {
        let stride = (width + 31) / 32 * 32 + 32
        let weights = Self.weights(of: fromScene)
        self.stride = stride
        self.rows = rows
        let count = stride * rows * planes + Self.slack
        values = unsafe Array(unsafeUninitializedCapacity: count) { buffer, initialized in
            unsafe buffer.initialize(repeating: 0)
            // Safe: each band writes only its own rows.
            nonisolated(unsafe) let target = unsafe buffer
            concurrentBands(rows: rows, of: 16) { band in
                guard work?.beginsBand() != false else { return }
                var colors = [SceneColor](repeating: SceneColor(repeating: 0), count: width)
                for row in band {
                    paint(row, &colors)
                    for plane in 0..<planes {
                        let start = plane * stride * rows + row * stride
                        for column in 0..<width {
                            unsafe target[start + column] = Self.value(colors[column], plane, weights)
                        }
                    }
                }
            }
            initialized = count
        }
    }

    /// Returns the stored value of a colour in one plane: the square root of camera red (0), green (1) or blue (2), or
    /// the opacity (3), scaled to 0…65,535.
    private static func value(_ color: SceneColor, _ plane: Int, _ weights: [SceneColor]) -> UInt16 {
        if plane == 3 { return UInt16(min(max(color.w, 0), 1) * 65_535 + 0.5) }
        let camera = (color * weights[plane]).sum()
        return UInt16(min(max(camera / brightest, 0), 1).squareRoot() * 65_535 + 0.5)
    }

    /// Returns the rows of the matrix from scene to camera colour: the weights of linear red, green and blue in each
    /// camera colour.
    private static func weights(of matrix: Matrix3) -> [SceneColor] {
        [matrix.rows.0, matrix.rows.1, matrix.rows.2].map { row in
            SceneColor(Float(row.x), Float(row.y), Float(row.z), 0)
        }
    }
}

extension ScenePlanes {
    /// Renders the built-in scene or an image file, with a border of `margin` pixels around the frame.
    init(settings: SensorSettings, margin: Int, fromScene: Matrix3, work: SensorWork?) throws(GscapError) {
        let frame = SceneFrame(settings)
        let view = settings.lens.isStraight ? nil : LensView(settings)
        let width = settings.width + 2 * margin
        let rows = settings.height + 2 * margin
        switch settings.scene {
        case .chart:
            let scene = ChartScene()
            self.init(width: width, rows: rows, planes: 3, fromScene: fromScene, work: work) { row, colors in
                var painted = SceneRow(
                    y: frame.y(row - margin), origin: 2, originColumn: Float(margin) + Float(settings.width) / 2 - 0.5,
                    pixel: 1 / frame.scale, colors: [], offset: frame.offset)
                if settings.statesCalibration { painted.reach = painted.pixel / 2 }
                if let view {
                    painted.points = (0..<width).map { column in
                        view.point(Double(column - margin) + 0.5, Double(row - margin) + 0.5)
                    }
                }
                swap(&painted.colors, &colors)
                scene.paint(&painted)
                swap(&painted.colors, &colors)
            }
        case .picture(let path):
            let image = FrameFillingImage(
                image: try SceneImage(path: path), width: settings.width, height: settings.height,
                zoom: Float(settings.lens.zoom))
            let origin = SIMD2<Float>(Float(settings.width), Float(settings.height)) / 2
            let scale = frame.scale / Float(settings.lens.zoom)
            self.init(width: width, rows: rows, planes: 3, fromScene: fromScene, work: work) { row, colors in
                for column in 0..<width {
                    let pixel = SIMD2(Float(column - margin), Float(row - margin)) + 0.5
                    // The position in the frame of the default lens, for a picture at the distance of the still life.
                    let point: SIMD2<Float> =
                        if let view {
                            (view.point(Double(pixel.x), Double(pixel.y)) - SIMD2(2, 1.5)) * scale
                        } else {
                            (pixel - origin) / Float(settings.lens.zoom)
                        }
                    colors[column] = image.color(at: point + frame.offset * scale + origin)
                }
            }
        }
    }
}
