// Short texts of what passes an element, for lines of the debug log. GStreamer's own serialization of a sample would
// contain its bytes.

extension Structure {
    /// The name with the fields in parentheses.
    package var debugText: String {
        fields.isEmpty ? name : "\(name) (\(fields.map { "\($0.name)=\($0.value.debugText)" }.joined(separator: ", ")))"
    }
}

extension Value {
    /// The value in one line, without the bytes of a sample.
    package var debugText: String {
        switch self {
        case .boolean(let value): "\(value)"
        case .int(let value): "\(value)"
        case .uint(let value): "\(value)"
        case .int64(let value): "\(value)"
        case .uint64(let value): "\(value)"
        case .double(let value): "\(value)"
        case .flags(let value): "\(value)"
        case .string(let value): value.count > 200 ? "\"\(value.prefix(200))…\"" : "\"\(value)\""
        case .enumeration(_, let nick): nick
        case .fraction(let value): "\(value.numerator)/\(value.denominator)"
        case .array(let values), .list(let values):
            "[\(values.prefix(16).map(\.debugText).joined(separator: ", "))\(values.count > 16 ? ", …" : "")]"
        case .intRange(let range): "\(range.lowerBound)…\(range.upperBound)"
        case .fractionRange(let least, let most):
            "\(least.numerator)/\(least.denominator)…\(most.numerator)/\(most.denominator)"
        case .structure(let value): value.debugText
        case .sample(let sample): "a sample of \(sample.buffer?.size ?? 0) bytes"
        case .object: "an object"
        case .null: "null"
        case .other(let type, _): "a \(type)"
        }
    }
}

extension Buffer {
    /// The buffer's number, time in seconds and size.
    package var debugText: String {
        let time = presentationTime.map { "\(Double($0 / 1000) / 1e6) s" } ?? "no time"
        return "\(offset.map { "\($0) " } ?? "")at \(time), \(size) bytes"
    }
}
