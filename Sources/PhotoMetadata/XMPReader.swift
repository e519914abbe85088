/// Reads single properties of an XMP packet: those that this project writes, also after other software has rewritten
/// the packet.
///
/// This is not an XML parser: properties are found by their name including the prefix, and end at the first end tag of
/// that name.
package struct XMPReader {
    let bytes: [UInt8]

    package init(_ packet: String) {
        bytes = Array(packet.utf8)
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the content of the first element called `name`, and the index after its end tag; nil when there is none.
    func content(of name: String) -> (inside: ArraySlice<UInt8>, end: Int)? { content(of: name, in: bytes[...]) }

    /// Returns the value of the first attribute called `name` as it is encoded; nil when there is none.
    func attribute(_ name: String) -> String? {
        guard let start = Self.end(of: name + "=", in: bytes[...]), start < bytes.endIndex else { return nil }
        let quote = bytes[start]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        let rest = bytes[(start + 1)...]
        return rest.firstIndex(of: quote).map { String(decoding: rest[..<$0], as: UTF8.self) }
    }

    /// Returns the value of a simple property, which is encoded as an element or as an attribute; nil when the packet
    /// does not have it.
    package func text(_ name: String) -> String? {
        if let content = content(of: name, in: bytes[...])?.inside { return Self.unescaped(content) }
        return attribute(name).map { Self.unescaped(Array($0.utf8)[...]) }
    }

    /// Returns at most `most` items of an array property; empty when the packet does not have it.
    package func list(_ name: String, most: Int) -> [String] {
        guard var rest = content(of: name, in: bytes[...])?.inside else { return [] }
        var values: [String] = []
        while values.count < most, let item = content(of: "rdf:li", in: rest) {
            values.append(Self.unescaped(item.inside))
            rest = rest[item.end...]
        }
        return values
    }

    /// Returns the start tags of at most `most` items of an array property, to read their attributes.
    package func itemTags(of name: String, most: Int) -> [XMPReader] {
        guard var rest = content(of: name, in: bytes[...])?.inside else { return [] }
        var tags: [XMPReader] = []
        while tags.count < most, let start = Self.end(of: "<rdf:li", in: rest),
            let end = rest[start...].firstIndex(of: UInt8(ascii: ">"))
        {
            tags.append(XMPReader(Array(rest[start..<end])))
            rest = rest[end...]
        }
        return tags
    }

    /// Returns the content of the first element called `name`, and the index after its end tag; nil when there is none.
    private func content(of name: String, in text: ArraySlice<UInt8>) -> (inside: ArraySlice<UInt8>, end: Int)? {
        var text = text
        while let open = Self.end(of: "<" + name, in: text) {
            text = text[open...]
            // Skip elements whose longer name only starts with `name`.
            guard let next = text.first, !Self.isPartOfName(next) else { continue }
            guard let tag = text.firstIndex(of: UInt8(ascii: ">")) else { return nil }
            // An empty-element tag, "<name/>". Index tag - 1 is always valid in `bytes`, but can be before the start of
            // `text`.
            if bytes[tag - 1] == UInt8(ascii: "/") { return (text[tag..<tag], tag + 1) }
            let closing = "</\(name)>"
            guard let end = Self.end(of: closing, in: text[(tag + 1)...]) else { return nil }
            return (text[(tag + 1)..<(end - closing.utf8.count)], end)
        }
        return nil
    }

    /// Returns the text of a range of bytes.
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ">"), UInt8(ascii: "/"), 0x20, 0x09, 0x0A, 0x0D: false
        default: true
        }
    }

    /// Returns the index after the first occurrence of `words` in `text`; nil when there is none.
    static func end(of words: String, in text: ArraySlice<UInt8>) -> Int? {
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
        // The ampersand is replaced last: "&amp;lt;" must become "&lt;".
        let entities = [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&amp;", "&"),
        ]
        return entities.reduce(text) { text, entity in text.replacing(entity.0, with: entity.1) }
    }
}
