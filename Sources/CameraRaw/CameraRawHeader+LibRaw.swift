internal import PhotoMetadata
internal import RawImage

extension CameraRawHeader {
    private typealias Parts = LibRawLayout.Parts

    /// Reads the description of an opened file. Throws if its mosaic is not a Bayer mosaic.
    init(_ photo: LibRawPhoto) throws(CameraRawError) {
        let pattern = try BayerPattern(photo)
        let (rows, columns) = (photo.side(Parts.rawHeight), photo.side(Parts.rawWidth))
        let height = min(photo.side(Parts.height), rows - photo.side(Parts.topMargin))
        let width = min(photo.side(Parts.width), columns - photo.side(Parts.leftMargin))
        guard width > 1, height > 1 else {
            throw CameraRawError(
                .malformed,
                "the file is damaged: its raw picture has \(columns)×\(rows) pixels, of which none are visible")
        }
        var metadata = FrameMetadata()
        metadata.readLevels(photo)
        metadata.readColor(photo)
        metadata.readCamera(photo)
        metadata.readShot(photo)
        if let problem = metadata.problem { throw CameraRawError(.malformed, "the file is damaged: \(problem)") }
        let bits = (8...16).first { metadata.whiteLevel < Double(1 << $0) } ?? 16
        format = MosaicFormat(width: width, height: height, pattern: pattern, bitDepth: bits)
        self.metadata = metadata
        serial = photo.text(photo.layout.serial, size: 64)
        version = photo.version
    }
}

extension LibRawPhoto {
    /// Returns a size or margin in pixels.
    fileprivate func side(_ offset: Int) -> Int { Int(value(offset, as: UInt16.self)) }

    /// Returns a number that is stored as Float; 0 unless it is positive and finite.
    fileprivate func positive(_ offset: Int) -> Double {
        let number = value(offset, as: Float.self)
        return number.isFinite && number > 0 ? Double("\(number)") ?? Double(number) : 0
    }
}

extension BayerPattern {
    private typealias Parts = LibRawLayout.Parts

    /// Reads the pattern of a file's visible area. Throws if it is not a Bayer pattern.
    fileprivate init(_ photo: LibRawPhoto) throws(CameraRawError) {
        let names = Array(photo.text(photo.layout.parameters + Parts.colorNames, size: 5))
        // All pixels of a square are compared, since LibRaw's patterns are up to 16 pixels wide.
        let side = 16
        let colors = (0..<side * side).map { photo.color(row: $0 / side, column: $0 % side) }
        let planes = colors.map { color -> Int? in
            guard names.indices.contains(color) else { return nil }
            return switch names[color] {
            case "R": 0
            case "G": 1
            case "B": 2
            default: nil
            }
        }
        let found = BayerPattern.allCases.first { pattern in
            planes.indices.allSatisfy { pattern.plane(row: $0 / side, column: $0 % side) == planes[$0] }
        }
        guard let found, photo.value(photo.layout.parameters + Parts.colors, as: Int32.self) == 3 else {
            throw CameraRawError(
                .unsupported,
                "its raw picture is \(Self.kind(of: photo)), which gscap does not read from cameras' files; "
                    + "convert it with Adobe DNG Converter to a linear DNG of three colours")
        }
        self = found
    }

    /// Names a raw picture that is not a Bayer mosaic.
    private static func kind(of photo: LibRawPhoto) -> String {
        let start = photo.layout.parameters
        let names = photo.text(start + Parts.colorNames, size: 5)
        let colors = photo.value(start + Parts.colors, as: Int32.self)
        if photo.value(start + Parts.isFoveon, as: UInt32.self) != 0 { return "that of a Foveon sensor" }
        return switch photo.value(start + Parts.filters, as: UInt32.self) {
        case 0: colors == 1 ? "monochrome" : "linear, without a mosaic, such as sRAW"
        case 9: "a mosaic with Fujifilm's X-Trans pattern of 6×6"
        default: colors == 3 ? "a mosaic whose pattern is not a Bayer pattern" : "a mosaic of the colours \(names)"
        }
    }
}

extension FrameMetadata {
    private typealias Parts = LibRawLayout.Parts

    /// Reads the black level of each position of the 2×2 cell, and the white level.
    fileprivate mutating func readLevels(_ photo: LibRawPhoto) {
        let layout = photo.layout
        let common = Double(photo.value(layout.black, as: UInt32.self))
        let byColor = photo.values(layout.cblack, count: 4, as: UInt32.self).map(Double.init)
        // The fifth and sixth number are the height and width of a cell of black levels, which follow.
        let rows = Int(photo.value(layout.cblack + 16, as: UInt32.self))
        let columns = Int(photo.value(layout.cblack + 20, as: UInt32.self))
        let isCell = rows > 0 && columns > 0 && rows <= 64 && columns <= 64
        let cell =
            isCell ? photo.values(layout.cblack + 24, count: rows * columns, as: UInt32.self).map(Double.init) : []
        blackLevel = (0..<4).map { position in
            let (row, column) = (position / 2, position % 2)
            let color = photo.color(row: row, column: column)
            // The mean of the levels of a larger cell that fall on this position of the 2×2 cell.
            let levels = cell.indices.filter { index in
                (rows < 2 || index / columns % 2 == row) && (columns < 2 || index % columns % 2 == column)
            }.map { cell[$0] }
            let extra = levels.isEmpty ? 0 : levels.reduce(0, +) / Double(levels.count)
            return common + (byColor.indices.contains(color) ? byColor[color] : 0) + extra
        }
        let maximum = Double(photo.value(layout.maximum, as: UInt32.self))
        // A level that the camera states is more exact than LibRaw's for the model, which may lie above the codes of
        // clipped highlights.
        let stated = photo.values(layout.linearMaximum, count: 3, as: UInt32.self).map(Double.init).min() ?? 0
        let black = blackLevel.max() ?? 0
        whiteLevel = stated > black && stated <= maximum ? stated : maximum
    }

    /// Reads the white balance and the colour matrix.
    fileprivate mutating func readColor(_ photo: LibRawPhoto) {
        let layout = photo.layout
        func balance(_ offset: Int) -> SIMD3<Double>? {
            var factors = photo.values(offset, count: 4, as: Float.self).map(Double.init)
            // As in LibRaw's own rendering, green counts as 1 if it is missing.
            if factors[1] == 0 { factors[1] = 1 }
            guard factors[0..<3].allSatisfy({ $0.isFinite && $0 > 1e-5 && $0 < 1e9 }) else { return nil }
            return 1 / SIMD3(factors[0], factors[1], factors[2])
        }
        let light = balance(layout.cameraBalance) ?? balance(layout.daylightBalance) ?? SIMD3(repeating: 1)
        neutral = light / light.max()
        // The matrix is that of daylight (D65), as LibRaw's table and the DNG specification's ColorMatrix2 have it.
        let values = photo.values(layout.colorMatrix, count: 9, as: Float.self).map {
            $0.isFinite ? (Double($0) * 1e6).rounded() / 1e6 : 0
        }
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
        if flash > 0 { flashFired = true }
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
