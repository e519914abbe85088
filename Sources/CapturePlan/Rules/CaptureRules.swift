internal import CaptureSettings
internal import RawImage

/// The validation of photo settings before a capture starts.
package struct CaptureRules {
    let settings: PhotoSettings
    /// The formats of the photos that the capture would deliver.
    let formats: [PhotoFormat]
    /// The plan of the session's pipeline; nil before there is one.
    let plan: PipelinePlan?
    let conditions: CaptureConditions

    /// The greatest number of frames in all exposures of a capture.
    package static let mostFrames = 64
    /// The greatest number of exposures in a bracket.
    static let mostExposures = 16
    /// The greatest number of exposures in a bracket that is fused.
    static let mostFusedExposures = 9
    /// The largest exposure bias in EV, above and below 0.
    static let mostBias = 20.0

    init(_ settings: PhotoSettings, _ plan: PipelinePlan?, _ conditions: CaptureConditions) {
        self.settings = settings
        self.plan = plan
        self.conditions = conditions
        formats = settings.takesAllBranches ? plan?.branches.map(\.format) ?? [] : settings.formats
    }

    /// Returns the first rule that the settings violate under these conditions; nil if they are valid. `plan` is nil
    /// before the session's pipeline is known.
    package static func broken(
        by settings: PhotoSettings, plan: PipelinePlan?, _ conditions: CaptureConditions
    ) -> CaptureError? {
        all(brokenBy: settings, plan: plan, conditions).first
    }

    /// Returns all rules that the settings violate under these conditions, in the order of the checks.
    package static func all(
        brokenBy settings: PhotoSettings, plan: PipelinePlan?, _ conditions: CaptureConditions
    ) -> [CaptureError] {
        let rules = CaptureRules(settings, plan, conditions)
        let formats = [rules.request, rules.deferredDelivery, rules.quality, rules.rawFormats, rules.availability]
        let cameras = [rules.constituents, rules.livePhoto, rules.zoom]
        let files = [rules.whiteBalance, rules.options, rules.features]
        let checks = formats + rules.values + rules.bracket + cameras + rules.exposure + files
        return checks.compactMap(\.self)
    }

    // MARK: Values and features

    /// The rules that the table of settings states: which values a setting may have.
    private var values: [CaptureError?] {
        SettingStorage.all.map { row in
            guard let code = row.code, let value = row.value(settings) else { return nil }
            let problems = row.setting.problems(of: value)
            return problems.isEmpty ? nil : CaptureError(code, row.setting, "\(problems.joined(separator: "; "))")
        }
    }

    private var features: CaptureError? {
        for feature in PhotoFeature.allCases where settings.features.contains(feature) {
            let support = feature.support
            if support.isSupported { continue }
            return CaptureError(
                .featureNotSupported, "this feature is not available: \(support.reason)", place: feature.rawValue)
        }
        return nil
    }
}
