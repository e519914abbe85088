internal import RawImage

/// The properties of a raw picture that tags describe and `FrameMetadata` has no values for.
struct RawTags: Sendable {
    /// The part of the picture that converters show.
    let defaultCrop: PixelRectangle
    /// The factors by which converters scale the picture across and down.
    let defaultScale: (across: Double, down: Double)
    /// The black levels of an X-Trans mosaic's 6×6 cell by rows; empty for those in the metadata.
    let cellBlackLevels: [Double]
    /// The colours of a camera with four of them; nil for other cameras.
    let fourColors: FourColorTags?
    /// Whether the camera has no colours.
    let isMonochrome: Bool

    init(_ writer: DNGWriter, _ picture: RawPictureFormat) {
        let margin = picture.margin
        defaultCrop =
            writer.defaultCrop
            ?? PixelRectangle(
                left: margin, top: margin, width: picture.width - 2 * margin, height: picture.height - 2 * margin)
        defaultScale = writer.defaultScale
        (cellBlackLevels, fourColors) = (writer.cellBlackLevels, writer.fourColors)
        isMonochrome = picture.isMonochrome
    }
}

/// The colours of a camera with four of them, in the order of its planes.
package struct FourColorTags: Sendable, Hashable {
    /// The matrix from CIE XYZ to the four camera colours in daylight (D65): four rows of three; empty when
    /// unknown.
    package var colorMatrix: [Double]
    /// The camera's response to neutral colours in the light of the scene.
    package var neutral: [Double]

    /// Creates the colours of a camera.
    package init(colorMatrix: [Double], neutral: [Double]) {
        (self.colorMatrix, self.neutral) = (colorMatrix, neutral)
    }
}
