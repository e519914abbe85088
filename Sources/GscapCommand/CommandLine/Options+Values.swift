/// The values of options as numbers, durations and pairs.
extension Options {
    /// Returns the option's value as a whole number; nil without the option. Throws if the value is not a whole number
    /// in the range.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(Failure) -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Failure(
                .usage, "\(name) needs a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
        }
        return number
    }

    /// Returns the option's value as a number; nil without the option. Throws if the value is not a number in the
    /// range, whose ends the error states in `unit`, such as "seconds".
    func number(_ name: String, in range: ClosedRange<Double>, unit: String = "") throws(Failure) -> Double? {
        guard let text = value(name) else { return nil }
        guard let number = Double(text), range.contains(number) else {
            let ends = [range.lowerBound, range.upperBound].map(Self.plain).joined(separator: " to ")
            throw Failure(
                .usage, "\(name) needs a number from \(ends)\(unit.isEmpty ? "" : " " + unit), not \"\(text)\"")
        }
        return number
    }

    /// Returns a number as text, without a fraction if it is whole.
    private static func plain(_ number: Double) -> String {
        Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }

    /// Returns the option's value as a duration; nil without the option. Throws unless the value is a number of seconds
    /// from `least` to 1,000,000.
    func seconds(_ name: String, from least: Double = 0.001) throws(Failure) -> Duration? {
        try number(name, in: least...1e6, unit: "seconds").map { .milliseconds(Int64($0 * 1000)) }
    }

    /// Returns the names and values of an option whose values have the form NAME=VALUE.
    func pairs(_ name: String) throws(Failure) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for text in all(name) {
            guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
                throw Failure(.usage, "\(name) needs NAME=VALUE, not \"\(text)\"")
            }
            pairs.append((String(text[..<equals]), String(text[text.index(after: equals)...])))
        }
        return pairs
    }

    /// The compression quality of `--quality`, from 0 (smallest file) to 1 (best); nil without the option.
    ///
    /// Numbers from 0 to 1 are the quality itself, numbers from 2 to 100 and those with a percent sign are percentages:
    /// 0.9, 90 and 90% are the same. 1 is the best quality, as 100 is.
    func quality() throws(Failure) -> Double? {
        guard let text = value("--quality") else { return nil }
        let isPercentage = text.hasSuffix("%")
        let number = Double(isPercentage ? String(text.dropLast()) : text)
        if let number, isPercentage, (0...100).contains(number) { return number / 100 }
        if let number, !isPercentage {
            if (0...1).contains(number) { return number }
            if (2...100).contains(number) { return number / 100 }
        }
        throw Failure(
            .usage,
            "--quality needs a percentage from 2 to 100, or a number from 0 to 1, where 1 is the best quality; "
                + "not \"\(text)\"")
    }
}
