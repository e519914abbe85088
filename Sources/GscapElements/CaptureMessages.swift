public import GStreamer
public import RawImage

/// What the elements tell on the bus about a capture. Each carries the ticket in the field "capture-id".
public enum CaptureMessage: Sendable, Hashable {
    /// The shutter has taken a request.
    case begun(id: UInt64, frames: Int)
    /// One frame of the burst has left the shutter.
    case frame(id: UInt64, index: Int, count: Int)
    /// All frames have left the shutter.
    case taken(id: UInt64)
    /// The burst is being fused: frames merged so far.
    case fusing(id: UInt64, merged: Int, count: Int)
    /// The photo is fused: its receipt.
    case fused(id: UInt64, report: FusionReport)
    /// The capture, or one branch of it, ends without a picture.
    case failed(id: UInt64, element: String, reason: String)

    private static let name = "gscap-capture"

    /// The family of the warnings that stand beside `failed`, so that who reads that can leave them out; and of the error of
    /// an encoder that gave no file at all.
    public static let warningDomain = "gscap-capture-error"

    /// A message out of an element's structure; nil when it is about something else.
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

    /// The message as an element posts it.
    public var structure: Structure {
        switch self {
        case .begun(let id, let frames): Self.make("begun", id, ["count": .int(Int32(clamping: frames))])
        case .frame(let id, let index, let count): Self.make("frame", id, Self.place(index, count))
        case .taken(let id): Self.make("taken", id)
        case .fusing(let id, let merged, let count): Self.make("fusing", id, Self.place(merged, count))
        case .fused(let id, let report): Self.make("fused", id, ["report": .structure(report.structure)])
        case .failed(let id, let element, let reason):
            Self.make("failed", id, ["element": .string(element), "reason": .string(reason)])
        }
    }

    private static func place(_ index: Int, _ count: Int) -> Structure {
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
    /// Tells that a capture, or one branch of it, ends without a picture: for who follows captures, and as a warning for
    /// everybody else.
    func postFailure(of id: UInt64, _ reason: String) {
        let warning = GStreamerError(
            domain: CaptureMessage.warningDomain, code: 1, message: "capture \(id): \(reason)")
        post(warning: warning)
        post(CaptureMessage.failed(id: id, element: name, reason: reason).structure)
    }
}
