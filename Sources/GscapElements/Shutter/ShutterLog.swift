internal import FrameStream
internal import GStreamer

// The lines of the category `rawshutter` in GStreamer's debug log: what a press asked for, which frames it got, and why
// not the others.

extension CaptureRequest {
    /// What the press asks for.
    var debugText: String {
        var parts = ["\(totalFrames) frames"]
        parts.append(instant.map { "nearest to \(Self.seconds($0))" } ?? "from the next frame on")
        parts.append(usesPast ? "also from before the press" : "from after the press")
        if let tolerance { parts.append("at most \(Self.milliseconds(tolerance)) from the press") }
        if let exposureTime { parts.append("exposed for \(exposureTime) s") }
        if let iso { parts.append("ISO \(iso)") }
        if !bracket.isEmpty { parts.append("\(bracket.count) exposures") }
        if flash != .off { parts.append("flash \(flash)") }
        return parts.joined(separator: ", ")
    }

    /// Returns how far a frame is from the press, and why it cannot be the reference; nil if it can.
    fileprivate func obstacle(of frame: FrameSummary, _ last: UInt64?) -> String? {
        if let last, frame.serial <= last { return "an earlier press has it or a later one" }
        if !frame.matches(exposureTime: exposureTime, iso: iso) {
            return "exposed for \(frame.exposureTime) s at ISO \(frame.iso)"
        }
        if !usesPast, frame.start < instant ?? press ?? Int64.min { return "from before the press" }
        return nil
    }

    static func seconds(_ nanoseconds: Int64) -> String { "\(Double(nanoseconds / 1000) / 1e6) s" }
}

extension Burst {
    /// The frames of the burst, and what else was there.
    var debugText: String {
        func name(_ frame: FrameSummary) -> String {
            request.press == nil ? "\(frame.number)" : "\(frame.number) (\(distance(of: frame)))"
        }
        var text = "capture \(ticket.id) gets "
        text += parts.map { part in
            let others = part.summaries.dropFirst().map(name).joined(separator: " ")
            return "frame \(part.summaries.first.map(name) ?? "-") as the reference"
                + (others.isEmpty ? "" : " and \(others)")
        }.joined(separator: "; ")
        guard let considered else { return text }
        let chosen = Set(parts.flatMap { $0.summaries.map(\.serial) })
        let left = considered.frames.filter { !chosen.contains($0.serial) }.map { frame in
            name(frame) + (request.obstacle(of: frame, considered.lastReference).map { ": \($0)" } ?? "")
        }
        if !left.isEmpty { text += "; not \(left.joined(separator: ", "))" }
        if let period = considered.timing.period { text += "; a frame each \(CaptureRequest.milliseconds(period))" }
        return text + ", delivered after \(CaptureRequest.milliseconds(considered.timing.delay))"
    }

    private func distance(of frame: FrameSummary) -> String {
        guard let press = request.press else { return "-" }
        let microseconds = (frame.instant - press) / 1000
        return "\(microseconds < 0 ? "" : "+")\(Double(microseconds) / 1000) ms"
    }
}

/// The frames from which those of a burst were selected, for the debug log.
struct ConsideredFrames: Sendable {
    var frames: [FrameSummary]
    var timing: FrameTiming
    /// The serial number of the newest frame that was the reference of another press, if it excludes frames.
    var lastReference: UInt64?
}
