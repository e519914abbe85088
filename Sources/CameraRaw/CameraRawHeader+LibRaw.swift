internal import PhotoMetadata
internal import RawImage

extension CameraRawHeader {
    private typealias Parts = LibRawLayout.Parts

    /// Reads the description of an opened file. Throws unless it has one sample a pixel, of a Bayer or X-Trans mosaic,
    /// of four colours, or of a monochrome camera.
    init(_ photo: LibRawPhoto) throws(CameraRawError) {
        colors = try CameraRawColors(photo)
        let (rows, columns) = (photo.side(Parts.rawHeight), photo.side(Parts.rawWidth))
        let (top, left) = (photo.side(Parts.topMargin), photo.side(Parts.leftMargin))
        height = min(photo.side(Parts.height), rows - top)
        width = min(photo.side(Parts.width), columns - left)
        guard width > 1, height > 1 else {
            throw CameraRawError(
                .malformed,
                "the file is damaged: its raw picture has \(columns)×\(rows) pixels, of which none are visible")
        }
        let visible = PixelRectangle(left: 0, top: 0, width: width, height: height)
        crop = photo.insetCrop.flatMap { visible.holding($0, movedBy: (-left, -top)) }
        metadata = FrameMetadata()
        switch colors {
        case .bayer: metadata.readColor(photo)
        case .xTrans:
            cellBlackLevels = photo.blackLevels(side: 6)
            metadata.readColor(photo)
        case .four: fourColors = CameraFourColors(photo)
        case .monochrome: metadata.isMonochrome = true
        }
        metadata.readLevels(photo, cell: cellBlackLevels)
        if Set(cellBlackLevels).count == 1 { cellBlackLevels = [] }
        metadata.readCamera(photo)
        metadata.readShot(photo)
        if let problem = metadata.problem { throw CameraRawError(.malformed, "the file is damaged: \(problem)") }
        let white = metadata.whiteLevel
        bitDepth = (8...16).first { white < Double(1 << $0) } ?? 16
        serial = photo.text(photo.layout.serial, size: 64)
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

extension LibRawPhoto {
    /// Returns a size or margin in pixels.
    fileprivate func side(_ offset: Int) -> Int { Int(value(offset, as: UInt16.self)) }

    /// The crop that the camera states, in the raw picture; nil if there is none.
    fileprivate var insetCrop: PixelRectangle? {
        let numbers = values(layout.insetCrop, count: 4, as: UInt16.self).map(Int.init)
        // LibRaw marks missing numbers by 65535, or by sides of 0.
        guard !numbers.contains(65_535), numbers[2] > 0, numbers[3] > 0 else { return nil }
        return PixelRectangle(left: numbers[0], top: numbers[1], width: numbers[2], height: numbers[3])
    }

    /// Returns the black levels of a square cell at the top left of the visible area, by rows.
    fileprivate func blackLevels(side: Int) -> [Double] {
        let common = Double(value(layout.black, as: UInt32.self))
        let byColor = values(layout.cblack, count: 4, as: UInt32.self).map(Double.init)
        // The fifth and sixth number are the height and width of a cell of black levels, which follow.
        let rows = Int(value(layout.cblack + 16, as: UInt32.self))
        let columns = Int(value(layout.cblack + 20, as: UInt32.self))
        let isCell = (1...64).contains(rows) && (1...64).contains(columns)
        let cell = isCell ? values(layout.cblack + 24, count: rows * columns, as: UInt32.self).map(Double.init) : []
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

    /// Returns the factors of a white balance in the order of the colours; nil unless those of the first `count`
    /// colours are valid.
    fileprivate func balance(_ offset: Int, colors count: Int) -> [Double]? {
        var factors = values(offset, count: 4, as: Float.self).map(Double.init)
        // As in LibRaw's own rendering, green counts as 1 if it is missing.
        if factors[1] == 0 { factors[1] = 1 }
        guard factors[0..<count].allSatisfy({ $0.isFinite && $0 > 1e-5 && $0 < 1e9 }) else { return nil }
        return Array(factors[0..<count])
    }

    /// Returns the camera's response to neutral colours, at most 1, in the light that the camera or LibRaw states.
    fileprivate func neutral(colors count: Int) -> [Double] {
        let factors =
            balance(layout.cameraBalance, colors: count) ?? balance(layout.daylightBalance, colors: count)
            ?? Array(repeating: 1, count: count)
        let least = factors.min() ?? 1
        return factors.map { least / $0 }
    }

    /// Returns the rows of the matrix from CIE XYZ to the camera's colours in daylight.
    fileprivate func colorMatrix(colors count: Int) -> [Double] {
        values(layout.colorMatrix, count: 3 * count, as: Float.self).map {
            $0.isFinite ? (Double($0) * 1e6).rounded() / 1e6 : 0
        }
    }

    /// Returns a number that is stored as Float; 0 unless it is positive and finite.
    fileprivate func positive(_ offset: Int) -> Double {
        let number = value(offset, as: Float.self)
        return number.isFinite && number > 0 ? Double("\(number)") ?? Double(number) : 0
    }
}

extension CameraRawColors {
    private typealias Parts = LibRawLayout.Parts

    /// Reads the colours of a file's visible area. Throws if they have an arrangement that is not supported.
    fileprivate init(_ photo: LibRawPhoto) throws(CameraRawError) {
        let start = photo.layout.parameters
        let count = photo.value(start + Parts.colors, as: Int32.self)
        let isFoveon = photo.value(start + Parts.isFoveon, as: UInt32.self) != 0
        if count == 1, !isFoveon {
            self = .monochrome
            return
        }
        guard !isFoveon, let found = Self.mosaic(photo, colors: Int(count)) else {
            throw CameraRawError(
                .unsupported,
                "its raw picture is \(Self.kind(of: photo)), which gscap does not read from cameras' files; "
                    + "convert it with Adobe DNG Converter to a linear DNG of three colours")
        }
        self = found
    }

    /// Returns the colours of a mosaic; nil if its pattern is not supported.
    private static func mosaic(_ photo: LibRawPhoto, colors count: Int) -> CameraRawColors? {
        // DNG's numbers of LibRaw's letters. The emerald (E) of Sony's four colours is a cyan.
        let numbers: [Character: Int] = ["R": 0, "G": 1, "B": 2, "C": 3, "E": 3, "M": 4, "Y": 5]
        let names = photo.text(photo.layout.parameters + Parts.colorNames, size: 5).map { numbers[$0] }
        // All pixels of a square are compared, since LibRaw's patterns are up to 16 pixels wide.
        let side = 18
        let planes = (0..<side * side).map { photo.color(row: $0 / side, column: $0 % side) }
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
    private static func kind(of photo: LibRawPhoto) -> String {
        let start = photo.layout.parameters
        let names = photo.text(start + Parts.colorNames, size: 5)
        let colors = photo.value(start + Parts.colors, as: Int32.self)
        if photo.value(start + Parts.isFoveon, as: UInt32.self) != 0 { return "that of a Foveon sensor" }
        if photo.value(start + Parts.filters, as: UInt32.self) == 0 { return "linear, without a mosaic, such as sRAW" }
        return colors == 3
            ? "a mosaic whose pattern is neither a Bayer nor an X-Trans pattern" : "a mosaic of the colours \(names)"
    }
}

extension CameraFourColors {
    /// Reads the white balance and the colour matrix.
    fileprivate init(_ photo: LibRawPhoto) {
        neutral = photo.neutral(colors: 4)
        let values = photo.colorMatrix(colors: 4)
        let isKnown = values.contains { $0 != 0 } && values.allSatisfy { abs($0) < 1000 }
        matrix = isKnown ? values : []
    }
}

extension FrameMetadata {
    private typealias Parts = LibRawLayout.Parts

    /// Reads the black level of each position of the 2×2 cell, and the white level. Those of an X-Trans mosaic, which
    /// has the levels `cell`, are their mean.
    fileprivate mutating func readLevels(_ photo: LibRawPhoto, cell: [Double]) {
        let mean = cell.reduce(0, +) / Double(max(cell.count, 1))
        blackLevel = cell.isEmpty ? photo.blackLevels(side: 2) : Array(repeating: mean, count: 4)
        let maximum = Double(photo.value(photo.layout.maximum, as: UInt32.self))
        // A level that the camera states is more exact than LibRaw's for the model, which may lie above the codes of
        // clipped highlights.
        let layout = photo.layout
        let levels = (0..<3).map { photo.value(layout.linearMaximum + $0 * layout.linearMaximumSize, as: UInt32.self) }
        let stated = levels.map(Double.init).min() ?? 0
        let black = blackLevel.max() ?? 0
        whiteLevel = stated > black && stated <= maximum ? stated : maximum
    }

    /// Reads the white balance and the colour matrix of three colours.
    fileprivate mutating func readColor(_ photo: LibRawPhoto) {
        let light = photo.neutral(colors: 3)
        neutral = SIMD3(light[0], light[1], light[2])
        // The matrix is that of daylight (D65), as LibRaw's table and the DNG specification's ColorMatrix2 have it.
        let values = photo.colorMatrix(colors: 3)
        let matrix = Matrix3(values)
        guard let matrix, matrix.inverse != nil, values.allSatisfy({ abs($0) < 1000 }) else { return }
        calibrations = [ColorCalibration(illuminant: .d65, colorMatrix: matrix)]
    }

    /// Reads the camera, the lens and the orientation.
    fileprivate mutating func readCamera(_ photo: LibRawPhoto) {
        let (camera, lens) = (photo.layout.parameters, photo.layout.lens)
        make = photo.text(camera + Parts.make, size: 64)
        model = photo.text(camera + Parts.model, size: 64)
        details.lensMake = photo.text(lens + Parts.lensMake, size: 128)
        details.lensModel = photo.text(lens + Parts.lensModel, size: 128)
        if details.lensModel.isEmpty { details.lensModel = photo.text(lens + Parts.lensOfMakerNotes, size: 128) }
        details.focalLengthIn35mm = Double(photo.value(lens + Parts.focalLengthIn35mm, as: UInt16.self))
        // LibRaw's flip is a sum of 1 (mirrored across), 2 (mirrored down) and 4 (rows and columns exchanged).
        let orientations = [1, 2, 4, 3, 5, 8, 6, 7]
        let flip = Int(photo.value(Parts.flip, as: Int32.self))
        orientation = orientations.indices.contains(flip) ? orientations[flip] : 1
    }

    /// Reads exposure, time, place and description.
    fileprivate mutating func readShot(_ photo: LibRawPhoto) {
        let other = photo.layout.other
        exposureTime = photo.positive(other + Parts.exposureTime)
        iso = photo.positive(other + Parts.iso)
        details.fNumber = photo.positive(other + Parts.fNumber)
        details.focalLength = photo.positive(other + Parts.focalLength)
        details.artist = photo.text(other + Parts.artist, size: 64)
        details.title = photo.text(other + Parts.title, size: 512)
        let flash = photo.value(photo.layout.flash, as: Float.self)
        // LibRaw has all bits of Exif's Flash, of which bit 0 is whether it fired: 16 is "off, did not fire".
        if (1..<65_536).contains(flash) { flashFired = Int(flash) & 1 == 1 }
        let time = photo.value(other + Parts.time, as: Int64.self)
        // Times beyond the year 9999 are damage.
        if (1..<253_402_300_800).contains(time) {
            // LibRaw takes the camera's clock for one in this machine's time zone.
            let moment = time * 1_000_000
            wallClock = moment + Int64(CivilTime.localOffset(microseconds: moment)) * 1_000_000
            timeZone = .unknown
        }
        readPlace(photo, other + Parts.gps)
    }

    private mutating func readPlace(_ photo: LibRawPhoto, _ gps: Int) {
        guard photo.value(gps + Parts.hasPlace, as: UInt8.self) != 0 else { return }
        func angle(_ offset: Int, sign: Int, negative: Unicode.Scalar) -> Double {
            let parts = photo.values(gps + offset, count: 3, as: Float.self).map(Double.init)
            let angle = parts[0] + parts[1] / 60 + parts[2] / 3600
            return photo.value(gps + sign, as: UInt8.self) == UInt8(ascii: negative) ? -angle : angle
        }
        let altitude = Double(photo.value(gps + Parts.altitude, as: Float.self))
        let isBelowSea = photo.value(gps + Parts.altitudeSign, as: UInt8.self) == 1
        details.location = Location(
            latitude: angle(0, sign: Parts.latitudeSign, negative: "S"),
            longitude: angle(Parts.longitude, sign: Parts.longitudeSign, negative: "W"),
            altitude: altitude.isFinite && altitude != 0 ? (isBelowSea ? -altitude : altitude) : nil)
    }
}
