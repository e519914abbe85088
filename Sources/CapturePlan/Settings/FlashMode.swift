/// The use of the flash in a capture.
public enum FlashMode: String, Sendable, Hashable, CaseIterable {
    /// The flash does not fire.
    case off
    /// The flash fires.
    case on
    /// The flash fires if the scene is dark.
    case auto
}
