internal import CaptureSettings
internal import GSCapture
internal import JSON
internal import RawImage

/// Photo settings as text: each with the value that will be used, and the rules that they break.
struct PhotoSettingsText {
    /// The settings by name, in the order of display.
    private let values: [(name: String, text: String)]
    /// The messages of the rules that the settings break.
    let brokenRules: [String]

    /// Describes the settings of `photos` photos, of which each has the files of all its formats.
    init(_ settings: PhotoSettings, _ circumstances: PipelinePlan.Circumstances, photos: Int = 1) {
        let resolved = circumstances.resolved(settings)
        brokenRules = circumstances.brokenRules(of: settings).map(\.commandText)
        values = photos > 0 ? Self.values(settings, resolved, photos) : [("photos", "0")]
    }

    private static func values(
        _ settings: PhotoSettings, _ resolved: ResolvedPhotoSettings, _ photos: Int
    ) -> [(name: String, text: String)] {
        var values: [(name: String, text: String)] = [
            ("effort", "\(resolved.photoQualityPrioritization)"), ("frames", "\(resolved.frames)"),
            ("exposure", resolved.exposures.map(text).joined(separator: ", ")),
            ("white", settings.whiteBalance.map { "\($0)" } ?? "camera"), ("flash", settings.flashMode.rawValue),
            ("photos", "\(photos)"), ("files", "\(photos * resolved.expectedPhotoCount)"),
        ]
        if settings.isDeferred { values.append(("deferred", "yes")) }
        if let live = settings.livePhotoFormat { values.append(("live", "\(live)")) }
        if !settings.bracket.isEmpty { values.append(("merge", settings.fusesBracket ? "yes" : "no")) }
        let cameras = resolved.fusedConstituents.isEmpty ? resolved.constituents : resolved.fusedConstituents
        if !cameras.isEmpty { values.append(("cameras", cameras.joined(separator: ", "))) }
        if settings.fusesConstituents, resolved.fusedConstituents.isEmpty {
            values.append(("fusion", "none, as no camera has a longer lens than that of the zoom factor"))
        }
        if resolved.cropFactor > 1 { values.append(("crop", "\(resolved.cropFactor)")) }
        for (format, size) in resolved.dimensions.sorted(by: { $0.key.name < $1.key.name }) {
            values.append((format.name, "\(size.width)×\(size.height)"))
        }
        for (format, options) in resolved.processedOptions.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let quality = options.quality.map { "quality \($0)" }
            let color = options.colorSpace.map { "colour space \($0.rawValue)" }
            let text = [quality, color].compactMap(\.self).joined(separator: ", ")
            if !text.isEmpty { values.append((format.rawValue + "-options", text)) }
        }
        if let size = resolved.thumbnailDimensions.values.first {
            values.append(("thumbnail", "\(size.width)×\(size.height)"))
        }
        let details = settings.values.filter { $0.setting.property.hasPrefix("details.") }
        values += details.filter { $0.setting.option != PhotoSetting.latitude.option }
            .map { setting, value in
                let text = value.text ?? value.list?.compactMap(\.text).joined(separator: ", ")
                return (setting.name, text ?? value.line)
            }
        if let location = settings.details.location { values.append(("location", text(location))) }
        return values
    }

    private static func text(_ location: Location) -> String {
        "\(location.latitude), \(location.longitude)" + (location.altitude.map { ", \($0) m" } ?? "")
    }

    private static func text(_ exposure: BracketExposure) -> String {
        switch exposure {
        case .bias(let bias): bias == 0 ? "camera" : "\(bias > 0 ? "+" : "")\(bias) EV"
        case .manual(let time, let iso):
            [time.map { "\($0) s" }, iso.map { "ISO \($0)" }].compactMap(\.self).joined(separator: " at ")
        }
    }

    /// The settings and the broken rules as comment lines of a pipeline text.
    var comment: String {
        (values.map { "# \($0.name): \($0.text)" } + brokenRules.map { "# not allowed: \($0)" })
            .joined(separator: "\n")
    }

    /// The fields of a JSON event.
    var fields: [(String, JSON)] {
        [
            ("settings", .object(values.map { ($0.name, .text($0.text)) })),
            ("brokenRules", .list(brokenRules.map(JSON.text))),
        ]
    }
}
