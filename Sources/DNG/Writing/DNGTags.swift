internal import PhotoMetadata
internal import RawImage

/// The mapping of metadata and encoder settings to a file's tags.
struct DNGTags {
    let metadata: FrameMetadata
    private let storage: PixelStorage
    private let recipe: Recipe
    private let software: String
    private let softwareVersion: String
    /// The XMP packet; nil generates one from the metadata.
    private let xmp: String?
    private let depthMap: DepthMap?
    private let hasMattes: Bool
    /// The number of pictures in the file.
    let pictures: Int
    /// Whether a mosaic's planes are stored one after another (ColumnInterleaveFactor).
    private let isInterleaved: Bool
    private let raw: RawTags
    private let time: CivilTime?

    /// Creates the tags for an encoder's settings. `utcOffset` is in seconds east; nil uses this machine's time zone.
    init(
        metadata: FrameMetadata, storage: PixelStorage, recipe: Recipe, software: String, softwareVersion: String,
        xmp: String?, utcOffset: Int?, depthMap: DepthMap?, hasMattes: Bool, pictures: Int, isInterleaved: Bool,
        raw: RawTags
    ) {
        self.metadata = metadata
        self.storage = storage
        self.recipe = recipe
        self.software = software
        self.softwareVersion = softwareVersion
        self.xmp = xmp
        self.depthMap = depthMap
        self.hasMattes = hasMattes
        self.pictures = pictures
        self.isInterleaved = isInterleaved
        self.raw = raw
        var dated = metadata
        if let utcOffset { dated.timeZone = .offset(utcOffset) }
        time = dated.civilTime
    }

    // MARK: Tags of previews

    func setPreview(_ output: TIFFOutput, _ preview: DNGPreview) throws(GscapError) {
        try output.set(.newSubFileType, integer: 1)
        try setShape(
            output, width: preview.width, height: preview.height, bits: 8, samples: 3,
            photometric: Photometric.yCbCr, compression: .jpeg)
        try output.set(.rowsPerStrip, integer: preview.height)
        if let sampling = preview.chromaSampling {
            try output.set(.yCbCrSubSampling, pair: sampling.across, sampling.down)
        }
        // The preview's JPEG contains its tables, so the tag JPEGTables, which libtiff sets, is removed.
        output.unset(.jpegTables)
        try output.set(.previewApplicationName, text: software)
        try output.set(.previewApplicationVersion, text: softwareVersion)
        // PreviewColorSpace 2 is sRGB.
        try output.set(.previewColorSpace, [2])
        if let time { try output.set(.previewDateTime, text: time.iso8601) }
    }

    // MARK: Tags of the whole file, in IFD0

    func setShared(_ output: TIFFOutput) throws(GscapError) {
        try setVersions(output)
        try output.set(.uniqueCameraModel, text: uniqueCameraModel)
        if !metadata.make.isEmpty { try output.set(.make, text: metadata.make) }
        if !metadata.model.isEmpty { try output.set(.model, text: metadata.model) }
        try output.set(.software, text: "\(software) \(softwareVersion)")
        if let time { try output.set(.dateTime, text: time.exif) }
        try output.set(.orientation, integer: (1...8).contains(metadata.orientation) ? metadata.orientation : 1)
        if raw.fourColors != nil {
            try setFourColors(output)
        } else if !raw.isMonochrome {
            try setColor(output)
        }
        try setLook(output)
        try setDescriptions(output)
        if let depthMap { try setDistances(output, depthMap) }
        try output.set(.linearResponseLimit, [1])
        // Zeros of the final length, which `TIFFOutput.finish` replaces, because digests are known only after encoding.
        if storage.hasDigest {
            try output.set(.newRawImageDigest, [Double](repeating: 0, count: 16))
        }
        try output.set(.rawDataUniqueID, [Double](repeating: 0, count: 16))
    }

