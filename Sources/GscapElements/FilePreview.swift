package import DNG
internal import Develop
package import RawImage

/// Makes the display picture that a DNG file carries: what the photo looks like, rendered as a converter does it that obeys the file's tags.
package struct FilePreview {
    /// The longest side, cut to that of the photo; nil for the photo's own size.
    package var longestSide: Int?
    /// Whether the photo's own size is halved: RawTherapee takes a preview as large as a lossy photo for the photo.
    package var isHalved = false
    /// Of the JPEG, 1…100.
    package var quality = 90

    /// A preview of some size.
    package init(longestSide: Int? = nil, isHalved: Bool = false, quality: Int = 90) {
        self.longestSide = longestSide
        self.isHalved = isHalved
        self.quality = quality
    }

    /// The preview of a mosaic; nil for one too small to be developed.
    package func of(
        _ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, _ recipe: Recipe = Recipe()
    ) throws -> DNGPreview? {
        guard format.width >= 2, format.height >= 2 else { return nil }
        return try made(format.width, format.height) { output, display, bytes in
            try Renderer.render(
                mosaic: codes, format: format, metadata: metadata, recipe: recipe, output, into: &bytes,
                display: display)
        }
    }

    /// The preview of a linear photo.
    package func of(
        _ values: Span<UInt16>, _ format: LinearFormat, _ metadata: FrameMetadata, _ recipe: Recipe = Recipe()
    ) throws -> DNGPreview {
        try made(format.width, format.height) { output, display, bytes in
            try Renderer.render(
                linear: values, format: format, metadata: metadata, recipe: recipe, output, into: &bytes,
                display: display)
        }
    }

    private func shape(_ width: Int, _ height: Int) -> DisplayFormat {
        let longest = max(width, height)
        let side = min(longestSide ?? (isHalved ? (longest + 1) / 2 : longest), longest)
        func scaled(_ length: Int) -> Int { max(1, (length * side + longest / 2) / longest) }
        return DisplayFormat(width: scaled(width), height: scaled(height), layout: .rgb)
    }

    private func made(
        _ width: Int, _ height: Int,
        _ render: (Renderer.Output, DisplayFormat, inout MutableSpan<UInt8>) throws -> Void
    ) throws -> DNGPreview {
        let display = shape(width, height)
        let size = Renderer.Output.Size(width: display.width, height: display.height)
        var rgb = [UInt8](repeating: 0, count: display.byteCount)
        var span = rgb.mutableSpan
        try render(Renderer.Output(size: size), display, &span)
        return try DNGPreview(width: display.width, height: display.height, rgb: rgb).compressed(quality: quality)
    }
}
