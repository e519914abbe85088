package import CaptureSettings
internal import JSON
internal import RawImage

// The settings of photos beyond those that requests of the shutter have.

extension PhotoSetting {
    package static let raw = PhotoSetting(
        "raw", .texts(RAWPhotoFormat.allCases.map(\.rawValue)), "The RAW formats", standard: "none",
        property: "rawFormats", option: "--raw", "FORMATS")
    package static let processed = PhotoSetting(
        "processed", .texts(ProcessedPhotoFormat.allCases.map(\.rawValue)), "The formats of finished pictures",
        standard: "none", property: "processedFormats", option: "--format", "FORMATS")
    package static let quality = PhotoSetting(
        "quality", .number(0...1), "The compression quality, 1 for the best", standard: "the encoder's",
        property: "quality", option: "--quality", "Q")
    package static let colorSpace = PhotoSetting(
        "color-space", .choice(ColorSpace.allCases.map(\.settingText)), "The colour space",
        standard: "the pipeline's", property: "colorSpace", option: "--color", "SPACE")
    package static let processedOptions = PhotoSetting(
        "processed-options",
        .table(names: ProcessedPhotoFormat.allCases.map(\.rawValue), fields: [quality, colorSpace]),
        "The compression quality and the colour space of processed formats", standard: "the pipeline's",
        property: "processedOptions")
    package static let thumbnail = PhotoSetting(
        "thumbnail", .integer(1...Int.max), "The longest side of the preview in RAW files", unit: "pixels",
        standard: "the pipeline's", property: "thumbnailLongestSide", option: "--thumbnail", "N")
    package static let effort = PhotoSetting(
        "effort", .choice(PhotoQualityPrioritization.allCases.map { "\($0)" }),
        "The trade-off between processing time and picture quality: the number of frames and the mode of the fusion",
        standard: "balanced, with Bayer RAW speed", property: "photoQualityPrioritization", option: "--effort", "LEVEL")
    package static let constituents = PhotoSetting(
        "constituents", .texts([]), "The cameras of a virtual device that each deliver a photo",
        standard: "the one that the zoom selects", property: "constituents", option: "--constituents", "NAMES")
    package static let fuseConstituents = PhotoSetting(
        "fuse-constituents", .truth, "Whether the photo also shows the detail that the next longer lens sees",
        standard: "false", property: "fusesConstituents", option: "--fuse-constituents")
    package static let deferred = PhotoSetting(
        "deferred", .truth, "Whether the frames are stored as a job that makes the photo later", standard: "false",
        property: "isDeferred", option: "--deferred")
    package static let deferredName = PhotoSetting(
        "deferred-name", .text, "The name of the job", standard: "a new one", property: "deferredName")
    package static let livePhoto = PhotoSetting(
        "live-photo", .choice(LivePhotoFormat.allCases.map(\.rawValue)),
        "How the capture is stored with a movie of the moments around the press", standard: "without a movie",
        property: "livePhotoFormat", option: "--live or --motion-photo")
    package static let features = PhotoSetting(
        "features", .texts(PhotoFeature.allCases.map(\.rawValue)),
        "The features without which the capture is refused", standard: "none", property: "features")

    // MARK: Settings of devices and movies that errors name

    package static let zoom = PhotoSetting(
        "zoom", .number(1...100), "The zoom factor", standard: "1", property: "videoZoomFactor", option: "--zoom", "N")
    package static let sound = PhotoSetting(
        "sound", .text, "The source of a movie's sound", standard: "none", property: "audioSource", option: "--audio",
        "SOURCE")
    package static let bitRate = PhotoSetting(
        "bit-rate", .positive, "The bit rate of a movie", unit: "bit/s", property: "bitRate", option: "--bit-rate", "N")

    /// The settings of photos, in the order of their fields in JSON.
    package static let all = SettingStorage.all.map(\.setting)

    /// Returns the setting of the property that the place of an error names, such as `processedOptions[jpeg].quality`.
    package static func named(by place: String) -> PhotoSetting? {
        if place.contains("/") { return nil }
        let name = (place.split(separator: ".").last ?? "").prefix { $0 != "[" }
        let nested = all + [quality, colorSpace, zoom, sound, bitRate]
        return nested.first { $0.property.split(separator: ".").last == name }
    }
}