    /// Returns the final values of RawDataUniqueID and, unless `digest` is nil (lossy JPEG and JPEG XL),
    /// NewRawImageDigest, which are known only after encoding.
    func identity(_ digest: RawDigest?) -> [(tag: TIFFTag, bytes: [UInt8])] {
        let key = "\(uniqueCameraModel)/\(metadata.wallClock)/\(metadata.sensorTimestamp)/\(metadata.frameNumber)"
        // A hash over camera, time and frame number, too, so that photos with equal pixels have different identifiers.
        let identifier = MD5.digest((digest?.bytes ?? []) + Array(key.utf8))
        return [(.rawDataUniqueID, identifier)] + (digest.map { [(.newRawImageDigest, $0.bytes)] } ?? [])
    }

    private func setVersions(_ output: TIFFOutput) throws(GscapError) {
        let usesNewTags =
            recipe.gainTableMap != nil || hasMattes || metadata.calibrations.count > 2
            || recipe.colorCube != nil || ![nil, .rectilinear, .fisheye].contains(metadata.lens.warp?.model)
        // The minor versions x of DNG 1.x for the tags DNGVersion and DNGBackwardVersion (the oldest readers that can
        // decode the file).
        var (version, oldestReader) = (usesNewTags ? 6 : 4, 1)
        func requireReader(_ minor: Int) {
            version = max(version, minor)
            oldestReader = max(oldestReader, minor)
        }
        if !metadata.lens.isEmpty { requireReader(3) }
        // Readers before DNG 1.6 ignore IlluminantData and would render wrong colours.
        if metadata.calibrations.contains(where: { $0.lightColor != nil }) { requireReader(6) }
        switch storage {
        case .lossyJPEG: requireReader(4)
        case .jpegXL: requireReader(7)
        case .uncompressed, .losslessJPEG: break
        }
        // Readers before DNG 1.7.1 ignore ColumnInterleaveFactor and would mix up the pixels.
        let revision: Double = isInterleaved ? 1 : 0
        try output.set(.dngVersion, [1, Double(version), revision, 0])
        try output.set(.dngBackwardVersion, [1, Double(oldestReader), revision, 0])
    }

    private func setLook(_ output: TIFFOutput) throws(GscapError) {
        try output.set(.baselineExposure, [recipe.exposure + (metadata.fusion?.headroom ?? 0)])
        // BaselineNoise: averaging n frames divides the standard deviation of noise by √n.
        try output.set(.baselineNoise, [1 / Double(max(1, metadata.fusedFrames)).squareRoot()])
        try output.set(.baselineSharpness, [recipe.sharpness])
        try output.set(.profileName, text: recipe.name.isEmpty ? software : recipe.name)
        // ProfileEmbedPolicy 0: the profile may be copied freely.
        try output.set(.profileEmbedPolicy, [0])
        if let curve = recipe.toneCurve {
            try output.set(.profileToneCurve, curve.points.flatMap { [Double($0.x), Double($0.y)] })
        }
        // DefaultBlackRender 1: the recipe defines black, so converters must not subtract more.
        if recipe.shadowBias == 0 { try output.set(.defaultBlackRender, [1]) }
        try setTables(output)
        if let map = recipe.gainTableMap, map.gamma != 1 {
            try output.set(.profileGainTableMap2, bytes: map.bytesOfSecondVersion)
        }
    }

    /// Sets the hue and saturation tables. DNG requires equal dimensions for all ProfileHueSatMap tables, and one table
    /// for each calibration or one in all; tables that do not comply are omitted.
    private func setTables(_ output: TIFFOutput) throws(GscapError) {
        func set(_ tag: TIFFTag, _ map: HueSatMap) throws(GscapError) {
            try output.set(tag, map.shifts.flatMap { [Double($0.x), Double($0.y), Double($0.z)] })
        }
        func sides(_ map: HueSatMap) -> [Double] { [map.hues, map.saturations, map.values].map(Double.init) }
        let maps = recipe.hueSatMaps
        if let first = maps.first, maps.count == 1 || maps.count == metadata.calibrations.count,
            maps.allSatisfy({ sides($0) == sides(first) && $0.isEncoded == first.isEncoded })
        {
            try output.set(.profileHueSatMapDims, sides(first))
            if first.isEncoded { try output.set(.profileHueSatMapEncoding, [1]) }
            let tags = [TIFFTag.profileHueSatMapData1, .profileHueSatMapData2, .profileHueSatMapData3]
            for (tag, map) in zip(tags, maps) { try set(tag, map) }
        }
        if let table = recipe.lookTable {
            try output.set(.profileLookTableDims, sides(table))
            if table.isEncoded { try output.set(.profileLookTableEncoding, [1]) }
            try set(.profileLookTableData, table)
        }
        if let cube = recipe.colorCube { try output.set(.rgbTables, bytes: cube.bytes) }
    }

