internal import PictureCodecs

extension PictureFileError {
    /// Translates an error of the module PictureCodecs to this module's error, with the same message.
    init(_ error: CodecError) {
        let code: Code =
            switch error.code {
            case .badPicture: .badPicture
            case .missingCodec: .missingCodec
            case .cancelled: .cancelled
            case .noMemory: .noMemory
            case .encoder: .encoder
            }
        self.init(code, error.message)
    }
}

/// Returns the result of a call to the module PictureCodecs; translates an error of the codec to this module's error.
func translatingErrors<Value>(
    _ call: () throws(CodecError) -> Value
) throws(PictureFileError) -> Value {
    do throws(CodecError) { return try call() } catch { throw PictureFileError(error) }
}
