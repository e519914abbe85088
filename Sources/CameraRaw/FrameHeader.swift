internal import DNG
package import RawImage

/// The description of a frame on disk, for which its pixels are not read: of a DNG or a camera's own raw file.
package struct FrameHeader: Sendable {
    /// The format of the mosaic, Bayer or of a camera without colour filters; nil if the file has none.
    package let format: MosaicFormat?
    /// Whether the file has an X-Trans mosaic.
    package let isXTrans: Bool
    /// The metadata.
    package let metadata: FrameMetadata
    /// The UniqueCameraModel tag; empty for a camera's own raw file.
    package let uniqueCameraModel: String

    /// Reads the description of a file.
    package init(rawFile path: String) throws(GscapError) {
        self = try DNGFile.reading(path, asDNG: Self.ofDNG, asCameraRaw: Self.ofCameraRaw)
    }

    private static func ofDNG(_ path: String) throws(GscapError) -> FrameHeader { FrameHeader(try DNGFile(path: path)) }

    private static func ofCameraRaw(_ path: String) throws(GscapError) -> FrameHeader {
        var header = try CameraRawFile.header(path: path)
        header.metadata.take(CameraRawMetadata(path: path))
        return FrameHeader(header)
    }

    private init(_ file: DNGFile) {
        format = file.main.flatMap { image in
            guard image.kind == .bayer && image.pattern != nil || image.isMonochrome else { return nil }
            var format = MosaicFormat(
                width: image.width, height: image.height, pattern: image.pattern ?? .rggb,
                bitDepth: image.bitsPerSample)
            format.isMonochrome = image.isMonochrome
            return format
        }
        isXTrans = file.main?.kind == .xTrans
        metadata = file.metadata
        uniqueCameraModel = file.uniqueCameraModel
    }

    private init(_ header: CameraRawHeader) {
        format = header.format
        isXTrans = if case .xTrans = header.colors { true } else { false }
        metadata = header.metadata
        uniqueCameraModel = ""
    }
}