// MARK: - Where PhotoSettings stores them

/// How `PhotoSettings` stores a setting.
struct SettingStorage: Sendable {
    let setting: PhotoSetting
    /// The code of the error that a value is not allowed; nil if that depends on the camera or the pipeline, too.
    let code: CaptureError.Code?
    /// Returns the value; nil if it is the default.
    let value: @Sendable (PhotoSettings) -> JSON?
    /// Stores an allowed value.
    let store: @Sendable (JSON, inout PhotoSettings) -> Void

    /// A key path to the stored value of a setting.
    typealias Path<Value> = any WritableKeyPath<PhotoSettings, Value> & Sendable

    /// Stores a setting in a property that is nil by default.
    init<Value: SettingValue>(
        _ setting: PhotoSetting, _ path: Path<Value?>, _ code: CaptureError.Code? = .settingsMalformed
    ) {
        (self.setting, self.code) = (setting, code)
        value = { $0[keyPath: path]?.settingJSON }
        store = { json, settings in settings[keyPath: path] = Value.value(of: json) }
    }

    /// Stores a setting in a property that has another default.
    init<Value: SettingValue>(
        _ setting: PhotoSetting, _ path: Path<Value>, default standard: Value,
        _ code: CaptureError.Code? = .settingsMalformed
    ) {
        (self.setting, self.code) = (setting, code)
        value = { settings in
            let value = settings[keyPath: path]
            return value == standard ? nil : value.settingJSON
        }
        store = { json, settings in settings[keyPath: path] = Value.value(of: json) ?? standard }
    }

    static let all: [Self] =
        [
            .init(.raw, \.rawFormats, default: []), .init(.processed, \.processedFormats, default: []),
            .init(.effort, \.effort), .init(.processedOptions, \.processedOptions, default: [:], nil),
            .init(.frames, \.frames, .framesOutOfRange), .init(.everyFrame, \.everyFrame, default: false),
            .init(.thumbnail, \.thumbnailLongestSide, .thumbnailSizeOutOfRange),
            .init(.tolerance, \.momentTolerance, .toleranceOutOfRange),
            .init(.priority, \.processingPriority, default: .normal), .init(.zeroShutterLag, \.zeroShutterLag),
            .init(.exposureTime, \.exposureTime, nil), .init(.iso, \.iso, nil),
            .init(.exposureBias, \.exposureBias, default: 0, nil),
            .init(.bracket, \.bracket, default: [], nil), .init(.fuseBracket, \.fusesBracket, default: false),
            .init(.whiteTemperature, \.whiteTemperature, .whiteBalanceOutOfRange),
            .init(.whiteTint, \.whiteTint, .whiteBalanceOutOfRange), .init(.flash, \.flashMode, default: .off),
            .init(.constituents, \.constituents, default: []),
            .init(.fuseConstituents, \.fusesConstituents, default: false),
            .init(.deferred, \.isDeferred, default: false), .init(.deferredName, \.deferredName),
            .init(.livePhoto, \.livePhotoFormat), .init(.features, \.features, default: []),
        ] + details
}

extension CaptureError.Code {
    /// A setting has a value that is not allowed, or a text with settings is no JSON object or has unknown fields.
    public static let settingsMalformed = Self(rawValue: "settingsMalformed")
}

// MARK: - Properties with more than one setting

extension PhotoSettings {
    /// The quality prioritization; nil for the default of the formats.
    fileprivate var effort: PhotoQualityPrioritization? {
        get { photoQualityPrioritization == Self.standardQuality(rawFormats) ? nil : photoQualityPrioritization }
        set { photoQualityPrioritization = newValue ?? Self.standardQuality(rawFormats) }
    }

    fileprivate var whiteTemperature: Double? {
        get { if case .temperature(let kelvin, _)? = whiteBalance { kelvin } else { nil } }
        set { whiteBalance = newValue.map { .temperature($0, tint: whiteTint ?? 0) } }
    }

    fileprivate var whiteTint: Double? {
        get { if case .temperature(_, let tint)? = whiteBalance, tint != 0 { tint } else { nil } }
        set { whiteBalance = .temperature(whiteTemperature ?? 0, tint: newValue ?? 0) }
    }
}
