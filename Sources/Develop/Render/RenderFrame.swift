internal import RawImage

/// The geometry of a rendered picture: the crop of the raw image, the output size and the orientation.
struct RenderFrame: Sendable {
    /// The part that is shown, in raw image coordinates.
    let crop: PixelRectangle
    /// The active area, to which positions in gain maps and the distortion model are relative.
    let area: PixelRectangle
    /// Output width in pixels, before orientation is applied.
    let width: Int
    /// Output height in pixels, before orientation is applied.
    let height: Int
    /// The EXIF orientation to apply, 1...8.
    let orientation: Int

    /// Raw image columns per output column, at least 1.
    var columnScale: Double { Double(crop.width) / Double(width) }

    /// Raw image rows per output row, at least 1.
    var rowScale: Double { Double(crop.height) / Double(height) }

    /// Whether the output is scaled down.
    var isScaled: Bool { width != crop.width || height != crop.height }
}

extension Renderer {
    /// Returns the geometry of a picture; throws if it reaches outside the raw image or enlarges it.
    func frame(_ output: Output) throws(GscapError) -> RenderFrame {
        func check(_ part: PixelRectangle, _ name: String) throws(GscapError) {
            guard part.left >= 0, part.top >= 0, part.width > 0, part.height > 0,
                part.left <= source.width, part.width <= source.width - part.left,
                part.top <= source.height, part.height <= source.height - part.top
            else {
                throw GscapError(
                    .badOutput,
                    "the \(name) of \(part.width)×\(part.height) at \(part.left), \(part.top) is not inside the "
                        + "\(source.width)×\(source.height) raw image")
            }
        }
        let area = activeArea ?? PixelRectangle(left: 0, top: 0, width: source.width, height: source.height)
        try check(area, "active area")
        let crop = output.crop ?? area
        try check(crop, "crop")
        let (width, height) = (output.size?.width ?? crop.width, output.size?.height ?? crop.height)
        guard width > 0, height > 0, width <= crop.width, height <= crop.height else {
            throw GscapError(
                .badOutput,
                "an output of \(width)×\(height) is empty or larger than its source of "
                    + "\(crop.width)×\(crop.height): request a smaller one and enlarge it afterwards")
        }
        let turn = metadata.orientation
        return RenderFrame(
            crop: crop, area: area, width: width, height: height,
            orientation: output.appliesOrientation && (1...8).contains(turn) ? turn : 1)
    }
}
