/// The choice of the camera's format: the `Preset` of a `CaptureSession`.
public enum SessionPreset: String, Sendable, Hashable, CaseIterable {
    /// The camera's largest format.
    case photo
    /// The largest format of at most 1920×1440 pixels.
    case high
    /// The largest format of at most 1280×960 pixels.
    case medium
    /// The largest format of at most 640×480 pixels.
    case low
    /// The active format of the `CaptureDevice`. The preset of a new session.
    case inputPriority

    /// The largest size; nil if the preset has none. A camera whose formats are all larger uses its smallest one.
    var limit: (width: Int, height: Int)? {
        switch self {
        case .high: (1920, 1440)
        case .medium: (1280, 960)
        case .low: (640, 480)
        case .photo, .inputPriority: nil
        }
    }
}
