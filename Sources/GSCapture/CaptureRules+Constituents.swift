// The rules about photos of the constituents of a virtual device.

extension CaptureError.Code {
    /// Photos of constituents are requested from a camera that is not a virtual device.
    public static let constituentsNotSupported = Self(rawValue: "constituentsNotSupported")
    /// The virtual device has no constituent with a requested identifier.
    public static let constituentUnknown = Self(rawValue: "constituentUnknown")
    /// Photos of constituents are requested together with a bracket, an exposure or the flash.
    public static let constituentsWithExposure = Self(rawValue: "constituentsWithExposure")
    /// Photos of constituents are requested with a Live Photo.
    public static let constituentsWithLivePhoto = Self(rawValue: "constituentsWithLivePhoto")
    /// Photos of constituents are requested with deferred delivery.
    public static let constituentsWithDeferredDelivery = Self(rawValue: "constituentsWithDeferredDelivery")

    /// The codes of the rules about constituents.
    static let constituentRules: Set<Self> = [
        .constituentsNotSupported, .constituentUnknown, .constituentsWithExposure, .constituentsWithLivePhoto,
        .constituentsWithDeferredDelivery,
    ]
}

extension CaptureRules {
    /// The constituents exist, and nothing is requested that only a single camera can do.
    var constituents: CaptureError? {
        if settings.constituents.isEmpty { return nil }
        func broken(_ code: CaptureError.Code, _ message: String) -> CaptureError {
            CaptureError(code, message, place: "constituents")
        }
        if conditions.constituents.isEmpty {
            return broken(
                .constituentsNotSupported,
                "the camera has no constituents; use a virtual device, or leave constituents empty")
        }
        if let unknown = settings.constituents.subtracting(conditions.constituents).min() {
            return broken(
                .constituentUnknown,
                "the device has no constituent \"\(unknown)\"; it has "
                    + conditions.constituents.joined(separator: ", "))
        }
        let changesExposure =
            settings.exposureTime != nil || settings.iso != nil || settings.exposureBias != 0
            || settings.flashMode != .off
        if !settings.bracket.isEmpty || changesExposure {
            return broken(
                .constituentsWithExposure,
                "a bracket, an exposure or the flash is of one camera: leave it out, or the constituents")
        }
        if settings.livePhotoFormat != nil {
            return broken(
                .constituentsWithLivePhoto, "a Live Photo is of one camera: leave it out, or the constituents")
        }
        if settings.isDeferred {
            return broken(
                .constituentsWithDeferredDelivery,
                "photos of constituents cannot be deferred: set isDeferred to false, or leave the constituents out")
        }
        return nil
    }
}
