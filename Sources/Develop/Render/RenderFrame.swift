internal import RawImage

/// Which part of a raw picture is shown, and how large.
struct RenderFrame: Sendable {
    /// The part that is shown, in the raw picture's coordinates.
    let crop: PixelRectangle
    /// The part that gains and distortion are told of.
    let area: PixelRectangle
    /// Pixels in a row of the finished picture before it is turned.
    let width: Int
    /// Rows of it.
    let height: Int
    /// Exif's number for how it is turned.
    let orientation: Int

    init(_ renderer: Renderer, _ output: Renderer.Output) throws(DevelopError) {
        let source = renderer.source
        func check(_ part: PixelRectangle, _ name: String) throws(DevelopError) {
            guard part.left >= 0, part.top >= 0, part.width > 0, part.height > 0,
                part.left <= source.width, part.width <= source.width - part.left,
                part.top <= source.height, part.height <= source.height - part.top
            else {
                throw DevelopError(
                    .badOutput,
                    "the \(name) of \(part.width)×\(part.height) at \(part.left), \(part.top) is not a part of the "
                        + "\(source.width)×\(source.height) picture")
            }
        }
        area = renderer.activeArea ?? PixelRectangle(left: 0, top: 0, width: source.width, height: source.height)
        try check(area, "active area")
        crop = output.crop ?? area
        try check(crop, "crop")
        width = output.size?.width ?? crop.width
        height = output.size?.height ?? crop.height
        guard width > 0, height > 0, width <= crop.width, height <= crop.height else {
            throw DevelopError(
                .badOutput,
                "a picture of \(width)×\(height) is larger than its source of \(crop.width)×\(crop.height): "
                    + "ask for less and scale it up")
        }
        let turn = renderer.metadata.orientation
        orientation = output.appliesOrientation && (1...8).contains(turn) ? turn : 1
    }

    /// Columns of the raw picture under one of the finished one.
    var columnScale: Double { Double(crop.width) / Double(width) }

    /// Rows of the raw picture under one of the finished one.
    var rowScale: Double { Double(crop.height) / Double(height) }

    /// Whether the picture is made smaller.
    var isScaled: Bool { width != crop.width || height != crop.height }
}
