internal import CaptureSettings
internal import RawImage

// The rules about brackets, exposure, flash and white balance.

extension CaptureRules {
    private var hasSingleExposure: Bool {
        settings.exposureTime != nil || settings.iso != nil || settings.exposureBias != 0
    }

    /// The rules about brackets, in the order of the checks.
    var bracket: [CaptureError?] {
        let fusion = [settings.fusesBracket ? fusion : nil]
        return settings.bracket.isEmpty
            ? fusion : fusion + [bracketLength, bracketKind, bracketExposure, bracketFlash]
    }

    private var bracketLength: CaptureError? {
        if settings.bracket.count > conditions.maxExposures {
            return CaptureError(
                .bracketTooLong, .bracket,
                "\(settings.bracket.count) exposures are more than the \(conditions.maxExposures) of a bracket"
            )
        }
        if let frames = settings.frames, frames > conditions.maxFrames / settings.bracket.count {
            return CaptureError(
                .bracketTooLong, .frames,
                """
                \(settings.bracket.count) exposures of \(frames) frames are more than the \(conditions.maxFrames) \
                frames that a capture may hold: take fewer
                """)
        }
        return nil
    }

    private var bracketKind: CaptureError? {
        if Set(settings.bracket.map(\.isManual)).count > 1 {
            return CaptureError(
                .bracketMixed, .bracket, "a bracket has either exposure biases or manual exposures: use one kind")
        }
        return nil
    }

    private var bracketExposure: CaptureError? {
        if hasSingleExposure {
            return CaptureError(
                .exposureSetTwice, .bracket,
                "a bracket has its own exposures: leave out \(.exposureTime), \(.iso) and \(.exposureBias)")
        }
        return nil
    }

    private var bracketFlash: CaptureError? {
        if settings.flashMode != .off {
            return CaptureError(
                .bracketWithFlash, .flash, "the flash cannot fire in a bracket: set \(.flash) to off")
        }
        return nil
    }

    private var fusion: CaptureError? {
        if settings.bracket.count < 2 {
            return CaptureError(
                .nothingToFuse, .fuseBracket, "fusing a bracket needs at least two exposures: add exposures")
        }
        if settings.bracket.count > Self.mostFusedExposures {
            return CaptureError(
                .bracketTooLong, .bracket,
                "at most \(Self.mostFusedExposures) exposures are fused, not \(settings.bracket.count): take fewer")
        }
        if formats.allSatisfy({ $0 == .raw(.bayer) }) {
            return CaptureError(
                .nothingToFuse, .fuseBracket,
                "Bayer RAW is not fused: request ProRAW or a processed format as well")
        }
        return nil
    }

    /// The rules about exposure and flash, in the order of the checks.
    var exposure: [CaptureError?] {
        let single = [
            exposureSetTwice, broken(bias: settings.exposureBias, .exposureBias),
            broken(time: settings.exposureTime, .exposureTime), broken(iso: settings.iso, .iso),
        ]
        let several = settings.bracket.enumerated().flatMap { index, exposure in
            let place = "bracket[\(index)]"
            return switch exposure {
            case .bias(let bias): [broken(bias: bias, .bracket, place)]
            case .manual(let time, let iso): [broken(time: time, .bracket, place), broken(iso: iso, .bracket, place)]
            }
        }
        return single + several + [flash]
    }

    private var exposureSetTwice: CaptureError? {
        if settings.exposureTime == nil || settings.iso == nil || settings.exposureBias == 0 { return nil }
        return CaptureError(
            .exposureSetTwice, .exposureBias,
            "an exposure time and an ISO speed determine the exposure: leave out \(.exposureBias), or one of them")
    }

    private var flash: CaptureError? {
        if settings.flashMode == .off || conditions.hasFlash { return nil }
        return CaptureError(.flashNotSupported, .flash, "the camera has no flash: set \(.flash) to off")
    }

    /// The white balance is a colour temperature that the camera's colours can be rendered for.
    var whiteBalance: CaptureError? {
        guard let balance = settings.whiteBalance else { return nil }
        if case .temperature = balance { return nil }
        return CaptureError(
            .whiteBalanceNotSupported, .whiteTemperature,
            """
            the white balance of a capture is a colour temperature: set .temperature(_:tint:), or render the RAW photo \
            with another one
            """)
    }

    private func broken(bias: Double, _ setting: PhotoSetting, _ place: String? = nil) -> CaptureError? {
        if abs(bias) <= Self.mostBias { return nil }
        return CaptureError(
            .exposureBiasOutOfRange, setting,
            "an exposure bias is from −\(Self.mostBias) to \(Self.mostBias) EV, not \(bias)", place: place)
    }

    private func broken(time: Double?, _ setting: PhotoSetting, _ place: String? = nil) -> CaptureError? {
        let code = CaptureError.Code.exposureTimeOutOfRange
        return broken(time, in: conditions.exposureTimes, code, "an exposure time in seconds", setting, place)
    }

    private func broken(iso: Double?, _ setting: PhotoSetting, _ place: String? = nil) -> CaptureError? {
        broken(iso, in: conditions.isos, .isoOutOfRange, "an ISO speed", setting, place)
    }

    private func broken(
        _ value: Double?, in range: ClosedRange<Double>?, _ code: CaptureError.Code, _ what: String,
        _ setting: PhotoSetting, _ place: String?
    ) -> CaptureError? {
        guard let value else { return nil }
        guard value.isFinite, value > 0 else {
            return CaptureError(code, setting, "\(what) is a number above 0, not \(value)", place: place)
        }
        guard let range, !range.contains(value) else { return nil }
        return CaptureError(
            code, setting,
            "the camera supports \(what) from \(range.lowerBound) to \(range.upperBound), not \(value)", place: place)
    }
}
