internal import Glibc

/// An error number of the operating system (errno), as the cause of a file that cannot be opened or written.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error number, such as ENOENT.
    public var number: Int32

    /// Creates an error from its number.
    public init(number: Int32) {
        self.number = number
    }

    /// The system's text for the number, such as "No such file or directory".
    public var description: String { unsafe String(cString: strerror(number)) }
}
