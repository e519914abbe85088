internal import PictureCodecs

extension DNGError {
    /// Translates an error of the JPEG and JPEG XL codecs (module PictureCodecs) to this module's error.
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
