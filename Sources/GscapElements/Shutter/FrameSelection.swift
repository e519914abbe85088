package import FrameStream

/// The result of selecting a capture's frames from the shutter's ring.
package enum FrameSelection: Sendable, Hashable {
    /// The capture waits for frames that have not arrived: it needs them, or one of them may be nearer to the press.
    case waiting
    /// The indices in the ring of the selected frames: the reference frame first, then the others in order of time.
    case frames([Int])
    /// No frame is near enough to the press, and no later frame can be; with the reason as a message.
    case missed(String)
}

extension CaptureRequest {
    /// The conditions that a selection depends on besides the request.
    package struct Circumstances: Sendable, Hashable {
        /// The timing of the frames.
        package var timing: FrameTiming
        /// The serial number of the newest reference frame so far, if its press was more than a period before this one:
        /// this capture then needs a later reference. Otherwise nil.
        package var lastReference: UInt64?
        /// Whether no more frames will arrive.
        package var isFinal: Bool
        /// Whether frames lit by the flash do not qualify, because it fired for another capture.
        package var excludesFlash = false

        /// Creates the conditions of a selection.
        package init(timing: FrameTiming = FrameTiming(), lastReference: UInt64? = nil, isFinal: Bool = false) {
            self.timing = timing
            self.lastReference = lastReference
            self.isFinal = isFinal
        }
    }

    /// Selects the capture's frames from the ring, which is in chronological order.
    package func selection(from ring: [FrameSummary], _ circumstances: Circumstances) -> FrameSelection {
        guard let reference = reference(in: ring, circumstances) else { return .waiting }
        if let reason = missed(by: ring[reference], newest: ring.last, circumstances) { return .missed(reason) }
        if !isNearEnough(ring[reference], circumstances.timing) { return .waiting }
        return burst(around: reference, in: ring)
    }

    /// Returns whether the ring has a frame of the capture, or one that may belong to it: with zero shutter lag any, as
    /// the exposure nearest to the press has begun, and otherwise the first from after the press.
    package func hasBegun(in ring: [FrameSummary]) -> Bool {
        usesPast ? !ring.isEmpty : ring.contains { $0.start >= instant ?? press ?? Int64.min }
    }

    /// Returns the lag of a frame in nanoseconds: how much later than the press its instant is, negative for a frame
    /// from before the press.
    package func lag(of frame: FrameSummary) -> Int64 { instant.map { frame.instant - $0 } ?? 0 }

    /// Returns the index in the ring of the reference frame; nil if the next frame is expected to be nearer to the
    /// press, or if no frame qualifies yet.
    private func reference(in ring: [FrameSummary], _ circumstances: Circumstances) -> Int? {
        let qualified = ring.indices.filter { index in
            if let last = circumstances.lastReference, ring[index].serial <= last { return false }
            if circumstances.excludesFlash, ring[index].flashFired == true { return false }
            guard ring[index].matches(exposureTime: exposureTime, iso: iso) else { return false }
            return usesPast || ring[index].start >= instant ?? press ?? Int64.min
        }
        guard let newest = qualified.last else { return nil }
        guard let instant else { return newest }
        if !usesPast { return qualified.first }
        // A capture of one frame takes the newest frame from before the press, or another only if that is too old,
        // unless the request asks for the nearest. A frame that is more than a period old has a successor from before
        // the press, which may be on its way.
        let before = qualified.last { ring[$0].instant <= instant }
        if frames == 1, !takesNearest, let before, isNearEnough(ring[before], circumstances.timing) {
            let successor = circumstances.timing.period.map { ring[before].instant + $0 } ?? instant
            if successor >= instant || before < ring.count - 1 || circumstances.isFinal { return before }
        }
        let nearest = qualified.min { abs(ring[$0].instant - instant) < abs(ring[$1].instant - instant) }
        guard let nearest, nearest == newest, !circumstances.isFinal, let period = circumstances.timing.period else {
            return nearest
        }
        let next = ring[newest].instant + period
        return abs(next - instant) < abs(ring[newest].instant - instant) ? nil : nearest
    }

    private func isNearEnough(_ reference: FrameSummary, _ timing: FrameTiming) -> Bool {
        guard let tolerance = tolerance ?? timing.tolerance else { return true }
        return abs(lag(of: reference)) <= tolerance
    }

    /// Returns the reason if no frame, whether in the ring or later, can be near enough to the press; otherwise nil.
    private func missed(
        by reference: FrameSummary, newest: FrameSummary?, _ circumstances: Circumstances
    ) -> String? {
        guard let instant, let newest, !isNearEnough(reference, circumstances.timing) else { return nil }
        guard newest.instant >= instant || circumstances.isFinal,
            let tolerance = tolerance ?? circumstances.timing.tolerance
        else { return nil }
        let lag = lag(of: reference)
        let distance = "\(Self.milliseconds(abs(lag))) \(lag < 0 ? "before" : "after") the press"
        return "the nearest frame is \(distance), and at most \(Self.milliseconds(tolerance)) are allowed: "
            + "does the camera drop frames?"
    }

    /// Selects the frames nearest in time to the reference, among those with its exposure.
    private func burst(around reference: Int, in ring: [FrameSummary]) -> FrameSelection {
        let center = ring[reference]
        var serials: Set<UInt64> = [center.serial]
        let others = ring.indices.filter { index in
            let frame = ring[index]
            guard frame.matches(exposureTime: center.exposureTime, iso: center.iso),
                (frame.flashFired ?? false) == (center.flashFired ?? false)
            else { return false }
            if !usesPast, frame.start < center.start { return false }
            return serials.insert(frame.serial).inserted
        }
        guard others.count + 1 >= frames else { return .waiting }
        let nearest = others.sorted { abs(ring[$0].instant - center.instant) < abs(ring[$1].instant - center.instant) }
        return .frames([reference] + nearest.prefix(frames - 1).sorted())
    }

    /// Returns a time as text, rounded to milliseconds.
    static func milliseconds(_ nanoseconds: Int64) -> String { "\((nanoseconds + 500_000) / 1_000_000) ms" }
}
