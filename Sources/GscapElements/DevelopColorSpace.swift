package import RawImage

/// A colour space of the SDR pictures that `rawdevelop` renders. The raw value is the nick of the property
/// `color-space`.
package enum DevelopColorSpace: String, Sendable, Hashable, CaseIterable {
    case sRGB = "srgb"
    case displayP3 = "display-p3"
    case rec2020 = "rec2020"

    /// The primaries and the transfer function.
    package var color: PictureColor {
        switch self {
        case .sRGB: .sRGB
        case .displayP3: .displayP3
        case .rec2020: PictureColor(.rec2020, .rec709)
        }
    }
}
