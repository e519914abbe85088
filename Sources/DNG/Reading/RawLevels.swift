internal import RawImage

/// Black and white of a raw picture, on the scale of its linear codes.
///
/// A file may give each row, column, place of a pattern and plane a level of its own. The rest of the system knows four blacks
/// and one white, so what differs beyond that is evened out when pixels are read.
struct RawLevels: Sendable {
    /// The black of the four places of the cell at the picture's origin; for a linear photo of red, green, green and blue.
    private(set) var black: [Double]
    /// The white of all planes.
    let white: Double
    /// What a floating-point sample of each plane is multiplied by to become a code.
    let floatScales: [Float]

    /// What linear codes are a multiple of stored ones by.
    private let fineness: Double
    private let image: DNGImage
    private let pattern: Pattern
    private let columnBlack: [Double]
    private let rowBlack: [Double]
    private let whites: [Double]

    /// Black levels that repeat.
    private struct Pattern: Sendable {
        let rows: Int
        let columns: Int
        let samples: Int
        var levels: [Double]

        func level(row: Int, column: Int, sample: Int) -> Double {
            // Rows and columns above or left of the active area have negative numbers.
            let (row, column) = ((row % rows + rows) % rows, (column % columns + columns) % columns)
            return levels[(row * columns + column) * samples + sample]
        }
    }

    /// With `isFine`, linear codes fill 16 bits: steps are to be done on them that bend light, and codes of 8 bits would leave
    /// shadows in stairs.
    init(_ directory: TIFFDirectory, _ image: DNGImage, isFine: Bool = false) throws(DNGError) {
        self.image = image
        let samples = image.samplesPerPixel
        let stated = try Self.whites(directory, image)
        if image.isFloatingPoint {
            floatScales = stated.map { Float(65_535 / $0) }
            whites = Array(repeating: 65_535, count: samples)
        } else {
            floatScales = []
            whites = stated
        }
        let mostStored =
            image.isFloatingPoint || directory.has(.linearizationTable)
            ? 65_535.0 : Double(1 << min(max(image.bitsPerSample, 1), 16) - 1)
        let most = max(mostStored, whites.max() ?? 65_535)
        fineness = isFine ? max(1, (65_535 / most).rounded(.down)) : 1
        white = (whites.max() ?? 65_535) * fineness
        var pattern = try Self.pattern(directory, image)
        columnBlack = try Self.deltas(directory, .blackLevelDeltaH, count: image.activeArea.width)
        rowBlack = try Self.deltas(directory, .blackLevelDeltaV, count: image.activeArea.height)
        if image.isFloatingPoint {
            guard columnBlack.isEmpty, rowBlack.isEmpty else {
                throw DNGError(.unsupported, "\(image.place) has floating-point samples and BlackLevelDelta tags")
            }
            for index in pattern.levels.indices { pattern.levels[index] *= Double(floatScales[index % samples]) }
        }
        self.pattern = pattern
        black = []
        black = (0..<4).map { place in
            fineness * (image.kind == .linear ? meanBlack(plane: [0, 1, 1, 2][place]) : meanBlack(place: place))
        }
    }

    private static func whites(_ directory: TIFFDirectory, _ image: DNGImage) throws(DNGError) -> [Double] {
        let samples = image.samplesPerPixel
        let given = directory.numbers(.whiteLevel)
        let usual =
            image.isFloatingPoint
            ? 1.0 : directory.has(.linearizationTable) ? 65_535 : Double(1 << min(max(image.bitsPerSample, 1), 16) - 1)
        let whites = given.count == samples ? given : Array(repeating: given.first ?? usual, count: samples)
        guard whites.allSatisfy({ $0.isFinite && $0 > 0 && $0 <= 1e9 }) else {
            throw DNGError(.malformed, "\(TIFFTag.whiteLevel) of \(image.place) holds \(given), no usable level")
        }
        return whites
    }

