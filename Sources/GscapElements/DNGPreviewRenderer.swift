package import DNG
internal import Develop
package import RawImage

/// A renderer of the JPEG preview in a DNG file. The preview is rendered with the same recipe that the file's tags
/// describe, so that it looks like the output of a raw converter.
package struct DNGPreviewRenderer {
    /// The longest side in pixels, at most that of the photo; nil for the photo's own size.
    package var longestSide: Int?
    /// Whether the preview has at most half the photo's size: that of a lossy raw image, because RawTherapee opens the
    /// preview instead if both have the same size, and that of a Bayer frame, which then takes a tenth of the time.
    package var isHalved = false
    /// The JPEG quality, 1…100.
    package var quality = 90
    /// The part of the photo that the preview shows; nil for the part that the photo's zoom shows.
    package var crop: PixelRectangle?

    /// Creates a preview renderer with a size limit and a JPEG quality.
    package init(longestSide: Int? = nil, isHalved: Bool = false, quality: Int = 90) {
        self.longestSide = longestSide
        self.isHalved = isHalved
        self.quality = quality
    }

    /// Renders the preview of a mosaic; returns nil if the mosaic is smaller than one 2×2 CFA cell.
    package func of(
        _ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, _ recipe: Recipe = Recipe()
    ) throws -> DNGPreview? {
        guard format.width >= 2, format.height >= 2 else { return nil }
        let size = shape(format.width, format.height, metadata).whole
        // At half the size or below, each pixel covers samples of all colours, so that nothing needs interpolation.
        let needsDemosaic = 2 * size.width > format.width + 1 || 2 * size.height > format.height + 1
        if !needsDemosaic, let renderer = try PreviewRenderer(metadata: metadata, equivalentTo: recipe) {
            return try rendered(format.width, format.height, metadata) { _, display, bytes in
                try renderer.preview(codes, format: format, into: &bytes, output: display)
            }
        }
        return try rendered(format.width, format.height, metadata) { output, display, bytes in
            try Renderer.render(
                mosaic: codes, format: format, metadata: metadata, recipe: recipe, output, into: &bytes,
                display: display)
        }
    }

    /// Renders the preview of a linear photo.
    package func of(
        _ values: Span<UInt16>, _ format: LinearFormat, _ metadata: FrameMetadata, _ recipe: Recipe = Recipe()
    ) throws -> DNGPreview {
        try rendered(format.width, format.height, metadata) { output, display, bytes in
            try Renderer.render(
                linear: values, format: format, metadata: metadata, recipe: recipe, output, into: &bytes,
                display: display)
        }
    }

    /// Returns the size of the preview of a photo of this size.
    package func size(width: Int, height: Int) -> (width: Int, height: Int) {
        let longest = max(1, width, height)
        let limit = min(longestSide ?? longest, longest)
        let side = isHalved ? min(limit, (longest + 1) / 2) : limit
        func scaled(_ length: Int) -> Int { max(1, (length * side + longest / 2) / longest) }
        return (scaled(width), scaled(height))
    }

    /// The size in which the whole photo is rendered, and the part of it that is the preview.
    private struct Shape {
        var whole: (width: Int, height: Int)
        var shown: PixelRectangle
    }

    /// Returns the shape of the preview of a photo of this size, of which the preview shows the cropped part.
    private func shape(_ width: Int, _ height: Int, _ metadata: FrameMetadata) -> Shape {
        let crop =
            crop.flatMap { $0.isWithin(width: width, height: height) ? $0 : nil }
            ?? metadata.shownPart(width: width, height: height).area
        let target = size(width: crop.width, height: crop.height)
        func scaled(_ length: Int, _ part: Int, _ target: Int) -> Int {
            max(target, min(length, (length * target + part / 2) / part))
        }
        let whole = (scaled(width, crop.width, target.width), scaled(height, crop.height, target.height))
        func origin(_ left: Int, _ length: Int, _ whole: Int, _ target: Int) -> Int {
            min(whole - target, (left * whole + length / 2) / length)
        }
        let shown = PixelRectangle(
            left: origin(crop.left, width, whole.0, target.width),
            top: origin(crop.top, height, whole.1, target.height),
            width: target.width, height: target.height)
        return Shape(whole: whole, shown: shown)
    }

    private func rendered(
        _ width: Int, _ height: Int, _ metadata: FrameMetadata,
        _ render: (Renderer.Output, DisplayFormat, inout MutableSpan<UInt8>) throws -> Void
    ) throws -> DNGPreview {
        let shape = shape(width, height, metadata)
        let display = DisplayFormat(width: shape.whole.width, height: shape.whole.height, layout: .rgb)
        let size = Renderer.Output.Size(width: display.width, height: display.height)
        var rgb = [UInt8].largeZeros(display.byteCount)
        var span = rgb.mutableSpan
        try render(Renderer.Output(size: size), display, &span)
        if (shape.shown.width, shape.shown.height) != shape.whole {
            rgb = rgb.rows(of: shape.shown, stride: display.stride, pixel: display.layout.bytes)
        }
        return try DNGPreview(width: shape.shown.width, height: shape.shown.height, rgb: rgb)
            .compressed(quality: quality)
    }
}
