internal import Demosaic
public import RawImage

extension PreviewRenderer {
    /// Renders a mosaic to a display picture of the same or a smaller size without demosaicing: each pixel averages
    /// the samples of each colour under its area, weighted by their positions.
    ///
    /// The mosaic must be at least 2×2 pixels, and `output` no larger. `view` is the part of the mosaic that is
    /// rendered, enlarged if the output is larger; its origin is even, and it is at least 2×2 pixels. Runs on all cores
    /// unless `cores` is 1.
    @_lifetime(bytes: copy bytes)
    public func preview(
        _ codes: Span<UInt16>, format: MosaicFormat, into bytes: inout MutableSpan<UInt8>, output: DisplayFormat,
        view: PixelRectangle? = nil, cores: Int? = nil
    ) throws(GscapError) {
        try source(codes, format, view).render(codes, into: &bytes, output: output, cores: cores)
    }

    /// Renders a mosaic as luma and chroma for a video encoder, in the same way.
    @_lifetime(bytes: copy bytes)
    public func preview(
        _ codes: Span<UInt16>, format: MosaicFormat, into bytes: inout MutableSpan<UInt8>, output: SubsampledFormat,
        view: PixelRectangle? = nil, cores: Int? = nil
    ) throws(GscapError) {
        try source(codes, format, view).render(codes, into: &bytes, output: output, cores: cores)
    }

    /// Renders a linear image to a display picture of the same or a smaller size.
    ///
    /// The preview renderer must have been created with the image's metadata. `view` is the part that is rendered,
    /// enlarged if the output is larger. Runs on all cores unless `cores` is 1.
    @_lifetime(bytes: copy bytes)
    public func develop(
        _ values: Span<UInt16>, format: LinearFormat, into bytes: inout MutableSpan<UInt8>, output: DisplayFormat,
        view: PixelRectangle? = nil, cores: Int? = nil
    ) throws(GscapError) {
        try source(values, format, view).render(values, into: &bytes, output: output, cores: cores)
    }

    /// Renders a linear image as luma and chroma for a video encoder, in the same way.
    @_lifetime(bytes: copy bytes)
    public func develop(
        _ values: Span<UInt16>, format: LinearFormat, into bytes: inout MutableSpan<UInt8>, output: SubsampledFormat,
        view: PixelRectangle? = nil, cores: Int? = nil
    ) throws(GscapError) {
        try source(values, format, view).render(values, into: &bytes, output: output, cores: cores)
    }

    private func source(
        _ codes: Span<UInt16>, _ format: MosaicFormat, _ view: PixelRectangle?
    ) throws(GscapError) -> PreviewSource {
        try GscapError.checking { () throws(GscapError) in try format.checkDemosaic(count: codes.count) }
        let source = PreviewSource(
            width: format.width, height: format.height, stride: format.stride, isMosaic: true,
            balance: try balance(format.pattern), weights: weights(of: format.pattern.planes),
            look: PreviewLook(gains: gains, curve: curve))
        return try view.map { view throws(GscapError) in try source.part(view) } ?? source
    }

    private func source(
        _ values: Span<UInt16>, _ format: LinearFormat, _ view: PixelRectangle?
    ) throws(GscapError) -> PreviewSource {
        try GscapError.checking { () throws(GscapError) in try format.check(count: values.count) }
        let balance = try GscapError.checking { () throws(GscapError) in try BalancedLevels(linear: metadata) }
        let source = PreviewSource(
            width: format.width, height: format.height, stride: format.stride, isMosaic: false, balance: balance,
            weights: weights(of: [0, 1, 2]), look: PreviewLook(gains: gains, curve: curve))
        return try view.map { view throws(GscapError) in try source.part(view) } ?? source
    }

    /// Returns the weights of a cell's samples in output RGB or, if local gains follow, in the profile space.
    /// `planes` are the channels of the samples; two green samples weigh half each.
    private func weights(of planes: [Int]) -> (red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>) {
        let matrix = gains == nil ? self.matrix : toProfile
        var weights = (red: SIMD4<Float>(), green: SIMD4<Float>(), blue: SIMD4<Float>())
        if metadata.isMonochrome, planes.count == 4 {
            // All positions of the cell have the same colour, grey: a mean of all has none of the edges' colours.
            let mean = matrix * SIMD3(repeating: 0.25)
            return (
                red: SIMD4(repeating: Float(mean.x)), green: SIMD4(repeating: Float(mean.y)),
                blue: SIMD4(repeating: Float(mean.z))
            )
        }
        for (position, plane) in planes.enumerated() {
            let fraction = 1 / Double(planes.count { $0 == plane })
            weights.red[position] = Float(matrix.rows.0[plane] * fraction)
            weights.green[position] = Float(matrix.rows.1[plane] * fraction)
            weights.blue[position] = Float(matrix.rows.2[plane] * fraction)
        }
        return weights
    }
}
