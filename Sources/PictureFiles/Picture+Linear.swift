package import RawImage

extension Picture {
    /// Returns the picture in linear values, with 1 at diffuse white.
    ///
    /// Throws for HLG, whose display light depends on the display and on a pixel's other components.
    package func linear() throws(GscapError) -> Picture {
        if case .halves = samples, color.transfer == .linear { return self }
        guard color.transfer != .hlg else {
            throw GscapError(
                .unsupported, "the display light of HLG depends on the display; use PQ or a linear transfer")
        }
        let values: [Float16]
        switch samples {
        case .bytes(let bytes): values = Self.lookUp(bytes, in: linearValues(to: 255))
        case .words(let words): values = Self.lookUp(words, in: linearValues(to: 65_535))
        case .halves(let halves): values = halves.map { Float16(color.transfer.linearValue(Double($0))) }
        }
        return try GscapError.recoding(
            as: .badPicture,
            try Picture(
                width: width, height: height, color: PictureColor(color.primaries, .linear), samples: .halves(values)))
    }

    /// Returns the linear value (1 is diffuse white) of each code from 0 to `most`.
    private func linearValues(to most: Int) -> [Float16] {
        (0...most).map { Float16(color.transfer.linearValue(Double($0) / Double(most))) }
    }

    private static func lookUp<Code: BinaryInteger>(_ codes: [Code], in table: [Float16]) -> [Float16] {
        codes.map { table[Int($0)] }
    }
}
