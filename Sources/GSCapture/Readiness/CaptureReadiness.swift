internal import FrameStream

/// Whether a photo output can take a capture now.
public enum CaptureReadiness: String, Sendable, Hashable, CaseIterable {
    /// The session is not running, or has failed.
    case sessionNotRunning
    /// The next capture is accepted.
    case ready
    /// The camera has delivered no frame yet or is interrupted, or a branch of the pipeline restarts.
    case notReadyMomentarily
    /// The frames of an earlier capture are still being taken, and captures may not overlap
    /// (`isResponsiveCaptureEnabled` is false).
    case notReadyWaitingForCapture
    /// The photos of an earlier capture are still being made, and either captures may not overlap or the captures under
    /// way hold all the memory that they may (`maxQueuedBytes`).
    case notReadyWaitingForProcessing
}

/// The values from which readiness is computed, all read after the same call or change.
///
///     pipeline running? ──no──► sessionNotRunning
///        │yes
///     shutter's stream open, frames arriving, no branch restarting? ──no──► notReadyMomentarily
///        │yes
///     captures may overlap, or none under way? ──no──► its frames not all taken: notReadyWaitingForCapture
///        │yes                                          its photos not all made:  notReadyWaitingForProcessing
///     shutter would accept the press? ──no──► notReadyWaitingForProcessing
///        │yes
///      ready
///
/// The last question goes to the shutter, which answers by the computation that refuses a press. The others are at
/// least as strict as the refusals of a press.
struct ReadinessConditions {
    /// Whether the session runs a pipeline that has not failed.
    var isRunning = false
    /// Whether frames arrive and no branch restarts.
    var isStreaming = false
    var allowsOverlap = true
    var activity = CaptureActivity.Summary()
    /// Whether requests are tracked that have not reached the output yet.
    var expectsPress = false
    /// The shutter's answer; nil if the pipeline has no shutter.
    var admission: CaptureAdmission?

    var readiness: CaptureReadiness {
        guard isRunning else { return .sessionNotRunning }
        guard isStreaming, let admission, admission.verdict != .closed else { return .notReadyMomentarily }
        if !allowsOverlap {
            if expectsPress || activity.untaken > 0 { return .notReadyWaitingForCapture }
            if activity.unfinished > 0 { return .notReadyWaitingForProcessing }
        }
        return admission.verdict == .accepted ? .ready : .notReadyWaitingForProcessing
    }
}
