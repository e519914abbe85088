/// A TIFF, Exif, GPS or DNG tag, identified by its number.
struct TIFFTag: Hashable {
    let number: UInt32

    init(_ number: UInt32) {
        self.number = number
    }

    // Tags of TIFF.
    static let newSubFileType = TIFFTag(254)
    static let imageWidth = TIFFTag(256)
    static let imageLength = TIFFTag(257)
    static let bitsPerSample = TIFFTag(258)
    static let compression = TIFFTag(259)
    static let photometric = TIFFTag(262)
    static let fillOrder = TIFFTag(266)
    static let imageDescription = TIFFTag(270)
    static let make = TIFFTag(271)
    static let model = TIFFTag(272)
    static let orientation = TIFFTag(274)
    static let samplesPerPixel = TIFFTag(277)
    static let rowsPerStrip = TIFFTag(278)
    static let planarConfiguration = TIFFTag(284)
    static let software = TIFFTag(305)
    static let dateTime = TIFFTag(306)
    static let artist = TIFFTag(315)
    static let tileWidth = TIFFTag(322)
    static let tileLength = TIFFTag(323)
    static let subIFDs = TIFFTag(330)
    static let sampleFormat = TIFFTag(339)
    static let jpegTables = TIFFTag(347)
    static let yCbCrSubSampling = TIFFTag(530)
    static let xmp = TIFFTag(700)
    static let copyright = TIFFTag(33432)

    // Tags of Exif, and the tag of its directory.
    static let exifIFD = TIFFTag(34665)
    static let exposureTime = TIFFTag(33434)
    static let isoSpeed = TIFFTag(34855)
    static let exposureBias = TIFFTag(37380)
    static let flash = TIFFTag(37385)
    static let exifVersion = TIFFTag(36864)
    static let dateTimeOriginal = TIFFTag(36867)
    static let offsetTimeOriginal = TIFFTag(36881)
    static let subSecTimeOriginal = TIFFTag(37521)
    static let fNumber = TIFFTag(33437)
    static let focalLength = TIFFTag(37386)
    static let focalLengthIn35mm = TIFFTag(41989)
    static let lensMake = TIFFTag(42035)
    static let lensModel = TIFFTag(42036)

    // Tags of the GPS directory, and the tag of that directory.
    static let gpsIFD = TIFFTag(34853)
    static let gpsVersion = TIFFTag(0)
    static let gpsLatitudeRef = TIFFTag(1)
    static let gpsLatitude = TIFFTag(2)
    static let gpsLongitudeRef = TIFFTag(3)
    static let gpsLongitude = TIFFTag(4)
    static let gpsAltitudeRef = TIFFTag(5)
    static let gpsAltitude = TIFFTag(6)

    // Tags of TIFF/EP and DNG.
    static let cfaRepeatPatternDim = TIFFTag(33421)
    static let cfaPattern = TIFFTag(33422)
    static let dngVersion = TIFFTag(50706)
    static let dngBackwardVersion = TIFFTag(50707)
    static let uniqueCameraModel = TIFFTag(50708)
    static let cfaPlaneColor = TIFFTag(50710)
    static let cfaLayout = TIFFTag(50711)
    static let linearizationTable = TIFFTag(50712)
    static let blackLevelRepeatDim = TIFFTag(50713)
    static let blackLevel = TIFFTag(50714)
    static let whiteLevel = TIFFTag(50717)
    static let defaultScale = TIFFTag(50718)
    static let defaultCropOrigin = TIFFTag(50719)
    static let defaultCropSize = TIFFTag(50720)
    static let colorMatrix1 = TIFFTag(50721)
    static let colorMatrix2 = TIFFTag(50722)
    static let analogBalance = TIFFTag(50727)
    static let cameraCalibration1 = TIFFTag(50723)
    static let cameraCalibration2 = TIFFTag(50724)
    static let cameraCalibration3 = TIFFTag(52530)
    static let asShotNeutral = TIFFTag(50728)
    static let baselineExposure = TIFFTag(50730)
    static let baselineNoise = TIFFTag(50731)
    static let baselineSharpness = TIFFTag(50732)
    static let bayerGreenSplit = TIFFTag(50733)
    static let linearResponseLimit = TIFFTag(50734)
    static let calibrationIlluminant1 = TIFFTag(50778)
    static let calibrationIlluminant2 = TIFFTag(50779)
    static let bestQualityScale = TIFFTag(50780)
    static let rawDataUniqueID = TIFFTag(50781)
    static let activeArea = TIFFTag(50829)
    static let rowInterleaveFactor = TIFFTag(50975)
    static let columnInterleaveFactor = TIFFTag(52547)
    static let forwardMatrix1 = TIFFTag(50964)
    static let forwardMatrix2 = TIFFTag(50965)
    static let calibrationIlluminant3 = TIFFTag(52529)
    static let colorMatrix3 = TIFFTag(52531)
    static let forwardMatrix3 = TIFFTag(52532)
    static let illuminantData1 = TIFFTag(52533)
    static let illuminantData2 = TIFFTag(52534)
    static let illuminantData3 = TIFFTag(52535)
    static let profileName = TIFFTag(50936)
    static let profileToneCurve = TIFFTag(50940)
    static let profileEmbedPolicy = TIFFTag(50941)
    static let defaultBlackRender = TIFFTag(51110)
    static let opcodeList1 = TIFFTag(51008)
    static let opcodeList2 = TIFFTag(51009)
    static let opcodeList3 = TIFFTag(51022)
    static let profileGainTableMap = TIFFTag(52525)
    static let profileGainTableMap2 = TIFFTag(52544)
    static let rgbTables = TIFFTag(52543)
    static let semanticName = TIFFTag(52526)
    static let semanticInstanceID = TIFFTag(52528)
    static let depthFormat = TIFFTag(51177)
    static let depthNear = TIFFTag(51178)
    static let depthFar = TIFFTag(51179)
    static let depthUnits = TIFFTag(51180)
    static let depthMeasureType = TIFFTag(51181)
    static let previewApplicationName = TIFFTag(50966)
    static let previewApplicationVersion = TIFFTag(50967)
    static let previewColorSpace = TIFFTag(50970)
    static let previewDateTime = TIFFTag(50971)
    static let noiseProfile = TIFFTag(51041)
    static let newRawImageDigest = TIFFTag(51111)
}

/// The values of PhotometricInterpretation (tag 262) that this module uses.
enum Photometric {
    static let gray: UInt16 = 1
    static let rgb: UInt16 = 2
    static let yCbCr: UInt16 = 6
    static let cfa: UInt16 = 32803
    static let linearRaw: UInt16 = 34892
    static let depth: UInt16 = 51177
    static let mask: UInt16 = 52527
}
