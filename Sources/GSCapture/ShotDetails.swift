public import RawImage

/// Descriptive metadata of one capture, stored in each of its files. Nil values leave those of the camera.
public struct ShotDetails: Sendable, Hashable {
    /// Name of the photographer (Exif's Artist).
    public var artist: String?
    /// Title or description (Exif's ImageDescription).
    public var title: String?
    /// Copyright notice.
    public var copyright: String?
    /// Position of the camera.
    public var location: Location?
    /// Exif orientation, 1…8.
    public var orientation: Int?

    /// Creates details; nil values leave those of the camera.
    public init(
        artist: String? = nil, title: String? = nil, copyright: String? = nil, location: Location? = nil,
        orientation: Int? = nil
    ) {
        self.artist = artist
        self.title = title
        self.copyright = copyright
        self.location = location
        self.orientation = orientation
    }
}
