internal import CaptureSettings
internal import Dispatch
internal import FrameStream
internal import GStreamer
internal import JSON
internal import Synchronization
internal import Waiting

// Presses of the shutter: requests of captures and their end before the frames are there.

extension RawShutter {
    private static let lastTicket = Atomic<UInt64>(1 << 32)

    /// Requests a capture; returns its id, or 0 if the press is refused.
    func press(_ structure: Structure?) -> UInt64 {
        let settings = settings.current
        var problems: [String] = []
        let request = CaptureRequest(structure, defaults(id: Self.newTicket(), settings), problems: &problems)
        let problem = problems.isEmpty ? nil : problems.joined(separator: "; ")
        return accept(request, budget: settings.budget << 20, problem: problem) ? request.id : 0
    }

    private func defaults(id: UInt64, _ settings: Settings) -> CaptureDefaults {
        let (time, baseTime) = element.timeOnBase
        return CaptureDefaults(
            id: id, frames: settings.frames, time: time, baseTime: baseTime, usesPast: settings.zeroLag,
            priority: settings.priority)
    }

    private static let expected = PhotoSetting(
        "expected", .integer(0...Int.max), "The frames of captures that are requested before this one")

    /// Returns whether a press would be accepted now, by the same computation as the press itself.
    func admission(of structure: Structure?) -> CaptureAdmission {
        let settings = settings.current
        var fields = RequestFields(structure, PhotoSetting.shutter + [Self.expected])
        let expected = min(1 << 20, fields[Self.expected]?.integer ?? 0)
        let request = CaptureRequest(&fields, defaults(id: 0, settings))
        let frames = request.totalFrames + expected
        var admission = state.withLock { $0.admission(frames: frames, budget: settings.budget << 20) }
        if let problem = fields.problems.first { admission.refuse(.invalid, problem) }
        admission.retryAfter = retryTime(after: admission)
        return admission
    }

    /// Returns the time in seconds after which a press that was refused for want of memory will be accepted; nil if it
    /// was not.
    private func retryTime(after refusal: CaptureAdmission) -> Double? {
        refusal.excess > 0 ? memory.time(toFree: refusal.excess, size: refusal.frameBytes) : nil
    }

    static func newTicket() -> UInt64 { lastTicket.add(1, ordering: .relaxed).newValue }

    private func ticket(of request: CaptureRequest) -> CaptureTicket {
        CaptureTicket(request.id, element, posts, companion: request.companion) { [weak self] in
            self?.forget($0.id)
        } posted: { [pendingEnds] in
            pendingEnds.end($0)
        }
    }

    /// Accepts a press, or refuses it with the message `done`; returns whether it was accepted. `budget` is the largest
    /// number of bytes that the frames of all captures may have; `problem` is what is wrong with the request. A press
    /// whose id belongs to a capture under way is refused with a warning only, since messages with that id are the
    /// other capture's.
    func accept(
        _ request: CaptureRequest, budget: Int, problem: String? = nil, isOwn: Bool = false
    ) -> Bool {
        let ticket = ticket(of: request)
        let isNew = tickets.withLock { tickets in
            if tickets[request.id] != nil { return false }
            tickets[request.id] = ticket
            pendingEnds.begin(ticket)
            return true
        }
        guard isNew else {
            element.post(
                warning: GscapError(message: "capture \(request.id) is under way already; use another id"))
            return false
        }
        element.log(.debug, "capture \(request.id) asks for \(request.debugText)")
        if let problem {
            element.log(.warning, "capture \(request.id) is refused: \(problem)")
            ticket.end(.failed, problem)
            return false
        }
        if let refusal = state.withLock({ $0.reserve(request.id, frames: request.totalFrames, budget: budget) }) {
            element.log(.warning, "capture \(request.id) is refused: \(refusal.reason)")
            ticket.end(.failed, refusal.reason, retryAfter: retryTime(after: refusal))
            return false
        }
        ticket.begin(frames: request.totalFrames, exposures: request.exposures.count)
        guard state.withLock({ $0.add(request, ticket) }) else {
            ticket.end(.cancelled, "the pipeline stopped")
            return true
        }
        wakeUp.signal()
        if !isOwn { limit(ticket) }
        carryOut(state.withLock { $0.select() })
        return true
    }

    private func forget(_ id: UInt64) {
        let isIdle = tickets.withLock { tickets in
            tickets[id] = nil
            return tickets.isEmpty
        }
        memory.end(id)
        if isIdle { returnMemory() }
    }

    /// Returns free heap memory, which the C library would keep, to the system in two seconds, unless a capture is
    /// under way then.
    private func returnMemory() {
        clock.alarm(after: .seconds(2), on: .global(qos: .utility)) { [weak self] in
            guard let self, tickets.withLock({ $0.isEmpty }) else { return }
            GStreamerRuntime.returnFreeMemory()
        }
    }

    /// Ends a capture that does not get its frames in time, unless the stream is not live. When the time limit is
    /// reached, it is computed again, because the frame period may have become known, or the capture may still
    /// wait for its turn to change the exposure.
    private func limit(_ ticket: CaptureTicket) {
        posts.alarm { [weak self, id = ticket.id] in
            self?.state.withLock { $0.deadline(of: id) }
        } _: { [weak self, weak ticket] in
            guard let self, let ticket, mayBeLive else { return }
            // The frames that are there may do, although a nearer one was expected.
            carryOut(state.withLock { $0.selectFinally(ticket.id) })
            guard let late = state.withLock({ $0.remove(ticket.id) }) else { return }
            ticket.end(.failed, late.reasonForDelay)
            carryOut(state.withLock { $0.select() })
        }
    }

    func cancel(_ id: UInt64) -> Bool {
        guard let ticket = tickets.withLock({ $0[id] }) else { return false }
        _ = state.withLock { $0.remove(id) }
        ticket.abandon(.cancelled, "the capture was cancelled")
        carryOut(state.withLock { $0.select() })
        return true
    }

    /// Queues the complete bursts for pushing, ends the captures that can no longer get their frames, and requests a
    /// new exposure from the sensor if there is one.
    func carryOut(_ work: ShutterState.Work) {
        for ticket in work.exposing { ticket.expose() }
        for progress in work.progress { progress.ticket.expose(upTo: progress.completed) }
        for burst in work.bursts {
            element.log(.debug, burst.debugText)
            queue.add(burst) { [self] burst in
                guard let output = element.element?.pad("src") else { throw FlowError.flushing }
                // A press on another thread may queue a burst after the stream has changed its format.
                guard format.withLock({ $0 }) == work.format else {
                    return burst.abandon(after: GscapError(message: "the camera changed the frames' format"))
                }
                try pass(burst, to: output)
            }
        }
        for failure in work.failures { failure.ticket.end(.failed, failure.reason) }
        sendControls()
    }

    /// Sends the queued requests to the sensor, unless another thread is sending them.
    func sendControls() {
        guard state.withLock({ $0.beginSendingControls() }) else { return }
        while let control = state.withLock({ $0.nextControl() }) {
            let event = Event.customUpstream(control.structure)
            let isTaken = element.pushUpstream(event)
            element.log(.debug, "asks the camera for \(control.structure.debugText): \(isTaken ? "taken" : "refused")")
        }
    }
}
