internal import CaptureSettings
internal import FrameStream
internal import GStreamer
internal import JSON
internal import RawImage
internal import Synchronization
internal import Waiting

// Presses of the bin's shutter.

extension PhotoBin {
    /// Requests a capture; returns its id, or 0 if the press is refused.
    func press(_ structure: Structure?) -> UInt64 {
        var (request, wishes, problems) = request(structure)
        wishes.press = request["time"]?.unsigned ?? element.runningTime
        let isNamed = request["id"].map { $0 != .null } ?? false
        let id = isNamed ? request["id"]?.unsigned ?? 0 : RawShutter.newTicket()
        if !isNamed { request["id"] = .uint64(id) }
        if !problems.isEmpty {
            refuse(id, problems.joined(separator: "; "))
            return 0
        }
        if let reason = obstacle.withLock({ $0 }) {
            refuse(id, reason)
            return 0
        }
        // An id that is no number, or 0, is refused by the shutter.
        if id > 0, !ledger.open(id, wishes) {
            refuse(id, "")
            return 0
        }
        let ticket = (try? shutter?.emit("capture", request)) ?? 0
        if ticket == 0 { ledger.discard(id) }
        if ticket != 0, let names = fileNames {
            reservations.reserve(ticket, names) { [ledger] in ledger.isUnderWay(ticket) }
        }
        return ticket
    }

    /// Returns whether a press would be accepted now, as the shutter's signal does.
    func admission(of structure: Structure?) -> Structure? {
        let (request, _, problems) = request(structure)
        var answer = (try? shutter?.query("admission", request)) ?? nil
        if let reason = obstacle.withLock({ $0 }) {
            answer?["verdict"] = .string(CaptureAdmission.Verdict.closed.rawValue)
            answer?["reason"] = .string(reason)
        }
        if let problem = problems.first {
            answer?["verdict"] = .string(CaptureAdmission.Verdict.invalid.rawValue)
            answer?["reason"] = .string(problem)
        }
        return answer
    }

    /// Returns the request for the shutter, what the press asks of the bin itself, and what is wrong with that.
    private func request(_ structure: Structure?) -> (Structure, PhotoLedger.Wishes, [String]) {
        var request = structure ?? Structure("capture")
        var fields = RequestFields(request, [.formats, .everyFrame], leavesOthers: true)
        let offered = formats
        let list = offered.map(\.rawValue).joined(separator: ", ")
        let wanted = fields.read(.formats, "a list of some of the formats \(list)") { value in
            let names = PhotoSetting.formats.json(value).list?.compactMap(\.text).joined(separator: ",")
            return names.flatMap(PhotoBranchFormat.list).flatMap { $0.allSatisfy(offered.contains) ? $0 : nil }
        }
        var wishes = PhotoLedger.Wishes(formats: Set(wanted ?? offered))
        wishes.takesEveryFrame = fields[.everyFrame]?.truth ?? false
        checkSettings(request["settings"]?.structure, &fields)
        request["formats"] = nil
        request["every-frame"] = .boolean(wishes.takesEveryFrame)
        if request["fusion-mode"] == nil {
            request["fusion-mode"] = .string(settings.current.fusionMode.rawValue)
        }
        return (request, wishes, fields.problems)
    }

    /// Adds a problem for each property value of a capture that its element does not accept.
    private func checkSettings(_ settings: Structure?, _ fields: inout RequestFields) {
        guard let settings, let bin = branches.withLock({ $0?.bin }) else { return }
        let fusion = formats.contains(where: \.isFused) ? ["fusion"] : []
        let names =
            fusion
            + formats.flatMap { format -> [String] in
                let encoders = format.ownEncoder == nil ? [] : [format.encoderName]
                return encoders + (format.isRAW ? [] : [format.lookName])
            }
        for field in settings.fields {
            guard names.contains(field.name), let child = bin.element(named: field.name) else {
                fields.add("settings: there is no element \"\(field.name)\": use \(names.joined(separator: ", "))")
                continue
            }
            for value in field.value.structure?.fields ?? [] {
                if !child.canChange(value.name) {
                    fields.add("settings: \(field.name) has no property \"\(value.name)\" that a capture may set")
                } else if !child.accepts(value.name, value.value) {
                    fields.add("settings: \(field.name) does not accept \(value.name)=\(value.value.requestText)")
                }
            }
        }
    }

    /// Ends a press that the bin refuses. If its id belongs to a capture under way, the messages with that id are the
    /// other capture's, so this posts a warning only.
    private func refuse(_ id: UInt64, _ reason: String) {
        if ledger.contains(id) {
            ledger.countRefusal()
            return element.post(
                warning: GscapError(message: "capture \(id) is under way already; use another id"))
        }
        element.postCaptureWarning(id, reason)
        let done = CaptureMessage.done(id: id, result: .failed, reason: reason, retryAfter: nil)
        ledger.receive(done, done.structure, formats: [], standard: PhotoLedger.Wishes(formats: []))
    }

    /// Ends a capture at the deadline of the property, if there is one.
    func limit(_ id: UInt64) {
        let deadline = settings.current.deadline
        guard deadline > 0 else { return }
        var left = deadline
        if let now = element.runningTime, let press = ledger.press(of: id) {
            left -= (Double(now) - Double(press)) / 1e9
        }
        clock.alarm(after: .clamped(seconds: min(deadline, max(0, left)))) { [weak self] in
            guard let self else { return }
            let reason = "the photos were not done within the deadline of \(deadline) s"
            guard ledger.expire(id, .failed, reason) else { return }
            element.postCaptureWarning(id, reason)
            _ = try? shutter?.emit("cancel", id)
        }
    }
}
