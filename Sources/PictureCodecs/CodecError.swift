/// An error of an image codec; the modules PictureFiles and DNG translate it to their own public errors.
package struct CodecError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: Sendable, Hashable {
        /// The picture or a setting is invalid.
        case badPicture
        /// The codec library is not installed.
        case missingCodec
        /// The progress callback cancelled the encoding.
        case cancelled
        /// There is not enough memory.
        case noMemory
        /// The codec library rejected its input or settings, which is a bug in this module.
        case encoder
    }

    /// The kind of failure.
    package var code: Code
    /// The message for people: the fault, its location and how to correct it.
    package var message: String

    /// Creates an error of a kind with its message.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The error message.
    package var description: String { message }
}

extension CodecError {
    /// The error of an encoding that its progress callback cancelled.
    package static let cancellation = CodecError(.cancelled, "the encoding was cancelled")
}
