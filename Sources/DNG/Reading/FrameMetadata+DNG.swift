internal import Glibc
internal import PhotoMetadata
internal import RawImage

extension FrameMetadata {
    /// Decodes a file's metadata: from IFD0, Exif and GPS; levels and noise from the raw IFD; the matrices from the
    /// camera profile in the directory `profile`, which is IFD0 for the file's main profile.
    init(
        first: TIFFDirectory, profile: TIFFDirectory, raw: TIFFDirectory?, main: DNGImage?, lens: LensCorrection
    ) throws(GscapError) {
        self.init(bitDepth: main.map { min(max($0.bitsPerSample, 1), 16) } ?? 16)
        self.lens = lens
        let orientationValue = first.integer(.orientation) ?? 1
        orientation = (1...8).contains(orientationValue) ? orientationValue : 1
        switch main {
        // A monochrome camera has no colours to balance or to convert.
        case let main? where main.isMonochrome: isMonochrome = true
        // Without valid matrices, decoding the picture throws.
        case let main? where main.colors == 4:
            calibrations = (try? FourColorCamera(first).calibration).map { [$0] } ?? []
        default: readColor(first, profile)
        }
        readNoise(first)
        if let main, let raw {
            readNoise(raw)
            // The mean of four pixels has a quarter of their variance.
            if main.isQuad { noise = noise.map { NoiseProfile(shot: $0.shot / 4, read: $0.read / 4) } }
            try take(RawLevels(raw, main))
        }
        let exif = try first.integer(.exifIFD).map { offset throws(GscapError) in
            try first.container.directory(at: offset)
        }
        let gps = try first.integer(.gpsIFD).map { offset throws(GscapError) in
            try first.container.directory(at: offset)
        }
        readDescription(first, exif: exif, gps: gps)
        if let packet = first.text(.xmp).map(XMPReader.init) {
            readFusion(packet)
            details.readRating(packet)
        }
        if let main { readDigitalZoom(exif ?? first, main) }
    }

    /// Reads what the primary directory and those of Exif and GPS state about the camera, the photo and its place.
    package mutating func readDescription(_ first: TIFFDirectory, exif: TIFFDirectory?, gps: TIFFDirectory?) {
        make = first.text(.make) ?? make
        model = first.text(.model) ?? model
        details.artist = first.text(.artist) ?? details.artist
        details.copyright = first.text(.copyright) ?? details.copyright
        details.title = first.text(.imageDescription) ?? details.title
        details.rating = first.integer(.rating).flatMap { (1...5).contains($0) ? $0 : nil } ?? details.rating
        let zone = first.text(.offsetTime) ?? exif?.text(.offsetTime)
        readTime(first, .dateTime, subSeconds: .subSecTime, zone: zone)
        // Some encoders store Exif tags in IFD0.
        readExif(first)
        if let exif { readExif(exif) }
        if let gps { details.location = Location(gps: gps) }
    }

    /// Sets the black and white levels of a picture; throws if they are invalid.
    mutating func take(_ levels: RawLevels) throws(GscapError) {
        blackLevel = levels.black
        whiteLevel = levels.white
        if let problem {
            throw GscapError(
                .malformed, "the levels of the raw picture (BlackLevel, WhiteLevel) are invalid: \(problem)")
        }
    }

    /// Decodes the fusion report, the receipt, the source frame digests and the camera's geometry from the XMP packet.
    private mutating func readFusion(_ packet: XMPReader) {
        sensorDigests = XMPPacket.sensorDigests(in: packet)
        calibration = CameraCalibration(packet)
        isNoiseEstimated = XMPPacket.hasEstimatedNoise(packet)
        fusion = FusionReport(packet)
        history = FileHistory(packet)
        receipt = PhotoReceipt(packet)
        isStoredReference = receipt?.burst?.isReference ?? false
        fusedFrames = max(1, fusion?.usedFrames ?? sensorDigests.count)
    }

    // MARK: Colour tags

    /// The chromaticity of D55, which the Adobe DNG SDK takes as the white of a file that has none.
    private static let defaultWhite = [0.33242, 0.34743]

