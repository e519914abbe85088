internal import CaptureSettings
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
    /// Keywords; an empty array leaves those of the camera.
    public var keywords: [String] = []

    /// Creates details; nil values leave those of the camera.
    public init(
        artist: String? = nil, title: String? = nil, copyright: String? = nil, location: Location? = nil,
        orientation: Int? = nil, keywords: [String] = []
    ) {
        self.artist = artist
        self.title = title
        self.copyright = copyright
        self.location = location
        self.orientation = orientation
        self.keywords = keywords
    }
}

extension SettingStorage {
    /// The settings that are descriptive metadata.
    static let details: [Self] = [
        .init(.artist, \.details.artist), .init(.title, \.details.title), .init(.copyright, \.details.copyright),
        .init(.orientation, \.details.orientation, .orientationOutOfRange),
        .init(.latitude, \.details.latitude, .locationOutOfRange),
        .init(.longitude, \.details.longitude, .locationOutOfRange),
        .init(.altitude, \.details.altitude, .locationOutOfRange),
        .init(.keywords, \.details.keywords, default: []),
    ]
}

extension ShotDetails {
    /// The location while its coordinates are read one after another.
    private var position: Location? { location ?? Location(latitude: 0, longitude: 0) }

    private mutating func set(_ path: WritableKeyPath<Location, Double>, _ value: Double?) {
        var position = position
        if let value { position?[keyPath: path] = value }
        location = position
    }

    fileprivate var latitude: Double? {
        get { location?.latitude }
        set { set(\.latitude, newValue) }
    }

    fileprivate var longitude: Double? {
        get { location?.longitude }
        set { set(\.longitude, newValue) }
    }

    fileprivate var altitude: Double? {
        get { location?.altitude }
        set {
            location = position
            location?.altitude = newValue
        }
    }
}
