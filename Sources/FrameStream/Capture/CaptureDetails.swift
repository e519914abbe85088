package import RawImage

/// Metadata that a capture request sets for the frames of its capture; nil leaves the camera's.
package struct CaptureDetails: Sendable, Hashable {
    /// The name of the photographer.
    package var artist: String?
    /// The title or description.
    package var title: String?
    /// The copyright notice.
    package var copyright: String?
    /// Exif's orientation, 1…8.
    package var orientation: Int?
    /// The position of the camera.
    package var location: Location?

    /// The geometry of the camera, for the size of its frames.
    package var calibration: CameraCalibration?

    /// The zoom factor by which the photos are cropped.
    package var cropFactor: Double?

    /// The white balance.
    package var whiteBalance: WhiteBalance?

    /// Creates details without values.
    package init() {}
}
