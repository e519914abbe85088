extension ElementProperty {
    /// Parses text as a value of this property: a number, "true" or "false", a string, a fraction such as "30/1", or
    /// the nick or number of an enumeration value. Throws for any other text and for a value out of range; the error
    /// lists the allowed values.
    public func value(from text: String) throws(GscapError) -> Value {
        guard let value = parsed(text) else {
            throw GscapError(message: "the property \"\(name)\" cannot be \"\(text)\": \(advice)")
        }
        return value
    }

    private func parsed(_ text: String) -> Value? {
        switch kind {
        case .boolean: Self.truth(text).map(Value.boolean)
        case .int32(let range, _): Self.number(text, in: range).map(Value.int)
        case .uint32(let range, _): Self.number(text, in: range).map(Value.uint)
        case .int64(let range, _): Self.number(text, in: range).map(Value.int64)
        case .uint64(let range, _): Self.number(text, in: range).map(Value.uint64)
        case .double(let range, _): Self.number(text, in: range).map(Value.double)
        case .string: .string(text)
        case .fraction(let low, let high, _): Self.fraction(text, from: low, to: high).map(Value.fraction)
        case .enumeration(let type, _): type.value(from: text)
        case .structure: nil
        }
    }

    private static func truth(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "1": true
        case "false", "no", "0": false
        default: nil
        }
    }

    /// Returns the number in `text`; nil if there is none or if it is out of range, as NaN is.
    private static func number<Number: LosslessStringConvertible & Comparable>(
        _ text: String, in range: ClosedRange<Number>
    ) -> Number? {
        Number(text).flatMap { range.contains($0) ? $0 : nil }
    }

    private static func fraction(_ text: String, from low: Fraction, to high: Fraction) -> Fraction? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int32($0) }
        guard parts.count <= 2, let first = parts.first, let numerator = first,
            let denominator = parts.count == 2 ? parts[1] : 1, denominator > 0
        else { return nil }
        let value = Fraction(numerator, denominator)
        return value.number >= low.number && value.number <= high.number ? value : nil
    }

    /// The allowed values, as advice in an error.
    private var advice: String {
        switch kind {
        case .boolean: "use true or false"
        case .int32(let range, _): "use a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .uint32(let range, _): "use a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .int64(let range, _): "use a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .uint64(let range, _): "use a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .double(let range, _): "use a number from \(range.lowerBound) to \(range.upperBound)"
        case .string: "use a string"
        case .fraction(let low, let high, _):
            "use a fraction from \(low.numerator)/\(low.denominator) to \(high.numerator)/\(high.denominator)"
        case .enumeration(let type, _): "use one of " + type.cases.map(\.nick).joined(separator: ", ")
        case .structure: "a structure cannot be set as text"
        }
    }
}

extension EnumerationType {
    /// Returns the enumeration value with this nick or number; nil if there is none.
    fileprivate func value(from text: String) -> Value? {
        let number = Int32(text)
        return (cases.first { $0.nick == text } ?? cases.first { $0.value == number })
            .map { .enumeration($0.value, nick: $0.nick) }
    }
}
