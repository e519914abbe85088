/// An error of opening or decoding a camera's raw file; the module DNG translates it to its own error.
package struct CameraRawError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: Sendable, Hashable {
        /// LibRaw is not installed, or is not a supported release.
        case missingLibrary
        /// The file is of a format or has a mosaic that is not supported.
        case unsupported
        /// The file is damaged.
        case malformed
        /// There is not enough memory.
        case noMemory
    }

    /// The kind of failure.
    package var code: Code
    /// The message for people: the fault and what to do.
    package var message: String

    /// Creates an error of a kind with its message.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The error message.
    package var description: String { message }
}
