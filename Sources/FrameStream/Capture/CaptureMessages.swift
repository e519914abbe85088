package import GStreamer
package import RawImage

/// The element messages about a capture on the pipeline's bus. Each has the ticket (capture id) in the field
/// "capture-id". The first message of an accepted press is `begun`; the last is `done`, exactly once. A refused press
/// has only `done`.
package enum CaptureMessage: Sendable, Hashable {
    /// The shutter has accepted a capture request for this many frames.
    case begun(id: UInt64, frames: Int)
    /// The shutter takes exposure `index`, counted from 0, of the capture's `count` exposures: 0 of 1 outside a
    /// bracket. The first comes right after `begun` with zero shutter lag, when the sensor is asked for another
    /// exposure or the flash, and otherwise with the first frame; each other one after the exposure before it is
    /// complete.
    case exposing(id: UInt64, index: Int, count: Int)
    /// All frames of exposure `index` of `count` are taken. In a capture without a bracket this comes after the last
    /// `frame`, right before `taken`.
    case exposed(id: UInt64, index: Int, count: Int)
    /// The shutter is about to push frame `index`, counted from 0, of the capture's `count` frames over all exposures.
    case frame(id: UInt64, index: Int, count: Int)
    /// The shutter has pushed all frames of the capture. `frame` is the number of the reference frame, and `lag` the
    /// time in seconds from the press to the middle of its exposure, negative for a frame from before the press; nil
    /// when unknown. In a capture that asked the camera for another exposure or for its flash, `exposureLag` is the
    /// time from the first exposure that began afterwards.
    case taken(id: UInt64, frame: UInt64, lag: Double?, exposureLag: Double?)
    /// The fusion has received `merged` of the burst's `count` frames so far. The first ones are merged only once the
    /// reference is chosen, and frames that are rejected count as well.
    case fusing(id: UInt64, merged: Int, count: Int)
    /// The burst is fused; the report lists what was merged and how much noise was removed.
    case fused(id: UInt64, report: FusionReport)
    /// An element has made a photo of this many bytes, or has failed to. The failure of an element that several
    /// branches share, such as the fusion, fails the photo of each.
    case photo(id: UInt64, element: String, bytes: Int, error: String?)
    /// The capture is over. `retryAfter` is the time in seconds after which a refused press will be accepted.
    case done(id: UInt64, result: CaptureResult, reason: String, retryAfter: Double?)

    private static let name = "gscap-capture"

    /// The error domain of the warnings posted together with failures, and of the error that an element posts at the
    /// end of a stream without output. Applications that handle `photo` and `done` ignore warnings of this domain.
    package static let warningDomain = "gscap-capture-error"

    /// Decodes an element message's structure; returns nil if it is not a capture message.
    package init?(_ structure: Structure) {
        guard structure.name == Self.name, let id = structure["capture-id"]?.unsigned,
            let event = structure["event"]?.text
        else { return nil }
        let count = structure["count"]?.integer ?? 0
        let index = structure["index"]?.integer ?? 0
        switch event {
        case "begun": self = .begun(id: id, frames: count)
        case "exposing": self = .exposing(id: id, index: index, count: count)
        case "exposed": self = .exposed(id: id, index: index, count: count)
        case "frame": self = .frame(id: id, index: index, count: count)
        case "taken":
            self = .taken(
                id: id, frame: structure["frame-number"]?.unsigned ?? 0, lag: structure["lag"]?.number,
                exposureLag: structure["exposure-lag"]?.number)
        case "fusing": self = .fusing(id: id, merged: index, count: count)
        case "fused": self = .fused(id: id, report: FusionReport(structure.structure("report")) ?? FusionReport())
        case "photo":
            self = .photo(
                id: id, element: structure["element"]?.text ?? "",
                bytes: structure["bytes"]?.unsigned.flatMap(Int.init) ?? 0, error: structure["error"]?.text)
        case "done":
            guard let result = structure["result"]?.text.flatMap(CaptureResult.init) else { return nil }
            self = .done(
                id: id, result: result, reason: structure["reason"]?.text ?? "",
                retryAfter: structure["retry-after"]?.number)
        default: return nil
        }
    }

    /// The structure that an element posts as the message.
    package var structure: Structure {
        switch self {
        case .begun(let id, let frames): Self.make("begun", id, ["count": .int(Int32(clamping: frames))])
        case .exposing(let id, let index, let count): Self.make("exposing", id, Self.progress(index, count))
        case .exposed(let id, let index, let count): Self.make("exposed", id, Self.progress(index, count))
        case .frame(let id, let index, let count): Self.make("frame", id, Self.progress(index, count))
        case .taken(let id, let frame, let lag, let exposureLag):
            Self.make(
                "taken", id, ["frame-number": .uint64(frame)],
                ["lag": lag.map(Value.double), "exposure-lag": exposureLag.map(Value.double)])
        case .fusing(let id, let merged, let count): Self.make("fusing", id, Self.progress(merged, count))
        case .fused(let id, let report): Self.make("fused", id, ["report": .structure(report.structure)])
        case .photo(let id, let element, let bytes, let error):
            Self.make(
                "photo", id, ["element": .string(element)],
                [
                    "bytes": error == nil ? .uint64(UInt64(clamping: bytes)) : nil,
                    "error": error.map(Value.string),
                ])
        case .done(let id, let result, let reason, let retryAfter):
            Self.make(
                "done", id, ["result": .string(result.rawValue), "reason": .string(reason)],
                ["retry-after": retryAfter.map(Value.double)])
        }
    }

    private static func progress(_ index: Int, _ count: Int) -> KeyValuePairs<String, Value> {
        ["index": .int(Int32(clamping: index)), "count": .int(Int32(clamping: count))]
    }

    private static func make(
        _ event: String, _ id: UInt64, _ fields: KeyValuePairs<String, Value>,
        _ optionalFields: KeyValuePairs<String, Value?> = [:]
    ) -> Structure {
        var structure = Structure(name, ["event": .string(event), "capture-id": .uint64(id)])
        for (name, value) in fields { structure[name] = value }
        for (name, value) in optionalFields { structure[name] = value }
        return structure
    }
}

