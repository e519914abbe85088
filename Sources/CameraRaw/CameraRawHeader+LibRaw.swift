internal import CCameraRaw
internal import DNG
internal import RawImage

extension CameraRawHeader {
    /// Reads the description of an opened file. Throws unless it has one sample a pixel, of a Bayer or X-Trans mosaic,
    /// of four colours, or of a monochrome camera, or three linear samples a pixel.
    init(_ photo: CameraRawRecord) throws(GscapError) {
        colors = try CameraRawColors(photo)
        let values = photo.values
        (width, height) = (Int(values.width), Int(values.height))
        guard width > 1, height > 1 else {
            throw GscapError(
                .malformed,
                "the file is damaged: its raw picture has \(values.rawWidth)×\(values.rawHeight) pixels, of which none "
                    + "are visible")
        }
        let visible = PixelRectangle(left: 0, top: 0, width: width, height: height)
        crop = photo.insetCrop.flatMap { visible.holding($0, movedBy: (-Int(values.left), -Int(values.top))) }
        metadata = FrameMetadata()
        switch colors {
        case .bayer, .linear: metadata.readColor(photo)
        case .xTrans:
            cellBlackLevels = photo.blackLevels(side: 6)
            metadata.readColor(photo)
        case .four: fourColors = FourColorTags(photo)
        case .monochrome: metadata.isMonochrome = true
        }
        metadata.readLevels(photo, cell: cellBlackLevels)
        if colors == .linear { metadata.blackLevel = photo.planeBlackLevels }
        if Set(cellBlackLevels).count == 1 { cellBlackLevels = [] }
        metadata.readCamera(photo)
        metadata.readShot(photo)
        if let problem = metadata.problem { throw GscapError(.malformed, "the file is damaged: \(problem)") }
        let white = metadata.whiteLevel
        bitDepth = (8...16).first { white < Double(1 << $0) } ?? 16
        // As in LibRaw's own rendering, others are damage.
        let aspect = Double(values.pixelAspect)
        if aspect > 0.1, aspect < 10 { pixelAspect = aspect }
        serial = photo.text(\.serial)
        version = photo.version
    }
}

extension PixelRectangle {
    /// Returns the part of another rectangle, after a move by columns and rows, that is in this one; nil if that is at
    /// most half of either side, as for a crop of another picture.
    fileprivate func holding(_ other: PixelRectangle, movedBy distance: (columns: Int, rows: Int)) -> PixelRectangle? {
        let first = (x: max(left, other.left + distance.columns), y: max(top, other.top + distance.rows))
        let right = min(left + width, other.left + distance.columns + other.width)
        let bottom = min(top + height, other.top + distance.rows + other.height)
        let found = PixelRectangle(left: first.x, top: first.y, width: right - first.x, height: bottom - first.y)
        return 2 * found.width > width && 2 * found.height > height ? found : nil
    }
}

extension CameraRawRecord {
    /// The crop that the camera states, in the raw picture; nil if there is none.
    fileprivate var insetCrop: PixelRectangle? {
        let numbers = (numbers(\.crop) as [UInt32]).map(Int.init)
        // LibRaw marks missing numbers by 65535, or by sides of 0.
        guard numbers.allSatisfy({ $0 < 65_535 }), numbers[2] > 0, numbers[3] > 0 else { return nil }
        return PixelRectangle(left: numbers[0], top: numbers[1], width: numbers[2], height: numbers[3])
    }

    /// Returns the black levels of a square cell at the top left of the visible area, by rows.
    fileprivate func blackLevels(side: Int) -> [Double] {
        let byColor = (numbers(\.blackByColor) as [UInt32]).map(Double.init)
        let (common, cell) = (Double(values.black), blackCell.map(Double.init))
        let (rows, columns) = (Int(values.blackRows), Int(values.blackColumns))
        return (0..<side * side).map { position in
            let (row, column) = (position / side, position % side)
            // Without a mosaic, LibRaw returns a colour that no list has, and the levels are those of the first colour.
            let color = color(row: row, column: column)
            // The mean of the levels of a larger cell that fall on this position.
            let levels = cell.indices.filter { index in
                (rows < side ? row % rows == index / columns : index / columns % side == row)
                    && (columns < side ? column % columns == index % columns : index % columns % side == column)
            }.map { cell[$0] }
            let extra = levels.isEmpty ? 0 : levels.reduce(0, +) / Double(levels.count)
            return common + byColor[byColor.indices.contains(color) ? color : 0] + extra
        }
    }

    /// The black levels of a linear picture: of red, green, green and blue.
    fileprivate var planeBlackLevels: [Double] {
        let byColor = (numbers(\.blackByColor) as [UInt32]).map(Double.init)
        return [0, 1, 1, 2].map { Double(values.black) + byColor[$0] }
    }

