internal import Develop
internal import JSON

/// Draws a histogram as text, with a line for each stop.
enum HistogramText {
    /// The length in characters of the longest bar.
    private static let width = 18

    /// Returns the histogram as a table: for each stop and colour a bar and the percentage of pixels.
    static func lines(_ histogram: Histogram) -> String {
        let fractions = histogram.counts.map { Self.fractions($0, of: histogram.pixelCount) }
        let largest = max(fractions.flatMap(\.self).max() ?? 0, 1e-9)
        let filled = fractions[0].indices.filter { stop in fractions.contains { $0[stop] > 0 } }
        var rows = [["stop", "red", "", "green", "", "blue", ""]]
        if let first = filled.first, let last = filled.last {
            for stop in (first...last).reversed() {
                let cells = fractions.flatMap { fraction in
                    [bar(fraction[stop] / largest), percent(fraction[stop])]
                }
                rows.append([name(Histogram.stops.lowerBound + stop)] + cells)
            }
        }
        rows.append(["over white"] + histogram.overWhite.flatMap { ["", percent($0, of: histogram.pixelCount)] })
        rows.append(["no light"] + histogram.underBlack.flatMap { ["", percent($0, of: histogram.pixelCount)] })
        rows.append(["mean"] + histogram.means.flatMap { ["", TextFormat.decimal($0, 4)] })
        return TextFormat.table(rows, right: [0, 2, 4, 6])
    }

    /// Returns the histogram as JSON fields: totals, and for each colour the counts of its bins.
    static func fields(_ histogram: Histogram) -> [(String, JSON)] {
        let colors = ["red", "green", "blue"]
        let counts = zip(colors, histogram.counts).map { name, counts in
            (name, JSON.list(counts.map { .integer($0) }))
        }
        return [
            ("pixels", .integer(histogram.pixelCount)), ("firstStop", .integer(Histogram.stops.lowerBound)),
            ("fieldsOfStop", .integer(Histogram.fieldsOfStop)),
            ("overWhite", .list(histogram.overWhite.map { .integer($0) })),
            ("noLight", .list(histogram.underBlack.map { .integer($0) })),
            ("means", .list(histogram.means.map { .number($0) })),
        ] + counts
    }

    /// Returns the fraction 0…1 of all pixels in each stop; a stop's count is the sum of its bins.
    private static func fractions(_ counts: [Int], of pixels: Int) -> [Double] {
        stride(from: 0, to: counts.count, by: Histogram.fieldsOfStop).map { first in
            Double(counts[first..<first + Histogram.fieldsOfStop].reduce(0, +)) / Double(max(pixels, 1))
        }
    }

    private static func name(_ stop: Int) -> String { stop > 0 ? "+\(stop)" : "\(stop)" }

    private static func bar(_ fraction: Double) -> String {
        let filled = Int((fraction * Double(width)).rounded())
        return String(repeating: "#", count: filled) + String(repeating: " ", count: width - filled)
    }

    private static func percent(_ count: Int, of pixels: Int) -> String {
        percent(Double(count) / Double(max(pixels, 1)))
    }

    private static func percent(_ fraction: Double) -> String { TextFormat.decimal(100 * fraction, 1) + " %" }
}
