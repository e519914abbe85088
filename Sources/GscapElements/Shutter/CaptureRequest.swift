package import RawImage

/// A capture request: the criteria by which the shutter selects frames from its ring.
package struct CaptureRequest: Sendable, Hashable {
    /// The ticket: the capture id.
    package var id: UInt64
    /// The number of frames in the burst.
    package var frames: Int
    /// The number of the newest frame at the moment of the press, which becomes the first of the burst; nil without
    /// zero shutter lag or if no frame had arrived.
    package var moment: UInt64?
    /// If set, only frames with a higher number are selected.
    package var after: UInt64?
    /// The required exposure time in seconds; nil takes that of the frame at the press, or else of the newest frame.
    package var exposureTime: Double?
    /// The required ISO number; nil takes that of the frame at the press, or else of the newest frame.
    package var iso: Double?
    /// The fusion mode; nil leaves it to the property of `rawfusion`.
    package var fusionMode: FusionMode?

    /// Whether the element's property `captures` caused the request, not the signal.
    package var isOwn: Bool

    /// Creates a request for `frames` frames.
    package init(
        id: UInt64, frames: Int, moment: UInt64?, after: UInt64? = nil, exposureTime: Double? = nil, iso: Double? = nil,
        fusionMode: FusionMode? = nil, isOwn: Bool = false
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

/// The metadata by which the shutter selects a frame: number, exposure time in seconds, ISO number.
package struct FrameSummary: Sendable, Hashable {
    package var number: UInt64
    package var exposureTime: Double
    package var iso: Double

    /// Creates the summary of a frame.
    package init(number: UInt64, exposureTime: Double, iso: Double) {
        self.number = number
        self.exposureTime = exposureTime
        self.iso = iso
    }
}

extension CaptureRequest {
    /// Returns the indices of the selected frames in the ring, the frame at the press first; nil while frames are
    /// missing.
    ///
    /// Frames are selected by their metadata. A frame with another exposure, because the sensor had not yet applied the
    /// new settings, is never part of the capture.
    package func selection(from marks: [FrameSummary]) -> [Int]? {
        let exposure = requiredExposure(in: marks)
        var seen: Set<UInt64> = []
        let candidates = marks.indices.filter { index in
            let mark = marks[index]
            if let after, mark.number <= after { return false }
            return Self.isNear(mark.exposureTime, exposure.time) && Self.isNear(mark.iso, exposure.iso)
                && seen.insert(mark.number).inserted
        }
        guard frames > 0, candidates.count >= frames else { return nil }
        let chosen = candidates.suffix(frames)
        let first = chosen.first { marks[$0].number == moment } ?? chosen[chosen.startIndex]
        return [first] + chosen.filter { $0 != first }
    }

    /// Returns the required exposure: that of the request, or else of the frame at the press, or else of the newest
    /// frame.
    private func requiredExposure(in marks: [FrameSummary]) -> (time: Double?, iso: Double?) {
        let guide = marks.last { $0.number == moment } ?? marks.last
        return (exposureTime ?? guide?.exposureTime, iso ?? guide?.iso)
    }

    /// Returns whether two values are equal within 1 %, the rounding of a sensor's exposure steps.
    private static func isNear(_ value: Double, _ target: Double?) -> Bool {
        guard let target else { return true }
        return abs(value - target) <= 0.01 * max(abs(target), 1e-9)
    }
}
