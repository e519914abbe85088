// Exported, so that the members of the error are visible in all files.
@_exported public import Errors

extension GscapError {
    /// Creates the error for a mistake before the byte at `offset` of a JSON text. Its place is the line and the column
    /// in characters, both from 1.
    init(_ message: String, at offset: Int, of text: [UInt8]) {
        let before = text[..<min(offset, text.count)]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        // The second and further bytes of a character of UTF-8 begin with the bits 10.
        let column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
        self.init(.malformed, message, place: "line \(line), column \(column)")
    }
}
