internal import RawImage

extension FrameMetadata {
    /// The same frame with another white; throws when the camera has no answer to it.
    func balanced(_ balance: WhiteBalance?) throws(DevelopError) -> FrameMetadata {
        let wanted: SIMD3<Double>?
        switch balance {
        case nil: return self
        case .neutral(let neutral): wanted = neutral / neutral.max()
        case .temperature(let kelvin, let tint):
            wanted = CameraColor.neutral(of: Chromaticity(temperature: kelvin, tint: tint), self)
        case .chromaticity(let x, let y): wanted = CameraColor.neutral(of: Chromaticity(x: x, y: y), self)
        }
        guard let wanted else {
            throw DevelopError(
                .badRecipe, "the camera's matrices have no answer to the wanted white: choose a usual one")
        }
        var result = self
        result.neutral = wanted
        return result
    }
}
