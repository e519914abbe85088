internal import FrameStream
internal import GStreamer

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
            // False if the bin has opened the capture.
            _ = open(id, standard())
            ledger(id)?.update { capture, outbox in
                capture.hasBegun = true
                outbox.add(posting(structure))
            }
        case .photo(let id, let element, _, let error):
            guard let error else { return }
            let place = (structure["exposure"]?.integer ?? 0, structure["index"]?.integer ?? 0)
            ledger(id)?.update { capture, outbox in
                for format in capture.wishes.formats.intersection(formats).sorted(by: { $0.rawValue < $1.rawValue }) {
                    let key = Key(format: format, exposure: place.0, frame: format.isFused ? 0 : place.1)
                    fail(id, key, element: element, error, &capture, &outbox)
                }
            }
        case .done(let id, let result, let reason, let retryAfter):
            end(id, structure, result, reason, retryAfter)
        case .exposing(let id, _, _), .exposed(let id, _, _), .frame(let id, _, _), .taken(let id, _, _, _),
            .fusing(let id, _, _), .fused(let id, _):
            ledger(id)?.update { _, outbox in outbox.add(posting(structure)) }
        }
    }

    private func end(
        _ id: UInt64, _ structure: Structure, _ result: CaptureResult, _ reason: String, _ retryAfter: Double?
    ) {
        let ledger = ledger(id)
        let isRefusal = ledger?.read(\.hasBegun) != true
        if isRefusal { countRefusal() }
        guard let ledger else { return post(structure) }
        endShutter(id)
        ledger.update { capture, outbox in
            if isRefusal { return end(id, with: structure, &outbox) }
            let result = settle(id, result, reason, &capture, &outbox)
            let reason = reason.isEmpty ? capture.photos.firstFailure ?? "" : reason
            let text = result == .succeeded ? "" : reason
            let done = CaptureMessage.done(id: id, result: result, reason: text, retryAfter: retryAfter)
            end(id, with: done.structure, &outbox)
        }
    }

    /// Ends a capture before the shutter does; returns whether it was under way.
    func expire(_ id: UInt64, _ result: CaptureResult, _ reason: String) -> Bool {
        ledger(id)?.update { capture, outbox in
            guard capture.hasBegun else { return false }
            let result = settle(id, result, reason, &capture, &outbox)
            let done = CaptureMessage.done(id: id, result: result, reason: reason, retryAfter: nil)
            end(id, with: done.structure, &outbox)
            return true
        } ?? false
    }

    /// Fails the photos still owed, and returns the result of the capture that ends as `result` for `reason`.
    private func settle(
        _ id: UInt64, _ result: CaptureResult, _ reason: String, _ capture: inout Capture,
        _ outbox: inout CaptureOutbox
    ) -> CaptureResult {
        let lost = reason.isEmpty ? "an element dropped the photo on its way to its sink" : reason
        for key in capture.photos.missing {
            fail(id, key, element: key.format.elementName, lost, &capture, &outbox)
        }
        if result == .cancelled { return result }
        if capture.photos.photos == 0 {
            capture.photos.blame("no branch made a photo")
            return .failed
        }
        return result == .failed ? .partial : capture.photos.result()
    }

    /// Fails all captures under way; returns which they were.
    func failAll(_ reason: String) -> [UInt64] { ledgers.map(\.id).filter { expire($0, .failed, reason) } }

    /// Ends all captures after the elements have stopped, and waits until the messages are posted, two seconds for each
    /// capture at most.
    func close(_ reason: String) {
        for (id, ledger) in ledgers {
            _ = expire(id, .cancelled, reason)
            ledger.flush()
        }
        discardAll()
    }
}
