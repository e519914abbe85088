/// Capital letters, digits and a few signs on a grid of 5×7, in a cell of 6×8.
enum PixelFont {
    /// Columns from a letter to the next.
    static let advance = 6
    /// Rows of a letter.
    static let height = 7

    /// Whether a letter has ink at a place of its grid.
    static func hasInk(_ letter: UInt8, column: Int, row: Int) -> Bool {
        guard (0..<5).contains(column), (0..<height).contains(row), let rows = letters[letter] else { return false }
        return rows[row] >> (4 - column) & 1 == 1
    }

    private static let letters: [UInt8: [UInt8]] = {
        var letters: [UInt8: [UInt8]] = [:]
        for (letter, drawing) in zip(order.utf8, drawings) {
            letters[letter] = drawing.split(separator: " ").map { row in
                row.utf8.reduce(0) { $0 << 1 | ($1 == UInt8(ascii: "#") ? 1 : 0) }
            }
        }
        return letters
    }()

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

/// A line of text, printed black.
struct TextLine: SceneItem {
    let left: Float
    let top: Float
    /// The size of one dot of the font.
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

    func light(over behind: SceneLight, x: Float, y: Float, pixel: Float) -> SceneLight {
        var ink: Float = 0
        for step in 0..<16 {
            let (dx, dy) = ((Float(step & 3) - 1.5) / 4, (Float(step >> 2) - 1.5) / 4)
            ink += hasInk(x + dx * pixel, y + dy * pixel) ? 1 / 16 : 0
        }
        return mix(behind, lit(0.02, 0.02, 0.022), ink)
    }

    private func hasInk(_ x: Float, _ y: Float) -> Bool {
        let column = Int(((x - left) / dot).rounded(.down))
        let row = Int(((y - top) / dot).rounded(.down))
        let place = column / PixelFont.advance
        guard column >= 0, place < letters.count else { return false }
        return PixelFont.hasInk(letters[place], column: column % PixelFont.advance, row: row)
    }
}
