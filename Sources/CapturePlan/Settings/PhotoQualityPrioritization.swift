package import RawImage

/// The trade-off between processing time and picture quality.
public enum PhotoQualityPrioritization: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// A burst of four frames, merged with the least processing.
    case speed
    /// A burst of eight frames.
    case balanced
    /// A burst of twelve frames, with super-resolution. Compared with `balanced` at ISO 3200, photos are 2.6 dB nearer
    /// to the scene; the burst takes 1.5 times the time and the memory, and its processing four times the time.
    case quality

    /// Compares by quality: `speed` < `balanced` < `quality`.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The number of frames in a fused burst.
    public var frames: Int { fusionMode.burstLength }

    /// The fusion mode of the burst.
    package var fusionMode: FusionMode {
        switch self {
        case .speed: .speed
        case .balanced: .balanced
        case .quality: .quality
        }
    }
}
