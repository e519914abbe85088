/// Parses caps from a media type up to the following link or the end of the text.
struct CapsReader {
    private static let maximumDepth = 16

    private let text: ExpandedText
    private(set) var index: Int
    private var scalars: [Unicode.Scalar] { text.scalars }

    init(_ text: ExpandedText, from index: Int) {
        self.text = text
        self.index = index
    }

    /// Parses the caps at `index`. Within a link, the caps end before a `!` or a separate `:`; otherwise they must
    /// extend to the end of the text.
    mutating func read(inLink: Bool) throws(GscapError) -> PipelineDescription.Caps {
        let start = index
        var end = start
        var structures: [PipelineDescription.Caps.Structure] = []
        repeat {
            skipSpace()
            structures.append(try structure())
            end = index
            skipSpace()
        } while take(";")
        if let next = peek, !(inLink && (next == "!" || next == ":")) {
            throw error("unexpected text after a caps value; separate fields with commas and quote text with spaces")
        }
        var caps = PipelineDescription.Caps(structures)
        caps.location = text.location(of: start..<end)
        return caps
    }

    /// Returns whether a media type such as `video/x-raw` begins at `index`.
    static func mediaTypeStarts(at index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        let slash = scalars[index...].firstIndex { !$0.continuesMediaType } ?? scalars.count
        return slash > index && slash + 1 < scalars.count && scalars[slash] == "/"
            && scalars[slash + 1].continuesMediaType
    }

    private var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private mutating func skipSpace() {
        while peek?.isPipelineSpace == true { index += 1 }
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        index += 1
        return true
    }

    private func error(_ message: String, from start: Int? = nil) -> GscapError {
        let start = start ?? index
        let location = text.location(of: start..<max(start + 1, index))
        return GscapError(.badCaps, message, at: text.source.excerpt(location))
    }

    private mutating func word(_ isPart: (Unicode.Scalar) -> Bool) -> String {
        let start = index
        while let next = peek, isPart(next) { index += 1 }
        return String(String.UnicodeScalarView(scalars[start..<index]))
    }

    private mutating func structure() throws(GscapError) -> PipelineDescription.Caps.Structure {
        let start = index
        let type = word { $0.continuesMediaType || $0 == "." || $0 == "+" || $0 == "_" || $0 == "/" }
        let parts = type.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else {
            throw error("caps must begin with a media type such as video/x-bayer", from: start)
        }
        var structure = PipelineDescription.Caps.Structure(type)
        skipSpace()
        if take("(") { structure.features = try features() }
        skipSpace()
        while take(",") {
            skipSpace()
            // GStreamer allows a trailing comma, so the parser does too.
            if peek == nil || peek == "!" || peek == ";" { break }
            structure.fields.append(try field())
            skipSpace()
        }
        return structure
    }

    private mutating func features() throws(GscapError) -> [String] {
        var features: [String] = []
        repeat {
            skipSpace()
            let feature = word { $0.isAlphanumeric || $0 == ":" || $0 == "_" || $0 == "-" }
            guard !feature.isEmpty else {
                throw error("a caps feature is missing; write one such as (memory:GLMemory)")
            }
            features.append(feature)
            skipSpace()
        } while take(",")
        guard take(")") else { throw error("this parenthesis in the caps is not closed; add a )") }
        return features
    }

    private mutating func field() throws(GscapError) -> PipelineDescription.Caps.Field {
        let start = index
        let name = word { $0.isAlphanumeric || $0 == "_" || $0 == "-" || $0 == "+" || $0 == "." || $0 == ":" }
        guard !name.isEmpty else { throw error("a caps field has no name; write name=value") }
        skipSpace()
        guard take("=") else { throw error("the caps field \"\(name)\" has no value; write \(name)=…", from: start) }
        skipSpace()
        let type = try self.type()
        let valueStart = index
        let value = try self.value(depth: 0)
        if name == "width" || name == "height", let first = value.unicodeScalars.first,
            !"{[(".unicodeScalars.contains(first),
            Int32(value) == nil
        {
            throw error("the caps field \"\(name)\" must be a whole number, not \"\(value)\"", from: valueStart)
        }
        return PipelineDescription.Caps.Field(name, value, type: type)
    }

    private mutating func type() throws(GscapError) -> String? {
        guard take("(") else { return nil }
        skipSpace()
        let type = word { $0.isAlphanumeric || $0 == "_" }
        skipSpace()
        guard !type.isEmpty, take(")") else { throw error("this caps type is malformed; write it as in (int)") }
        skipSpace()
        return type
    }

    /// Parses the value of a caps field and returns it in normalized form, without spaces outside quotes.
    private mutating func value(depth: Int) throws(GscapError) -> String {
        guard depth < Self.maximumDepth else {
            throw error("caps values are nested more than \(Self.maximumDepth) levels deep")
        }
        switch peek {
        case "{": return try items("{", "}", depth: depth)
        case "[": return try items("[", "]", depth: depth)
        case "<": return try items("<", ">", depth: depth)
        case "\"": return try quoted()
        default:
            let start = index
            let word = self.word { $0.isAlphanumeric || "_-+/:.".unicodeScalars.contains($0) || !$0.isASCII }
            guard !word.isEmpty else { throw error("a caps value is missing or malformed", from: start) }
            return word
        }
    }

    private mutating func items(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar, depth: Int
    ) throws(GscapError) -> String {
        let start = index
        index += 1
        var items: [String] = []
        skipSpace()
        while peek != close {
            let type = try self.type().map { "(\($0))" } ?? ""
            items.append(type + (try value(depth: depth + 1)))
            skipSpace()
            guard take(",") else { break }
            skipSpace()
        }
        guard take(close) else {
            index = start
            throw error("this \"\(open)\" in the caps is not closed; add a \"\(close)\"")
        }
        return String(open) + items.joined(separator: ",") + String(close)
    }

    private mutating func quoted() throws(GscapError) -> String {
        let start = index
        index += 1
        while let next = peek, next != "\"" {
            if next == "!" { throw error("caps cannot contain a !, because GStreamer reads it as a link; remove it") }
            index += next == "\\" ? 2 : 1
        }
        guard take("\"") else {
            index = start
            throw error("this quote in the caps is not closed; add a \"")
        }
        return String(String.UnicodeScalarView(scalars[start..<index]))
    }
}

extension Unicode.Scalar {
    fileprivate var continuesMediaType: Bool { isAlphanumeric || self == "-" }
}
