internal import CaptureSettings

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
    /// Photos of constituents are requested both fused and one by one.
    public static let constituentsAreFused = Self(rawValue: "constituentsAreFused")
    /// A Live Photo or a deferred photo is requested with a zoom factor above 1.
    public static let zoomNotSupported = Self(rawValue: "zoomNotSupported")

    /// The codes of the rules about constituents.
    static let constituentRules: Set<Self> = [
        .constituentsNotSupported, .constituentUnknown, .constituentsWithExposure, .constituentsWithLivePhoto,
        .constituentsWithDeferredDelivery, .constituentsAreFused, .zoomNotSupported,
    ]
}

extension CaptureRules {
    /// What is stored beside the photo, a movie or the frames of a deferred photo, shows the whole view of the camera.
    var zoom: CaptureError? {
        if conditions.zoomFactor <= 1 { return nil }
        let what = settings.isDeferred ? "a deferred photo" : settings.livePhotoFormat != nil ? "a Live Photo" : nil
        return what.map { what in
            CaptureError(.zoomNotSupported, .zoom, "\(what) cannot be zoomed: set \(.zoom) to 1")
        }
    }

    /// The constituents exist, and nothing is requested that only a single camera can do.
    var constituents: CaptureError? {
        if settings.constituents.isEmpty && !settings.fusesConstituents { return nil }
        // Errors name the setting that requests the photos.
        let isFused = settings.constituents.isEmpty
        let setting = isFused ? PhotoSetting.fuseConstituents : .constituents
        func broken(_ code: CaptureError.Code, _ text: SettingText) -> CaptureError {
            CaptureError(code, setting, text)
        }
        if conditions.constituents.isEmpty {
            return broken(
                .constituentsNotSupported, "the camera is no virtual device; use one, or leave out \(setting)")
        }
        if settings.fusesConstituents && !settings.constituents.isEmpty {
            return broken(
                .constituentsAreFused,
                "\(.fuseConstituents) gives one photo, and \(.constituents) one of each camera: request one of them")
        }
        if let unknown = settings.constituents.subtracting(conditions.constituents).min() {
            return broken(
                .constituentUnknown,
                """
                the device has no constituent "\(unknown)"; it has \(conditions.constituents.joined(separator: ", "))
                """
            )
        }
        if settings.isOfPrimaryCamera {
            return broken(
                .constituentsWithExposure,
                "a bracket, an exposure or the flash is of one camera: leave it out, or \(setting)")
        }
        if settings.livePhotoFormat != nil {
            return broken(
                .constituentsWithLivePhoto, "a Live Photo is of one camera: leave it out, or \(setting)")
        }
        if settings.isDeferred {
            return broken(
                .constituentsWithDeferredDelivery,
                "photos of several cameras cannot be deferred: leave out \(.deferred) or \(setting)")
        }
        return nil
    }
}

extension PhotoSettings {
    /// Whether the primary camera of a virtual device takes the capture at any zoom: it changes the exposure.
    package var isOfPrimaryCamera: Bool {
        !bracket.isEmpty || exposureTime != nil || iso != nil || exposureBias != 0 || flashMode != .off
    }
}
