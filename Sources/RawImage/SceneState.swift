/// The properties of the scene, measured from live frames: brightness, need for a flash, and motion.
public struct SceneState: Sendable, Hashable {
    /// The estimated illuminance of the scene in lux; nil when the exposure time or the ISO speed is unknown. A lower
    /// limit if `clippedFraction` is above 0.25.
    public var illuminance: Double?
    /// Whether a flash would help: at ISO 800 the scene needs an exposure longer than 1/30 s. The flag changes back
    /// below 1/45 s.
    public var isFlashScene: Bool
    /// The fraction of the picture, 0…1, whose brightness differs from the frame measured before by more than noise;
    /// nil when there is no frame to compare with, or nearly all of the picture is clipped. Subjects that move, a
    /// camera that moves, and shadows count; a change of the exposure, or of the light on the whole scene, does not.
    public var motion: Double?
    /// Whether neither the camera nor a subject moves: `motion` was below 0.003 twice in a row, and has not been above
    /// 0.006 since.
    public var isStatic: Bool
    /// The fraction of the pixels, 0…1, that are clipped at the white level.
    public var clippedFraction: Double
    /// The fraction of the picture, 0…1, whose signal cannot be distinguished from the noise at the black level.
    public var blackFraction: Double
    /// The exposure time in seconds of the measured frame; 0 when unknown.
    public var exposureTime: Double
    /// The ISO speed of the measured frame; 0 when unknown.
    public var iso: Double
}
