internal import PictureCodecs

extension DNGError {
    /// Translates an error of the module PictureCodecs (JPEG, JPEG XL) to this module's error, with the same message.
    init(_ error: CodecError) {
        let code: Code =
            switch error.code {
            case .noMemory: .noMemory
            case .badPicture: .badPicture
            case .missingCodec: .missingCodec
            default: .container
            }
        self.init(code, error.message, cause: error)
    }
}
