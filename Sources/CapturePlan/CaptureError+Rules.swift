// The codes of the rules for photo settings. A capture whose settings violate a rule is refused before any frame is
// taken.

extension CaptureError.Code {
    /// ProRAW is requested, but it was not enabled before the session started.
    public static let proRAWNotEnabled = Self(rawValue: "proRAWNotEnabled")
    /// ProRAW is enabled or requested in an output whose session has no camera.
    public static let proRAWNotSupported = Self(rawValue: "proRAWNotSupported")
    /// Bayer RAW is requested from a virtual camera, which combines several.
    public static let bayerRAWOnVirtualDevice = Self(rawValue: "bayerRAWOnVirtualDevice")
    /// Bayer RAW is requested with a quality prioritization other than `speed`.
    public static let bayerRAWNeedsSpeed = Self(rawValue: "bayerRAWNeedsSpeed")
    /// Bayer RAW is requested with stabilization.
    public static let bayerRAWWithStabilization = Self(rawValue: "bayerRAWWithStabilization")
    /// ProRAW is requested with a Live Photo.
    public static let proRAWWithLivePhoto = Self(rawValue: "proRAWWithLivePhoto")
    /// A RAW format is requested with a depth map.
    public static let rawWithDepthData = Self(rawValue: "rawWithDepthData")
    /// A RAW format is requested with content-aware distortion correction.
    public static let rawWithDistortionCorrection = Self(rawValue: "rawWithDistortionCorrection")
    /// The bracket has more exposures, or more frames in all, than allowed.
    public static let bracketTooLong = Self(rawValue: "bracketTooLong")
    /// The bracket has both exposure biases and manual exposures.
    public static let bracketMixed = Self(rawValue: "bracketMixed")
    /// The flash is requested in a bracket.
    public static let bracketWithFlash = Self(rawValue: "bracketWithFlash")
    /// The fusion of a bracket is requested without a bracket or without a format that is fused.
    public static let nothingToFuse = Self(rawValue: "nothingToFuse")
    /// An exposure is requested twice, such as by a bracket and by an exposure time.
    public static let exposureSetTwice = Self(rawValue: "exposureSetTwice")
    /// An exposure time is not a number above 0, or the camera does not support it.
    public static let exposureTimeOutOfRange = Self(rawValue: "exposureTimeOutOfRange")
    /// An ISO speed is not a number above 0, or the camera does not support it.
    public static let isoOutOfRange = Self(rawValue: "isoOutOfRange")
    /// An exposure bias is not a number, or is too large.
    public static let exposureBiasOutOfRange = Self(rawValue: "exposureBiasOutOfRange")
    /// The number of frames is not from 1 to 64.
    public static let framesOutOfRange = Self(rawValue: "framesOutOfRange")
    /// The greatest time between the press and the photo is negative.
    public static let toleranceOutOfRange = Self(rawValue: "toleranceOutOfRange")
    /// The camera has no flash.
    public static let flashNotSupported = Self(rawValue: "flashNotSupported")
    /// A compression quality is not from 0 to 1.
    public static let compressionQualityOutOfRange = Self(rawValue: "compressionQualityOutOfRange")
    /// A compression quality is requested for a format, or for an encoder of another plugin, without this setting.
    public static let compressionQualityNotSupported = Self(rawValue: "compressionQualityNotSupported")
    /// A colour space is requested that the files of the format cannot have.
    public static let colorSpaceNotSupported = Self(rawValue: "colorSpaceNotSupported")
    /// Two formats that share an element of the pipeline have different options for it.
    public static let optionsConflict = Self(rawValue: "optionsConflict")
    /// A colour temperature is not from 1000 to 50000 K, or its tint is no number.
    public static let whiteBalanceOutOfRange = Self(rawValue: "whiteBalanceOutOfRange")
    /// The white balance is not a colour temperature.
    public static let whiteBalanceNotSupported = Self(rawValue: "whiteBalanceNotSupported")
    /// The longest side of the thumbnail is below 1.
    public static let thumbnailSizeOutOfRange = Self(rawValue: "thumbnailSizeOutOfRange")
    /// The orientation is not from 1 to 8.
    public static let orientationOutOfRange = Self(rawValue: "orientationOutOfRange")
    /// The location has a latitude, longitude or altitude that does not exist.
    public static let locationOutOfRange = Self(rawValue: "locationOutOfRange")
    /// A feature is requested that is not available.
    public static let featureNotSupported = Self(rawValue: "featureNotSupported")

    /// Deferred delivery is requested, but the output has no folder for its jobs.
    public static let deferredDeliveryNotEnabled = Self(rawValue: "deferredDeliveryNotEnabled")
    /// Deferred delivery is requested for a bracket, or its job's name is no file name.
    public static let deferredDeliveryNotSupported = Self(rawValue: "deferredDeliveryNotSupported")

    /// The codes of the rules for photo settings.
    package static let rules: Set<Self> = constituentRules.union([
        .settingsReused, .nothingRequested, .formatNotAvailable, .qualityNotAllowed, .proRAWNotEnabled,
        .proRAWNotSupported, .bayerRAWOnVirtualDevice, .bayerRAWNeedsSpeed, .bayerRAWWithStabilization,
        .proRAWWithLivePhoto, .livePhotoNotEnabled, .livePhotoNotSupported, .rawWithDepthData,
        .rawWithDistortionCorrection, .bracketTooLong, .bracketMixed, .bracketWithFlash, .nothingToFuse,
        .exposureSetTwice, .exposureTimeOutOfRange, .isoOutOfRange,
        .exposureBiasOutOfRange, .framesOutOfRange, .toleranceOutOfRange, .flashNotSupported,
        .compressionQualityOutOfRange, .compressionQualityNotSupported, .colorSpaceNotSupported, .optionsConflict,
        .thumbnailSizeOutOfRange, .orientationOutOfRange, .locationOutOfRange, .whiteBalanceOutOfRange,
        .whiteBalanceNotSupported, .featureNotSupported, .deferredDeliveryNotEnabled,
        .deferredDeliveryNotSupported, .movieSettingsInvalid, .movieInProgress,
    ])
}
