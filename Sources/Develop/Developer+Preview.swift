internal import Fusion
public import RawImage

extension Developer {
    /// Develops a mosaic into a display picture of any smaller size, without a demosaic: each pixel averages the codes
    /// of each colour under its area, weighted by where they are.
    ///
    /// The mosaic must be at least 2×2, and `output` no larger. Runs on all cores unless `cores` is 1.
    public func preview(
        _ codes: Span<UInt16>, format: MosaicFormat, into bytes: inout MutableSpan<UInt8>, output: DisplayFormat,
        cores: Int? = nil
    ) throws(DevelopError) {
        try DevelopError.checking { () throws(RawImageError) in try format.checkDemosaic(count: codes.count) }
        let columns = (0..<4).map { place in
            // The two greens of a cell give half each.
            let plane = format.pattern.planes[place]
            return column(plane) * (plane == 1 ? 0.5 : 1)
        }
        let source = PreviewSource(
            width: format.width, height: format.height, stride: format.stride, isMosaic: true,
            balance: try balance(format.pattern), columns: columns)
        try source.render(codes, into: &bytes, output: output, cores: cores)
    }

    /// Develops a linear photo into a display picture of its own or any smaller size.
    ///
    /// The developer must have been made with the photo's metadata. Runs on all cores unless `cores` is 1.
    public func develop(
        _ values: Span<UInt16>, format: LinearFormat, into bytes: inout MutableSpan<UInt8>, output: DisplayFormat,
        cores: Int? = nil
    ) throws(DevelopError) {
        try DevelopError.checking { () throws(RawImageError) in try format.check(count: values.count) }
        let balance = try DevelopError.checking { () throws(RawImageError) in try Balance(linear: metadata) }
        let source = PreviewSource(
            width: format.width, height: format.height, stride: format.stride, isMosaic: false, balance: balance,
            columns: [column(0), column(1), column(2), SIMD4()])
        try source.render(values, into: &bytes, output: output, cores: cores)
    }
}
