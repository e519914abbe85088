package import RawImage

extension Picture {
    /// The light that the numbers stand for, with 1 for the white of paper.
    ///
    /// HLG is not undone: its light depends on the screen, and on a pixel's other colours.
    package func linear() throws(PictureFileError) -> Picture {
        if case .halves = samples, color.transfer == .linear { return self }
        guard color.transfer != .hlg else {
            throw PictureFileError(.unsupported, "the light of HLG depends on the screen; give PQ or linear light")
        }
        let values: [Float16]
        switch samples {
        case .bytes(let bytes): values = Self.looked(up: bytes, in: light(of: 255))
        case .words(let words): values = Self.looked(up: words, in: light(of: 65_535))
        case .halves(let halves): values = halves.map { Float16(color.transfer.light(Double($0))) }
        }
        do {
            return try Picture(
                width: width, height: height, color: PictureColor(color.primaries, .linear), samples: .halves(values))
        } catch {
            throw PictureFileError(.badPicture, error.message)
        }
    }

    /// The light of each code.
    private func light(of most: Int) -> [Float16] {
        (0...most).map { Float16(color.transfer.light(Double($0) / Double(most))) }
    }

    private static func looked<Code: BinaryInteger>(up codes: [Code], in table: [Float16]) -> [Float16] {
        codes.map { table[Int($0)] }
    }
}
