extension ColorSpace {
    /// Returns the colour space of a GStreamer colorimetry string: a name such as "sRGB", or four numbers of which the
    /// last, a GstVideoColorPrimaries, stands for the primaries. Unknown primaries count as those of sRGB.
    init(colorimetry: String) {
        let primaries = colorimetry.split(separator: ":").last.map(String.init) ?? ""
        switch primaries {
        case "7": self = .rec2020
        case "11": self = .displayP3
        default: self = colorimetry.hasPrefix("bt2020") || colorimetry.hasPrefix("bt2100") ? .rec2020 : .sRGB
        }
    }
}
