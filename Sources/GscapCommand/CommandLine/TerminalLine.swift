internal import Glibc

/// A text that fits into one line of a terminal.
struct TerminalLine {
    /// The text, of which the end is cut off and replaced by an ellipsis if it is too long.
    private(set) var text = ""
    /// The columns that the text takes.
    private(set) var width = 0

    /// Cuts a text so that it leaves the last of the terminal's columns empty: some terminals wrap a full line.
    init(_ text: String, columns: Int) {
        let limit = columns - 1
        let whole = text.reduce(0) { $0 + Self.width(of: $1) }
        for character in text {
            let next = Self.width(of: character)
            // The last column is for the ellipsis.
            guard whole <= limit || width + next < limit else { break }
            self.text.append(character)
            width += next
        }
        guard whole > limit, limit > 0 else { return }
        self.text += "…"
        width += 1
    }

    /// The columns of the terminal on standard error; 80 if it does not state them.
    static var columns: Int {
        var size = winsize()
        guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Returns the columns of a character: two for the wide characters of East Asian scripts (Unicode Standard Annex
    /// 11) and pictographs, none for control characters, else one.
    private static func width(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if scalar.properties.generalCategory == .control { return 0 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD,
    ]
}
