extension PropertyKind {
    /// Returns why a property value is invalid and what is valid, or nil if it is valid. Accepts what GStreamer's
    /// deserialization accepts.
    func objection(to value: String) -> String? {
        switch self {
        case .boolean:
            ["true", "false", "t", "f", "yes", "no", "1", "0"].contains(value.lowercased())
                ? nil : "it must be true or false"
        case .integer(let range): wholeNumberObjection(value, in: range, parse: Int64.init(_:radix:))
        case .unsigned(let range): wholeNumberObjection(value, in: range, parse: UInt64.init(_:radix:))
        case .real(let range): realObjection(value, in: range)
        case .enumeration(let words): enumerationObjection(value, words)
        case .flags(let words): flagsObjection(value, words)
        case .fraction: Self.isFraction(value) ? nil : "it must be a fraction such as 30/1"
        case .caps: capsObjection(value)
        case .string: nil
        case .validated(let judge): judge(value)
        }
    }

    private func wholeNumberObjection<Number: FixedWidthInteger>(
        _ value: String, in range: ClosedRange<Number>, parse: (Substring, Int) -> Number?
    ) -> String? {
        let trimmed = Self.trimmed(value)
        if Self.namedNumbers.contains(trimmed.lowercased()) { return nil }
        let isNegative = trimmed.hasPrefix("-")
        let digits = isNegative || trimmed.hasPrefix("+") ? trimmed.dropFirst() : trimmed
        let isHexadecimal = digits.lowercased().hasPrefix("0x")
        let radix = isHexadecimal ? 16 : digits.count > 1 && digits.hasPrefix("0") ? 8 : 10
        let magnitude = isHexadecimal ? digits.dropFirst(2) : digits
        guard let first = magnitude.first, first != "-", first != "+",
            magnitude.allSatisfy({ $0.isASCII && $0.hexDigitValue.map { $0 < radix } ?? false })
        else { return "it must be a whole number\(Self.within(range))" }
        guard let number = parse((isNegative ? "-" : "") + magnitude, radix), range.contains(number) else {
            return "it must be a whole number from \(range.lowerBound) to \(range.upperBound)"
        }
        return nil
    }

    /// Words that GStreamer accepts as integers.
    private static let namedNumbers: Set<String> = ["min", "max", "little_endian", "big_endian", "byte_order"]

    private func realObjection(_ value: String, in range: ClosedRange<Double>) -> String? {
        let trimmed = Self.trimmed(value)
        if ["min", "max"].contains(trimmed.lowercased()) { return nil }
        guard let number = Double(trimmed), !number.isNaN else { return "it must be a number\(Self.within(range))" }
        return range.contains(number) ? nil : "it must be a number from \(range.lowerBound) to \(range.upperBound)"
    }

    private func enumerationObjection(_ value: String, _ words: [String: Int64]) -> String? {
        if words.keys.contains(where: { $0.lowercased() == value.lowercased() }) { return nil }
        if let number = Int64(value), words.values.contains(number) { return nil }
        let list = words.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key).joined(separator: ", ")
        return "it must be one of \(list)" + nearest(value, in: words.keys.sorted()).suggestion
    }

    private func flagsObjection(_ value: String, _ words: [String: UInt64]) -> String? {
        for part in value.split(separator: "+", omittingEmptySubsequences: false) {
            let isNumber = UInt64(part) != nil || (part.hasPrefix("0x") && UInt64(part.dropFirst(2), radix: 16) != nil)
            if isNumber || words.keys.contains(where: { $0.lowercased() == part.lowercased() }) { continue }
            let list = words.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key).joined(separator: ", ")
            return "\"\(part)\" is not one of \(list); join several with +"
        }
        return nil
    }

    private static func isFraction(_ value: String) -> Bool {
        if ["min", "max"].contains(value) || Double(trimmed(value)) != nil { return true }
        let parts = value.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, Int32(trimmed(parts[0])) != nil, let denominator = Int32(trimmed(parts[1])) else {
            return false
        }
        return denominator != 0
    }

    private func capsObjection(_ value: String) -> String? {
        if ["any", "none", "empty"].contains(value.lowercased()) { return nil }
        do {
            _ = try PipelineDescription.Caps(value)
            return nil
        } catch {
            return error.message
        }
    }

    /// Returns the words " from … to …" with a range for an error message; empty for the full range of the type.
    private static func within<Number: FixedWidthInteger>(_ range: ClosedRange<Number>) -> String {
        range.lowerBound == .min && range.upperBound == .max
            ? "" : " from \(range.lowerBound) to \(range.upperBound)"
    }

    private static func within(_ range: ClosedRange<Double>) -> String {
        abs(range.lowerBound) >= 1e300 && range.upperBound >= 1e300
            ? "" : " from \(range.lowerBound) to \(range.upperBound)"
    }

    private static func trimmed(_ value: some StringProtocol) -> Substring {
        var rest = Substring(value)
        while rest.unicodeScalars.first?.isPipelineSpace == true { rest.unicodeScalars.removeFirst() }
        while rest.unicodeScalars.last?.isPipelineSpace == true { rest.unicodeScalars.removeLast() }
        return rest
    }
}
