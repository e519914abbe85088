package import GStreamer

/// The shutter's answer to the action signal `admission`: whether a press would be accepted now.
///
///     request invalid ─────────────────────────────► invalid
///     stream not running or ended ─────────────────► closed
///     frames of this press alone above the budget ─► tooLarge
///     frames of all captures above the budget ─────► full, with the time to wait
///     otherwise ───────────────────────────────────► accepted
///
/// A press is refused by the same computation, so the answer holds until another press or the end of the stream.
package struct CaptureAdmission: Sendable, Hashable {
    /// Whether a press would be accepted, and otherwise the kind of refusal.
    package enum Verdict: String, Sendable {
        /// The press would be accepted.
        case accepted
        /// The stream is not running or has ended.
        case closed
        /// The captures under way hold the memory that the press needs.
        case full
        /// The press needs more memory than all captures together may hold.
        case tooLarge = "too-large"
        /// The request itself is invalid.
        case invalid
    }

    /// Whether the press would be accepted, and otherwise the kind of refusal.
    package private(set) var verdict = Verdict.accepted
    /// The reason for the refusal; empty if the press would be accepted.
    package private(set) var reason = ""
    /// The number of bytes that must be pushed before the press fits; 0 unless the memory is full.
    package private(set) var excess = 0
    /// The time in seconds after which the press will be accepted; nil unless the memory is full.
    package var retryAfter: Double?
    /// The size of a frame in bytes; 0 before the stream's format is known.
    package var frameBytes: Int
    /// The size in bytes of the frames of the accepted captures that have not been pushed yet.
    package var queuedBytes: Int
    /// The number of frames in the ring; nil if the stream is not live, so that no ring is used.
    package var ringFrames: Int?
    /// The instant of the newest frame of a live stream: the running time in nanoseconds of the middle of its exposure;
    /// nil before the first frame.
    package var newestInstant: Int64?
    /// The time in nanoseconds from one frame to the next; nil while it is unknown.
    package var period: Int64?

    /// Creates the answer that the press would be accepted.
    package init(frameBytes: Int, queuedBytes: Int, ringFrames: Int?) {
        self.frameBytes = frameBytes
        self.queuedBytes = queuedBytes
        self.ringFrames = ringFrames
    }

    /// Changes the answer to a refusal.
    package mutating func refuse(_ verdict: Verdict, _ reason: String, excess: Int = 0) {
        self.verdict = verdict
        self.reason = reason
        self.excess = excess
    }
}

extension CaptureAdmission {
    private static let name = "gscap-admission"

    /// Decodes the signal's result; nil for any other structure.
    package init?(_ structure: Structure) {
        guard structure.name == Self.name,
            let verdict = structure["verdict"]?.text.flatMap(Verdict.init)
        else { return nil }
        self.init(
            frameBytes: structure["frame-bytes"]?.integer ?? 0, queuedBytes: structure["queued-bytes"]?.integer ?? 0,
            ringFrames: structure["ring-frames"]?.integer)
        newestInstant = structure["newest-instant"]?.integer.map(Int64.init)
        period = structure["frame-period"]?.integer.map(Int64.init)
        refuse(verdict, structure["reason"]?.text ?? "")
        retryAfter = structure["retry-after"]?.number
    }

    /// The signal's result.
    package var structure: Structure {
        var structure = Structure(
            Self.name,
            [
                "verdict": .string(verdict.rawValue), "reason": .string(reason),
                "frame-bytes": .uint64(UInt64(max(0, frameBytes))),
                "queued-bytes": .uint64(UInt64(max(0, queuedBytes))),
            ])
        structure["ring-frames"] = ringFrames.map { .int(Int32(clamping: $0)) }
        structure["newest-instant"] = newestInstant.map { .uint64(UInt64(max(0, $0))) }
        structure["frame-period"] = period.map { .uint64(UInt64(max(0, $0))) }
        structure["retry-after"] = retryAfter.map { .double($0) }
        return structure
    }
}