    private func setDescriptions(_ output: TIFFOutput) throws(GscapError) {
        let details = metadata.details
        if !details.artist.isEmpty { try output.set(.artist, text: details.artist) }
        if !details.copyright.isEmpty { try output.set(.copyright, text: details.copyright) }
        if !details.title.isEmpty { try output.set(.imageDescription, text: details.title) }
        // A given packet that is not RDF is stored as it is, and the file gets no digests.
        let packet = xmp ?? XMPPacket(metadata: metadata, software: "\(software) \(softwareVersion)").text
        let reserved = DNGReceipt.reserve(in: packet, pictures: pictures, history: metadata.history)
        try output.set(.xmp, bytes: Array((reserved ?? packet).utf8))
    }

    private func setColor(_ output: TIFFOutput) throws(GscapError) {
        let calibrations = metadata.calibrations.isEmpty ? [defaultCalibration] : metadata.calibrations
        // DNG requires forward matrices for all calibration illuminants or for none.
        let usesForward = calibrations.allSatisfy { $0.forwardMatrix != nil }
        // CameraCalibration is stored only if it is not diagonal: with forward matrices a diagonal one cancels out, and
        // some converters ignore the tag.
        let usesIndividual = calibrations.contains { !$0.cameraCalibration.isDiagonal }
        let tags: [(color: TIFFTag, light: TIFFTag, forward: TIFFTag, cameraCalibration: TIFFTag)] = [
            (.colorMatrix1, .calibrationIlluminant1, .forwardMatrix1, .cameraCalibration1),
            (.colorMatrix2, .calibrationIlluminant2, .forwardMatrix2, .cameraCalibration2),
            (.colorMatrix3, .calibrationIlluminant3, .forwardMatrix3, .cameraCalibration3),
        ]
        let illuminantTags = [TIFFTag.illuminantData1, .illuminantData2, .illuminantData3]
        for (data, calibration) in zip(illuminantTags, calibrations) where calibration.illuminant == .other {
            if let color = calibration.lightColor { try output.set(data, bytes: color.bytes) }
        }
        for (tag, calibration) in zip(tags, calibrations) {
            var matrix = calibration.colorMatrix
            if usesIndividual, let toModel = calibration.cameraCalibration.inverse {
                matrix = toModel * matrix
                try output.set(tag.cameraCalibration, calibration.cameraCalibration.values)
            }
            try output.set(tag.color, matrix.values)
            try output.set(tag.light, [Double(calibration.illuminant.rawValue)])
            if usesForward, let forward = calibration.forwardMatrix { try output.set(tag.forward, forward.values) }
        }
        try output.set(.analogBalance, [1, 1, 1])
        let neutral = metadata.neutral / metadata.neutral.max()
        try output.set(.asShotNeutral, [neutral.x, neutral.y, neutral.z])
    }

    private func setFourColors(_ output: TIFFOutput) throws(GscapError) {
        guard let colors = raw.fourColors else { return }
        if !colors.colorMatrix.isEmpty {
            try output.set(.colorMatrix1, colors.colorMatrix)
            try output.set(.calibrationIlluminant1, [Double(Illuminant.d65.rawValue)])
        }
        try output.set(.analogBalance, [1, 1, 1, 1])
        let largest = colors.neutral.max() ?? 1
        try output.set(.asShotNeutral, colors.neutral.map { $0 / largest })
    }

