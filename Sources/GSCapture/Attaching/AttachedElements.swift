internal import GStreamer
internal import GscapElements
internal import Synchronization
internal import Waiting

/// The elements of an attached branch, and their link to the pad of the host.
///
///     apart ──link──► linked ──remove──► removed
///       └─────────────remove────────────────┘
///
/// `link` and `remove` are called one after another, never on a streaming thread. After `remove`, `link` does nothing.
final class AttachedElements: Sendable {
    /// The source pad of the host.
    let pad: Pad
    let queue: Element
    let bin: Bin
    /// Whether the pad was requested for this branch, which then gives it back.
    private let isRequested: Bool
    private let probes = Mutex<[Pad.ProbeToken]>([])
    private let events = Mutex<SignalConnection?>(nil)
    private let isRemoved = AtomicFlag()

    /// The number of attempts to take the state of a host that changes its state meanwhile.
    private static let attempts = 20

    /// Creates the elements. Throws if the pad is no free source pad in a bin, or delivers no Bayer frames.
    init(_ pad: Pad, isRequested: Bool, formats: [String]) throws(CaptureError) {
        self.pad = pad
        self.isRequested = isRequested
        queue = try Element(factory: "queue")
        bin = try Bin(factory: RegisteredNames.name(of: "gscapphotobin"))
        try bin.set("formats", .string(formats.joined(separator: ",")))
        try queue.set("max-size-buffers", .uint(2))
        try queue.set("max-size-bytes", .uint(0))
        try queue.set("max-size-time", .uint64(0))
        try check()
    }

    /// Calls `handler` with each capture message of the bin, on the thread that posts it.
    func connect(_ handler: @escaping @Sendable (Structure) -> Void) throws(CaptureError) {
        let connection = try bin.connect("capture-event") { values in
            if case .structure(let message)? = values.first { handler(message) }
        }
        events.withLock { $0 = connection }
    }

    /// Checks that the pad can have a branch.
    private func check() throws(CaptureError) {
        func refuse(_ reason: String) -> CaptureError { CaptureError(.cannotAttach, reason, place: pad.name) }
        guard pad.isSource else { throw refuse("an output is attached to a source pad, not to a sink pad") }
        guard !pad.isLinked else {
            throw refuse("the pad is linked already; request another pad of a tee, or call attach(toTee:)")
        }
        guard pad.parentElement?.parentBin != nil else {
            throw refuse("the pad's element is in no pipeline; add it to one first")
        }
        let offered = pad.currentCaps ?? pad.queryCaps()
        guard let accepted = bin.pad("sink")?.queryCaps() else { throw refuse("gscapphotobin has no sink pad") }
        if !offered.isEmpty, offered.intersection(accepted).isEmpty {
            throw refuse(
                "the pad delivers \(offered), and photos need Bayer frames (video/x-bayer): take a pad before the "
                    + "frames are converted")
        }
    }
}

// MARK: - Changes

extension AttachedElements {
    /// Adds the elements to the host, brings them to its state, and then links them. In this order no frame reaches an
    /// element that does not run, whose refusal would end the host's stream.
    ///
    /// `arrived` is called for each frame, on the host's streaming thread.
    func link(arrived: @escaping @Sendable () -> Void) throws(CaptureError) {
        guard !isRemoved.isRaised else { return }
        guard let host = pad.parentElement?.parentBin else {
            throw CaptureError(.cannotAttach, "the pad's element left its pipeline", place: pad.name)
        }
        try host.add(queue)
        try host.add(bin)
        try queue.link(to: bin)
        try takeState(of: host)
        shield(arrived: arrived)
        guard let input = queue.pad("sink") else { throw GscapError(message: "a queue has no sink pad") }
        try pad.link(to: input)
        // The host may have changed its state before the branch was linked to it.
        try takeState(of: host)
    }

    /// Brings both elements to the state of the host, the last one first. A host that changes its state at the same
    /// time changes those of its elements, too; the state that was read before would then overwrite it, so this looks
    /// again afterwards.
    private func takeState(of host: Bin) throws(GscapError) {
        for _ in 0..<Self.attempts {
            let state = host.targetState
            let runs = bin.syncStateWithParent() && queue.syncStateWithParent()
            guard host.targetState == state else { continue }
            if runs { return }
            throw GscapError(
                message: "the photo branch does not change to the state \(state): an encoder does not start",
                place: bin.name)
        }
    }

    /// Keeps the branch from disturbing the host. The bin returns no flow errors, but a queue that stops returns
    /// "flushing". Buffers are pushed by a probe, where that ends. Therefore the pad can be unlinked while the host
    /// pushes a buffer, and no thread of the host has to be blocked for it. Upstream, the request to renegotiate that
    /// follows each link is dropped, because some cameras stop for a renegotiation.
    private func shield(arrived: @escaping @Sendable () -> Void) {
        let isFirst = AtomicFlag()
        let flow = pad.isolate { [queue] _ in
            if !isFirst.isRaised { Self.chooseLeak(of: queue, isFirst) }
            arrived()
            return true
        } failed: { _ in
        }
        let events = pad.addEventProbe(.upstream) { $0.kind == .reconfigure ? .drop : .pass }
        probes.withLock { $0 = [flow, events] }
    }

    /// Makes the queue discard frames if the stream is live: a camera never waits for photos. Of a recording every
    /// frame is used, as in a session. Called with the first frame, because some sources do not know it before.
    private static func chooseLeak(of queue: Element, _ isChosen: AtomicFlag) {
        guard let input = queue.pad("sink"), input.isLinked, isChosen.raise() else { return }
        if input.hasLiveSource != false { try? queue.set("leaky", .string("downstream")) }
    }

    /// Unlinks the elements, stops them and takes them out of the host, if there still is one. A pad that was requested
    /// for the branch is given back; another one is as free as before.
    func remove() {
        guard isRemoved.raise() else { return }
        if let input = queue.pad("sink") { pad.unlink(from: input) }
        // The bin first: a queue waits for the push of a buffer, which ends when the bin stops.
        for element in [bin, queue] {
            element.setStateLocked(true)
            _ = try? element.setState(.null)
            element.parentBin?.remove(element)
        }
        // A buffer that the host pushes meanwhile is dropped by the probe; without the probe, a tee ignores the free
        // pad as it does before the branch is linked.
        if isRequested { pad.parentElement?.releaseRequestPad(pad) }
        let probes = probes.withLock { probes in
            defer { probes = [] }
            return probes
        }
        for probe in probes { probe.remove() }
        let events = events.withLock { events in
            defer { events = nil }
            return events
        }
        events?.disconnect()
    }
}
