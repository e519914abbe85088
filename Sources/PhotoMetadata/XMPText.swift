/// Encodes values as the XML elements of an XMP packet.
package enum XMPText {
    /// Returns a simple property as an XML element; an empty string when the value is empty.
    package static func element(_ name: String, _ value: String) -> String {
        value.isEmpty ? "" : "   <\(name)>\(escaped(value))</\(name)>"
    }

    /// Returns an array property of the RDF type `kind`: Seq, Bag or Alt. Empty values are omitted; an empty string
    /// when all are.
    package static func list(_ name: String, in kind: String, _ values: [String]) -> String {
        array(name, in: kind, values.filter { !$0.isEmpty }.map { "<rdf:li>\(escaped($0))</rdf:li>" })
    }

    /// Returns a language alternative with one text for `x-default`; an empty string when the text is empty.
    package static func alternative(_ name: String, _ value: String) -> String {
        if value.isEmpty { return "" }
        return array(name, in: "Alt", ["<rdf:li xml:lang=\"x-default\">\(escaped(value))</rdf:li>"])
    }

    /// Returns an array of encoded items. Each element is on a line of its own: darktable skips the text before the
    /// first array and item of a sidecar, without checking that it is text.
    private static func array(_ name: String, in kind: String, _ items: [String]) -> String {
        if items.isEmpty { return "" }
        let lines = items.map { "     \($0)\n" }.joined()
        return "   <\(name)>\n    <rdf:\(kind)>\n\(lines)    </rdf:\(kind)>\n   </\(name)>"
    }

    /// Returns a number rounded to at most `digits` decimals, without trailing zeros; an empty string when it is not
    /// finite or 10¹² and above.
    package static func number(_ number: Double, digits: Int = 4) -> String {
        guard number.isFinite, abs(number) < 1e12 else { return "" }
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        let rounded = (number * scale).rounded() / scale
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }

    /// Returns text with XML's special characters escaped, and without the characters that XML 1.0 does not allow.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case _ where scalar.value < 0x20 && scalar != "\n" && scalar != "\t": continue
            case _ where scalar.value == 0xFFFE || scalar.value == 0xFFFF: continue
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
