/// The structure of a packet that other software may have written.
extension XMPReader {
    /// A tag of the packet's XML.
    struct Tag {
        /// The indices of its bytes, from "<" to ">".
        let range: Range<Int>
        /// The name of its element, and the number of elements that this is in.
        let name: String
        let depth: Int
        /// Whether it ends an element (`</name>`).
        let isEnd: Bool
        /// Whether it is a whole element (`<name/>`).
        let isEmpty: Bool
    }

    /// Whether each start tag has its end tag, in order. In a damaged packet, removing an element would remove what
    /// stands between its start tag and the end tag of another.
    package var hasMatchingTags: Bool { tags != nil }

    /// All tags in order; nil unless each start tag has its end tag.
    var tags: [Tag]? {
        var (tags, path): ([Tag], [String]) = ([], [])
        var rest = bytes[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(start + 1)...]
            if let mark = Self.unstructured.first(where: { rest.starts(with: $0.start.utf8) }) {
                guard let end = Self.end(of: mark.end, in: rest) else { return nil }
                rest = rest[end...]
                continue
            }
            guard let end = Self.endOfTag(in: rest) else { return nil }
            let text = rest[..<end]
            rest = rest[(end + 1)...]
            let (isEnd, isEmpty) = (text.first == UInt8(ascii: "/"), text.last == UInt8(ascii: "/"))
            let name = Self.name(of: isEnd ? text.dropFirst() : text)
            if !isEnd { path.append(name) }
            tags.append(
                Tag(range: start..<end + 1, name: name, depth: path.count - 1, isEnd: isEnd, isEmpty: isEmpty))
            if isEnd || isEmpty, path.popLast() != name { return nil }
        }
        return path.isEmpty ? tags : nil
    }

    /// Whether an element, or the value of an attribute, has no characters that XML excludes and only its own entities.
    static func isWellFormed(_ text: String) -> Bool {
        if text.utf8.contains(where: { $0 < 0x20 && !isSpace($0) }) { return false }
        return text.split(separator: "&", omittingEmptySubsequences: false).dropFirst().allSatisfy { rest in
            guard let end = rest.firstIndex(of: ";") else { return false }
            let name = rest[..<end]
            return ["amp", "lt", "gt", "quot", "apos"].contains(name)
                || name.first == "#" && name.count > 1 && name.dropFirst().allSatisfy { $0.isHexDigit || $0 == "x" }
        }
    }

    /// Returns the attributes of a start tag with their values as they are encoded.
    func attributes(of tag: Tag) -> [(name: String, value: String)] {
        var attributes: [(name: String, value: String)] = []
        var rest = bytes[tag.range].dropFirst().drop(while: Self.isPartOfName)
        while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
            let name = rest[..<equals].filter { !Self.isSpace($0) }
            let value = rest[(equals + 1)...].drop(while: Self.isSpace)
            guard let quote = value.first, let end = value.dropFirst().firstIndex(of: quote) else { break }
            attributes.append((String(decoding: name, as: UTF8.self), text(value.startIndex + 1..<end)))
            rest = value[(end + 1)...]
        }
        return attributes
    }

    /// The parts of XML that contain no tags, without their first character "<": processing instructions, comments,
    /// unparsed text and declarations.
    private static let unstructured = [
        (start: "?", end: "?>"), (start: "!--", end: "-->"), (start: "![CDATA[", end: "]]>"), (start: "!", end: ">"),
    ]

    /// Returns the index of the ">" that ends a tag; quoted values may contain others. Nil if the tag has no end.
    private static func endOfTag(in text: ArraySlice<UInt8>) -> Int? {
        var quote: UInt8?
        for index in text.indices {
            let byte = text[index]
            if quote == byte {
                quote = nil
            } else if quote == nil {
                if byte == UInt8(ascii: ">") { return index }
                if byte == UInt8(ascii: "<") { return nil }
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { quote = byte }
            }
        }
        return nil
    }

    private static func name(of tag: ArraySlice<UInt8>) -> String {
        String(decoding: tag.prefix(while: isPartOfName), as: UTF8.self)
    }
}
