internal import RawImage

extension FrameMetadata {
    /// Reads what a file tells: of the frame in its first directory and in Exif, of levels and noise beside the pixels.
    init(_ input: TIFFInput, first: Int, main: DNGImage?) throws(DNGError) {
        self.init(bitDepth: main.map { min(max($0.bitsPerSample, 1), 16) } ?? 16)
        try input.select(first)
        readCamera(input)
        readColor(input)
        let exif = input.integers(.exifIFD).first
        readNoise(input)
        if let main {
            try input.select(main.offset)
            try readLevels(input, main)
            readNoise(input)
        }
        if let exif {
            try input.selectExif(exif)
            readExif(input)
        }
    }

    private mutating func readCamera(_ input: TIFFInput) {
        make = input.text(.make) ?? ""
        model = input.text(.model) ?? ""
        let turn = input.short(.orientation)
        orientation = (1...8).contains(turn) ? turn : 1
        readTime(input.text(.dateTime), subSeconds: nil, offset: nil)
    }

    private mutating func readColor(_ input: TIFFInput) {
        let matrices: [(TIFFTag, TIFFTag, TIFFTag)] = [
            (.colorMatrix1, .calibrationIlluminant1, .forwardMatrix1),
            (.colorMatrix2, .calibrationIlluminant2, .forwardMatrix2),
        ]
        calibrations = matrices.compactMap { color, light, forward in
            guard let matrix = Matrix3(finite: input.numbers(color)) else { return nil }
            return ColorCalibration(
                illuminant: Illuminant(rawValue: UInt16(clamping: input.integers(light).first ?? 0)),
                colorMatrix: matrix, forwardMatrix: Matrix3(finite: input.numbers(forward)))
        }
        let shot = input.numbers(.asShotNeutral)
        guard shot.count == 3, shot.allSatisfy({ $0.isFinite && $0 > 0 }) else { return }
        neutral = SIMD3(shot[0], shot[1], shot[2])
        neutral /= neutral.max()
    }

    private mutating func readLevels(_ input: TIFFInput, _ main: DNGImage) throws(DNGError) {
        if let white = input.numbers(.whiteLevel).first {
            whiteLevel = white
        } else if !input.numbers(.linearizationTable).isEmpty {
            whiteLevel = 65_535
        }
        let black = input.numbers(.blackLevel)
        if !black.isEmpty { blackLevel = try Self.places(black, repeated: input.integers(.blackLevelRepeatDim), main) }
        if let problem { throw DNGError(.malformed, "the levels of the raw picture make no sense: \(problem)") }
    }

    /// The black levels of the four places of the cell at the picture's own origin. For a linear photo the places
    /// are red, green, green, blue.
    private static func places(
        _ black: [Double], repeated: [Int], _ main: DNGImage
    ) throws(DNGError) -> [Double] {
        let size = repeated.count == 2 ? repeated : [1, 1]
        let (rows, columns, samples) = (size[0], size[1], main.samplesPerPixel)
        guard (1...8).contains(rows), (1...8).contains(columns), black.count == rows * columns * samples else {
            if black.count == 1 { return Array(repeating: black[0], count: 4) }
            throw DNGError(
                .malformed, "tag BlackLevel has \(black.count) values, which BlackLevelRepeatDim contradicts")
        }
        return (0..<4).map { place in
            // The pattern of levels starts at the active area's corner.
            let row = (place / 2 + main.activeArea.top) % rows
            let column = (place % 2 + main.activeArea.left) % columns
            return main.kind == .linear ? black[[0, 1, 1, 2][place]] : black[(row * columns + column) * samples]
        }
    }

    private mutating func readNoise(_ input: TIFFInput) {
        let numbers = input.numbers(.noiseProfile)
        guard numbers.count == 2 || numbers.count == 6, numbers.allSatisfy(\.isFinite) else { return }
        noise = stride(from: 0, to: numbers.count, by: 2).map { NoiseProfile(shot: numbers[$0], read: numbers[$0 + 1]) }
    }

    private mutating func readExif(_ input: TIFFInput) {
        let finite = { (value: Double?) in value.flatMap { $0.isFinite && $0 > 0 ? $0 : nil } ?? 0 }
        exposureTime = finite(input.numbers(.exposureTime).first)
        iso = finite(input.numbers(.isoSpeed).first)
        readTime(
            input.text(.dateTimeOriginal), subSeconds: input.text(.subSecTimeOriginal),
            offset: input.text(.offsetTimeOriginal))
    }

    private mutating func readTime(_ date: String?, subSeconds: String?, offset: String?) {
        guard let date, let time = CivilTime(exif: date, subSeconds: subSeconds, offset: offset) else { return }
        wallClock = time.microseconds
    }
}

extension Matrix3 {
    /// A matrix of nine finite values.
    fileprivate init?(finite values: [Double]) {
        guard values.allSatisfy(\.isFinite) else { return nil }
        self.init(values)
    }
}
