internal import DNG
internal import Develop
internal import GStreamer
internal import RawImage

/// The part of a rendered picture that rawdevelop outputs, by the zoom of the capture or the default crop of the
/// frame's file.
struct RenderedCrop: Equatable {
    /// The size of the whole picture.
    let width: Int
    let height: Int
    /// The part that is output.
    let shown: PixelRectangle
    /// The digital zoom of that part.
    private let zoom: Double

    /// Creates the crop of a whole picture of this shape; without metadata it is the whole.
    init(_ whole: DisplayCaps.Shape, _ metadata: FrameMetadata?) {
        switch whole {
        case .display(let format, _): (width, height) = (format.width, format.height)
        case .subsampled(let format): (width, height) = (format.width, format.height)
        case .wide(_, let width, let height): (self.width, self.height) = (width, height)
        }
        let whole = PixelRectangle(left: 0, top: 0, width: width, height: height)
        (shown, zoom) = metadata?.shownPart(width: width, height: height) ?? (whole, 1)
    }

    /// The part, for metadata with positions in the picture.
    var view: PictureView {
        PictureView(
            left: shown.left, top: shown.top, width: shown.width, height: shown.height,
            outputWidth: shown.width, outputHeight: shown.height)
    }

    private var isWhole: Bool { shown.width == width && shown.height == height }

    /// Returns the caps of the whole picture with the size of the crop.
    func caps(_ caps: Caps) -> Caps {
        guard var structure = caps.first else { return caps }
        (structure["width"], structure["height"]) = (.int(Int32(shown.width)), .int(Int32(shown.height)))
        return Caps([structure])
    }

    /// Returns the metadata of the part: the crop is done, and calibration and field of view are those of the part.
    func metadata(_ metadata: FrameMetadata) -> FrameMetadata {
        if isWhole { return metadata }
        var metadata = metadata
        metadata.details = metadata.details.zoomed(by: zoom)
        metadata.cropFactor = 1
        metadata.calibration = metadata.calibration?.scaled(width: width, height: height).cropped(to: shown)
        return metadata
    }

    /// Returns the rows of the part of a picture with three samples per pixel.
    func rows(of words: [UInt16]) -> [UInt16] {
        isWhole ? words : words.rows(of: shown, stride: width * Picture.channels, pixel: Picture.channels)
    }

    /// Renders the whole picture and stores the part in `bytes`, whose format is `shape`. A crop that is the whole
    /// picture is rendered in place.
    func withWhole(
        _ shape: DisplayFormat, _ bytes: inout MutableSpan<UInt8>,
        _ render: (inout MutableSpan<UInt8>, DisplayFormat) throws -> Void
    ) throws {
        if isWhole { return try render(&bytes, shape) }
        let whole = DisplayFormat(width: width, height: height, layout: shape.layout)
        var pixels = [UInt8].largeZeros(whole.byteCount)
        var span = pixels.mutableSpan
        try render(&span, whole)
        let pixel = shape.layout.bytes
        for row in 0..<shown.height {
            let start = (shown.top + row) * whole.stride + shown.left * pixel
            for byte in 0..<shown.width * pixel { bytes[row * shape.stride + byte] = pixels[start + byte] }
        }
    }
}
