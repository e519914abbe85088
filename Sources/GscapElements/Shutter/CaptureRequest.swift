/// A press of the shutter: which frames it wants.
package struct CaptureRequest: Sendable, Hashable {
    /// The ticket.
    package var id: UInt64
    /// How many frames.
    package var frames: Int
    /// The number of the frame that was the newest at the press; nil when none had come.
    package var moment: UInt64?
    /// Only frames with a number above this one.
    package var after: UInt64?
    /// Only frames exposed for this many seconds; nil takes what the sensor does at the moment.
    package var exposureTime: Double?
    /// Only frames of this ISO number; nil takes what the sensor does at the moment.
    package var iso: Double?
    /// How thoroughly the burst is to be fused; nil leaves it to the fusion.
    package var fusionMode: String?

    /// Whether the shutter pressed itself.
    package var isOwn: Bool

    /// A request for `frames` frames.
    package init(
        id: UInt64, frames: Int, moment: UInt64?, after: UInt64? = nil, exposureTime: Double? = nil, iso: Double? = nil,
        fusionMode: String? = nil, isOwn: Bool = false
    ) {
        self.id = id
        self.frames = frames
        self.moment = moment
        self.after = after
        self.exposureTime = exposureTime
        self.iso = iso
        self.fusionMode = fusionMode
        self.isOwn = isOwn
    }
}

/// What a frame's metadata says to the shutter.
package struct FrameMark: Sendable, Hashable {
    package var number: UInt64
    package var exposureTime: Double
    package var iso: Double

    /// A mark of a frame.
    package init(number: UInt64, exposureTime: Double, iso: Double) {
        self.number = number
        self.exposureTime = exposureTime
        self.iso = iso
    }
}

extension CaptureRequest {
    /// The places of the wanted frames among those in the ring, the frame of the moment first; nil while some are missing.
    ///
    /// Frames are known by what they tell of themselves: one that was exposed otherwise, because the sensor was still on
    /// its way to new settings, is no part of the capture wherever it stands.
    package func selection(from marks: [FrameMark]) -> [Int]? {
        let exposure = wantedExposure(in: marks)
        var seen: Set<UInt64> = []
        let candidates = marks.indices.filter { index in
            let mark = marks[index]
            if let after, mark.number <= after { return false }
            return Self.near(mark.exposureTime, exposure.time) && Self.near(mark.iso, exposure.iso)
                && seen.insert(mark.number).inserted
        }
        guard frames > 0, candidates.count >= frames else { return nil }
        let chosen = candidates.suffix(frames)
        let first = chosen.first { marks[$0].number == moment } ?? chosen[chosen.startIndex]
        return [first] + chosen.filter { $0 != first }
    }

    /// The exposure asked for; where nothing was asked, that of the frame of the moment, or of the newest.
    private func wantedExposure(in marks: [FrameMark]) -> (time: Double?, iso: Double?) {
        let guide = marks.last { $0.number == moment } ?? marks.last
        return (exposureTime ?? guide?.exposureTime, iso ?? guide?.iso)
    }

    /// Equal within what a sensor's steps leave.
    private static func near(_ value: Double, _ wanted: Double?) -> Bool {
        guard let wanted else { return true }
        return abs(value - wanted) <= 0.01 * max(abs(wanted), 1e-9)
    }
}
