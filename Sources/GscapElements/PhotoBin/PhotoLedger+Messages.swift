internal import GStreamer
internal import Glibc
internal import Waiting

// The messages of a bin's captures, and their ends.

extension PhotoLedger {
    /// Passes on a message of an element inside. `formats` are those that a message about a failed photo concerns, and
    /// `standard` the wishes of a press at the shutter itself.
    func receive(
        _ message: CaptureMessage, _ structure: Structure, formats: Set<PhotoBranchFormat>,
        standard: @autoclosure () -> Wishes
    ) {
        switch message {
        case .begun(let id, _):
            let standard = standard()
            update(id, creating: standard) { capture in
                guard !capture.isOver else { return }
                capture.hasBegun = true
                capture.messages.append(structure)
            }
        case .photo(let id, let element, _, let error):
            guard let error else { return }
            update(id) { capture in
                guard !capture.isOver else { return }
                for format in capture.wishes.formats.intersection(formats).sorted(by: { $0.rawValue < $1.rawValue }) {
                    let place = (structure["exposure"]?.integer ?? 0, structure["index"]?.integer ?? 0)
                    let key = capture.missing.first { key in
                        key.format == format && key.exposure == place.0 && (format.isFused || key.frame == place.1)
                    }
                    if let key { capture.fail(key, id, element: element, error) }
                }
            }
        case .done(let id, let result, let reason, let retryAfter):
            end(id, structure, result, reason, retryAfter)
        case .exposing(let id, _, _), .exposed(let id, _, _), .frame(let id, _, _), .taken(let id, _, _, _),
            .fusing(let id, _, _), .fused(let id, _):
            update(id) { capture in
                if !capture.isOver { capture.messages.append(structure) }
            }
        }
    }

    private func end(
        _ id: UInt64, _ structure: Structure, _ result: CaptureResult, _ reason: String, _ retryAfter: Double?
    ) {
        let isRefusal = state.withLock { state in
            let isRefusal = state.captures[id]?.hasBegun != true
            if isRefusal { state.refused += 1 }
            return isRefusal
        }
        if isRefusal, !contains(id) { return post(structure) }
        update(id) { capture in
            capture.hasShutterEnded = true
            guard !capture.isOver else { return }
            capture.isOver = true
            if isRefusal { return capture.messages.append(structure) }
            let result = capture.end(id, result, reason)
            let reason = reason.isEmpty ? capture.firstFailure ?? "" : reason
            let text = result == .succeeded ? "" : reason
            capture.messages.append(
                CaptureMessage.done(id: id, result: result, reason: text, retryAfter: retryAfter).structure)
        }
    }

    /// Ends a capture before the shutter does; returns whether it was under way.
    func expire(_ id: UInt64, _ result: CaptureResult, _ reason: String) -> Bool {
        var isFirst = false
        update(id) { capture in
            guard capture.hasBegun, !capture.isOver else { return }
            (isFirst, capture.isOver) = (true, true)
            let result = capture.end(id, result, reason)
            capture.messages.append(
                CaptureMessage.done(id: id, result: result, reason: reason, retryAfter: nil).structure)
        }
        return isFirst
    }

    /// Fails all captures under way; returns which they were.
    func failAll(_ reason: String) -> [UInt64] {
        state.withLock { $0.captures.keys.sorted() }.filter { expire($0, .failed, reason) }
    }

    /// Ends all captures after the elements have stopped, and waits until the messages are posted, two seconds at most.
    func close(_ reason: String) {
        for id in state.withLock({ $0.captures.keys.sorted() }) {
            _ = expire(id, .cancelled, reason)
            update(id) { $0.hasShutterEnded = true }
        }
        // The own thread may be one that posts: a handler of messages may stop the pipeline.
        let own = UInt(pthread_self())
        _ = state.wait(until: clock.now + .seconds(2), by: clock) { state in
            state.posters.keys.contains { $0 != own } ? nil : true
        }
        state.withLock { state in state.captures = state.captures.filter { $0.value.hasBegun && $0.value.isPosting } }
    }
}
