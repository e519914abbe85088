internal import PictureCodecs

extension PictureFormat {
    /// Loads the codec library of the format early: a missing library fails before any encoding.
    package func prepare() throws(GscapError) {
        switch self {
        case .heic: _ = try HEIFLibrary.functions()
        case .avif: _ = try AVIFLibrary.functions()
        case .jxl: _ = try JXLLibrary.functions()
        case .webp: _ = try WebPLibrary.functions()
        case .jpeg, .png, .tiff, .exr: break
        }
    }
}
