internal import PictureFiles

extension DNGError {
    /// What went wrong while a picture inside the file was coded.
    init(_ error: PictureFileError) {
        self.init(
            error.code == .noMemory ? .noMemory : error.code == .badPicture ? .badPicture : .container, error.message)
    }
}
