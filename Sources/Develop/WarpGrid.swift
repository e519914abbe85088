internal import Fusion
internal import RawImage

/// Finds the light of a straight picture's pixels in a bent one.
struct WarpGrid: Sendable {
    private let warp: LensWarp
    private let crop: PixelRectangle
    private let centre: SIMD2<Double>
    private let radius: Double

    init(_ warp: LensWarp, _ frame: RenderFrame) {
        self.warp = warp
        crop = frame.crop
        let area = frame.area
        let (width, height) = (Double(area.width), Double(area.height))
        let (across, down) = (width * warp.center.across, height * warp.center.down)
        centre = SIMD2(Double(area.left) + across, Double(area.top) + down)
        // Distance 1 is the farthest corner's.
        let far = SIMD2(max(across, width - across), max(down, height - down))
        radius = max((far * far).sum().squareRoot(), 1)
    }

    /// Reads a row of the straight picture, as balanced light.
    func read(
        _ values: UnsafePointer<UInt16>, _ format: LinearFormat, row: Int, _ balance: Balance, into light: ColorRow
    ) {
        let lines = unsafe [light.red, light.green, light.blue]
        for column in 0..<crop.width {
            let place = (SIMD2(Double(crop.left + column), Double(row)) + 0.5 - centre) / radius
            if warp.planes.count == 1 {
                let color = unsafe Self.color(values, format, bent(place, warp.planes[0]))
                for plane in 0..<3 {
                    unsafe lines[plane][column] = (color[plane] - balance.black[plane]) * balance.gain[plane]
                }
            } else {
                for plane in 0..<3 {
                    let color = unsafe Self.color(values, format, bent(place, warp.planes[plane]))
                    unsafe lines[plane][column] = (color[plane] - balance.black[plane]) * balance.gain[plane]
                }
            }
        }
    }

    /// Where a pixel at a distance from the centre was recorded, in pixels.
    private func bent(_ place: SIMD2<Double>, _ plane: LensWarp.Plane) -> SIMD2<Double> {
        let square = (place * place).sum()
        let k = plane.radial
        let ratio = k[0] + square * (k[1] + square * (k[2] + square * k[3]))
        let (t0, t1) = (plane.tangential[0], plane.tangential[1])
        let cross = 2 * place.x * place.y
        let shift = SIMD2(
            t0 * cross + t1 * (square + 2 * place.x * place.x), t1 * cross + t0 * (square + 2 * place.y * place.y))
        return (place * ratio + shift) * radius + centre - 0.5
    }

    /// The colour between pixels, by a cubic that passes through them; outside the picture that of its edge.
    private static func color(
        _ values: UnsafePointer<UInt16>, _ format: LinearFormat, _ place: SIMD2<Double>
    ) -> SIMD4<Float> {
        let x = within(place.x, format.width)
        let y = within(place.y, format.height)
        let across = weights(Float(x - x.rounded(.down)))
        let down = weights(Float(y - y.rounded(.down)))
        let (left, top) = (Int(x.rounded(.down)) - 1, Int(y.rounded(.down)) - 1)
        var sum = SIMD4<Float>()
        for tapDown in 0..<4 {
            let line = unsafe values + min(max(top + tapDown, 0), format.height - 1) * format.stride
            var inLine = SIMD4<Float>()
            for tap in 0..<4 {
                let pixel = unsafe line + LinearFormat.channels * min(max(left + tap, 0), format.width - 1)
                unsafe inLine += SIMD4(Float(pixel[0]), Float(pixel[1]), Float(pixel[2]), 0) * across[tap]
            }
            sum += inLine * down[tapDown]
        }
        return sum
    }

    /// A place no farther than a pixel outside; what is no number is at the edge.
    private static func within(_ place: Double, _ count: Int) -> Double {
        place > -1 ? min(place, Double(count)) : -1
    }

    private static func weights(_ t: Float) -> SIMD4<Float> {
        let (square, cube) = (t * t, t * t * t)
        return SIMD4(
            -0.5 * cube + square - 0.5 * t, 1.5 * cube - 2.5 * square + 1, -1.5 * cube + 2 * square + 0.5 * t,
            0.5 * cube - 0.5 * square)
    }
}
