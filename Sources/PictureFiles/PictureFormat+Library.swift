extension PictureFormat {
    /// Loads the library that such files need, so that who will make some learns at once when it is missing.
    package func prepare() throws(PictureFileError) {
        switch self {
        case .heic: _ = try HEIFLibrary.functions()
        case .avif: _ = try AVIFLibrary.functions()
        case .jxl: _ = try JXLLibrary.functions()
        case .jpeg, .png, .tiff, .exr: break
        }
    }
}
