/// What settings must keep to, checked before a capture starts.
enum CaptureRules {
    /// The first rule that the settings break; nil when they keep all.
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

    /// The first rule broken that needs no session to see.
    static func broken(by settings: PhotoSettings, maxQuality: PhotoQualityPrioritization) -> CaptureError? {
        if settings.takesAllBranches { return nil }
        if settings.formats.isEmpty {
            return CaptureError(.nothingRequested, "the settings ask for no RAW and no processed format")
        }
        if settings.photoQualityPrioritization > maxQuality {
            return CaptureError(
                .qualityNotAllowed,
                "the settings ask for \(settings.photoQualityPrioritization), the output allows up to \(maxQuality)",
                place: "photoQualityPrioritization")
        }
        if settings.rawFormats.contains(.bayer) && settings.photoQualityPrioritization != .speed {
            return CaptureError(
                .qualityNotAllowed, "Bayer RAW is one frame off the sensor: its prioritization can only be speed",
                place: "photoQualityPrioritization")
        }
        if let frames = settings.frames, !(1...64).contains(frames) {
            return CaptureError(.captureFailed, "a burst has 1 to 64 frames, not \(frames)", place: "frames")
        }
        return nil
    }
}
