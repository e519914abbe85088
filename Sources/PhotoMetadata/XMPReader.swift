/// Reads single properties out of an XMP packet: enough for what this project writes, and for what editors that keep it
/// make of it.
///
/// It is no XML parser: a property is found by its name, prefix and all, and ends at the first end tag of that name.
package struct XMPReader {
    private let bytes: [UInt8]

    package init(_ packet: String) {
        bytes = Array(packet.utf8)
    }

    /// A plain value, whether it is written as an element or as an attribute; nil when there is none.
    package func text(_ name: String) -> String? {
        if let content = content(of: name, in: bytes[...])?.inside { return Self.unescaped(content) }
        guard let start = Self.end(of: name + "=", in: bytes[...]), start < bytes.endIndex else { return nil }
        let quote = bytes[start]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        let rest = bytes[(start + 1)...]
        return rest.firstIndex(of: quote).map { Self.unescaped(rest[..<$0]) }
    }

    /// The values of a list, no more than `most`.
    package func list(_ name: String, most: Int) -> [String] {
        guard var rest = content(of: name, in: bytes[...])?.inside else { return [] }
        var values: [String] = []
        while values.count < most, let item = content(of: "rdf:li", in: rest) {
            values.append(Self.unescaped(item.inside))
            rest = rest[item.end...]
        }
        return values
    }

    /// What stands between the tags of the first element of a name, and where it ends.
    private func content(of name: String, in text: ArraySlice<UInt8>) -> (inside: ArraySlice<UInt8>, end: Int)? {
        var text = text
        while let open = Self.end(of: "<" + name, in: text) {
            text = text[open...]
            // The name may be the beginning of a longer one.
            guard let next = text.first, !Self.isPartOfName(next) else { continue }
            guard let tag = text.firstIndex(of: UInt8(ascii: ">")) else { return nil }
            // The byte before it is in the packet, but not always in this part of it.
            if bytes[tag - 1] == UInt8(ascii: "/") { return (text[tag..<tag], tag + 1) }
            let closing = "</\(name)>"
            guard let end = Self.end(of: closing, in: text[(tag + 1)...]) else { return nil }
            return (text[(tag + 1)..<(end - closing.utf8.count)], end)
        }
        return nil
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ">"), UInt8(ascii: "/"), 0x20, 0x09, 0x0A, 0x0D: false
        default: true
        }
    }

    /// Where the first of these words ends.
    private static func end(of words: String, in text: ArraySlice<UInt8>) -> Int? {
        let words = Array(words.utf8)
        guard let first = words.first else { return nil }
        var rest = text
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: words) { return start + words.count }
            rest = rest.dropFirst()
        }
        return nil
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.contains("&") else { return text }
        let marks = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&amp;", "&")]
        return marks.reduce(text) { text, mark in text.replacing(mark.0, with: mark.1) }
    }
}
