internal import FrameStream
public import GStreamer
internal import Synchronization

// Captures for programs that cannot emit signals: by a period, by a frame's number, and by an event from downstream.
// The stream goes on after them, unlike after those of the property `captures`.

/// Decides which frames begin a capture.
struct CaptureTriggers {
    /// The instant from which the next capture of the period is due; nil before the first.
    private var nextInstant: Int64?
    /// Whether the frame of the property `capture-frame` is still to come.
    private var awaitsFrame = true
    /// The sequence number of the last event that requested a capture. A tee sends the event of a pipeline on from each
    /// of its branches.
    private var lastEvent: UInt32?

    /// Begins a new stream.
    mutating func restart() { (nextInstant, awaitsFrame) = (nil, true) }

    /// Makes the frame of the property `capture-frame` begin a capture again.
    mutating func awaitFrame() { awaitsFrame = true }

    /// Returns whether an event is another one than the last.
    mutating func admits(_ event: UInt32) -> Bool {
        defer { lastEvent = event }
        return event != lastEvent
    }

    /// Returns whether a frame begins a capture: the first one of the stream, and then the first one after each period;
    /// and once the first one with at least the number. A period of 0 and a negative number mean none. While a capture
    /// waits for frames, that of the period is put off.
    mutating func begin(at frame: FrameSummary, period: Double, number: Int, isWaiting: Bool) -> Bool {
        let isNumbered = awaitsFrame && number >= 0 && frame.number >= UInt64(number)
        if isNumbered { awaitsFrame = false }
        return isPeriodOver(at: frame.instant, period, isWaiting) || isNumbered
    }

    private mutating func isPeriodOver(at instant: Int64, _ period: Double, _ isWaiting: Bool) -> Bool {
        guard period > 0 else {
            nextInstant = nil
            return false
        }
        let step = max(1, Int64(period * 1e9))
        // The time of the stream may have gone back, or the period become shorter.
        let due = nextInstant.flatMap { $0 - instant > step ? nil : $0 } ?? instant
        guard instant >= due, !isWaiting else { return false }
        // From the due time, not from the frame's, so that the rate is kept.
        nextInstant = due + ((instant - due) / step + 1) * step
        return true
    }
}

extension RawShutter {
    /// The name of the structure of the custom upstream event that requests a capture. Its fields are those of the
    /// signal `capture`.
    static let requestEvent = "gscap-capture-request"

    /// Begins a capture if one is due at a frame. In a stream in order the frame is its first one and comes next;
    /// otherwise it is the reference and is in the ring.
    func beginIfDue(at frame: FrameSummary, isInOrder: Bool) {
        let settings = settings.current
        guard settings.hasTrigger else { return }
        let isWaiting = state.withLock { !$0.waiting.isEmpty }
        let isDue = triggers.withLock {
            $0.begin(at: frame, period: settings.period, number: settings.frameNumber, isWaiting: isWaiting)
        }
        guard isDue else { return }
        var request = CaptureRequest(
            id: Self.newTicket(), frames: settings.frames, instant: isInOrder ? nil : frame.instant)
        request.takesNearest = true
        request.baseTime = element.baseTime
        _ = accept(request, budget: settings.budget << 20)
    }

    /// Requests a capture if an event from downstream does.
    public func handle(upstream event: Event) -> EventDecision { press(event) ? .drop : .forward }

    /// Requests a capture if an event that is sent to the element does.
    public func handle(sent event: Event) -> Bool { press(event) }

    private func press(_ event: Event) -> Bool {
        guard let request = event.captureRequest else { return false }
        if triggers.withLock({ $0.admits(event.sequenceNumber) }) { _ = press(request) }
        return true
    }
}

extension Event {
    /// The request of a capture that the event carries; nil for other events.
    var captureRequest: Structure? {
        guard kind == .customUpstream, let structure, structure.name == RawShutter.requestEvent else { return nil }
        return structure
    }
}
