/// A colour space of processed photos.
public enum ColorSpace: String, Sendable, Hashable, CaseIterable {
    /// sRGB, which every viewer shows correctly.
    case sRGB
    /// Display P3, the wide gamut of most current displays.
    case displayP3 = "display-p3"
    /// Rec. 2020 (BT.2020), the gamut of HDR pictures.
    case rec2020
}