    private mutating func readColor(_ first: TIFFDirectory, _ profile: TIFFDirectory) {
        let matrices: [(color: TIFFTag, light: TIFFTag, forward: TIFFTag, calibration: TIFFTag)] = [
            (.colorMatrix1, .calibrationIlluminant1, .forwardMatrix1, .cameraCalibration1),
            (.colorMatrix2, .calibrationIlluminant2, .forwardMatrix2, .cameraCalibration2),
            (.colorMatrix3, .calibrationIlluminant3, .forwardMatrix3, .cameraCalibration3),
        ]
        let balance = first.numbers(.analogBalance)
        let isCalibrated = first.text(.cameraCalibrationSignature) == profile.text(.profileCalibrationSignature)
        calibrations = zip(matrices, [TIFFTag.illuminantData1, .illuminantData2, .illuminantData3]).compactMap {
            tags, data in
            let (color, light, forward, calibration) = tags
            guard let matrix = Matrix3(finite: profile.numbers(color)) else { return nil }
            // The individual camera's calibration (AnalogBalance · CameraCalibration), which is multiplied into the
            // colour matrix.
            var cameraCalibration = Matrix3.identity
            if isCalibrated, let own = Matrix3(finite: first.numbers(calibration)) { cameraCalibration = own }
            if balance.count == 3, balance.allSatisfy({ $0.isFinite && $0 > 0 }) {
                cameraCalibration = Matrix3(diagonal: SIMD3(balance[0], balance[1], balance[2])) * cameraCalibration
            }
            var result = ColorCalibration(
                illuminant: Illuminant(rawValue: UInt16(clamping: profile.integer(light) ?? 0)),
                colorMatrix: cameraCalibration * matrix, forwardMatrix: Matrix3(finite: profile.numbers(forward)),
                cameraCalibration: cameraCalibration)
            if result.illuminant == .other {
                result.lightColor = Chromaticity(
                    dng: profile.bytes(data), isBigEndian: profile.container.isBigEndian)
            }
            return result
        }
        let shot = first.numbers(.asShotNeutral)
        if shot.count == 3, shot.allSatisfy({ $0.isFinite && $0 > 0 }) {
            neutral = SIMD3(shot[0], shot[1], shot[2])
        } else if let white = neutral(whitePoint: first.numbers(.asShotWhiteXY)) {
            neutral = white
        } else if let white = neutral(whitePoint: Self.defaultWhite) {
            neutral = white
        }
        neutral /= neutral.max()
    }

    /// Returns the camera's response to a white of the given chromaticity (AsShotWhiteXY); nil if that is invalid or
    /// the camera has no calibrations.
    private func neutral(whitePoint: [Double]) -> SIMD3<Double>? {
        guard whitePoint.count == 2 else { return nil }
        let (x, y) = (whitePoint[0], whitePoint[1])
        guard x > 0, y > 0, x + y <= 1 else { return nil }
        let white = Chromaticity(x: x, y: y)
        guard let response = calibrations.mean(at: white).map({ $0.colorMatrix * white.color }) else { return nil }
        return (0..<3).allSatisfy({ response[$0].isFinite && response[$0] > 0 }) ? response : nil
    }

    private mutating func readNoise(_ directory: TIFFDirectory) {
        let numbers = directory.numbers(.noiseProfile)
        guard numbers.count == 2 || numbers.count == 6, numbers.allSatisfy(\.isFinite) else { return }
        noise = stride(from: 0, to: numbers.count, by: 2).map { NoiseProfile(shot: numbers[$0], read: numbers[$0 + 1]) }
    }

    // MARK: Exif tags

