/// The camera that a zoom factor selects.
package struct CameraChoice: Sendable, Equatable {
    /// The index of the active camera of a virtual device; 0 for the primary one.
    package var camera = 0
    /// The zoom factor by which its frames are cropped.
    package var cropFactor = 1.0

    /// Creates the choice of the primary camera.
    package init(cropFactor: Double) { self.cropFactor = cropFactor }
}

extension CameraChoice {
    /// Selects the longest lens in use that shows the whole zoomed view. `switchOverFactors` are those of all
    /// cameras, the primary one, which is always in use, first. A camera with the primary one's field of view has
    /// nothing to add, and is not selected.
    package init(at zoomFactor: Double, switchOverFactors: [Double], isInUse: (Int) -> Bool = { _ in true }) {
        camera =
            switchOverFactors.indices.dropFirst().last { index in
                (1.nextUp...max(1.nextUp, zoomFactor)).contains(switchOverFactors[index]) && isInUse(index)
            } ?? 0
        cropFactor = zoomFactor / (switchOverFactors.isEmpty ? 1 : switchOverFactors[camera])
    }
}
