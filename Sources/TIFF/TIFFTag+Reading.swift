// Tags that are only read, never encoded.
extension TIFFTag {
    // Tags of TIFF.
    package static let stripOffsets = TIFFTag(273)
    package static let stripByteCounts = TIFFTag(279)
    package static let freeOffsets = TIFFTag(288)
    package static let freeByteCounts = TIFFTag(289)
    package static let predictor = TIFFTag(317)
    package static let tileOffsets = TIFFTag(324)
    package static let tileByteCounts = TIFFTag(325)
    package static let jpegOffset = TIFFTag(513)
    package static let jpegByteCount = TIFFTag(514)

    // Tags of Exif.
    package static let standardOutputSensitivity = TIFFTag(34865)
    package static let recommendedExposureIndex = TIFFTag(34866)
    package static let exifISOSpeed = TIFFTag(34867)
    package static let dateTimeDigitized = TIFFTag(36868)
    package static let offsetTime = TIFFTag(36880)
    package static let shutterSpeedValue = TIFFTag(37377)
    package static let apertureValue = TIFFTag(37378)
    package static let yCbCrCoefficients = TIFFTag(529)
    package static let yCbCrPositioning = TIFFTag(531)
    package static let referenceBlackWhite = TIFFTag(532)
    package static let makerNote = TIFFTag(37500)
    package static let subSecTime = TIFFTag(37520)
    /// Whether a receiver had a position (A) or none (V).
    package static let gpsStatus = TIFFTag(9)
    /// The directory of interoperability data, in the Exif directory.
    package static let interoperabilityIFD = TIFFTag(40965)

    /// The JPEG file in Panasonic's raw files.
    package static let panasonicJPEG = TIFFTag(46)

    // Tags of DNG.
    package static let privateData = TIFFTag(50740)
    package static let makerNoteSafety = TIFFTag(50741)
    package static let blackLevelDeltaH = TIFFTag(50715)
    package static let blackLevelDeltaV = TIFFTag(50716)
    package static let asShotWhiteXY = TIFFTag(50729)
    package static let cameraCalibrationSignature = TIFFTag(50931)
    package static let profileCalibrationSignature = TIFFTag(50932)
    package static let extraCameraProfiles = TIFFTag(50933)
    package static let shadowScale = TIFFTag(50739)
    package static let profileCopyright = TIFFTag(50942)
    package static let profileHueSatMapDims = TIFFTag(50937)
    package static let profileHueSatMapData1 = TIFFTag(50938)
    package static let profileHueSatMapData2 = TIFFTag(50939)
    package static let previewSettingsName = TIFFTag(50968)
    package static let previewSettingsDigest = TIFFTag(50969)
    package static let defaultUserCrop = TIFFTag(51125)
    package static let rating = TIFFTag(18246)
    package static let rawImageDigest = TIFFTag(50972)
    package static let subTileBlockSize = TIFFTag(50974)
    package static let profileLookTableDims = TIFFTag(50981)
    package static let profileLookTableData = TIFFTag(50982)
    package static let profileHueSatMapEncoding = TIFFTag(51107)
    package static let profileLookTableEncoding = TIFFTag(51108)
    package static let baselineExposureOffset = TIFFTag(51109)
    package static let maskSubArea = TIFFTag(52536)
    package static let profileHueSatMapData3 = TIFFTag(52537)
    package static let bigTableOffsets = TIFFTag(52541)
    package static let bigTableByteCounts = TIFFTag(52542)
    package static let jxlDistance = TIFFTag(52553)
    package static let jxlEffort = TIFFTag(52554)
    package static let jxlDecodeSpeed = TIFFTag(52555)
}

extension TIFFTag: CustomStringConvertible {
    /// The tag's name and number, such as `tag BlackLevel (50714)`; the number alone for tags without a name in
    /// `names`.
    package var description: String {
        Self.names[number].map { "tag \($0) (\(number))" } ?? "tag \(number)"
    }

    /// The specification's names of the tags that errors mention.
    private static let names: [UInt32: String] = [
        256: "ImageWidth", 257: "ImageLength", 258: "BitsPerSample", 259: "Compression",
        262: "PhotometricInterpretation", 266: "FillOrder", 273: "StripOffsets", 274: "Orientation",
        277: "SamplesPerPixel", 278: "RowsPerStrip", 279: "StripByteCounts", 284: "PlanarConfiguration",
        317: "Predictor", 322: "TileWidth", 323: "TileLength", 324: "TileOffsets", 325: "TileByteCounts",
        330: "SubIFDs", 339: "SampleFormat", 347: "JPEGTables", 700: "XMP", 33421: "CFARepeatPatternDim",
        33422: "CFAPattern", 34665: "ExifIFD", 34853: "GPSInfo", 50706: "DNGVersion", 50707: "DNGBackwardVersion",
        50708: "UniqueCameraModel", 50712: "LinearizationTable", 50713: "BlackLevelRepeatDim", 50714: "BlackLevel",
        50715: "BlackLevelDeltaH", 50716: "BlackLevelDeltaV", 50717: "WhiteLevel", 50718: "DefaultScale",
        50719: "DefaultCropOrigin",
        50720: "DefaultCropSize", 50721: "ColorMatrix1", 50722: "ColorMatrix2", 50728: "AsShotNeutral",
        50729: "AsShotWhiteXY", 50827: "OriginalRawFileName",
        50828: "OriginalRawFileData", 50829: "ActiveArea", 50973: "OriginalRawFileDigest",
        50937: "ProfileHueSatMapDims", 50938: "ProfileHueSatMapData1",
        50939: "ProfileHueSatMapData2",
        50933: "ExtraCameraProfiles", 50974: "SubTileBlockSize", 50940: "ProfileToneCurve",
        50981: "ProfileLookTableDims",
        50982: "ProfileLookTableData",
        51008: "OpcodeList1", 51009: "OpcodeList2", 51022: "OpcodeList3", 51041: "NoiseProfile",
        51111: "NewRawImageDigest", 51177: "DepthFormat", 52525: "ProfileGainTableMap", 52526: "SemanticName",
        52531: "ColorMatrix3",
        52536: "MaskSubArea", 52537: "ProfileHueSatMapData3", 52543: "RGBTables", 52544: "ProfileGainTableMap2",
    ]
}
