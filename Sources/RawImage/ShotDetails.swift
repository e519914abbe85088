/// What else is known of a shot: the lens, the place, and whose it is.
public struct ShotDetails: Sendable, Hashable {
    /// Focal length in millimetres; 0 when unknown.
    public var focalLength = 0.0
    /// The focal length that sees as much on 35 mm film; 0 when unknown.
    public var focalLengthIn35mm = 0.0
    /// The f-number; 0 when unknown.
    public var fNumber = 0.0
    /// Who made the lens.
    public var lensMake = ""
    /// The lens's name.
    public var lensModel = ""
    /// Where the camera was; nil when unknown.
    public var location: Location?
    /// Who took the picture.
    public var artist = ""
    /// Whose it is.
    public var copyright = ""
    /// What it shows.
    public var title = ""

    /// Details of which nothing is known yet.
    public init() {}
}

/// A place on the earth.
public struct Location: Sendable, Hashable {
    /// Degrees north of the equator.
    public var latitude: Double
    /// Degrees east of Greenwich.
    public var longitude: Double
    /// Metres above the sea; nil when unknown.
    public var altitude: Double?

    /// A place; nil when there is no such place.
    public init?(latitude: Double, longitude: Double, altitude: Double? = nil) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude), altitude?.isFinite ?? true else {
            return nil
        }
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
    }
}
