internal import PictureFiles

extension DNGError {
    /// What went wrong while a picture inside the file was coded.
    init(_ error: PictureFileError) {
        let code: Code =
            switch error.code {
            case .noMemory: .noMemory
            case .badPicture: .badPicture
            case .missingCodec: .missingCodec
            default: .container
            }
        self.init(code, error.message)
    }
}
