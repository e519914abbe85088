public import RawImage

// Pictures of raw ones in a caller's memory, which is not copied.

extension Renderer {
    /// Writes the finished picture of a linear photo's values as bytes in a layout of the caller's, as `render` does.
    public static func render(
        linear values: Span<UInt16>, format: LinearFormat, metadata: FrameMetadata, recipe: Recipe, _ output: Output,
        into bytes: inout MutableSpan<UInt8>, display: DisplayFormat, cores: Int? = nil
    ) throws(DevelopError) {
        let source = { RawSource.linear(RawPhoto(format: format, metadata: metadata, values: $0)) }
        try lending(values, recipe, to: source) { renderer throws(DevelopError) in
            try renderer.render(output, into: &bytes, display: display, cores: cores)
        }
    }

    /// Writes the finished picture of a mosaic's codes as bytes in a layout of the caller's, as `render` does.
    public static func render(
        mosaic codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata, recipe: Recipe, _ output: Output,
        into bytes: inout MutableSpan<UInt8>, display: DisplayFormat, cores: Int? = nil
    ) throws(DevelopError) {
        let source = { RawSource.mosaic(RawMosaic(format: format, metadata: metadata, codes: $0)) }
        try lending(codes, recipe, to: source) { renderer throws(DevelopError) in
            try renderer.render(output, into: &bytes, display: display, cores: cores)
        }
    }

    /// The finished picture of a linear photo's values, as `picture` gives it.
    public static func picture(
        linear values: Span<UInt16>, format: LinearFormat, metadata: FrameMetadata, recipe: Recipe, _ output: Output
    ) throws(DevelopError) -> Picture {
        let source = { RawSource.linear(RawPhoto(format: format, metadata: metadata, values: $0)) }
        return try lending(values, recipe, to: source) { renderer throws(DevelopError) in try renderer.picture(output) }
    }

    /// The finished picture of a mosaic's codes, as `picture` gives it.
    public static func picture(
        mosaic codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata, recipe: Recipe, _ output: Output
    ) throws(DevelopError) -> Picture {
        let source = { RawSource.mosaic(RawMosaic(format: format, metadata: metadata, codes: $0)) }
        return try lending(codes, recipe, to: source) { renderer throws(DevelopError) in try renderer.picture(output) }
    }

    /// Runs a render of codes that are the caller's, who keeps them until it is done.
    private static func lending<Made>(
        _ codes: Span<UInt16>, _ recipe: Recipe, to source: (RawCodes) -> RawSource,
        _ render: (Renderer) throws(DevelopError) -> Made
    ) throws(DevelopError) -> Made {
        try unsafe codes.withUnsafeBufferPointer { codes throws(DevelopError) in
            unsafe try render(try Renderer(source(.lent(codes)), recipe))
        }
    }
}
