internal import GSCapture
internal import GStreamer
internal import Synchronization

/// Attaches an output to a running pipeline and detaches it, again and again, every second time in mid-capture, while
/// the pipeline shows its preview: measures the preview's gaps, the ends of the captures, memory and descriptors.
enum AttachBenchmark {
    private static let rate = 30
    /// The cycles before the first measurement of memory, which fill the pools of all allocators.
    private static let warmUp = 300
    /// The bars: the longest gap in frame periods, and the growth of the memory in percent.
    private static let (mostGap, mostGrowth) = (2.0, 5.0)

    private static let text = """
        videotestsrc is-live=true pattern=gradient \
        ! video/x-bayer,format=rggb,width=1280,height=960,framerate=\(rate)/1 \
        ! tee name=tee ! queue ! fakesink name=screen sync=false async=false
        """

    /// The instants at which the preview shows a frame, and the captures.
    private final class Record: Sendable {
        private struct State {
            var last: ContinuousClock.Instant?
            var longest = Duration.zero
            var (frames, pressed, refused, cancelled, otherEnds, openEnds) = (0, 0, 0, 0, 0, 0)
        }

        private let state = Mutex(State())

        func show() {
            let now = ContinuousClock.now
            state.withLock { state in
                if let last = state.last { state.longest = max(state.longest, now - last) }
                state.last = now
                state.frames += 1
            }
        }

        func press() { state.withLock { $0.pressed += 1 } }

        func refuse() { state.withLock { $0.refused += 1 } }

        /// Follows a capture to its end, at most for ten seconds.
        func follow(_ capture: PhotoCapture) async {
            let reader = Task {
                var hasEnded = false
                for await event in capture.events {
                    guard case .finished(_, let error) = event else { continue }
                    hasEnded = true
                    state.withLock {
                        if error?.code == .cancelled { $0.cancelled += 1 } else { $0.otherEnds += 1 }
                    }
                }
                if !hasEnded { state.withLock { $0.openEnds += 1 } }
            }
            let clock = Task {
                try? await Task.sleep(for: .seconds(10))
                reader.cancel()
            }
            await reader.value
            clock.cancel()
        }

        var gap: Double { state.withLock { Double($0.longest.nanoseconds) / 1e9 * Double(rate) } }

        var frames: Int { state.withLock(\.frames) }

        /// Whether each capture has ended.
        var areComplete: Bool { state.withLock { $0.openEnds == 0 && $0.pressed == $0.cancelled + $0.otherEnds } }

        var captures: String {
            state.withLock { state in
                "\(state.pressed) pressed in mid-cycle, \(state.cancelled) cancelled by detach, \(state.otherEnds) "
                    + "finished or failed before, \(state.openEnds) without an end, \(state.refused) presses refused"
            }
        }
    }

    /// Runs the cycles, prints the results, and returns the exit status: 0 if all bars are met.
    static func run(cycles: Int) async throws -> Int32 {
        let pipeline = try Pipeline(parsing: text)
        guard let tee = pipeline.element(named: "tee"), let screen = pipeline.element(named: "screen")?.pad("sink")
        else { throw GStreamerError(message: "the pipeline of the benchmark has no tee") }
        let record = Record()
        let probe = screen.addBufferProbe { _ in
            record.show()
            return .pass
        }
        // Read, as every application does: a message refers to its element, so an element lives on in a full bus.
        pipeline.bus.setHandler { _ in }
        try pipeline.setState(.playing)
        try await Task.sleep(for: .seconds(1))
        let output = PhotoOutput()
        for cycle in 0..<min(warmUp, cycles) { try await carryOut(cycle, output, tee, record) }
        let before = (memory: ResidentMemory.mebibytes, descriptors: ResidentMemory.descriptors)
        let start = ContinuousClock.now
        for cycle in min(warmUp, cycles)..<cycles { try await carryOut(cycle, output, tee, record) }
        let time = start.milliseconds(to: .now) / Double(max(1, cycles - warmUp))
        try await Task.sleep(for: .seconds(3))
        let after = (memory: ResidentMemory.mebibytes, descriptors: ResidentMemory.descriptors)
        let gap = record.gap
        probe.remove()
        try pipeline.setState(.null)
        let growth = before.memory > 0 ? 100 * (after.memory / before.memory - 1) : .infinity
        print(
            """
            \(cycles) cycles of attach and detach, \(time.twoPlaces) ms each, 1280×960 at \(rate)/s
                preview: \(record.frames) frames, longest gap \(gap.twoPlaces) frame periods (bar \(mostGap))
                captures: \(record.captures)
                resident memory \(before.memory.twoPlaces) MiB after \(warmUp) cycles, \
            \(after.memory.twoPlaces) MiB at the end: growth \(growth.twoPlaces) % (bar \(mostGrowth))
                file descriptors \(before.descriptors) and \(after.descriptors)
            """)
        let isFlat = growth < mostGrowth && after.descriptors <= before.descriptors
        return gap < mostGap && record.areComplete && isFlat ? 0 : 1
    }

    /// Attaches and detaches; every second time a capture of many frames is under way.
    private static func carryOut(_ cycle: Int, _ output: PhotoOutput, _ tee: Element, _ record: Record) async throws {
        try await output.attach(toTee: tee)
        var follower: Task<Void, Never>?
        if cycle.isMultiple(of: 2), await isReady(output) {
            var settings = PhotoSettings(processed: [.jpeg])
            settings.frames = 30
            settings.zeroShutterLag = false
            settings.momentTolerance = .seconds(60)
            do {
                let capture = try output.capturePhoto(with: settings)
                record.press()
                follower = Task { await record.follow(capture) }
            } catch {
                record.refuse()
            }
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...60)))
        }
        await output.detach()
        await follower?.value
    }

    /// Waits until the output can take a capture, at most for two seconds.
    private static func isReady(_ output: PhotoOutput) async -> Bool {
        let end = ContinuousClock.now + .seconds(2)
        while output.captureReadiness != .ready {
            guard ContinuousClock.now < end else { return false }
            try? await Task.sleep(for: .milliseconds(2))
        }
        return true
    }
}
