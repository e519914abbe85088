/// The check of a packet's structure before it is changed.
extension XMPReader {
    /// Whether each start tag has its end tag, in order. In a damaged packet, removing an element would remove what
    /// stands between its start tag and the end tag of another.
    package var hasMatchingTags: Bool {
        var open: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(start + 1)...]
            if let mark = Self.unstructured.first(where: { rest.starts(with: $0.start.utf8) }) {
                guard let end = Self.end(of: mark.end, in: rest) else { return false }
                rest = rest[end...]
                continue
            }
            guard let end = Self.endOfTag(in: rest) else { return false }
            let tag = rest[..<end]
            rest = rest[(end + 1)...]
            if tag.first == UInt8(ascii: "/") {
                guard open.popLast().map({ $0.elementsEqual(Self.name(of: tag.dropFirst())) }) == true else {
                    return false
                }
            } else if tag.last != UInt8(ascii: "/") {
                open.append(Self.name(of: tag))
            }
        }
        return open.isEmpty
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

    private static func name(of tag: ArraySlice<UInt8>) -> ArraySlice<UInt8> { tag.prefix { isPartOfName($0) } }
}