    /// The calibration for a camera without one: white-balanced camera colours are taken as linear sRGB in D65 light.
    private var defaultCalibration: ColorCalibration {
        let toLinearSRGB = Matrix3(
            SIMD3(3.2406, -1.5372, -0.4986), SIMD3(-0.9689, 1.8758, 0.0415), SIMD3(0.0557, -0.2040, 1.0570))
        let neutral = metadata.neutral / metadata.neutral.max()
        return ColorCalibration(illuminant: .d65, colorMatrix: Matrix3(diagonal: neutral) * toLinearSRGB)
    }

    private var uniqueCameraModel: String {
        let (make, model) = (metadata.make, metadata.model)
        if make.isEmpty && model.isEmpty { return "\(software) camera" }
        return make.isEmpty || model.hasPrefix(make) ? model : model.isEmpty ? make : "\(make) \(model)"
    }

    // MARK: Tags of the raw picture

    func setRaw(_ output: TIFFOutput, _ coding: RawEncodingPlan) throws(GscapError) {
        let picture = coding.picture
        try output.set(.newSubFileType, integer: 0)
        try setShape(
            output, width: picture.width, height: picture.height, bits: coding.bits, samples: picture.samples,
            photometric: picture.isMosaic ? Photometric.cfa : Photometric.linearRaw,
            compression: coding.storage.compression)
        if coding.storage == .uncompressed {
            try output.set(.rowsPerStrip, integer: picture.rowsInStrip)
        } else {
            try output.set(.tileWidth, integer: coding.plan.tileWidth)
            try output.set(.tileLength, integer: coding.plan.tileHeight)
            output.unset(.jpegTables)
        }
        if let cell = picture.cell {
            try output.set(.cfaRepeatPatternDim, [Double(cell.side), Double(cell.side)])
            try output.set(.cfaPattern, cell.colors.map(Double.init))
            try output.set(.cfaPlaneColor, cell.planeColors.map(Double.init))
            try output.set(.cfaLayout, [1])
            // BayerGreenSplit is for Bayer patterns only.
            if cell.side == 2, cell.isRGB { try output.set(.bayerGreenSplit, [0]) }
        }
        if coding.isInterleaved {
            try output.set(.rowInterleaveFactor, [2])
            try output.set(.columnInterleaveFactor, [2])
        }
        if let curve = coding.curve { try output.set(.linearizationTable, curve.values.map(Double.init)) }
        try setLevels(output, picture)
        try output.set(.defaultScale, [raw.defaultScale.across, raw.defaultScale.down])
        try output.set(.bestQualityScale, [1])
        let crop = raw.defaultCrop
        try output.set(.activeArea, [0, 0, Double(picture.height), Double(picture.width)])
        try output.set(.defaultCropOrigin, [Double(crop.left), Double(crop.top)])
        try output.set(.defaultCropSize, [Double(crop.width), Double(crop.height)])
        if metadata.hasUsableNoise, !raw.isMonochrome || metadata.noise.count == 1 {
            try output.set(.noiseProfile, metadata.noise.flatMap { [$0.shot, $0.read] })
        }
        if let map = recipe.gainTableMap, map.gamma == 1 {
            try output.set(.profileGainTableMap, bytes: map.bytes)
        }
        let (shading, warp) = (metadata.lens.shadingBytes, metadata.lens.warpBytes)
        if !shading.isEmpty { try output.set(.opcodeList2, bytes: shading) }
        if !warp.isEmpty { try output.set(.opcodeList3, bytes: warp) }
    }

