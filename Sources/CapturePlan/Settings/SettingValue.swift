internal import CaptureSettings
internal import JSON
internal import RawImage
internal import Waiting

/// A type of settings, with its form in JSON.
protocol SettingValue: Hashable, Sendable {
    static func value(of json: JSON) -> Self?
    var settingJSON: JSON { get }
}

extension Bool: SettingValue {
    static func value(of json: JSON) -> Bool? { json.truth }
    var settingJSON: JSON { .truth(self) }
}

extension Int: SettingValue {
    static func value(of json: JSON) -> Int? { json.integer }
    var settingJSON: JSON { .integer(self) }
}

extension Double: SettingValue {
    static func value(of json: JSON) -> Double? { json.number }
    var settingJSON: JSON { .number(self) }
}

extension String: SettingValue {
    static func value(of json: JSON) -> String? { json.text }
    var settingJSON: JSON { .text(self) }
}

/// A time in seconds.
extension Duration: SettingValue {
    static func value(of json: JSON) -> Duration? { json.number.map(Duration.clamped(seconds:)) }

    /// The quotient of two durations is not exact.
    var settingJSON: JSON { .number(Double(components.seconds) + Double(components.attoseconds) / 1e18) }
}

extension Array: SettingValue where Element: SettingValue {
    static func value(of json: JSON) -> [Element]? { json.list?.compactMap(Element.value) }

    var settingJSON: JSON { .list(map(\.settingJSON)) }
}

extension Set: SettingValue where Element: SettingValue {
    static func value(of json: JSON) -> Set<Element>? { [Element].value(of: json).map(Set.init) }

    var settingJSON: JSON { .list(map(\.settingJSON).sorted { $0.line < $1.line }) }
}

extension Dictionary: SettingValue where Key: SettingValue & RawRepresentable<String>, Value: SettingValue {
    static func value(of json: JSON) -> [Key: Value]? {
        json.object?.reduce(into: [:]) { values, field in
            if let key = Key(rawValue: field.0) { values[key] = Value.value(of: field.1) }
        }
    }

    var settingJSON: JSON {
        .object(map { ($0.rawValue, $1.settingJSON) }.sorted { $0.0 < $1.0 })
    }
}

// MARK: - Types of photo settings

extension SettingValue where Self: RawRepresentable<String> {
    static func value(of json: JSON) -> Self? { json.text.flatMap(Self.init(rawValue:)) }

    var settingJSON: JSON { .text(rawValue) }
}

extension RAWPhotoFormat: SettingValue {}
extension ProcessedPhotoFormat: SettingValue {}
extension FlashMode: SettingValue {}
extension LivePhotoFormat: SettingValue {}
extension PhotoFeature: SettingValue {}
extension PhotoPriority: SettingValue {}

extension ColorSpace: SettingValue {
    /// The name in JSON and in the property `color-space` of rawdevelop.
    var settingText: String { self == .sRGB ? "srgb" : rawValue }

    static func value(of json: JSON) -> ColorSpace? { allCases.first { $0.settingText == json.text } }

    var settingJSON: JSON { .text(settingText) }
}

extension PhotoQualityPrioritization: SettingValue {
    static func value(of json: JSON) -> PhotoQualityPrioritization? { allCases.first { "\($0)" == json.text } }

    var settingJSON: JSON { .text("\(self)") }
}

// MARK: - Groups of settings

extension BracketExposure: SettingValue {
    static func value(of json: JSON) -> BracketExposure? {
        func number(_ setting: PhotoSetting) -> Double? { json[setting.name]?.number }
        return number(.exposureBias).map(Self.bias)
            ?? .manual(exposureTime: number(.exposureTime), iso: number(.iso))
    }

    var settingJSON: JSON {
        switch self {
        case .bias(let bias): [PhotoSetting.exposureBias.name: .number(bias)]
        case .manual(let time, let iso):
            JSON(present: [
                (PhotoSetting.exposureTime.name, time?.settingJSON), (PhotoSetting.iso.name, iso?.settingJSON),
            ])
        }
    }
}

extension ProcessedPhotoOptions: SettingValue {
    static func value(of json: JSON) -> ProcessedPhotoOptions? {
        ProcessedPhotoOptions(
            quality: json[PhotoSetting.quality.name]?.number,
            colorSpace: json[PhotoSetting.colorSpace.name].flatMap(ColorSpace.value))
    }

    var settingJSON: JSON {
        JSON(present: [
            (PhotoSetting.quality.name, quality?.settingJSON), (PhotoSetting.colorSpace.name, colorSpace?.settingJSON),
        ])
    }
}
