internal import RawImage

/// The black and white levels of a raw picture, on the scale of its linear codes.
///
/// DNG allows a black level for each row, column, pattern position and plane, and a white level for each plane.
/// `FrameMetadata` has four black levels and one white level, so `equalize(row:_:)` removes further differences.
struct RawLevels: Sendable {
    /// The black levels of the 2×2 cell at the picture's top left; for a linear photo, of red, green, green, blue, or
    /// of its four colours. Those of X-Trans and quad mosaics are equal.
    private(set) var black: [Double]
    /// The common white level of all planes.
    let white: Double
    /// The factor for each plane that scales a floating-point sample, or one of more than 16 bits, to a 16-bit code;
    /// empty for other samples.
    let scales: [Double]

    /// The integer factor by which linear codes are scaled up towards 16 bits; 1 unless the levels were parsed with
    /// `isFine`.
    private let codeScale: Double
    private let image: DNGImage
    private let pattern: Pattern
    private let columnBlack: [Double]
    private let rowBlack: [Double]
    private let whites: [Double]

    /// The BlackLevel pattern, repeated from the active area's top left corner (BlackLevelRepeatDim).
    private struct Pattern: Sendable {
        let rows: Int
        let columns: Int
        let samples: Int
        var levels: [Double]

        func level(row: Int, column: Int, sample: Int) -> Double {
            // Indices count from the active area, so rows above it and columns left of it have negative ones.
            let (row, column) = ((row % rows + rows) % rows, (column % columns + columns) % columns)
            return levels[(row * columns + column) * samples + sample]
        }
    }

    /// Parses the levels. `isFine` scales linear codes up to 16 bits, so that OpcodeList2 does not posterize the
    /// shadows of a picture of few bits.
    init(_ directory: TIFFDirectory, _ image: DNGImage, isFine: Bool = false) throws(GscapError) {
        self.image = image
        let samples = image.samplesPerPixel
        let whiteLevels = try Self.whites(directory, image)
        if image.isFloatingPoint {
            scales = whiteLevels.map { 65_535 / $0 }
            whites = Array(repeating: 65_535, count: samples)
        } else if image.isWide {
            // One factor for all planes, and none for codes that fit into 16 bits.
            let most = whiteLevels.max() ?? 65_535
            let scale = min(1, 65_535 / most)
            scales = Array(repeating: scale, count: samples)
            whites = whiteLevels.map { $0 == most ? min($0, 65_535) : $0 * scale }
            guard !directory.has(.linearizationTable) else {
                throw GscapError(
                    .unsupported, "\(image.place) has samples of \(image.bitsPerSample) bits and LinearizationTable",
                    at: TIFFLocation(directory, .linearizationTable))
            }
        } else {
            scales = []
            whites = whiteLevels
        }
        let maximumCode =
            image.isFloatingPoint || directory.has(.linearizationTable)
            ? 65_535.0 : Double(1 << min(max(image.bitsPerSample, 1), 16) - 1)
        let most = max(maximumCode, whites.max() ?? 65_535)
        codeScale = isFine ? max(1, (65_535 / most).rounded(.down)) : 1
        white = (whites.max() ?? 65_535) * codeScale
        var pattern = try Self.pattern(directory, image)
        let deltaScale = image.isWide ? scales[0] : 1
        columnBlack = try Self.deltas(directory, .blackLevelDeltaH, count: image.activeArea.width)
            .map { $0 * deltaScale }
        rowBlack = try Self.deltas(directory, .blackLevelDeltaV, count: image.activeArea.height)
            .map { $0 * deltaScale }
        if image.isFloatingPoint {
            guard columnBlack.isEmpty, rowBlack.isEmpty else {
                throw GscapError(
                    .unsupported, "\(image.place) has floating-point samples and BlackLevelDelta tags",
                    at: TIFFLocation(directory, columnBlack.isEmpty ? .blackLevelDeltaV : .blackLevelDeltaH))
            }
        }
        if !scales.isEmpty {
            for index in pattern.levels.indices { pattern.levels[index] *= scales[index % samples] }
        }
        self.pattern = pattern
        black = []
        black = (0..<4).map { index in
            codeScale * (hasPlaneLevels ? meanBlack(plane: planes[index]) : meanBlack(cellIndex: index))
        }
    }

    private static func whites(_ directory: TIFFDirectory, _ image: DNGImage) throws(GscapError) -> [Double] {
        let samples = image.samplesPerPixel
        let values = directory.numbers(.whiteLevel)
        let usual =
            image.isFloatingPoint
            ? 1.0 : directory.has(.linearizationTable) ? 65_535 : Double(1 << min(max(image.bitsPerSample, 1), 32) - 1)
        let whites = values.count == samples ? values : Array(repeating: values.first ?? usual, count: samples)
        guard whites.allSatisfy({ $0.isFinite && $0 > 0 && $0 <= 1e10 }) else {
            throw GscapError(
                .malformed, "\(TIFFTag.whiteLevel) of \(image.place) holds invalid levels: \(values)",
                at: TIFFLocation(directory, .whiteLevel))
        }
        return whites
    }

