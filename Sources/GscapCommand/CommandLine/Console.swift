internal import Glibc
internal import Synchronization

/// What the command says: results to standard output, everything else to standard error.
final class Console: Sendable {
    /// Whether programs read along: one JSON object a line on standard output.
    let isJSON: Bool
    /// Whether details are wanted.
    let isVerbose: Bool

    /// Whether a progress line can be drawn over itself: a person watches.
    private let drawsProgress: Bool
    private let progressLength = Mutex(0)

    init(isJSON: Bool = false, isVerbose: Bool = false) {
        self.isJSON = isJSON
        self.isVerbose = isVerbose
        drawsProgress = !isJSON && isatty(STDOUT_FILENO) != 0 && isatty(STDERR_FILENO) != 0
    }

    /// Results.
    func print(_ text: String) {
        clearProgress()
        Self.write(text + "\n", to: STDOUT_FILENO)
    }

    /// An event for programs.
    func event(_ name: String, _ fields: [(String, JSON)] = []) {
        guard isJSON else { return }
        Self.write(JSON.object([("event", .text(name))] + fields).line + "\n", to: STDOUT_FILENO)
    }

    /// Something a person should know.
    func note(_ text: String) {
        clearProgress()
        Self.write("gscap: " + text + "\n", to: STDERR_FILENO)
    }

    /// Something for who asked for details.
    func detail(_ text: String) {
        if isVerbose { note(text) }
    }

    /// One line that is drawn over itself; nothing where nobody watches.
    func progress(_ text: String) {
        guard drawsProgress else { return }
        progressLength.withLock { length in
            Self.write("\r" + text + String(repeating: " ", count: max(0, length - text.count)), to: STDERR_FILENO)
            length = text.count
        }
    }

    func clearProgress() {
        progressLength.withLock { length in
            if length > 0 { Self.write("\r" + String(repeating: " ", count: length) + "\r", to: STDERR_FILENO) }
            length = 0
        }
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { return }
            bytes = bytes.dropFirst(written)
        }
    }
}

/// Words for sizes and times.
enum Words {
    /// "69.8 MB".
    static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<1000: "\(bytes) B"
        case ..<1_000_000: decimal(Double(bytes) / 1000, 1) + " kB"
        case ..<1_000_000_000: decimal(Double(bytes) / 1_000_000, 1) + " MB"
        default: decimal(Double(bytes) / 1_000_000_000, 2) + " GB"
        }
    }

    /// "1.92 s".
    static func time(_ duration: Duration) -> String {
        decimal(seconds(duration), 2) + " s"
    }

    /// A duration as seconds.
    static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    }

    /// A number with a fixed count of digits behind the point.
    static func decimal(_ number: Double, _ digits: Int) -> String {
        guard number.isFinite, abs(number) < 1e15 else { return String(number) }
        let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
        let rounded = Int((abs(number) * Double(scale)).rounded())
        let sign = number < 0 && rounded > 0 ? "-" : ""
        guard digits > 0 else { return "\(sign)\(rounded)" }
        let fraction = String(rounded % scale)
        return "\(sign)\(rounded / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
    }

    /// Rows of cells under each other, two spaces between columns; numbers columns in `right` end flush.
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
