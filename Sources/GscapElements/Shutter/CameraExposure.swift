internal import FrameStream

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
    /// Whether a frame has shown a capture's exposure or flash instead of the camera's own.
    private var isShown = false

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
        if isOwn(frame, own) || frame.serial > serial + Self.longestDelay { (state, isShown) = (.unchanged, false) }
    }

    /// The camera's own exposure while frames may show another, because a capture has changed it and the camera has
    /// obeyed; nil while every frame has the camera's own.
    var replaced: CaptureExposure? {
        guard isShown else { return nil }
        return switch state {
        case .changed(let own), .restored(let own, _): own
        case .unchanged: nil
        }
    }

    /// Records a frame that belongs to a capture which changes the exposure.
    mutating func noteCaptured(_ frame: FrameSummary) {
        if case .changed(let own) = state, !isOwn(frame, own) { isShown = true }
    }

    /// Returns whether a frame shows the exposure or flash of a capture instead of the camera's own.
    func isReplaced(in frame: FrameSummary) -> Bool { replaced.map { !isOwn(frame, $0) } ?? false }

    private func isOwn(_ frame: FrameSummary, _ own: CaptureExposure) -> Bool {
        if hasUsedFlash, frame.flashFired == true { return false }
        return frame.matches(exposureTime: own.exposureTime, iso: own.iso)
    }
}