    private static func pattern(_ directory: TIFFDirectory, _ image: DNGImage) throws(GscapError) -> Pattern {
        let samples = image.samplesPerPixel
        let levels = directory.numbers(.blackLevel)
        guard levels.allSatisfy({ $0.isFinite && abs($0) <= 1e9 }) else {
            throw GscapError(
                .malformed, "\(TIFFTag.blackLevel) of \(image.place) holds an invalid level",
                at: TIFFLocation(directory, .blackLevel))
        }
        let values = directory.integers(.blackLevelRepeatDim)
        let (rows, columns) = values.count == 2 ? (values[0], values[1]) : (1, 1)
        if levels.count <= 1 {
            return Pattern(
                rows: 1, columns: 1, samples: samples, levels: Array(repeating: levels.first ?? 0, count: samples))
        }
        guard (1...8).contains(rows), (1...8).contains(columns), levels.count == rows * columns * samples else {
            throw GscapError(
                .malformed, "\(TIFFTag.blackLevel) has \(levels.count) values, unlike BlackLevelRepeatDim",
                at: TIFFLocation(directory, .blackLevel))
        }
        return Pattern(rows: rows, columns: columns, samples: samples, levels: levels)
    }

    private static func deltas(_ directory: TIFFDirectory, _ tag: TIFFTag, count: Int) throws(GscapError) -> [Double] {
        guard directory.has(tag) else { return [] }
        let deltas = directory.numbers(tag)
        guard deltas.count == count, deltas.allSatisfy({ $0.isFinite && abs($0) <= 1e9 }) else {
            throw GscapError(
                .malformed, "\(tag) has \(deltas.count) values; \(count) numbers are needed",
                at: TIFFLocation(directory, tag))
        }
        return deltas.allSatisfy { $0 == 0 } ? [] : deltas
    }

    // MARK: Mean black levels

    private func meanBlack(cellIndex: Int) -> Double {
        let (row, column) = (cellIndex / 2 - image.activeArea.top, cellIndex % 2 - image.activeArea.left)
        var sum = 0.0
        // Stepping by 2 through twice the pattern's size visits each level at this cell position equally often.
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

    // MARK: Equalizing black and white levels

    /// Whether no pixel needs equalizing: all have the four black levels of `black` and the white level `white`.
    var isUniform: Bool {
        guard columnBlack.isEmpty, rowBlack.isEmpty, whites.allSatisfy({ $0 == white }) else { return false }
        if image.kind == .linear { return pattern.rows * pattern.columns == 1 }
        // The 2×2 cells of the four black levels do not divide a 6×6 pattern by its colours.
        if image.kind == .xTrans || image.kind == .longPattern || image.isQuad { return Set(pattern.levels).count == 1 }
        return pattern.rows <= 2 && pattern.columns <= 2
    }

    /// Returns the black level that a sample has after `equalize(row:_:)`: one of the four levels in `black`.
    func black(row: Int, column: Int, sample: Int) -> Double {
        guard image.kind == .linear else { return black[(row & 1) * 2 + column & 1] }
        return black[planes.firstIndex(of: sample) ?? 3]
    }

    /// Whether `black` has a level for each plane, not one for each position of a 2×2 cell.
    private var hasPlaneLevels: Bool {
        [.linear, .xTrans, .longPattern].contains(image.kind) || image.isQuad
    }

    /// The plane of each of the four levels in `black`, for linear pictures.
    private var planes: [Int] { image.samplesPerPixel == 4 ? [0, 1, 2, 3] : [0, 1, 1, 2] }

    /// Rescales the samples of a row, each from its own black and white level in the file to the common levels `black`
    /// and `white`.
    func equalize(row: Int, _ samples: UnsafeMutablePointer<UInt16>) {
        let area = image.activeArea
        let areaRow = row - area.top
        let rowDelta = rowBlack.indices.contains(areaRow) ? rowBlack[areaRow] : 0
        for column in 0..<image.width {
            let areaColumn = column - area.left
            let delta = rowDelta + (columnBlack.indices.contains(areaColumn) ? columnBlack[areaColumn] : 0)
            for sample in 0..<image.samplesPerPixel {
                let index = column * image.samplesPerPixel + sample
                let sampleBlack = pattern.level(row: areaRow, column: areaColumn, sample: sample) + delta
                let targetBlack = black(row: row, column: column, sample: sample)
                let scale = whites[sample] > sampleBlack ? (white - targetBlack) / (whites[sample] - sampleBlack) : 1
                let value = (Double(unsafe samples[index]) - sampleBlack) * scale + targetBlack
                // The comparison also maps NaN to 0.
                unsafe samples[index] = value > 0 ? UInt16(min(65_535, value).rounded()) : 0
            }
        }
    }
}
