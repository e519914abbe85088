public import RawImage

/// The corrections of a lens for one photo, from Lensfun's database.
public struct LensProfile: Sendable, Hashable {
    /// A fault of lenses that a profile corrects.
    public enum Part: String, Sendable, Hashable, CaseIterable {
        /// Geometric distortion.
        case distortion
        /// Lateral chromatic aberration: the colours have different sizes.
        case chromaticAberration = "chromatic aberration"
        /// Vignetting: the corners are darker than the centre.
        case vignetting
    }

    /// The name of the lens in the database.
    public let lens: String
    /// The aberrations that the profile corrects.
    public let parts: [Part]
    /// The corrections, for the active area of the photo.
    public let correction: LensCorrection

    /// The lens and what the profile corrects, for people.
    public var summary: String { "\(lens) (Lensfun): \(parts.map(\.rawValue).joined(separator: ", "))" }
}
