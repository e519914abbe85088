internal import Develop
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

    /// Stores the values in a frame's metadata. Throws if the frame's camera is not known well enough for the white
    /// balance; then the other values are stored.
    package func apply(to metadata: inout FrameMetadata) throws {
        metadata.details.artist = artist ?? metadata.details.artist
        metadata.details.title = title ?? metadata.details.title
        metadata.details.copyright = copyright ?? metadata.details.copyright
        metadata.details.location = location ?? metadata.details.location
        metadata.orientation = orientation ?? metadata.orientation
        metadata.calibration = calibration ?? metadata.calibration
        metadata.cropFactor = cropFactor ?? metadata.cropFactor
        if let whiteBalance { metadata = try metadata.balanced(whiteBalance) }
    }
}
