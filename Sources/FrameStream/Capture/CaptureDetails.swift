internal import CaptureSettings
internal import GStreamer
internal import JSON
package import RawImage

/// Metadata that a capture request sets for the frames of its capture; nil leaves the camera's.
package struct CaptureDetails: Sendable, Hashable {
    /// The name of the photographer.
    package var artist: String?
    /// The title or description.
    package var title: String?
    /// The copyright notice.
    package var copyright: String?
    /// Keywords.
    package var keywords: [String]?
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

extension CaptureDetails {
    /// Reads the details among a request's fields.
    init(_ fields: inout RequestFields) {
        self.init()
        artist = fields[.artist]?.text
        title = fields[.title]?.text
        copyright = fields[.copyright]?.text
        keywords = fields[.keywords]?.list?.compactMap(\.text)
        orientation = fields[.orientation]?.integer
        whiteBalance = fields[.whiteTemperature]?.number.map {
            .temperature($0, tint: fields[.whiteTint]?.number ?? 0)
        }
        if let latitude = fields[.latitude]?.number, let longitude = fields[.longitude]?.number {
            location = Location(latitude: latitude, longitude: longitude, altitude: fields[.altitude]?.number)
        }
        calibration = fields.read(.cameraGeometry, "\(CameraCalibration.count) numbers that describe a camera") {
            value in
            value.elements.flatMap { CameraCalibration(numbers: $0.compactMap(\.number)) }
        }
        cropFactor = fields[.cropFactor]?.number
    }
}
