internal import RawImage

/// What the tags of a file say, from the frame's metadata.
struct DNGTags {
    let writer: DNGWriter
    let metadata: FrameMetadata
    let digest: RawDigest
    private let time: CivilTime?

    init(writer: DNGWriter, metadata: FrameMetadata, digest: RawDigest) {
        self.writer = writer
        self.metadata = metadata
        self.digest = digest
        let moment = metadata.wallClock
        time =
            moment == 0
            ? nil
            : CivilTime(
                microseconds: moment, utcOffset: writer.utcOffset ?? CivilTime.localOffset(microseconds: moment))
    }

    // MARK: The preview, in IFD0

    func setPreview(_ output: TIFFOutput, _ preview: DNGPreview) throws(DNGError) {
        try output.set(.newSubFileType, integer: 1)
        try setShape(
            output, width: preview.width, height: preview.height, bits: 8, samples: 3, photometric: Photometric.rgb,
            rowsInStrip: preview.height)
        try output.set(.previewApplicationName, text: writer.software)
        try output.set(.previewApplicationVersion, text: writer.softwareVersion)
        // 2 is sRGB.
        try output.set(.previewColorSpace, [2])
        if let time { try output.set(.previewDateTime, text: time.iso8601) }
    }

    // MARK: What holds for the whole file, in IFD0

    func setShared(_ output: TIFFOutput) throws(DNGError) {
        try output.set(.dngVersion, [1, 4, 0, 0])
        try output.set(.dngBackwardVersion, [1, 1, 0, 0])
        try output.set(.uniqueCameraModel, text: uniqueCameraModel)
        if !metadata.make.isEmpty { try output.set(.make, text: metadata.make) }
        if !metadata.model.isEmpty { try output.set(.model, text: metadata.model) }
        try output.set(.software, text: "\(writer.software) \(writer.softwareVersion)")
        if let time { try output.set(.dateTime, text: time.exif) }
        try output.set(.orientation, integer: (1...8).contains(metadata.orientation) ? metadata.orientation : 1)
        try setColor(output)
        try output.set(.baselineExposure, [0])
        try output.set(.baselineNoise, [1])
        try output.set(.baselineSharpness, [1])
        try output.set(.linearResponseLimit, [1])
        try output.set(.newRawImageDigest, digest.bytes.map(Double.init))
        try output.set(.rawDataUniqueID, uniqueID.map(Double.init))
    }

    private func setColor(_ output: TIFFOutput) throws(DNGError) {
        let calibrations = metadata.calibrations.isEmpty ? [defaultCalibration] : metadata.calibrations
        try output.set(.colorMatrix1, calibrations[0].colorMatrix.values)
        try output.set(.calibrationIlluminant1, [Double(calibrations[0].illuminant.rawValue)])
        // A converter takes either no forward matrix or one for each light.
        let usesForward = calibrations.prefix(2).allSatisfy { $0.forwardMatrix != nil }
        if usesForward, let forward = calibrations[0].forwardMatrix {
            try output.set(.forwardMatrix1, forward.values)
        }
        if calibrations.count > 1 {
            try output.set(.colorMatrix2, calibrations[1].colorMatrix.values)
            try output.set(.calibrationIlluminant2, [Double(calibrations[1].illuminant.rawValue)])
            if usesForward, let forward = calibrations[1].forwardMatrix {
                try output.set(.forwardMatrix2, forward.values)
            }
        }
        try output.set(.analogBalance, [1, 1, 1])
        let neutral = metadata.neutral / metadata.neutral.max()
        try output.set(.asShotNeutral, [neutral.x, neutral.y, neutral.z])
    }

    /// For a camera that nobody measured: after white balance its colours count as those of sRGB in daylight.
    private var defaultCalibration: ColorCalibration {
        let toLinearSRGB = Matrix3(
            SIMD3(3.2406, -1.5372, -0.4986), SIMD3(-0.9689, 1.8758, 0.0415), SIMD3(0.0557, -0.2040, 1.0570))
        let neutral = metadata.neutral / metadata.neutral.max()
        return ColorCalibration(illuminant: .d65, colorMatrix: Matrix3(diagonal: neutral) * toLinearSRGB)
    }

    private var uniqueCameraModel: String {
        let (make, model) = (metadata.make, metadata.model)
        if make.isEmpty && model.isEmpty { return "\(writer.software) camera" }
        return make.isEmpty || model.hasPrefix(make) ? model : model.isEmpty ? make : "\(make) \(model)"
    }

    /// Differs between any two photos, even of equal pixels.
    private var uniqueID: [UInt8] {
        let story = "\(uniqueCameraModel)/\(metadata.wallClock)/\(metadata.sensorTimestamp)/\(metadata.frameNumber)"
        return MD5.digest(digest.bytes + Array(story.utf8))
    }

