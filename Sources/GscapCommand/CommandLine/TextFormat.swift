/// Formats sizes, times, numbers and tables as text.
enum TextFormat {
    /// Formats a number of bytes with a decimal unit: "69.8 MB".
    static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<1000: "\(bytes) B"
        case ..<1_000_000: decimal(Double(bytes) / 1000, 1) + " kB"
        case ..<1_000_000_000: decimal(Double(bytes) / 1_000_000, 1) + " MB"
        default: decimal(Double(bytes) / 1_000_000_000, 2) + " GB"
        }
    }

    /// Formats a number of things: "1 photo", "2 photos".
    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// Formats a duration in seconds: "1.92 s".
    static func time(_ duration: Duration) -> String {
        decimal(seconds(duration), 2) + " s"
    }

    /// Converts a duration to a number of seconds.
    static func seconds(_ duration: Duration) -> Double {
        let microseconds = (Double(duration.components.attoseconds) * 1e-12).rounded()
        return Double(duration.components.seconds) + microseconds / 1e6
    }

    /// Formats a number with a fixed count of decimals: `decimal(6.2, 2)` is "6.20".
    static func decimal(_ number: Double, _ digits: Int) -> String {
        guard number.isFinite, abs(number) < 1e15 else { return String(number) }
        let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
        let rounded = Int((abs(number) * Double(scale)).rounded())
        let sign = number < 0 && rounded > 0 ? "-" : ""
        guard digits > 0 else { return "\(sign)\(rounded)" }
        let fraction = String(rounded % scale)
        return "\(sign)\(rounded / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
    }

    /// Lays out rows of cells in columns, with two spaces between them. Columns whose indices are in `right` are
    /// right-aligned.
    static func table(_ rows: [[String]], right: Set<Int> = []) -> String {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            var line = row.enumerated().map { column, cell in
                let pad = String(repeating: " ", count: widths[column] - cell.count)
                return right.contains(column) ? pad + cell : cell + pad
            }.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }
}
