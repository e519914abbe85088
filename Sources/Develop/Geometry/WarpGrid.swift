internal import Kernels
internal import RawImage

/// Finds the light of a straight picture's pixels in a bent one.
struct WarpGrid: Sendable {
    private let warp: LensWarp
    private let crop: PixelRectangle
    private let centre: SIMD2<Double>
    private let radius: Double
    private let picture: BentPicture
    /// The ratios of distances of each plane, for a model that has no short formula.
    private let ratios: [[Float]]
    private static let steps = 4096

    init(_ warp: LensWarp, _ frame: RenderFrame, _ picture: BentPicture) {
        self.warp = warp
        self.picture = picture
        crop = frame.crop
        let area = frame.area
        let (width, height) = (Double(area.width), Double(area.height))
        let (across, down) = (width * warp.center.across, height * warp.center.down)
        centre = SIMD2(Double(area.left) + across, Double(area.top) + down)
        // Distance 1 is the farthest corner's.
        let far = SIMD2(max(across, width - across), max(down, height - down))
        radius = max((far * far).sum().squareRoot(), 1)
        guard warp.model != .rectilinear else {
            ratios = []
            return
        }
        ratios = warp.planes.map { plane in
            (0...Self.steps).map { step in
                let ratio = warp.ratio(plane, at: Double(step) / Double(Self.steps))
                // What is no number, or a wild one, leads to an edge.
                return ratio.isNaN ? 0 : Float(min(max(ratio, -1e6), 1e6))
            }
        }
    }

    /// Calls `body` with each of some rows of the straight picture, when its light is where `target` said.
    func forEach(in rows: Range<Int>, into target: (Int) -> ColorRow, _ body: (Int) -> Void) {
        let places = LightRoom(width: crop.width)
        let (across, down) = unsafe (places.row.red, places.row.green)
        unsafe picture.values.withUnsafeBufferPointer { values in
            guard let values = values.baseAddress else { return }
            for row in rows {
                let light = unsafe target(row)
                for plane in warp.planes.indices {
                    unsafe find(row, plane, across, down)
                    // One plane's coefficients may serve all.
                    let planes = warp.planes.count == 1 ? 3 : 1
                    let gain = picture.gain
                    unsafe readWarped(
                        values + (plane * picture.lineLength + BentPicture.padding), planePitch: picture.lineLength,
                        pitch: picture.pitch, width: picture.width, height: picture.height, across: across,
                        down: down, black: BentPicture.black,
                        gains: planes == 3 ? gain : SIMD3(repeating: gain[plane]), planes: planes, count: crop.width,
                        red: light[plane], green: light.green, blue: light.blue)
                }
                body(row)
            }
        }
    }

    /// Where a row's pixels were recorded.
    private func find(
        _ row: Int, _ number: Int, _ across: UnsafeMutablePointer<Float>, _ down: UnsafeMutablePointer<Float>
    ) {
        // A pixel's place is its number, as Adobe's converter has it: not the middle of the pixel.
        let first = SIMD2<Float>((SIMD2(Double(crop.left), Double(row)) - centre) / radius)
        let (step, origin) = (Float(1 / radius), SIMD2<Float>(centre))
        let limits = SIMD2(Float(picture.width), Float(picture.height))
        let plane = warp.planes[number]
        let (k, t) = (plane.radial, SIMD2(Float(plane.tangential[0]), Float(plane.tangential[1])))
        guard warp.model != .rectilinear else {
            return unsafe warpPlaces(
                first: first, step: step, radius: Float(radius), centre: origin,
                radial: SIMD4<Float>(SIMD4(k[0], k[1], k[2], k[3])), tangential: t, limits: limits, count: crop.width,
                across: across, down: down)
        }
        unsafe ratios[number].withUnsafeBufferPointer { ratios in
            guard let ratios = ratios.baseAddress else { return }
            unsafe warpPlacesByTable(
                first: first, step: step, radius: Float(radius), centre: origin, ratios: ratios, steps: Self.steps,
                tangential: t, limits: limits, count: crop.width, across: across, down: down)
        }
    }
}
