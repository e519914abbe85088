package import CaptureSettings
internal import FrameStream
package import GStreamer
package import JSON

// Photo settings as JSON, and as the fields of the shutter's requests.

extension PhotoSettings {
    /// The settings as a JSON object on one line, without those that have their defaults. `init(json:)` reads it.
    public var json: String { JSON.object(values.map { ($0.setting.name, $0.value) }).line }

    /// Reads settings from a JSON object, such as `{"raw":["bayer"],"iso":400}`. The fields are listed on the page
    /// Library-Captures. Throws an error that names all fields that do not exist, and all values that are not allowed.
    public init(json text: String) throws(CaptureError) {
        let value: JSON
        do throws(GscapError) {
            value = try JSON(reading: text)
        } catch {
            throw CaptureError(.settingsMalformed, "the settings are no JSON: \(error)", cause: error)
        }
        guard let fields = value.object else {
            throw CaptureError(.settingsMalformed, "the settings are not a JSON object")
        }
        try self.init(fields)
    }

    /// Reads the fields of a structure, such as those of a request.
    package init(_ structure: Structure) throws(CaptureError) {
        try self.init(
            structure.fields.map { field in
                let setting = PhotoSetting.all.first { $0.name == field.name }
                return (field.name, setting?.json(field.value) ?? .null)
            })
    }

    /// Returns those of some settings that have no default as the fields of a structure.
    package func structure(_ name: String, _ settings: [PhotoSetting] = PhotoSetting.all) -> Structure {
        values.filter { row in settings.contains { $0.name == row.setting.name } }
            .reduce(into: Structure(name)) { $0[$1.setting.name] = $1.setting.value($1.value) }
    }

    /// Sets a value; returns whether the setting allows it.
    package mutating func set(_ setting: PhotoSetting, to value: JSON) -> Bool {
        let row = SettingStorage.all.first { $0.setting.name == setting.name }
        guard let row, setting.problems(of: value).isEmpty else { return false }
        row.store(value, &self)
        return true
    }

    /// The settings that do not have their defaults, in the order of the table.
    package var values: [(setting: PhotoSetting, value: JSON)] {
        SettingStorage.all.compactMap { row in row.value(self).map { (row.setting, $0) } }
    }

    private init(_ fields: [(String, JSON)]) throws(CaptureError) {
        let problems = PhotoSetting.problems(of: fields, among: PhotoSetting.all)
        guard problems.isEmpty else { throw CaptureError(.settingsMalformed, problems.joined(separator: "; ")) }
        let values = Dictionary(fields.filter { !$0.1.isNull }) { first, _ in first }
        // The formats decide the quality prioritization of settings without one.
        self.init(raw: values[PhotoSetting.raw.name].flatMap(Set.value) ?? [])
        for row in SettingStorage.all {
            if let value = values[row.setting.name] { row.store(value, &self) }
        }
    }
}
