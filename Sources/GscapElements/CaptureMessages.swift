public import GStreamer
public import RawImage

/// The element messages about a capture on the pipeline's bus. Each has the ticket (capture id) in the field
/// "capture-id".
public enum CaptureMessage: Sendable, Hashable {
    /// The shutter has accepted a capture request for this many frames.
    case begun(id: UInt64, frames: Int)
    /// The shutter is about to push frame `index`, counted from 0, of the burst's `count` frames.
    case frame(id: UInt64, index: Int, count: Int)
    /// The shutter has pushed all frames of the capture.
    case taken(id: UInt64)
    /// The fusion has merged `merged` of the burst's `count` frames so far.
    case fusing(id: UInt64, merged: Int, count: Int)
    /// The burst is fused; the report lists what was merged and how much noise was removed.
    case fused(id: UInt64, report: FusionReport)
    /// The capture, or one branch of it, ended without a picture.
    case failed(id: UInt64, element: String, reason: String)

    private static let name = "gscap-capture"

    /// The error domain of the warnings posted together with `failed` messages, and of the error that an element posts
    /// at the end of a stream without output. Applications that handle `failed` ignore warnings of this domain.
    public static let warningDomain = "gscap-capture-error"

    /// Decodes an element message's structure; returns nil if it is not a capture message.
    public init?(_ structure: Structure) {
        guard structure.name == Self.name, let id = structure["capture-id"]?.unsigned,
            let event = structure["event"]?.text
        else { return nil }
        let count = structure["count"]?.integer ?? 0
        let index = structure["index"]?.integer ?? 0
        switch event {
        case "begun": self = .begun(id: id, frames: count)
        case "frame": self = .frame(id: id, index: index, count: count)
        case "taken": self = .taken(id: id)
        case "fusing": self = .fusing(id: id, merged: index, count: count)
        case "fused": self = .fused(id: id, report: FusionReport(structure.structure("report")) ?? FusionReport())
        case "failed":
            self = .failed(
                id: id, element: structure["element"]?.text ?? "", reason: structure["reason"]?.text ?? "")
        default: return nil
        }
    }

    /// The structure that an element posts as the message.
    public var structure: Structure {
        switch self {
        case .begun(let id, let frames): Self.make("begun", id, ["count": .int(Int32(clamping: frames))])
        case .frame(let id, let index, let count): Self.make("frame", id, Self.progress(index, count))
        case .taken(let id): Self.make("taken", id)
        case .fusing(let id, let merged, let count): Self.make("fusing", id, Self.progress(merged, count))
        case .fused(let id, let report): Self.make("fused", id, ["report": .structure(report.structure)])
        case .failed(let id, let element, let reason):
            Self.make("failed", id, ["element": .string(element), "reason": .string(reason)])
        }
    }

    private static func progress(_ index: Int, _ count: Int) -> Structure {
        Structure(name, ["index": .int(Int32(clamping: index)), "count": .int(Int32(clamping: count))])
    }

    private static func make(_ event: String, _ id: UInt64, _ fields: KeyValuePairs<String, Value> = [:]) -> Structure {
        make(event, id, Structure(name, fields))
    }

    private static func make(_ event: String, _ id: UInt64, _ fields: Structure) -> Structure {
        var structure = Structure(name, ["event": .string(event), "capture-id": .uint64(id)])
        for field in fields.fields { structure[field.name] = field.value }
        return structure
    }
}

extension ElementHandle {
    /// Posts that a capture, or one branch of it, ended without a picture: a `failed` message for applications that
    /// handle capture messages, and a warning for those that do not, such as gst-launch-1.0.
    func postFailure(of id: UInt64, _ reason: String) {
        let warning = GStreamerError(
            domain: CaptureMessage.warningDomain, code: 1, message: "capture \(id): \(reason)")
        post(warning: warning)
        post(CaptureMessage.failed(id: id, element: name, reason: reason).structure)
    }

    /// Posts a warning that a part of a capture is lost, such as a look or a digest, although its photo is complete.
    /// Elements post each loss once per capture.
    func postLoss(_ loss: String, capture id: UInt64?) {
        post(warning: GStreamerError(message: (id.map { "capture \($0): " } ?? "") + loss, place: name))
    }

    /// Posts a warning with the fields of a frame's metadata that were ignored as invalid, if there are any.
    func postLoss(of ignored: IgnoredFields, capture id: UInt64?) {
        if let message = ignored.message { postLoss(message, capture: id) }
    }
}
