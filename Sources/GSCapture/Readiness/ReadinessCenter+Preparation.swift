internal import FrameStream
internal import GStreamer
internal import Waiting

/// Prepared settings: the shutter's ring and the fusion's memory are as large as they need, before a press.
///
///     settings ──running?──no──► applied when the session starts
///                 │yes
///                 ▼
///     ring enlarged, photo memory allocated ──ring full──► prepared
///                 │
///                 └──above the memory for captures──► given back
extension ReadinessCenter {
    /// Prepares settings, or gives the memory back if there are none. Returns whether the ring has the frames of the
    /// largest capture; false if the session is not running or the frames need more memory than captures may have.
    func prepare(_ settings: [PhotoSettings]) async -> Bool {
        let number = replacePrepared(by: settings)
        applyPreparation()
        changed()
        return settings.isEmpty ? true : await waitUntilPrepared(number)
    }

    /// Returns the number of frames of the largest capture with these settings.
    static func frames(of settings: [PhotoSettings], in running: any PhotoPipeline) -> Int {
        settings.map { running.neededFrames(for: $0) }.max() ?? 0
    }

    /// Applies the prepared settings to the running pipeline. If other settings are prepared meanwhile, applies those.
    func applyPreparation() {
        var applied: Int?
        while let next = preparation, next.number != applied {
            applied = next.number
            guard let shutter = next.running.shutter else { return }
            let frames = Self.frames(of: next.settings, in: next.running)
            guard next.normalRing != nil || frames > 0, let found: Int = try? shutter.get("ring-frames") else { return }
            let normal = normalRing(of: next.running, found: found)
            try? shutter.set("ring-frames", .uint(UInt32(clamping: min(64, max(normal, frames)))))
            let needsFusion = next.settings.contains { $0.formats != [.raw(.bayer)] }
            for fusion in next.running.container.allElements where fusion.factoryName == "rawfusion" {
                try? fusion.set("prepared-photos", .uint(needsFusion ? 1 : 0))
            }
        }
    }

    /// Waits until the ring has the frames of the prepared settings: two seconds for a camera that starts, and twice
    /// the time of the frames. Time in which the camera computes a frame does not count. Gives the memory back if the
    /// frames are above the memory for captures.
    func waitUntilPrepared(_ number: Int) async -> Bool {
        var begin = clock.now
        while let current = preparation, current.number == number, !current.running.engine.isClosed {
            let frames = Self.frames(of: current.settings, in: current.running)
            guard let admission = current.running.admission(frames: frames), admission.verdict != .closed else {
                return false
            }
            if admission.verdict == .tooLarge {
                giveBack(number)
                return false
            }
            guard let ring = admission.ringFrames else { return true }
            if ring >= frames { return true }
            let period = current.running.framePeriod
            begin = max(begin, current.running.lastWork ?? begin)
            let limit = begin + .clamped(seconds: 2 + 2 * period * Double(frames))
            // The shutter reports no growth of its ring.
            guard clock.now < limit, await clock.sleep(for: .seconds(max(0.01, min(0.1, period / 2)))) else {
                return false
            }
        }
        return false
    }

    /// Gives the memory of prepared settings back, unless others were prepared meanwhile.
    private func giveBack(_ number: Int) {
        guard dropPrepared(number) else { return }
        applyPreparation()
        changed()
    }
}
