internal import KernelTypes
internal import Kernels
internal import PixelMemory
internal import RawImage

/// Corrects lens distortion: finds where each pixel of the corrected image was recorded and interpolates there.
struct DistortionCorrector: Sendable {
    private let warp: LensWarp
    private let crop: PixelRectangle
    private let centre: SIMD2<Double>
    private let radius: Double
    private let image: DistortedImage
    /// The ratio of recorded to corrected distance from the optical centre, tabulated per plane; empty for the
    /// rectilinear model, which the kernel evaluates directly.
    private let ratios: [[Float]]
    private static let steps = 4096

    init(_ warp: LensWarp, _ frame: RenderFrame, _ image: DistortedImage) {
        self.warp = warp
        self.image = image
        crop = frame.crop
        let area = frame.area
        let (width, height) = (Double(area.width), Double(area.height))
        let (across, down) = (width * warp.center.across, height * warp.center.down)
        centre = SIMD2(Double(area.left) + across, Double(area.top) + down)
        // The model's radius 1 is the distance of the farthest corner.
        let far = SIMD2(max(across, width - across), max(down, height - down))
        radius = max((far * far).sum().squareRoot(), 1)
        guard warp.model != .rectilinear else {
            ratios = []
            return
        }
        ratios = warp.planes.map { plane in
            (0...Self.steps).map { step in
                let ratio = warp.ratio(plane, at: Double(step) / Double(Self.steps))
                // NaN becomes 0, the optical centre; extreme ratios are clamped and lead to an edge of the image.
                return ratio.isNaN ? 0 : Float(min(max(ratio, -1e6), 1e6))
            }
        }
    }

    /// Calls `body` with the number of each corrected row in order, after storing the row at `target`.
    func forEach(in rows: Range<Int>, into target: (Int) -> ColorRow, _ body: (Int) -> Void) {
        let positions = RowBuffer(width: crop.width)
        let (across, down) = (positions.row.red, positions.row.green)
        image.values.withView { values in
            for row in rows {
                let output = target(row)
                for plane in warp.planes.indices {
                    findPositions(row, plane, across, down)
                    // A model with one plane applies to all channels.
                    let planes = warp.planes.count == 1 ? 3 : 1
                    let gain = image.gain
                    let first = values + (plane * image.lineLength + DistortedImage.padding)
                    unsafe readDistorted(
                        PaddedPlanes(
                            first.pointer(first.bounds), planePitch: image.lineLength, pitch: image.pitch,
                            width: image.width, height: image.height),
                        across: across.pointer(vectors: crop.width), down: down.pointer(vectors: crop.width),
                        black: DistortedImage.black, gains: planes == 3 ? gain : SIMD3(repeating: gain[plane]),
                        planes: planes, count: crop.width, red: output[plane].pointer(vectors: crop.width),
                        green: output.green.pointer(vectors: crop.width),
                        blue: output.blue.pointer(vectors: crop.width))
                }
                body(row)
            }
        }
    }

    /// Computes where the pixels of a corrected row were recorded, in raw image columns and rows.
    private func findPositions(
        _ row: Int, _ number: Int, _ across: MutableMemoryView<Float>, _ down: MutableMemoryView<Float>
    ) {
        // Pixels are located by their index, not at their centre (+0.5), as in Adobe's DNG SDK.
        let first = SIMD2<Float>((SIMD2(Double(crop.left), Double(row)) - centre) / radius)
        let (step, origin) = (Float(1 / radius), SIMD2<Float>(centre))
        let limits = SIMD2(Float(image.width), Float(image.height))
        let plane = warp.planes[number]
        let (k, t) = (plane.radial, SIMD2(Float(plane.tangential[0]), Float(plane.tangential[1])))
        guard warp.model != .rectilinear else {
            return unsafe distortedPositions(
                first: first, step: step, radius: Float(radius), centre: origin,
                radial: SIMD4<Float>(SIMD4(k[0], k[1], k[2], k[3])), tangential: t, limits: limits, count: crop.width,
                across: across.pointer(vectors: crop.width), down: down.pointer(vectors: crop.width))
        }
        unsafe distortedPositionsByTable(
            first: first, step: step, radius: Float(radius), centre: origin, ratios: ratios[number], steps: Self.steps,
            tangential: t, limits: limits, count: crop.width, across: across.pointer(vectors: crop.width),
            down: down.pointer(vectors: crop.width))
    }
}