    private func setLevels(_ output: TIFFOutput, _ picture: RawPictureFormat) throws(GscapError) {
        let black = metadata.blackLevel
        switch picture.cell?.side {
        case nil:
            // Omit BlackLevelRepeatDim: 1×1 is the default, and RawTherapee 5.9 misreads three levels with the tag.
            try output.set(.blackLevel, picture.samples == 1 ? [black[0]] : [black[0], black[1], black[3]])
        case 2?:
            try output.set(.blackLevelRepeatDim, [2, 2])
            try output.set(.blackLevel, black)
        case let side?:
            let cell = raw.cellBlackLevels
            let isWhole = cell.count == side * side
            if isWhole { try output.set(.blackLevelRepeatDim, [Double(side), Double(side)]) }
            try output.set(.blackLevel, isWhole ? cell : [black[0]])
        }
        try output.set(.whiteLevel, Array(repeating: metadata.whiteLevel, count: picture.samples))
    }

    private func setShape(
        _ output: TIFFOutput, width: Int, height: Int, bits: Int, samples: Int, photometric: UInt16,
        compression: DNGCompression
    ) throws(GscapError) {
        try output.set(.imageWidth, integer: width)
        try output.set(.imageLength, integer: height)
        try output.set(.bitsPerSample, integer: bits)
        try output.set(.samplesPerPixel, integer: samples)
        try output.set(.compression, integer: compression.rawValue)
        try output.set(.photometric, integer: Int(photometric))
        try output.set(.planarConfiguration, integer: 1)
    }

    // MARK: Tags of mattes and the depth map

    func setMatte(_ output: TIFFOutput, _ matte: Matte) throws(GscapError) {
        // NewSubFileType 65540 is a semantic mask of the main picture.
        try output.set(.newSubFileType, integer: 65_540)
        try setShape(
            output, width: matte.width, height: matte.height, bits: 8, samples: 1, photometric: Photometric.mask,
            compression: .none)
        try output.set(.rowsPerStrip, integer: matte.height)
        try output.set(.semanticName, text: matte.kind.rawValue)
        if !matte.instance.isEmpty { try output.set(.semanticInstanceID, text: matte.instance) }
    }

    func setDepth(_ output: TIFFOutput, _ map: DepthMap) throws(GscapError) {
        try output.set(.newSubFileType, integer: 8)
        try setShape(
            output, width: map.width, height: map.height, bits: map.bitDepth, samples: 1,
            photometric: Photometric.depth, compression: .none)
        try output.set(.rowsPerStrip, integer: map.height)
    }

    private func setDistances(_ output: TIFFOutput, _ map: DepthMap) throws(GscapError) {
        try output.set(.depthFormat, [Double(map.scale.rawValue)])
        // DNG encodes unknown as 0/0 and infinity as 1/0, which libtiff cannot write: omit values that are not finite.
        if let near = map.near, near.isFinite { try output.set(.depthNear, [near]) }
        if let far = map.far, far.isFinite { try output.set(.depthFar, [far]) }
        // DepthUnits: 1 is metres, 0 unknown.
        try output.set(.depthUnits, [map.near == nil && map.far == nil ? 0 : 1])
        try output.set(.depthMeasureType, [Double(map.measure.rawValue)])
    }

    // MARK: Tags of the Exif directory

    func setExif(_ output: TIFFOutput) throws(GscapError) {
        try output.set(.exifVersion, Array("0232".utf8).map(Double.init))
        if metadata.exposureTime.isFinite, metadata.exposureTime > 0 {
            try output.set(.exposureTime, [metadata.exposureTime])
        }
        if metadata.iso.isFinite, metadata.iso > 0 { try output.set(.isoSpeed, [metadata.iso]) }
        if let bias = metadata.exposureBias, bias.isFinite { try output.set(.exposureBias, [bias]) }
        // Bit 0 is whether the flash fired.
        if let flashFired = metadata.flashFired { try output.set(.flash, [flashFired ? 1 : 0]) }
        try setLens(output)
        guard let time else { return }
        try output.set(.dateTimeOriginal, text: time.exif)
        try output.set(.subSecTimeOriginal, text: time.subSeconds)
        if !time.offset.isEmpty { try output.set(.offsetTimeOriginal, text: time.offset) }
    }

