/// The validation of photo settings before a capture starts.
enum CaptureRules {
    /// Returns the first rule that the settings violate in this plan; nil if they are valid.
    static func broken(
        by settings: PhotoSettings, plan: PipelinePlan, maxQuality: PhotoQualityPrioritization
    ) -> CaptureError? {
        if let broken = broken(by: settings, maxQuality: maxQuality) { return broken }
        for format in settings.formats where !plan.hasBranch(for: format) {
            let advice =
                format == .raw(.proRAW)
                ? "set isProRAWEnabled before the session starts" : "enable it before the session starts"
            return CaptureError(
                .formatNotAvailable, "this session has no branch for \(format.summary); \(advice)",
                place: format.name)
        }
        return nil
    }

    /// Returns the first violated rule among those that do not depend on the pipeline; nil if there is none.
    static func broken(by settings: PhotoSettings, maxQuality: PhotoQualityPrioritization) -> CaptureError? {
        if settings.takesAllBranches { return nil }
        if settings.formats.isEmpty {
            return CaptureError(.nothingRequested, "the settings request no format; add a RAW or a processed format")
        }
        if settings.photoQualityPrioritization > maxQuality {
            return CaptureError(
                .qualityNotAllowed,
                "the settings request \(settings.photoQualityPrioritization), the output allows at most \(maxQuality)",
                place: "photoQualityPrioritization")
        }
        if settings.rawFormats.contains(.bayer) && settings.photoQualityPrioritization != .speed {
            return CaptureError(
                .qualityNotAllowed, "Bayer RAW is a single sensor frame: set the prioritization to speed",
                place: "photoQualityPrioritization")
        }
        if let frames = settings.frames, !(1...64).contains(frames) {
            return CaptureError(.captureFailed, "a burst has 1 to 64 frames, not \(frames)", place: "frames")
        }
        return nil
    }
}
