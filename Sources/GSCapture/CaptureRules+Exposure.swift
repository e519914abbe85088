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
                .bracketTooLong,
                "the bracket has \(settings.bracket.count) exposures, and at most \(conditions.maxExposures) are "
                    + "allowed",
                place: "bracket")
        }
        if let frames = settings.frames, frames > conditions.maxFrames / settings.bracket.count {
            return CaptureError(
                .bracketTooLong,
                "\(settings.bracket.count) exposures of \(frames) frames are more than the \(conditions.maxFrames) "
                    + "frames that a capture may hold: take fewer", place: "frames")
        }
        return nil
    }

    private var bracketKind: CaptureError? {
        if Set(settings.bracket.map(\.isManual)).count > 1 {
            return CaptureError(
                .bracketMixed, "a bracket has either exposure biases or manual exposures: use one kind",
                place: "bracket")
        }
        return nil
    }

    private var bracketExposure: CaptureError? {
        if hasSingleExposure {
            return CaptureError(
                .exposureSetTwice,
                "a bracket has its own exposures: leave out exposureTime, iso and exposureBias", place: "bracket")
        }
        return nil
    }

    private var bracketFlash: CaptureError? {
        if settings.flashMode != .off {
            return CaptureError(
                .bracketWithFlash, "the flash cannot fire in a bracket: set flashMode to off", place: "flashMode")
        }
        return nil
    }

    private var fusion: CaptureError? {
        if settings.bracket.count < 2 {
            return CaptureError(
                .nothingToFuse, "fusing a bracket needs at least two exposures: add exposures", place: "fusesBracket")
        }
        if settings.bracket.count > Self.mostFusedExposures {
            return CaptureError(
                .bracketTooLong,
                "at most \(Self.mostFusedExposures) exposures are fused, not \(settings.bracket.count): take fewer",
                place: "bracket")
        }
        if formats.allSatisfy({ $0 == .raw(.bayer) }) {
            return CaptureError(
                .nothingToFuse, "Bayer RAW is not fused: request ProRAW or a processed format as well",
                place: "fusesBracket")
        }
        return nil
    }

    /// The rules about exposure and flash, in the order of the checks.
    var exposure: [CaptureError?] {
        let single = [
            exposureSetTwice, broken(bias: settings.exposureBias, place: "exposureBias"),
            broken(time: settings.exposureTime, place: "exposureTime"), broken(iso: settings.iso, place: "iso"),
        ]
        let several = settings.bracket.enumerated().flatMap { index, exposure in
            let place = "bracket[\(index)]"
            return switch exposure {
            case .bias(let bias): [broken(bias: bias, place: place)]
            case .manual(let time, let iso): [broken(time: time, place: place), broken(iso: iso, place: place)]
            }
        }
        return single + several + [flash]
    }

    private var exposureSetTwice: CaptureError? {
        if settings.exposureTime == nil || settings.iso == nil || settings.exposureBias == 0 { return nil }
        return CaptureError(
            .exposureSetTwice,
            "an exposure time and an ISO speed determine the exposure: leave out exposureBias, or one of them",
            place: "exposureBias")
    }

    private var flash: CaptureError? {
        if settings.flashMode == .off || conditions.hasFlash { return nil }
        return CaptureError(.flashNotSupported, "the camera has no flash: set flashMode to off", place: "flashMode")
    }

    /// The white balance is a colour temperature that the camera's colours can be rendered for.
    var whiteBalance: CaptureError? {
        guard let balance = settings.whiteBalance else { return nil }
        guard case .temperature(let kelvin, let tint) = balance else {
            return CaptureError(
                .whiteBalanceNotSupported,
                "the white balance of a capture is a colour temperature: set .temperature(_:tint:), or render the RAW "
                    + "photo with another one", place: "whiteBalance")
        }
        let (temperatures, tints) = (WhiteBalance.temperatures, WhiteBalance.tints)
        if temperatures.contains(kelvin), tints.contains(tint) { return nil }
        return CaptureError(
            .whiteBalanceOutOfRange,
            "a colour temperature is from \(temperatures.lowerBound) to \(temperatures.upperBound) K, and its tint "
                + "from \(tints.lowerBound) to \(tints.upperBound), not \(kelvin) and \(tint)",
            place: "whiteBalance")
    }

    private func broken(bias: Double, place: String) -> CaptureError? {
        if abs(bias) <= Self.mostBias { return nil }
        return CaptureError(
            .exposureBiasOutOfRange, "an exposure bias is from −\(Self.mostBias) to \(Self.mostBias) EV, not \(bias)",
            place: place)
    }

    private func broken(time: Double?, place: String) -> CaptureError? {
        broken(time, in: conditions.exposureTimes, .exposureTimeOutOfRange, "an exposure time in seconds", place)
    }

    private func broken(iso: Double?, place: String) -> CaptureError? {
        broken(iso, in: conditions.isos, .isoOutOfRange, "an ISO speed", place)
    }

    /// Returns the error of a value that is not a number above 0, or that the camera does not support.
    private func broken(
        _ value: Double?, in range: ClosedRange<Double>?, _ code: CaptureError.Code, _ what: String, _ place: String
    ) -> CaptureError? {
        guard let value else { return nil }
        guard value.isFinite, value > 0 else {
            return CaptureError(code, "\(what) is a number above 0, not \(value)", place: place)
        }
        guard let range, !range.contains(value) else { return nil }
        return CaptureError(
            code, "the camera supports \(what) from \(range.lowerBound) to \(range.upperBound), not \(value)",
            place: place)
    }
}
