/// The pieces that an XMP packet is made of.
package enum XMPText {
    /// A value under its name; nothing when it is empty.
    package static func element(_ name: String, _ value: String) -> String {
        value.isEmpty ? "" : "   <\(name)>\(escaped(value))</\(name)>"
    }

    /// Values in a container of a kind: Seq, Bag or Alt.
    package static func list(_ name: String, in kind: String, _ values: [String]) -> String {
        let items = values.filter { !$0.isEmpty }.map { "<rdf:li>\(escaped($0))</rdf:li>" }
        if items.isEmpty { return "" }
        return "   <\(name)><rdf:\(kind)>\(items.joined())</rdf:\(kind)></\(name)>"
    }

    /// A text in the language of whoever wrote it.
    package static func alternative(_ name: String, _ value: String) -> String {
        if value.isEmpty { return "" }
        return "   <\(name)><rdf:Alt><rdf:li xml:lang=\"x-default\">\(escaped(value))</rdf:li></rdf:Alt></\(name)>"
    }

    /// A number with a few digits behind the point, and none that say nothing; nothing for what is no number.
    package static func number(_ number: Double, digits: Int = 4) -> String {
        guard number.isFinite, abs(number) < 1e12 else { return "" }
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        let rounded = (number * scale).rounded() / scale
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }

    /// Text that means the same inside XML, without what XML cannot hold.
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
