/// An error of encoding or decoding a lossless JPEG.
package struct LosslessJPEGError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: Sendable {
        /// The samples or the frame header passed to the encoder are invalid.
        case badPicture
        /// The bytes are not a lossless JPEG, or a damaged one.
        case malformed
        /// The JPEG uses a feature that the decoder does not support.
        case unsupported
    }

    /// The kind of failure.
    package let code: Code
    /// A message for people: what is wrong, and where.
    package let message: String

    init(_ code: Code, _ message: String) {
        (self.code, self.message) = (code, message)
    }

    /// The message alone.
    package var description: String { message }
}
