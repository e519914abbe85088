internal import GStreamer
internal import PictureFiles

/// The options of a photo that a picture encoder supports.
package struct PictureEncoderSupport: Sendable, Hashable {
    /// Whether the element has the property `quality`.
    package let hasQuality: Bool
    /// The values of rawdevelop's property `color-space` whose pictures the files can store. Empty for OpenEXR, which
    /// stores linear values.
    package let colorSpaces: Set<DevelopColorSpace>

    /// Looks up a picture encoder by the name of its factory, such as "gscapjpegenc"; nil for any other element.
    package init?(factory: String) {
        guard let info = PictureEncoderInfo.all.first(where: { $0.factoryName == factory }) else { return nil }
        hasQuality = info.properties.declarations.contains { $0.name == "quality" }
        let encoding = PictureEncoding(info.format)
        colorSpaces = Set(
            DevelopColorSpace.allCases.filter { (try? encoding.check($0.color, .eight)) != nil })
    }
}
