internal import Develop

/// A histogram drawn with letters: a line for each stop.
enum HistogramText {
    private static let width = 18

    static func lines(_ histogram: Histogram) -> String {
        let shares = histogram.counts.map { Self.shares($0, of: histogram.pixelCount) }
        let most = max(shares.flatMap(\.self).max() ?? 0, 1e-9)
        let filled = shares[0].indices.filter { stop in shares.contains { $0[stop] > 0 } }
        var rows = [["stop", "red", "", "green", "", "blue", ""]]
        if let first = filled.first, let last = filled.last {
            for stop in (first...last).reversed() {
                let cells = shares.flatMap { share in
                    [bar(share[stop] / most), percent(share[stop])]
                }
                rows.append([name(Histogram.stops.lowerBound + stop)] + cells)
            }
        }
        rows.append(["over white"] + histogram.overWhite.flatMap { ["", percent($0, of: histogram.pixelCount)] })
        rows.append(["no light"] + histogram.underBlack.flatMap { ["", percent($0, of: histogram.pixelCount)] })
        rows.append(["mean"] + histogram.means.flatMap { ["", Words.decimal($0, 4)] })
        return Words.table(rows, right: [0, 2, 4, 6])
    }

    /// The same for programs: counts by colour, field by field.
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

    /// The shares of pixels in each stop.
    private static func shares(_ counts: [Int], of pixels: Int) -> [Double] {
        stride(from: 0, to: counts.count, by: Histogram.fieldsOfStop).map { first in
            Double(counts[first..<first + Histogram.fieldsOfStop].reduce(0, +)) / Double(max(pixels, 1))
        }
    }

    private static func name(_ stop: Int) -> String { stop > 0 ? "+\(stop)" : "\(stop)" }

    private static func bar(_ share: Double) -> String {
        let filled = Int((share * Double(width)).rounded())
        return String(repeating: "#", count: filled) + String(repeating: " ", count: width - filled)
    }

    private static func percent(_ count: Int, of pixels: Int) -> String {
        percent(Double(count) / Double(max(pixels, 1)))
    }

    private static func percent(_ share: Double) -> String { Words.decimal(100 * share, 1) + " %" }
}
