package import CaptureSettings

extension CaptureError {
    /// Creates the error of a setting. Its text names settings by their properties; the cause has the settings, for
    /// which other interfaces show their own names. `place` is the property, unless a part of it is wrong.
    package init(_ code: Code, _ setting: PhotoSetting, _ text: SettingText, place: String? = nil) {
        let problem = SettingProblem(setting, text)
        self.init(code, text.text(\.property), place: place ?? setting.property, cause: problem)
    }
}
