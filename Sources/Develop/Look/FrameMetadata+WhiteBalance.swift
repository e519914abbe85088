package import RawImage

extension FrameMetadata {
    /// Returns the metadata with another white balance; throws if the camera's matrices give no usable neutral for
    /// it. A photo without colours has no white balance.
    package func balanced(_ balance: WhiteBalance?) throws(GscapError) -> FrameMetadata {
        if isMonochrome { return self }
        let requested: SIMD3<Double>?
        switch balance {
        case nil: return self
        case .neutral(let neutral): requested = neutral / neutral.max()
        case .temperature(let kelvin, let tint):
            requested = CameraColor.neutral(of: Chromaticity(temperature: kelvin, tint: tint), self)
        case .chromaticity(let x, let y): requested = CameraColor.neutral(of: Chromaticity(x: x, y: y), self)
        }
        guard let requested else {
            throw GscapError(
                .badRecipe, "the camera's colour matrices do not cover this white point: choose one nearer to daylight")
        }
        var result = self
        result.neutral = requested
        return result
    }
}
