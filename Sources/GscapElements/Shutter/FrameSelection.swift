/// The frames of a capture, selected from the shutter's ring.
package enum FrameSelection: Sendable, Hashable {
    /// Frames that are still to come are needed, or may be nearer to the press.
    case waiting
    /// The indices of the frames in the ring, the reference first, then the others by their nearness in time.
    case frames([Int])
    /// No frame is near enough to the press, and none that is still to come can be; with the reason.
    case missed(String)
}

extension CaptureRequest {
    /// The criteria of a selection beside the request.
    package struct Circumstances: Sendable, Hashable {
        /// The timing of the frames.
        package var timing: FrameTiming
        /// The serial number of the reference of an earlier press, more than a period ago: this capture needs a later
        /// one.
        package var lastReference: UInt64?
        /// Whether no more frames will come.
        package var isFinal: Bool

        /// Creates the criteria.
        package init(timing: FrameTiming = FrameTiming(), lastReference: UInt64? = nil, isFinal: Bool = false) {
            self.timing = timing
            self.lastReference = lastReference
            self.isFinal = isFinal
        }
    }

    /// Selects the capture's frames from the ring, whose frames are in the order of time.
    package func selection(from ring: [FrameSummary], _ circumstances: Circumstances) -> FrameSelection {
        if changesExposure { return selectionAfterChange(from: ring) }
        guard let reference = reference(in: ring, circumstances) else { return .waiting }
        if let reason = missed(by: ring[reference], newest: ring.last, circumstances) { return .missed(reason) }
        if !isNearEnough(ring[reference], circumstances.timing) { return .waiting }
        return burst(around: reference, in: ring)
    }

    /// Returns the lag of a frame in nanoseconds: how much later than the press its instant is, negative for a frame
    /// from before the press.
    package func lag(of frame: FrameSummary) -> Int64 { instant.map { frame.instant - $0 } ?? 0 }

    /// The first frames from after the press whose metadata shows the required exposure.
    private func selectionAfterChange(from ring: [FrameSummary]) -> FrameSelection {
        let fitting = ring.indices.filter { index in
            if let newest, ring[index].serial <= newest { return false }
            return ring[index].matches(exposureTime: exposureTime, iso: iso)
        }
        return fitting.count < frames ? .waiting : .frames(Array(fitting.prefix(frames)))
    }

    /// Returns the index of the reference frame; nil if a frame that is still to come is nearer to the press, or no
    /// frame qualifies yet.
    private func reference(in ring: [FrameSummary], _ circumstances: Circumstances) -> Int? {
        let qualified = ring.indices.filter { index in
            if let last = circumstances.lastReference, ring[index].serial <= last { return false }
            guard ring[index].matches(exposureTime: exposureTime, iso: iso) else { return false }
            return usesPast || ring[index].start >= instant ?? Int64.min
        }
        guard let newest = qualified.last else { return nil }
        guard let instant else { return newest }
        if !usesPast { return qualified.first }
        // One frame: the newest at the press. A later frame is taken only where that one is too old.
        let before = qualified.last { ring[$0].instant <= instant }
        if frames == 1, let before, isNearEnough(ring[before], circumstances.timing) { return before }
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

    /// Returns why no frame can be near enough to the press any more; nil if one is, or may come.
    private func missed(
        by reference: FrameSummary, newest: FrameSummary?, _ circumstances: Circumstances
    ) -> String? {
        guard let instant, let newest, !isNearEnough(reference, circumstances.timing) else { return nil }
        guard newest.instant >= instant || circumstances.isFinal,
            let tolerance = tolerance ?? circumstances.timing.tolerance
        else { return nil }
        let lag = lag(of: reference)
        return "the nearest frame is \(milliseconds(abs(lag))) \(lag < 0 ? "before" : "after") the press, and at most "
            + "\(milliseconds(tolerance)) are allowed: does the camera drop frames?"
    }

    /// Selects the frames nearest in time to the reference, among those with its exposure.
    private func burst(around reference: Int, in ring: [FrameSummary]) -> FrameSelection {
        let center = ring[reference]
        var serials: Set<UInt64> = [center.serial]
        let others = ring.indices.filter { index in
            let frame = ring[index]
            guard frame.matches(exposureTime: center.exposureTime, iso: center.iso) else { return false }
            if !usesPast, frame.start < center.start { return false }
            return serials.insert(frame.serial).inserted
        }
        guard others.count + 1 >= frames else { return .waiting }
        let nearest = others.sorted { abs(ring[$0].instant - center.instant) < abs(ring[$1].instant - center.instant) }
        return .frames([reference] + nearest.prefix(frames - 1))
    }

    private func milliseconds(_ nanoseconds: Int64) -> String { "\((nanoseconds + 500_000) / 1_000_000) ms" }
}
