internal import CLensfun
internal import RawImage

/// The models of a lens, interpolated for the focal length, f-number and distance of one photo.
struct LensTerms {
    var distortion: lfLensCalibDistortion?
    var aberration: lfLensCalibTCA?
    var vignetting: lfLensCalibVignetting?

    /// Returns the corrections for a photo, and what they correct; nil if none is usable.
    func corrections(_ geometry: LensGeometry) -> (LensCorrection, [LensProfile.Part])? {
        var correction = LensCorrection()
        var parts: [LensProfile.Part] = []
        let ratio = distortion.flatMap { RadialPolynomial($0) }
        let colors = aberration.flatMap { aberration in
            RadialPolynomial(aberration, isBlue: false).flatMap { red in
                RadialPolynomial(aberration, isBlue: true).map { (red, $0) }
            }
        }
        if ratio != nil || colors != nil {
            let green = ratio ?? .one
            let planes = colors.map { [green.then($0.0), green, green.then($0.1)] } ?? [green]
            if let warp = warp(planes, geometry) {
                correction.warp = warp
                if ratio != nil { parts.append(.distortion) }
                if colors != nil { parts.append(.chromaticAberration) }
            }
        }
        if let map = vignetting.flatMap({ shading($0, geometry) }) {
            correction.shading = [map]
            parts.append(.vignetting)
        }
        return parts.isEmpty ? nil : (correction, parts)
    }

    /// Returns the warp of ratios of distances, one for each plane or one for all.
    private func warp(_ ratios: [RadialPolynomial], _ geometry: LensGeometry) -> LensWarp? {
        guard let filling = geometry.filling(ratios) else { return nil }
        let count = LensWarp.Model.polynomial.count
        let center = geometry.relativeCentre
        let unit = geometry.pixel * geometry.farthest(from: center) * filling
        let planes = ratios.map { ratio in
            let scaled = ratio.inUnits(of: unit).coefficients
            let radial = scaled.prefix(count).map { $0 * filling }
            return LensWarp.Plane(radial: radial + [Double](repeating: 0, count: count - radial.count))
        }
        return try? LensWarp(.polynomial, planes: planes, center: center)
    }

    /// Returns the gains against vignetting; nil if they are unusable, because the model was measured with a smaller
    /// sensor.
    private func shading(_ model: lfLensCalibVignetting, _ geometry: LensGeometry) -> ShadingMap? {
        guard model.Model == LF_VIGNETTING_MODEL_PA else { return nil }
        let (first, second, third) = (Double(model.Terms.0), Double(model.Terms.1), Double(model.Terms.2))
        let center = geometry.relativeShadingCentre
        let unit = geometry.vignettingPixel * geometry.farthest(from: center)
        let map = try? ShadingMap(width: geometry.width, height: geometry.height, center: center) { square in
            let square = square * unit * unit
            return 1 / (1 + square * (first + square * (second + square * third)))
        }
        // Darker corners than a tenth of the centre's brightness are outside of what the model describes.
        return map.flatMap { $0.gains.allSatisfy { (0.5...10).contains($0) } ? $0 : nil }
    }
}
