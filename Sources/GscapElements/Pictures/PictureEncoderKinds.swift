internal import PictureFiles

// The formats of finished pictures. Elements that GStreamer has under the plain name, but without colours and metadata in
// their files, are named after the project.

/// `gst-launch-1.0 gscapsensorsrc num-buffers=1 ! rawunpack ! rawdevelop ! gscapjpegenc ! filesink location=frame.jpg`
enum JPEGEncoderKind: PictureEncoderKind {
    static let face = PictureEncoderFace(
        .jpeg, "gscapjpegenc", "JPEG", summary: "Writes pictures as JPEG files with their colours and metadata")
}

/// `gst-launch-1.0 gscapsensorsrc num-buffers=1 ! rawunpack ! rawdevelop ! gscappngenc bit-depth=16 ! filesink location=frame.png`
enum PNGEncoderKind: PictureEncoderKind {
    static let face = PictureEncoderFace(
        .png, "gscappngenc", "PNG",
        summary: "Writes pictures as PNG files of 8 or 16 bits with their colours and metadata")
}

/// `gst-launch-1.0 gscapsensorsrc num-buffers=1 ! rawunpack ! rawdevelop ! tiffenc ! filesink location=frame.tif`
enum TIFFEncoderKind: PictureEncoderKind {
    static let face = PictureEncoderFace(
        .tiff, "tiffenc", "TIFF",
        summary: "Writes pictures as TIFF files of 8 or 16 bits with their colours and metadata")
}

/// `gst-launch-1.0 gscapsensorsrc num-buffers=1 ! rawunpack ! rawdevelop ! heifenc ! filesink location=frame.heic`
enum HEIFEncoderKind: PictureEncoderKind {
    static let face = PictureEncoderFace(
        .heic, "heifenc", "HEIF",
        summary: "Writes pictures as HEIF files (HEVC) of 8 or 10 bits with their colours and metadata")
}

/// `gst-launch-1.0 gscapsensorsrc num-buffers=1 ! rawunpack ! rawdevelop ! avifenc ! filesink location=frame.avif`
enum AVIFEncoderKind: PictureEncoderKind {
    static let face = PictureEncoderFace(
        .avif, "avifenc", "AVIF",
        summary: "Writes pictures as AVIF files (AV1) of 8 or 10 bits with their colours and metadata")
}

/// `gst-launch-1.0 gscapsensorsrc num-buffers=1 ! rawunpack ! rawdevelop ! jxlenc ! filesink location=frame.jxl`
enum JXLEncoderKind: PictureEncoderKind {
    static let face = PictureEncoderFace(
        .jxl, "jxlenc", "JXL",
        summary: "Writes pictures as JPEG XL files of 8 or 16 bits with their colours and metadata")
}

/// `gst-launch-1.0 gscapsensorsrc num-buffers=1 ! rawunpack ! rawdevelop ! exrenc ! filesink location=frame.exr`
enum EXREncoderKind: PictureEncoderKind {
    static let face = PictureEncoderFace(
        .exr, "exrenc", "EXR",
        summary: "Writes pictures as OpenEXR files of linear light with their colours and metadata",
        input: PictureCaps.lightTemplate)
}
