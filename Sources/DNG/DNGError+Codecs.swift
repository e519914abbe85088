internal import LosslessJPEG
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

    /// Returns the value of a call of the module LosslessJPEG, whose errors become this module's with the same message.
    @discardableResult static func translating<Value: ~Copyable>(
        _ value: @autoclosure () throws(LosslessJPEGError) -> Value
    ) throws(DNGError) -> Value {
        do throws(LosslessJPEGError) { return try value() } catch {
            let code: Code =
                switch error.code {
                case .badPicture: .badPicture
                case .malformed: .malformed
                case .unsupported: .unsupported
                }
            throw DNGError(code, error.message, cause: error)
        }
    }
}
