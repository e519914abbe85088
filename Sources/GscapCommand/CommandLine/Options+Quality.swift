extension Options {
    /// Returns the compression quality that an option names, from 0 (smallest file) to 1 (best); nil without the
    /// option.
    ///
    /// Numbers from 0 to 1 are the quality itself, numbers from 2 to 100 and those with a percent sign are percentages:
    /// 0.9, 90 and 90% are the same. 1 is the best quality, as 100 is.
    func quality(_ name: String) throws(Failure) -> Double? {
        guard let text = value(name) else { return nil }
        let isPercentage = text.hasSuffix("%")
        let number = Double(isPercentage ? String(text.dropLast()) : text)
        if let number, isPercentage, (0...100).contains(number) { return number / 100 }
        if let number, !isPercentage {
            if (0...1).contains(number) { return number }
            if (2...100).contains(number) { return number / 100 }
        }
        throw Failure(
            .usage,
            "\(name) needs a percentage from 2 to 100, or a number from 0 to 1, where 1 is the best quality; "
                + "not \"\(text)\"")
    }
}
