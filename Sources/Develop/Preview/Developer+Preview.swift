internal import Demosaic
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
        let source = PreviewSource(
            width: format.width, height: format.height, stride: format.stride, isMosaic: true,
            balance: try balance(format.pattern), shares: shares(of: format.pattern.planes), look: look)
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
            shares: shares(of: [0, 1, 2]), look: look)
        try source.render(values, into: &bytes, output: output, cores: cores)
    }

    private var look: PreviewLook { PreviewLook(gains: gains, curve: curve) }

    /// The shares of a cell's values, of the given colour planes, in the colours of the display or, where local gains are to
    /// follow, of the profile space. Two greens give half each.
    private func shares(of planes: [Int]) -> (red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>) {
        let matrix = gains == nil ? self.matrix : toProfile
        var shares = (red: SIMD4<Float>(), green: SIMD4<Float>(), blue: SIMD4<Float>())
        for (place, plane) in planes.enumerated() {
            let part = 1 / Double(planes.count { $0 == plane })
            shares.red[place] = Float(matrix.rows.0[plane] * part)
            shares.green[place] = Float(matrix.rows.1[plane] * part)
            shares.blue[place] = Float(matrix.rows.2[plane] * part)
        }
        return shares
    }
}
