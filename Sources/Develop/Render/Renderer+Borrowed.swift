internal import PixelMemory
public import RawImage

// Rendering of samples in a caller's memory, without a copy.

extension Renderer {
    /// Renders a linear image held in the caller's memory into a buffer of 8-bit pixels; see
    /// `render(_:into:display:cores:)`.
    @_lifetime(bytes: copy bytes)
    public static func render(
        linear values: Span<UInt16>, format: LinearFormat, metadata: FrameMetadata, recipe: Recipe, _ output: Output,
        into bytes: inout MutableSpan<UInt8>, display: DisplayFormat, cores: Int? = nil
    ) throws(GscapError) {
        let source = { RawSource.linear(LinearSource(format: format, metadata: metadata, values: $0)) }
        try withBorrowed(values, recipe, as: source) { renderer throws(GscapError) in
            try renderer.render(output, into: &bytes, display: display, cores: cores)
        }
    }

    /// Renders a mosaic held in the caller's memory into a buffer of 8-bit pixels; see
    /// `render(_:into:display:cores:)`.
    @_lifetime(bytes: copy bytes)
    public static func render(
        mosaic codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata, recipe: Recipe, _ output: Output,
        into bytes: inout MutableSpan<UInt8>, display: DisplayFormat, cores: Int? = nil
    ) throws(GscapError) {
        let source = { RawSource.mosaic(MosaicSource(format: format, metadata: metadata, codes: $0)) }
        try withBorrowed(codes, recipe, as: source) { renderer throws(GscapError) in
            try renderer.render(output, into: &bytes, display: display, cores: cores)
        }
    }

    /// Renders a linear image held in the caller's memory; see `picture(_:cores:)`.
    public static func picture(
        linear values: Span<UInt16>, format: LinearFormat, metadata: FrameMetadata, recipe: Recipe, _ output: Output
    ) throws(GscapError) -> Picture {
        let source = { RawSource.linear(LinearSource(format: format, metadata: metadata, values: $0)) }
        return try withBorrowed(values, recipe, as: source) { renderer throws(GscapError) in
            try renderer.picture(output)
        }
    }

    /// Renders a mosaic held in the caller's memory; see `picture(_:cores:)`.
    public static func picture(
        mosaic codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata, recipe: Recipe, _ output: Output
    ) throws(GscapError) -> Picture {
        let source = { RawSource.mosaic(MosaicSource(format: format, metadata: metadata, codes: $0)) }
        return try withBorrowed(codes, recipe, as: source) { renderer throws(GscapError) in
            try renderer.picture(output)
        }
    }

    /// Runs `render` with a renderer that borrows `samples`, which stay valid until it returns.
    private static func withBorrowed<Result>(
        _ samples: Span<UInt16>, _ recipe: Recipe, as source: (RawSamples) -> RawSource,
        _ render: (Renderer) throws(GscapError) -> Result
    ) throws(GscapError) -> Result {
        try samples.withView { samples throws(GscapError) in
            try render(try Renderer(source(.borrowed(samples)), recipe))
        }
    }
}