    private mutating func readExif(_ exif: TIFFDirectory) {
        func positive(_ tag: TIFFTag) -> Double? { exif.number(tag).flatMap { $0 > 0 ? $0 : nil } }
        // Returns ShutterSpeedValue or ApertureValue, which are APEX values (logarithms to base 2); nil if the file has
        // the tag `other`, which holds the plain value.
        func power(_ tag: TIFFTag, insteadOf other: TIFFTag) -> Double? {
            exif.has(other) ? nil : exif.number(tag).map { max(-40, min(40, $0)) }
        }
        exposureTime =
            positive(.exposureTime) ?? power(.shutterSpeedValue, insteadOf: .exposureTime).map { exp2(-$0) }
            ?? exposureTime
        details.fNumber =
            positive(.fNumber) ?? power(.apertureValue, insteadOf: .fNumber).map { exp2($0 / 2) } ?? details.fNumber
        // The 16-bit ISO tag is 65,535 for higher speeds, which the newer tags give exactly.
        let speed = positive(.isoSpeed)
        let newer = [.exifISOSpeed, .recommendedExposureIndex, .standardOutputSensitivity].lazy.compactMap(positive)
        iso = (speed.flatMap { $0 < 65_535 ? $0 : nil } ?? newer.first ?? speed) ?? iso
        exposureBias = exif.number(.exposureBias).flatMap { $0.isFinite ? $0 : nil } ?? exposureBias
        flashFired = exif.integer(.flash).map { $0 & 1 == 1 } ?? flashFired
        details.focalLength = positive(.focalLength) ?? details.focalLength
        details.focalLengthIn35mm = positive(.focalLengthIn35mm) ?? details.focalLengthIn35mm
        details.lensMake = exif.text(.lensMake) ?? details.lensMake
        details.lensModel = exif.text(.lensModel) ?? details.lensModel
        let zone = exif.text(.offsetTime)
        readTime(exif, .dateTimeDigitized, subSeconds: .subSecTime, zone: zone)
        readTime(
            exif, .dateTimeOriginal, subSeconds: .subSecTimeOriginal, zone: exif.text(.offsetTimeOriginal) ?? zone)
    }

    /// Reads the ratio of a digital zoom if the picture's crop shows it. In other files the pixels themselves are the
    /// part that the zoom shows.
    private mutating func readDigitalZoom(_ exif: TIFFDirectory, _ main: DNGImage) {
        guard let ratio = exif.number(.digitalZoomRatio), ratio > 1, ratio <= 100 else { return }
        // The sides of the crop are rounded to even numbers, and may be scaled afterwards.
        let deviation = Double(main.defaultCrop.width) * ratio - Double(main.activeArea.width)
        if abs(deviation) <= 4 * ratio { details.digitalZoomRatio = ratio }
    }

    private mutating func readTime(_ directory: TIFFDirectory, _ tag: TIFFTag, subSeconds: TIFFTag, zone: String?) {
        guard let date = directory.text(tag),
            let time = CivilTime(exif: date, subSeconds: directory.text(subSeconds), offset: zone)
        else { return }
        wallClock = time.microseconds
        timeZone = time.utcOffset.map { .offset($0) } ?? .unknown
    }
}

extension Location {
    /// The place in a GPS directory; nil without one, and for 0° N 0° E as the place of a receiver without a position.
    package init?(gps: TIFFDirectory) {
        func degrees(_ tag: TIFFTag, _ reference: TIFFTag, negative: String) -> Double? {
            let parts = gps.numbers(tag)
            guard parts.count == 3, parts.allSatisfy(\.isFinite) else { return nil }
            let angle = parts[0] + parts[1] / 60 + parts[2] / 3600
            return gps.text(reference)?.hasPrefix(negative) == true ? -angle : angle
        }
        guard let latitude = degrees(.gpsLatitude, .gpsLatitudeRef, negative: "S"),
            let longitude = degrees(.gpsLongitude, .gpsLongitudeRef, negative: "W"),
            latitude != 0 || longitude != 0 || gps.text(.gpsStatus) != "V"
        else { return nil }
        let isBelowSea = gps.integer(.gpsAltitudeRef) == 1
        self.init(
            latitude: latitude, longitude: longitude, altitude: gps.number(.gpsAltitude).map { isBelowSea ? -$0 : $0 })
    }
}

extension Matrix3 {
    /// Creates a matrix from nine values; nil unless all are finite.
    fileprivate init?(finite values: [Double]) {
        guard values.allSatisfy(\.isFinite) else { return nil }
        self.init(values)
    }
}