    // MARK: The raw picture

    func setRaw(_ output: TIFFOutput, _ picture: StoredPicture) throws(DNGError) {
        try output.set(.newSubFileType, integer: 0)
        try setShape(
            output, width: picture.width, height: picture.height, bits: 16, samples: picture.samples,
            photometric: picture.pattern == nil ? Photometric.linearRaw : Photometric.cfa,
            rowsInStrip: picture.rowsInStrip)
        if let pattern = picture.pattern {
            try output.set(.cfaRepeatPatternDim, [2, 2])
            try output.set(.cfaPattern, pattern.planes.map(Double.init))
            try output.set(.cfaPlaneColor, [0, 1, 2])
            try output.set(.cfaLayout, [1])
            try output.set(.bayerGreenSplit, [0])
        }
        try setLevels(output, picture)
        try output.set(.defaultScale, [1, 1])
        try output.set(.bestQualityScale, [1])
        let margin = picture.margin
        try output.set(.activeArea, [0, 0, Double(picture.height), Double(picture.width)])
        try output.set(.defaultCropOrigin, [Double(margin), Double(margin)])
        try output.set(.defaultCropSize, [Double(picture.width - 2 * margin), Double(picture.height - 2 * margin)])
        if metadata.hasUsableNoise {
            try output.set(.noiseProfile, metadata.noise.flatMap { [$0.shot, $0.read] })
        }
    }

    private func setLevels(_ output: TIFFOutput, _ picture: StoredPicture) throws(DNGError) {
        let black = metadata.blackLevel
        if picture.pattern == nil {
            // No BlackLevelRepeatDim: 1 by 1 is its default, and RawTherapee 5.9 misreads three levels beside it.
            try output.set(.blackLevel, [black[0], black[1], black[3]])
        } else {
            try output.set(.blackLevelRepeatDim, [2, 2])
            try output.set(.blackLevel, black)
        }
        try output.set(.whiteLevel, Array(repeating: metadata.whiteLevel, count: picture.samples))
    }

    private func setShape(
        _ output: TIFFOutput, width: Int, height: Int, bits: Int, samples: Int, photometric: UInt16, rowsInStrip: Int
    ) throws(DNGError) {
        try output.set(.imageWidth, integer: width)
        try output.set(.imageLength, integer: height)
        try output.set(.bitsPerSample, integer: bits)
        try output.set(.samplesPerPixel, integer: samples)
        try output.set(.compression, integer: 1)
        try output.set(.photometric, integer: Int(photometric))
        try output.set(.planarConfiguration, integer: 1)
        try output.set(.rowsPerStrip, integer: rowsInStrip)
    }

    // MARK: The Exif directory

    func setExif(_ output: TIFFOutput) throws(DNGError) {
        try output.set(.exifVersion, Array("0232".utf8).map(Double.init))
        if metadata.exposureTime.isFinite, metadata.exposureTime > 0 {
            try output.set(.exposureTime, [metadata.exposureTime])
        }
        if metadata.iso.isFinite, metadata.iso > 0 { try output.set(.isoSpeed, [metadata.iso]) }
        guard let time else { return }
        try output.set(.dateTimeOriginal, text: time.exif)
        try output.set(.subSecTimeOriginal, text: time.subSeconds)
        try output.set(.offsetTimeOriginal, text: time.offset)
    }
}

extension FrameMetadata {
    /// The rule these values break, in words; nil when a valid file can be made of them.
    var writingProblem: String? {
        if let problem { return problem }
        if blackLevel.contains(where: { $0 < 0 }) { return "a blackLevel in \(blackLevel) is below 0" }
        if !(1...65_535).contains(whiteLevel.rounded()) || whiteLevel.rounded() <= blackLevel.max() ?? 0 {
            return "whiteLevel \(whiteLevel) is not a 16-bit code above black"
        }
        if calibrations.count > 2 { return "there are \(calibrations.count) calibrations; a DNG file takes two" }
        for matrix in calibrations.flatMap({ [$0.colorMatrix, $0.forwardMatrix].compactMap(\.self) })
        where !matrix.values.allSatisfy({ abs($0) < 1000 }) {
            return "a colour matrix holds a value that is not below 1000: \(matrix.values)"
        }
        return nil
    }

    /// Whether the noise says something of each plane that a converter will take.
    var hasUsableNoise: Bool {
        (noise.count == 1 || noise.count == 3)
            && noise.allSatisfy { $0.shot.isFinite && $0.read.isFinite && $0.shot > 0 && $0.read >= 0 }
    }
}