/// How a capture ended.
package enum CaptureResult: String, Sendable, Hashable {
    /// Every photo was made.
    case succeeded
    /// Some photos were made; others failed.
    case partial
    /// No photo was made.
    case failed
    /// The capture was cancelled, or its pipeline stopped.
    case cancelled
}

extension ElementHandle {
    /// Posts that an element made no photo for a capture: a `photo` message with the error for applications that handle
    /// capture messages, and a warning for those that do not, such as gst-launch-1.0.
    ///
    /// The message says which exposure and which frame of the capture the photo would have shown. Nothing is posted
    /// after a stop or flush has ended the capture.
    package func postFailure(of place: CapturePlace, _ reason: String) {
        var photo = CaptureMessage.photo(id: place.id, element: name, bytes: 0, error: reason).structure
        if place.exposure > 0 { photo["exposure"] = .int(Int32(clamping: place.exposure)) }
        if place.frame > 0 { photo["index"] = .int(Int32(clamping: place.frame)) }
        report(.failure(reason), on: place.ticket) { [self, photo] in
            postCaptureWarning(place.id, reason)
            post(photo)
        }
    }

    /// Posts that an element made a photo of this many bytes for a capture, unless a stop or flush has ended it.
    package func postPhoto(of place: CapturePlace, bytes: Int) {
        let photo = CaptureMessage.photo(id: place.id, element: name, bytes: bytes, error: nil)
        report(.photo, on: place.ticket) { [self] in post(photo.structure) }
    }

    /// Posts a step of an element towards the photo of a capture, unless a stop or flush has ended it.
    package func postProgress(_ message: CaptureMessage, on ticket: CaptureTicket?) {
        report(.progress, on: ticket) { [self] in post(message.structure) }
    }

    /// Reports on a capture's ticket. Frames that no shutter has passed have none: then nothing is kept of the capture.
    private func report(
        _ step: CaptureTicket.Step, on ticket: CaptureTicket?, _ post: @escaping CaptureOutbox.Post
    ) {
        if let ticket { ticket.record(step, post) } else { post() }
    }

    /// Posts the warning that accompanies each failure.
    package func postCaptureWarning(_ id: UInt64, _ reason: String) {
        post(
            warning: GscapError(
                domain: CaptureMessage.warningDomain, number: 1, message: "capture \(id): \(reason)"))
    }

    /// Posts a warning that a part of a capture is lost, such as a look or a digest, although its photo is complete.
    /// Each call posts one; the shutter calls this for the first affected frame of a capture only.
    package func postLoss(_ loss: String, capture id: UInt64?) {
        post(warning: GscapError(message: (id.map { "capture \($0): " } ?? "") + loss, place: name))
    }

    /// Posts a warning with the fields of a frame's metadata that were ignored as invalid, if there are any.
    package func postLoss(of ignored: IgnoredFields, capture id: UInt64?) {
        if let message = ignored.message { postLoss(message, capture: id) }
    }
}
