internal import PictureFiles

// The file formats of the picture encoders. The JPEG, PNG and WebP elements have the prefix "gscap", because GStreamer
// already has a jpegenc, a pngenc and a webpenc; those store neither colour space nor metadata.

/// The JPEG encoder.
///
///     gst-launch-1.0 gscapsensorsrc num-buffers=1 ! rawunpack ! rawdevelop ! gscapjpegenc ! \
///         filesink location=frame.jpg
enum JPEGEncoderKind: PictureEncoderKind {
    static let info = PictureEncoderInfo(
        .jpeg, "gscapjpegenc", "JPEG", summary: "Encodes pictures as JPEG files with colour space and metadata")
}

/// The PNG encoder.
///
///     gst-launch-1.0 gscapsensorsrc num-buffers=1 ! rawunpack ! rawdevelop ! gscappngenc bit-depth=16 ! \
///         filesink location=frame.png
enum PNGEncoderKind: PictureEncoderKind {
    static let info = PictureEncoderInfo(
        .png, "gscappngenc", "PNG",
        summary: "Encodes pictures as 8-bit or 16-bit PNG files with colour space and metadata")
}

/// The TIFF encoder.
///
///     gst-launch-1.0 gscapsensorsrc num-buffers=1 ! rawunpack ! rawdevelop ! tiffenc ! filesink location=frame.tif
enum TIFFEncoderKind: PictureEncoderKind {
    static let info = PictureEncoderInfo(
        .tiff, "tiffenc", "TIFF",
        summary: "Encodes pictures as 8-bit or 16-bit TIFF files with colour space and metadata")
}

/// The HEIF encoder.
///
///     gst-launch-1.0 gscapsensorsrc num-buffers=1 ! rawunpack ! rawdevelop ! heifenc ! filesink location=frame.heic
enum HEIFEncoderKind: PictureEncoderKind {
    static let info = PictureEncoderInfo(
        .heic, "heifenc", "HEIF",
        summary: "Encodes pictures as 8-bit or 10-bit HEIF files (HEVC) with colour space and metadata")
}

/// The AVIF encoder.
///
///     gst-launch-1.0 gscapsensorsrc num-buffers=1 ! rawunpack ! rawdevelop ! avifenc ! filesink location=frame.avif
enum AVIFEncoderKind: PictureEncoderKind {
    static let info = PictureEncoderInfo(
        .avif, "avifenc", "AVIF",
        summary: "Encodes pictures as 8-bit or 10-bit AVIF files (AV1) with colour space and metadata")
}

/// The JPEG XL encoder.
///
///     gst-launch-1.0 gscapsensorsrc num-buffers=1 ! rawunpack ! rawdevelop ! jxlenc ! filesink location=frame.jxl
enum JXLEncoderKind: PictureEncoderKind {
    static let info = PictureEncoderInfo(
        .jxl, "jxlenc", "JXL",
        summary: "Encodes pictures as 8-bit or 16-bit JPEG XL files with colour space and metadata")
}

/// The WebP encoder.
///
///     gst-launch-1.0 gscapsensorsrc num-buffers=1 ! rawunpack ! rawdevelop ! gscapwebpenc ! \
///         filesink location=frame.webp
enum WebPEncoderKind: PictureEncoderKind {
    static let info = PictureEncoderInfo(
        .webp, "gscapwebpenc", "WebP", summary: "Encodes pictures as WebP files with colour space and metadata")
}

/// The OpenEXR encoder.
///
///     gst-launch-1.0 gscapsensorsrc num-buffers=1 ! rawunpack ! rawdevelop ! exrenc ! filesink location=frame.exr
enum EXREncoderKind: PictureEncoderKind {
    static let info = PictureEncoderInfo(
        .exr, "exrenc", "EXR",
        summary: "Encodes pictures as OpenEXR files of linear values with colour space and metadata",
        input: PictureCaps.openEXRTemplate)
}

extension PictureEncoderInfo {
    /// The descriptions of all picture encoders.
    static let all = [
        JPEGEncoderKind.info, PNGEncoderKind.info, TIFFEncoderKind.info, HEIFEncoderKind.info, AVIFEncoderKind.info,
        JXLEncoderKind.info, WebPEncoderKind.info, EXREncoderKind.info,
    ]
}
