/// One exposure of a bracket: a series of exposures of the same scene.
public enum BracketExposure: Sendable, Hashable {
    /// An exposure relative to the newest frame's, in EV: 1 doubles the light, −1 halves it.
    case bias(Double)
    /// An exposure time in seconds and an ISO speed; nil keeps that of the newest frame.
    case manual(exposureTime: Double?, iso: Double?)

    /// Whether exposure time and ISO speed are given, instead of a bias.
    var isManual: Bool {
        if case .manual = self { return true }
        return false
    }
}
