/// The trade-off between speed and image quality when a burst is fused.
///
/// The raw values are the texts in which GStreamer properties, capture requests, frame metadata and command options
/// contain a mode; all code in between uses this type.
public enum FusionMode: String, Sendable, Hashable, CaseIterable {
    /// Merges up to four frames as `balanced` does. The fastest mode.
    case speed
    /// Weights each spatial frequency of each tile by how well the frame agrees with the reference.
    case balanced
    /// Merges as `balanced` does; the demosaiced photo is super-resolved.
    case quality

    /// The mode of a burst unless a capture request, property or option selects another.
    public static let standard = FusionMode.balanced

    /// The most frames that fusion merges in this mode; nil for all.
    package var mostFrames: Int? { self == .speed ? 4 : nil }

    /// The most exposures of a bracket that fusion merges.
    package static let mostBracketFrames = 9

    /// Whether a demosaiced photo in this mode is super-resolved.
    package var superResolves: Bool { self == .quality }

    /// The number of frames in a burst of this mode unless a capture request, property or option sets another. The
    /// value for the mode `standard` is the default of all elements, and of pipeline texts that do not set `frames`.
    public var burstLength: Int {
        switch self {
        case .speed: 4
        case .balanced: 8
        case .quality: 12
        }
    }
}