    /// Returns the factors of a white balance in the order of the colours; nil unless those of the first `count`
    /// colours are valid.
    fileprivate func balance<Field>(_ field: KeyPath<GscapRawRecord, Field>, colors count: Int) -> [Double]? {
        var factors = (numbers(field) as [Float]).map(Double.init)
        // As in LibRaw's own rendering, green counts as 1 if it is missing.
        if factors[1] == 0 { factors[1] = 1 }
        guard factors[0..<count].allSatisfy({ $0.isFinite && $0 > 1e-5 && $0 < 1e9 }) else { return nil }
        return Array(factors[0..<count])
    }

    /// Returns the camera's response to neutral colours, at most 1, in the light that the camera or LibRaw states.
    fileprivate func neutral(colors count: Int) -> [Double] {
        let factors =
            balance(\.cameraBalance, colors: count) ?? balance(\.daylightBalance, colors: count)
            ?? Array(repeating: 1, count: count)
        let least = factors.min() ?? 1
        return factors.map { least / $0 }
    }

    /// Returns the rows of the matrix from CIE XYZ to the camera's colours in daylight.
    fileprivate func colorMatrix(colors count: Int) -> [Double] {
        (numbers(\.colorMatrix) as [Float]).prefix(3 * count).map {
            $0.isFinite ? (Double($0) * 1e6).rounded() / 1e6 : 0
        }
    }

    /// Returns the index of the colour of a pixel in the square at the top left of the visible area.
    fileprivate func color(row: Int, column: Int) -> Int {
        let square: [UInt8] = numbers(\.square)
        return Int(square[row * Int(GSCAP_RAW_SQUARE) + column])
    }

    /// The names of the colours by their indices.
    fileprivate var colorNames: String { text(\.colorNames) }
}

extension CameraRawColors {
    /// Reads the colours of a file's visible area. Throws if they have an arrangement that is not supported.
    fileprivate init(_ photo: CameraRawRecord) throws(GscapError) {
        let (count, isFoveon) = (photo.values.colors, photo.values.isFoveon != 0)
        let isLinear = count == 3 && photo.values.filters == 0 && !isFoveon
        guard isLinear == (photo.values.samples == 4) else {
            throw GscapError(
                .malformed,
                "the program gscap-libraw returned an invalid record: a pixel has \(photo.values.samples) samples")
        }
        if isLinear {
            self = .linear
            return
        }
        if count == 1, !isFoveon {
            self = .monochrome
            return
        }
        guard !isFoveon, let found = Self.mosaic(photo, colors: Int(count)) else {
            throw GscapError(
                .unsupported,
                "its raw picture is \(Self.kind(of: photo)), which gscap does not read from cameras' files; "
                    + "convert it with Adobe DNG Converter to a linear DNG of three colours")
        }
        self = found
    }

    /// Returns the colours of a mosaic; nil if its pattern is not supported.
    private static func mosaic(_ photo: CameraRawRecord, colors count: Int) -> CameraRawColors? {
        // DNG's numbers of LibRaw's letters. The emerald (E) of Sony's four colours is a cyan.
        let numbers: [Character: Int] = ["R": 0, "G": 1, "B": 2, "C": 3, "E": 3, "M": 4, "Y": 5]
        let names = photo.colorNames.map { numbers[$0] }
        // All pixels of the square are compared.
        let side = Int(GSCAP_RAW_SQUARE)
        let planes = (photo.numbers(\.square) as [UInt8]).map(Int.init)
        func plane(_ row: Int, _ column: Int) -> Int { planes[row * side + column] }
        func repeats(_ step: Int) -> Bool {
            planes.indices.allSatisfy { planes[$0] == plane($0 / side % step, $0 % side % step) }
        }
        let colors = planes.map { names.indices.contains($0) ? names[$0] ?? -1 : -1 }
        if count == 3, repeats(2) {
            let cell = [0, 1, side, side + 1].map { colors[$0] }
            return BayerPattern.allCases.first { $0.planes == cell }.map(CameraRawColors.bayer)
        }
        if count == 3, repeats(6) {
            return XTransPattern((0..<36).map { colors[$0 / 6 * side + $0 % 6] }).map(CameraRawColors.xTrans)
        }
        let (cell, known) = ([0, 1, side, side + 1].map { planes[$0] }, names.compactMap(\.self))
        guard count == 4, repeats(2), Set(cell) == [0, 1, 2, 3], Set(known).count == 4 else { return nil }
        return .four(planes: cell, colors: known)
    }

    /// Names a raw picture that is not supported.
    private static func kind(of photo: CameraRawRecord) -> String {
        let values = photo.values
        if values.isFoveon != 0 { return "that of a Foveon sensor" }
        if values.filters == 0 { return "linear, with other colours than red, green and blue" }
        return values.colors == 3
            ? "a mosaic whose pattern is neither a Bayer nor an X-Trans pattern"
            : "a mosaic of the colours \(photo.colorNames)"
    }
}

