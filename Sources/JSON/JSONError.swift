/// The first mistake in a JSON text.
package struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The line of the mistake, from 1.
    package let line: Int
    /// The column of the mistake in characters, from 1.
    package let column: Int
    /// What is wrong, and what is allowed.
    package let message: String

    /// Creates the error for a mistake before the byte at `offset` of a text.
    init(_ message: String, at offset: Int, of text: [UInt8]) {
        let before = text[..<min(offset, text.count)]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        line = before.count { $0 == UInt8(ascii: "\n") } + 1
        // The second and further bytes of a character of UTF-8 begin with the bits 10.
        column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
        self.message = message
    }

    package var description: String { "line \(line), column \(column): \(message)" }
}