    private static func pattern(_ directory: TIFFDirectory, _ image: DNGImage) throws(DNGError) -> Pattern {
        let samples = image.samplesPerPixel
        let levels = directory.numbers(.blackLevel)
        guard levels.allSatisfy({ $0.isFinite && abs($0) <= 1e9 }) else {
            throw DNGError(.malformed, "\(TIFFTag.blackLevel) of \(image.place) holds what is no usable level")
        }
        let given = directory.integers(.blackLevelRepeatDim)
        let (rows, columns) = given.count == 2 ? (given[0], given[1]) : (1, 1)
        if levels.count <= 1 {
            return Pattern(
                rows: 1, columns: 1, samples: samples, levels: Array(repeating: levels.first ?? 0, count: samples))
        }
        guard (1...8).contains(rows), (1...8).contains(columns), levels.count == rows * columns * samples else {
            throw DNGError(
                .malformed, "\(TIFFTag.blackLevel) has \(levels.count) values, which BlackLevelRepeatDim contradicts")
        }
        return Pattern(rows: rows, columns: columns, samples: samples, levels: levels)
    }

    private static func deltas(_ directory: TIFFDirectory, _ tag: TIFFTag, count: Int) throws(DNGError) -> [Double] {
        guard directory.has(tag) else { return [] }
        let deltas = directory.numbers(tag)
        guard deltas.count == count, deltas.allSatisfy({ $0.isFinite && abs($0) <= 1e9 }) else {
            throw DNGError(.malformed, "\(tag) has \(deltas.count) values; \(count) numbers are needed")
        }
        return deltas.allSatisfy { $0 == 0 } ? [] : deltas
    }

    // MARK: The mean levels

    private func meanBlack(place: Int) -> Double {
        let (row, column) = (place / 2 - image.activeArea.top, place % 2 - image.activeArea.left)
        var sum = 0.0
        // Twice the pattern's size holds every level that falls on this place equally often.
        for down in 0..<pattern.rows {
            for across in 0..<pattern.columns {
                sum += pattern.level(row: row + 2 * down, column: column + 2 * across, sample: 0)
            }
        }
        return sum / Double(pattern.rows * pattern.columns) + Self.mean(rowBlack, parity: row & 1)
            + Self.mean(columnBlack, parity: column & 1)
    }

    private func meanBlack(plane: Int) -> Double {
        let levels = stride(from: min(plane, pattern.samples - 1), to: pattern.levels.count, by: pattern.samples).map {
            pattern.levels[$0]
        }
        let mean = { (values: [Double]) in values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count) }
        return mean(levels) + mean(rowBlack) + mean(columnBlack)
    }

    private static func mean(_ values: [Double], parity: Int) -> Double {
        let counted = stride(from: parity, to: values.count, by: 2).map { values[$0] }
        return counted.isEmpty ? 0 : counted.reduce(0, +) / Double(counted.count)
    }

    // MARK: Evening out

    /// Whether all pixels keep to the four blacks and the one white.
    var isEven: Bool {
        guard columnBlack.isEmpty, rowBlack.isEmpty, whites.allSatisfy({ $0 == white }) else { return false }
        if image.kind == .linear { return pattern.rows * pattern.columns == 1 }
        return pattern.rows <= 2 && pattern.columns <= 2
    }

    /// The black of a sample once all is even.
    func black(row: Int, column: Int, sample: Int) -> Double {
        image.kind == .linear ? black[[0, 1, 3][min(sample, 2)]] : black[(row & 1) * 2 + column & 1]
    }

    /// Moves the black of each sample of a row to that of its place, and the white of its plane to that of all.
    func even(row: Int, _ samples: UnsafeMutablePointer<UInt16>) {
        let area = image.activeArea
        let inRow = row - area.top
        let rowDelta = rowBlack.indices.contains(inRow) ? rowBlack[inRow] : 0
        for column in 0..<image.width {
            let inColumn = column - area.left
            let delta = rowDelta + (columnBlack.indices.contains(inColumn) ? columnBlack[inColumn] : 0)
            for sample in 0..<image.samplesPerPixel {
                let index = column * image.samplesPerPixel + sample
                let own = pattern.level(row: inRow, column: inColumn, sample: sample) + delta
                let wanted = black(row: row, column: column, sample: sample)
                let scale = whites[sample] > own ? (white - wanted) / (whites[sample] - own) : 1
                let value = (Double(unsafe samples[index]) - own) * scale + wanted
                // Also what is no number becomes 0.
                unsafe samples[index] = value > 0 ? UInt16(min(65_535, value).rounded()) : 0
            }
        }
    }
}