    private func setLens(_ output: TIFFOutput) throws(GscapError) {
        let details = metadata.details
        for (tag, value) in [
            (TIFFTag.fNumber, details.fNumber), (.focalLength, details.focalLength),
            (.focalLengthIn35mm, details.focalLengthIn35mm),
        ] where value.isFinite && value > 0 {
            try output.set(tag, [value])
        }
        if details.digitalZoomRatio > 1, details.digitalZoomRatio.isFinite {
            try output.set(.digitalZoomRatio, [details.digitalZoomRatio])
        }
        if !details.lensMake.isEmpty { try output.set(.lensMake, text: details.lensMake) }
        if !details.lensModel.isEmpty { try output.set(.lensModel, text: details.lensModel) }
    }

    // MARK: Tags of the GPS directory

    func setGPS(_ output: TIFFOutput, _ location: Location) throws(GscapError) {
        try output.set(.gpsVersion, [2, 3, 0, 0])
        try output.set(.gpsLatitudeRef, text: location.latitude < 0 ? "S" : "N")
        try output.set(.gpsLatitude, Self.degrees(location.latitude))
        try output.set(.gpsLongitudeRef, text: location.longitude < 0 ? "W" : "E")
        try output.set(.gpsLongitude, Self.degrees(location.longitude))
        if let altitude = location.altitude {
            try output.set(.gpsAltitudeRef, [altitude < 0 ? 1 : 0])
            try output.set(.gpsAltitude, [abs(altitude)])
        }
    }

    /// Converts an angle to degrees, minutes and seconds, rounded to 0.01 seconds.
    static func degrees(_ value: Double) -> [Double] {
        let hundredths = (abs(value) * 360_000).rounded()
        let degrees = (hundredths / 360_000).rounded(.down)
        let minutes = ((hundredths - degrees * 360_000) / 6000).rounded(.down)
        return [degrees, minutes, (hundredths - degrees * 360_000 - minutes * 6000) / 100]
    }
}

extension FrameMetadata {
    /// The error message for values that no DNG file can hold; nil if all are valid.
    var writingProblem: String? {
        if let problem { return problem }
        if blackLevel.contains(where: { $0 < 0 }) { return "a blackLevel of \(blackLevel) is below 0" }
        if !(1...65_535).contains(whiteLevel.rounded()) || whiteLevel.rounded() <= blackLevel.max() ?? 0 {
            return "whiteLevel \(whiteLevel) is not a 16-bit code above blackLevel"
        }
        if calibrations.count > 3 { return "there are \(calibrations.count) calibrations; DNG allows at most three" }
        for matrix in calibrations.flatMap({
            [$0.colorMatrix, $0.cameraCalibration, $0.forwardMatrix].compactMap(\.self)
        })
        where !matrix.values.allSatisfy({ abs($0) < 1000 }) {
            return "a colour matrix has a value that is not below 1000: \(matrix.values)"
        }
        for calibration in calibrations {
            let model = calibration.cameraCalibration.inverse.map { $0 * calibration.colorMatrix }
            guard let model, model.values.allSatisfy({ abs($0) < 1000 }) else {
                let values = calibration.cameraCalibration.values
                return "a camera's individual calibration matrix is not invertible: \(values)"
            }
            guard let light = calibration.lightColor else { continue }
            if Chromaticity(SIMD3(light.x, light.y, 1 - light.x - light.y)) == nil {
                return "no illuminant has the chromaticity \(light.x), \(light.y)"
            }
        }
        return lens.problem
    }

    /// Whether the noise profile is valid for NoiseProfile: for one or three planes, with scale > 0 and offset ≥ 0.
    var hasUsableNoise: Bool {
        (noise.count == 1 || noise.count == 3)
            && noise.allSatisfy { $0.shot.isFinite && $0.read.isFinite && $0.shot > 0 && $0.read >= 0 }
    }
}

extension Matrix3 {
    /// Whether all elements off the diagonal are 0.
    fileprivate var isDiagonal: Bool {
        values.indices.allSatisfy { $0 % 4 == 0 || values[$0] == 0 }
    }
}