extension FourColorTags {
    /// Reads the white balance and the colour matrix.
    fileprivate init(_ photo: CameraRawRecord) {
        let values = photo.colorMatrix(colors: 4)
        let isKnown = values.contains { $0 != 0 } && values.allSatisfy { abs($0) < 1000 }
        self.init(colorMatrix: isKnown ? values : [], neutral: photo.neutral(colors: 4))
    }
}

extension FrameMetadata {
    /// Reads the black level of each position of the 2×2 cell, and the white level. Those of an X-Trans mosaic, which
    /// has the levels `cell`, are their mean.
    fileprivate mutating func readLevels(_ photo: CameraRawRecord, cell: [Double]) {
        let mean = cell.reduce(0, +) / Double(max(cell.count, 1))
        blackLevel = cell.isEmpty ? photo.blackLevels(side: 2) : Array(repeating: mean, count: 4)
        let maximum = Double(photo.values.maximum)
        // A level that the camera states is more exact than LibRaw's for the model, which may lie above the codes of
        // clipped highlights.
        let stated = (photo.numbers(\.statedMaximum) as [Int64]).prefix(3).map(Double.init).min() ?? 0
        let black = blackLevel.max() ?? 0
        whiteLevel = stated > black && stated <= maximum ? stated : maximum
    }

    /// Reads the white balance and the colour matrix of three colours.
    fileprivate mutating func readColor(_ photo: CameraRawRecord) {
        let light = photo.neutral(colors: 3)
        neutral = SIMD3(light[0], light[1], light[2])
        // The matrix is that of daylight (D65), as LibRaw's table and the DNG specification's ColorMatrix2 have it.
        let values = photo.colorMatrix(colors: 3)
        let matrix = Matrix3(values)
        guard let matrix, matrix.inverse != nil, values.allSatisfy({ abs($0) < 1000 }) else { return }
        calibrations = [ColorCalibration(illuminant: .d65, colorMatrix: matrix)]
    }

    /// Reads the camera, the lens and the orientation.
    fileprivate mutating func readCamera(_ photo: CameraRawRecord) {
        (make, model) = (photo.text(\.make), photo.text(\.model))
        (details.lensMake, details.lensModel) = (photo.text(\.lensMake), photo.text(\.lensModel))
        if details.lensModel.isEmpty { details.lensModel = photo.text(\.lensOfMakerNotes) }
        details.focalLengthIn35mm = Double(photo.values.focalLengthIn35mm)
        // LibRaw's flip is a sum of 1 (mirrored across), 2 (mirrored down) and 4 (rows and columns exchanged).
        let orientations = [1, 2, 4, 3, 5, 8, 6, 7]
        let flip = Int(photo.values.flip)
        orientation = orientations.indices.contains(flip) ? orientations[flip] : 1
    }

    /// Reads exposure, time, place and description.
    fileprivate mutating func readShot(_ photo: CameraRawRecord) {
        let values = photo.values
        exposureTime = Self.positive(values.exposureTime)
        iso = Self.positive(values.iso)
        details.fNumber = Self.positive(values.fNumber)
        details.focalLength = Self.positive(values.focalLength)
        (details.artist, details.title) = (photo.text(\.artist), photo.text(\.title))
        // LibRaw has all bits of Exif's Flash, of which bit 0 is whether it fired: 16 is "off, did not fire".
        if let flash = UInt16(exactly: values.flash), flash > 0 { flashFired = flash & 1 == 1 }
        // Times beyond the year 9999 are damage.
        if (1..<253_402_300_800).contains(values.time) {
            wallClock = values.time * 1_000_000
            timeZone = .unknown
        }
        readPlace(photo)
    }

    private mutating func readPlace(_ photo: CameraRawRecord) {
        let values = photo.values
        guard values.hasPlace != 0 else { return }
        func angle<Field>(_ parts: KeyPath<GscapRawRecord, Field>, isNegative: Bool) -> Double {
            let parts = (photo.numbers(parts) as [Float]).map(Double.init)
            let angle = parts[0] + parts[1] / 60 + parts[2] / 3600
            return isNegative ? -angle : angle
        }
        let latitude = angle(\.latitude, isNegative: values.latitudeSign == UInt8(ascii: "S"))
        let longitude = angle(\.longitude, isNegative: values.longitudeSign == UInt8(ascii: "W"))
        // GPSStatus is V if the receiver had no position; files without one have zeros, often without a status.
        let isKnown = latitude != 0 || longitude != 0 || values.gpsStatus == UInt8(ascii: "A")
        guard isKnown, values.gpsStatus != UInt8(ascii: "V") else { return }
        let altitude = Double(values.altitude)
        let isBelowSea = values.altitudeSign == 1
        details.location = Location(
            latitude: latitude, longitude: longitude,
            altitude: altitude.isFinite && altitude != 0 ? (isBelowSea ? -altitude : altitude) : nil)
    }

    /// Returns the decimal number that a Float stands for; 0 unless it is positive and finite.
    private static func positive(_ number: Float) -> Double {
        number.isFinite && number > 0 ? Double("\(number)") ?? Double(number) : 0
    }
}
