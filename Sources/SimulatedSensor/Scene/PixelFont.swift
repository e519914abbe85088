/// A bitmap font of capital letters, digits and some punctuation: glyphs of 5×7 dots in cells of 6×8.
enum PixelFont {
    /// Distance between neighbouring characters, in dots.
    static let advance = 6
    /// Height of a glyph in dots.
    static let height = 7

    /// Returns whether a character's glyph has ink at a dot; false outside the glyph and for unknown characters.
    static func hasInk(_ letter: UInt8, column: Int, row: Int) -> Bool {
        guard (0..<5).contains(column), (0..<height).contains(row), let rows = letters[letter] else { return false }
        return rows[row] >> (4 - column) & 1 == 1
    }

    /// The rows of each glyph, with the leftmost dot in bit 4.
    private static let letters: [UInt8: [UInt8]] = {
        var letters: [UInt8: [UInt8]] = [:]
        for (letter, drawing) in zip(order.utf8, drawings) {
            letters[letter] = drawing.split(separator: " ").map { row in
                row.utf8.reduce(0) { $0 << 1 | ($1 == UInt8(ascii: "#") ? 1 : 0) }
            }
        }
        return letters
    }()

    /// The characters in the order of `drawings`.
    private static let order = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-/"
    private static let drawings = [
        ".###. #...# #...# ##### #...# #...# #...#", "####. #...# #...# ####. #...# #...# ####.",
        ".###. #...# #.... #.... #.... #...# .###.", "####. #...# #...# #...# #...# #...# ####.",
        "##### #.... #.... ####. #.... #.... #####", "##### #.... #.... ####. #.... #.... #....",
        ".###. #...# #.... #.### #...# #...# .###.", "#...# #...# #...# ##### #...# #...# #...#",
        ".###. ..#.. ..#.. ..#.. ..#.. ..#.. .###.", "..### ...#. ...#. ...#. ...#. #..#. .##..",
        "#...# #..#. #.#.. ##... #.#.. #..#. #...#", "#.... #.... #.... #.... #.... #.... #####",
        "#...# ##.## #.#.# #.#.# #...# #...# #...#", "#...# ##..# #.#.# #..## #...# #...# #...#",
        ".###. #...# #...# #...# #...# #...# .###.", "####. #...# #...# ####. #.... #.... #....",
        ".###. #...# #...# #...# #.#.# #..#. .##.#", "####. #...# #...# ####. #.#.. #..#. #...#",
        ".#### #.... #.... .###. ....# ....# ####.", "##### ..#.. ..#.. ..#.. ..#.. ..#.. ..#..",
        "#...# #...# #...# #...# #...# #...# .###.", "#...# #...# #...# #...# #...# .#.#. ..#..",
        "#...# #...# #...# #.#.# #.#.# ##.## #...#", "#...# #...# .#.#. ..#.. .#.#. #...# #...#",
        "#...# #...# .#.#. ..#.. ..#.. ..#.. ..#..", "##### ....# ...#. ..#.. .#... #.... #####",
        ".###. #...# #..## #.#.# ##..# #...# .###.", "..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###.",
        ".###. #...# ....# ..##. .#... #.... #####", "##### ...#. ..#.. ...#. ....# #...# .###.",
        "...#. ..##. .#.#. #..#. ##### ...#. ...#.", "##### #.... ####. ....# ....# #...# .###.",
        "..##. .#... #.... ####. #...# #...# .###.", "##### ....# ...#. ..#.. .#... .#... .#...",
        ".###. #...# #...# .###. #...# #...# .###.", ".###. #...# #...# .#### ....# ...#. .##..",
        "..... ..... ..... ..... ..... .##.. .##..", "..... ..... ..... ##### ..... ..... .....",
        "....# ....# ...#. ..#.. .#... #.... #....",
    ]
}

/// A line of text in black print.
struct TextLine: SceneItem {
    let left: Float
    let top: Float
    /// Size of a dot of the font, in scene units.
    let dot: Float
    private let letters: [UInt8]

    init(_ text: String, left: Float, top: Float, dot: Float) {
        self.left = left
        self.top = top
        self.dot = dot
        letters = Array(text.utf8)
    }

    var area: SceneArea {
        let width = Float(letters.count * PixelFont.advance) * dot
        return SceneArea(left: left, top: top, right: left + width, bottom: top + Float(PixelFont.height) * dot)
            .grown(by: dot)
    }

    func shade(over behind: SceneColor, x: Float, y: Float, pixel: Float) -> SceneColor {
        var ink: Float = 0
        for step in 0..<16 {
            let (dx, dy) = ((Float(step & 3) - 1.5) / 4, (Float(step >> 2) - 1.5) / 4)
            ink += hasInk(x + dx * pixel, y + dy * pixel) ? 1 / 16 : 0
        }
        return mix(behind, opaque(0.02, 0.02, 0.022), ink)
    }

    private func hasInk(_ x: Float, _ y: Float) -> Bool {
        let column = Int(((x - left) / dot).rounded(.down))
        let row = Int(((y - top) / dot).rounded(.down))
        let index = column / PixelFont.advance
        guard column >= 0, index < letters.count else { return false }
        return PixelFont.hasInk(letters[index], column: column % PixelFont.advance, row: row)
    }
}
