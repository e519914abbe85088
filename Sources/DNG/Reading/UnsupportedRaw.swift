/// The description of a raw picture that this reader does not decode, for error messages.
struct UnsupportedRaw {
    /// The kind of picture and the advice for the user, such as "a mosaic with Fujifilm's X-Trans pattern, …".
    let message: String

    /// Describes a directory's raw picture; nil if it is not raw, or one that is decoded.
    init?(_ directory: TIFFDirectory, _ image: DNGImage) {
        guard directory.integer(.newSubFileType) ?? 0 == 0, !image.isRaw else {
            return nil
        }
        let name: String? =
            switch image.photometric {
            case Photometric.cfa: Self.mosaic(directory, image)
            case Photometric.linearRaw: "linear with \(image.samplesPerPixel) samples a pixel"
            default: nil
            }
        guard let name else { return nil }
        message = "its raw picture is \(name), which gscap does not read; \(Self.advice)"
    }

    private static let advice =
        "develop it with darktable or RawTherapee, or make it a linear DNG of three colours with Adobe DNG Converter"

    /// Names the pattern of a colour filter array.
    private static func mosaic(_ directory: TIFFDirectory, _ image: DNGImage) -> String {
        if image.samplesPerPixel != 1 { return "a mosaic with \(image.samplesPerPixel) samples a pixel" }
        let sides = directory.integers(.cfaRepeatPatternDim)
        let colors = directory.integers(.cfaPattern)
        guard sides.count == 2, sides.allSatisfy({ (1...64).contains($0) }), colors.count == sides[0] * sides[1] else {
            return "a mosaic without a valid pattern (\(TIFFTag.cfaRepeatPatternDim) and \(TIFFTag.cfaPattern))"
        }
        let size = "\(sides[0])×\(sides[1])"
        let kinds = Set(colors)
        // CFAPattern's numbers: 0 red, 1 green, 2 blue, 3 cyan, 4 magenta, 5 yellow, 6 white.
        let names = ["red", "green", "blue", "cyan", "magenta", "yellow", "white"]
        let list = kinds.sorted().map { names.indices.contains($0) ? names[$0] : "colour \($0)" }
        let words = list.joined(separator: ", ")
        if kinds == [1, 3, 4, 5] { return "a CMYG mosaic: its \(size) pattern has \(words)" }
        if kinds.count > 3 { return "a mosaic of four colours: its \(size) pattern has \(words)" }
        if kinds != [0, 1, 2] { return "a mosaic of other colours than red, green and blue: its pattern has \(words)" }
        if sides == [6, 6] { return "a mosaic whose 6×6 pattern is not Fujifilm's X-Trans pattern" }
        if isQuad(colors, side: sides[1], rows: sides[0]) {
            return "a quad mosaic whose groups of 2×2 pixels do not begin with the picture"
        }
        return "a mosaic whose \(size) pattern is not a Bayer pattern"
    }

    /// Whether a 4×4 pattern is a Bayer pattern of 2×2 equal pixels each.
    private static func isQuad(_ colors: [Int], side: Int, rows: Int) -> Bool {
        guard side == 4, rows == 4 else { return false }
        return (0..<16).allSatisfy { (index: Int) -> Bool in
            // The top left pixel of the index's group of 2×2.
            let (row, column) = (index / 4, index % 4)
            return colors[index] == colors[(row - row % 2) * 4 + column - column % 2]
        }
    }

}

extension DNGFile {
    /// Returns the error for a file without a raw picture that this reader supports; names what it has instead.
    package var noRawPicture: GscapError {
        for image in images where !image.isMain {
            guard let directory = try? container.directory(at: image.offset),
                let raw = UnsupportedRaw(directory, image)
            else { continue }
            return GscapError(.unsupported, raw.message, at: TIFFLocation(directory, .photometric))
        }
        return GscapError(
            .noSuchImage,
            "the file has no raw picture: no Bayer, X-Trans or linear picture with \(TIFFTag.newSubFileType) 0")
    }
}
