/// The time zone of a capture time.
public enum CaptureTimeZone: Sendable, Hashable {
    /// The time is of this machine's clock; files are dated in the machine's time zone.
    case machine
    /// The time is known with an offset, in seconds east of UTC.
    case offset(Int)
    /// The time is civil time in a zone that is unknown: a file without an offset.
    case unknown
}
