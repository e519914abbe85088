internal import CaptureSettings

// The rules about the formats of a capture.

extension CaptureRules {
    /// Whether all branches of a plan are requested, whatever their formats.
    private var takesAll: Bool { settings.takesAllBranches }

    /// A capture has a format.
    var request: CaptureError? {
        if takesAll || !formats.isEmpty { return nil }
        return CaptureError(.nothingRequested, "the settings request no format; add a RAW or a processed format")
    }

    /// The quality prioritization is within the output's limit.
    var quality: CaptureError? {
        if takesAll || settings.photoQualityPrioritization <= conditions.maxQuality { return nil }
        return CaptureError(
            .qualityNotAllowed, .effort,
            """
            the settings request \(settings.photoQualityPrioritization), the output allows at most \
            \(conditions.maxQuality)
            """)
    }

    /// The settings that Bayer RAW and ProRAW exclude.
    var rawFormats: CaptureError? {
        let (bayer, proRAW) = (formats.contains(.raw(.bayer)), formats.contains(.raw(.proRAW)))
        if bayer, let broken = bayerRAW { return broken }
        if proRAW, settings.livePhotoFormat != nil {
            return CaptureError(
                .proRAWWithLivePhoto, .livePhoto, "ProRAW and a Live Photo exclude each other: leave one out")
        }
        guard bayer || proRAW else { return nil }
        if settings.features.contains(.depthData) {
            return CaptureError(
                .rawWithDepthData, .features, "a RAW capture has no depth data: leave it out, or the RAW formats")
        }
        if settings.features.contains(.contentAwareDistortionCorrection) {
            return CaptureError(
                .rawWithDistortionCorrection, .features,
                "a RAW capture is not corrected by its content: leave the correction out, or the RAW formats")
        }
        return nil
    }

    private var bayerRAW: CaptureError? {
        if conditions.isVirtual, settings.constituents.isEmpty {
            return CaptureError(
                .bayerRAWOnVirtualDevice, .raw,
                "the camera combines several cameras, and Bayer RAW is of one: use \(.constituents), or request ProRAW")
        }
        if !takesAll, settings.photoQualityPrioritization != .speed {
            return CaptureError(
                .bayerRAWNeedsSpeed, .effort, "Bayer RAW is a single sensor frame: set \(.effort) to speed")
        }
        if settings.features.contains(.lensStabilization) {
            return CaptureError(
                .bayerRAWWithStabilization, .features,
                "Bayer RAW is a single frame without stabilization: leave it out")
        }
        return nil
    }

    /// Each format has a branch in the pipeline or, before there is one, will have.
    var availability: CaptureError? {
        if takesAll { return nil }
        let missing = formats.filter { format in !(plan.map { $0.hasBranch(for: format) } ?? (format != .raw(.proRAW)))
        }
        guard let format = missing.first else { return nil }
        if format == .raw(.proRAW) { return proRAW }
        return CaptureError(
            .formatNotAvailable,
            "this session has no branch for \(format.summary); enable it before the session starts",
            place: format.name)
    }

    /// ProRAW was enabled, and there is a camera.
    private var proRAW: CaptureError? {
        if !conditions.isProRAWEnabled {
            return CaptureError(
                .proRAWNotEnabled, "ProRAW is not enabled; set isProRAWEnabled before the session starts",
                place: "proRAW")
        }
        if plan != nil {
            return CaptureError(
                .formatNotAvailable,
                "this session has no branch for linear DNG; set isProRAWEnabled before the session starts",
                place: "proRAW")
        }
        if conditions.hasCamera { return nil }
        return CaptureError(
            .proRAWNotSupported,
            "ProRAW needs a camera; add the output to a session with a CaptureDeviceInput or a plan", place: "proRAW")
    }
}
