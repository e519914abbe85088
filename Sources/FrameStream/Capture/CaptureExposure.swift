internal import Glibc

/// An exposure that a capture requires. Values that are nil are the camera's own.
package struct CaptureExposure: Sendable, Hashable {
    /// The exposure time in seconds.
    package var exposureTime: Double?
    /// The ISO number.
    package var iso: Double?
    /// The exposure in EV relative to the camera's own. It determines the exposure time or, if that is set, the ISO
    /// number; nil for values as they are.
    package var bias: Double?

    /// Creates a required exposure.
    package init(exposureTime: Double? = nil, iso: Double? = nil, bias: Double? = nil) {
        self.exposureTime = exposureTime
        self.iso = iso
        self.bias = bias
    }

    /// Whether the exposure is the camera's own, whatever that is.
    package var isUnchanged: Bool { exposureTime == nil && iso == nil && bias == nil }

    /// Returns the exposure with its bias converted to an exposure time or an ISO number, relative to `camera`, the
    /// camera's own exposure; nil if that is needed and unknown or out of all range.
    package func resolved(from camera: CaptureExposure) -> CaptureExposure? {
        guard let bias else { return self }
        guard let time = camera.exposureTime else { return nil }
        let factor = exp2(bias)
        var resolved = CaptureExposure(exposureTime: time * factor, iso: camera.iso)
        if exposureTime != nil || iso != nil {
            guard let speed = camera.iso else { return nil }
            let product = time * speed * factor
            resolved.exposureTime = exposureTime ?? iso.map { product / $0 }
            resolved.iso = iso ?? exposureTime.map { product / $0 }
        }
        let isFinite = (resolved.exposureTime ?? 1).isFinite && (resolved.iso ?? 1).isFinite
        return isFinite ? resolved : nil
    }

    /// Returns the exposure with the values that are nil replaced with the camera's own.
    package func completed(from camera: CaptureExposure) -> CaptureExposure {
        CaptureExposure(exposureTime: exposureTime ?? camera.exposureTime, iso: iso ?? camera.iso)
    }

    /// The exposure as text for messages.
    package var description: String {
        [exposureTime.map { "the exposure time \($0) s" }, iso.map { "ISO \($0)" }].compactMap(\.self)
            .joined(separator: " and ")
    }
}

/// The use of the flash in a capture.
package enum CaptureFlash: String, Sendable, Hashable, CaseIterable {
    case off, on
    /// The flash fires if the newest frame is dark.
    case auto
}
