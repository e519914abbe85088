internal import PixelMemory
internal import RawImage

/// The shifts between the views, on a grid over an area of the wide picture: the shift at each grid point is in wide
/// pixels.
struct TeleFlow: Sendable {
    /// Distance between grid points in wide pixels.
    static let step = 4
    let columns: Int
    let rows: Int
    var shifts: [SIMD2<Float>]

    /// Creates a flow without shifts for an area of a size; the grid ends beyond its last pixel.
    init(width: Int, height: Int) {
        columns = (width + Self.step - 1) / Self.step + 2
        rows = (height + Self.step - 1) / Self.step + 2
        shifts = Array(repeating: SIMD2(), count: columns * rows)
    }

    /// The length of the longest shift.
    var largestShift: Double {
        shifts.reduce(0) { max($0, Double(($1 * $1).sum().squareRoot())) }
    }

    /// Returns the tele's positions at all grid points, in pixels from the centre of its first one. The first grid
    /// point is the centre of the area's first pixel.
    func positions(_ cameras: TeleCameras, _ area: PixelRectangle, cores: Int?) -> [SIMD2<Float>] {
        [SIMD2<Float>](filling: columns * rows) { target in
            concurrentBands(rows: rows, of: 8, cores: cores) { band in
                for index in band.lowerBound * columns..<band.upperBound * columns {
                    let column = Double(area.left + index % columns * Self.step) + Double(shifts[index].x)
                    let row = Double(area.top + index / columns * Self.step) + Double(shifts[index].y)
                    let pixel = cameras.telePixel(of: SIMD2(column + 0.5, row + 0.5)) - 0.5
                    target[index] = SIMD2(Float(pixel.x), Float(pixel.y))
                }
            }
        }
    }
}
