/// Descriptive metadata of a photo: the lens, the location, the artist and the copyright.
public struct DescriptiveMetadata: Sendable, Hashable {
    /// Focal length in millimetres; 0 when unknown.
    public var focalLength = 0.0
    /// Equivalent focal length for 35 mm film in millimetres, of the picture as it is shown; 0 when unknown.
    public var focalLengthIn35mm = 0.0
    /// The factor by which a digital zoom crops the picture (Exif's DigitalZoomRatio); 1 for none.
    public var digitalZoomRatio = 1.0
    /// F-number; 0 when unknown.
    public var fNumber = 0.0
    /// Lens manufacturer; empty when unknown.
    public var lensMake = ""
    /// Lens model; empty when unknown.
    public var lensModel = ""
    /// Position of the camera; nil when unknown.
    public var location: Location?
    /// Name of the photographer (Exif's Artist); empty when unknown.
    public var artist = ""
    /// Copyright notice; empty when unknown.
    public var copyright = ""
    /// Title or description (Exif's ImageDescription); empty for none.
    public var title = ""
    /// Rating by a person, 1…5 stars, or -1 for a rejected photo; nil when not rated.
    public var rating: Int?
    /// Label by a person, such as the name of a colour; empty for none.
    public var label = ""
    /// Keywords; empty for none.
    public var keywords: [String] = []

    /// Creates descriptive metadata with all values unknown.
    public init() {}
}

/// A geographic position (WGS 84).
public struct Location: Sendable, Hashable {
    /// Latitude in degrees, positive in the north.
    public var latitude: Double
    /// Longitude in degrees, positive in the east.
    public var longitude: Double
    /// Altitude in metres above sea level; nil when unknown.
    public var altitude: Double?

    /// Creates a position; nil when a coordinate is out of range.
    public init?(latitude: Double, longitude: Double, altitude: Double? = nil) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude), altitude?.isFinite ?? true else {
            return nil
        }
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
    }
}
