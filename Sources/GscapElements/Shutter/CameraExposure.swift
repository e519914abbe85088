/// The camera's own exposure, which captures change, and which is restored after them.
///
///     unchanged ──request of a capture──► changed ──no capture needs it──► restored
///         ▲                                  ▲                             │     │
///         │                                  └─────request of a capture────┘     │
///         └──a frame shows the camera's own exposure, or 16 frames have arrived──┘
struct CameraExposure: Sendable {
    private enum State {
        case unchanged
        case changed(CaptureExposure)
        /// Restored, when the newest frame had this serial number.
        case restored(CaptureExposure, UInt64)
    }

    private var state = State.unchanged
    /// Whether a capture has fired the flash. Before that, nothing about the flash is requested, and the metadata of
    /// frames need not say whether it fired.
    private(set) var hasUsedFlash = false

    /// The number of frames for which the camera's own exposure is remembered after it was restored, at most.
    private static let longestDelay: UInt64 = 16

    /// Returns the camera's own exposure; `newest` is the newest frame, which has that exposure unless a capture has
    /// changed it.
    func own(_ newest: FrameSummary) -> CaptureExposure {
        switch state {
        case .changed(let own), .restored(let own, _): own
        case .unchanged:
            CaptureExposure(
                exposureTime: newest.exposureTime > 0 ? newest.exposureTime : nil,
                iso: newest.iso > 0 ? newest.iso : nil)
        }
    }

    /// Records that a capture changes the exposure.
    mutating func change(_ newest: FrameSummary, usesFlash: Bool) {
        state = .changed(own(newest))
        if usesFlash { hasUsedFlash = true }
    }

    /// Returns the control event that restores the camera's own exposure; nil if it is not changed or not known.
    mutating func restore(newest serial: UInt64) -> SensorControl? {
        guard case .changed(let own) = state else { return nil }
        state = .restored(own, serial)
        return SensorControl(exposureTime: own.exposureTime, iso: own.iso, flash: hasUsedFlash ? false : nil)
    }

    /// Records a frame that has arrived.
    mutating func note(_ frame: FrameSummary) {
        guard case .restored(let own, let serial) = state else { return }
        let isRestored = frame.matches(exposureTime: own.exposureTime, iso: own.iso)
        if isRestored || frame.serial > serial + Self.longestDelay { state = .unchanged }
    }
}
