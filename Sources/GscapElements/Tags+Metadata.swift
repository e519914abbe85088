internal import GStreamer
internal import RawImage

extension Tags {
    /// Returns the metadata of a frame with the tags in the fields that it leaves empty: what the request of a capture
    /// says of its photo comes before what is said of the whole stream. `standard` is the metadata of a frame without
    /// any.
    func added(to metadata: FrameMetadata?, or standard: @autoclosure () -> FrameMetadata) -> FrameMetadata? {
        if self == Tags() { return metadata }
        var described = metadata ?? standard()
        let details = described.details
        if details.title.isEmpty { described.details.title = title ?? "" }
        if details.artist.isEmpty { described.details.artist = artist ?? "" }
        if details.copyright.isEmpty { described.details.copyright = copyright ?? "" }
        if details.location == nil { described.details.location = location }
        return described
    }

    /// The position of the camera; nil if it is not known or none on Earth.
    private var location: Location? {
        guard let latitude, let longitude, abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        return Location(latitude: latitude, longitude: longitude, altitude: elevation)
    }
}
