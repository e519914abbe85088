internal import GSCapture
internal import RawImage
internal import Synchronization

/// A hundred presses as fast as possible at 12 megapixels: each capture finishes or is refused, with its own photos; no
/// frame of the preview is lost to them; and memory stays within the limit for captures.
enum RapidPressBenchmark {
    private static let presses = 100
    /// The limit for the frames of captures, in mebibytes.
    private static let budget = 512
    /// The mebibytes that developing and encoding photos of 12 megapixels may take beside the frames.
    private static let processing = 256

    /// The frames of a time span, and the memory in it.
    private struct Span: Sendable {
        var frames = PreviewFrames.Counts()
        var peak = 0.0
    }

    /// Runs with a camera of this many frames per second, prints the results, and returns the exit status: 0 if all
    /// bars are met.
    static func run(rate: Int) async throws -> Int32 {
        let output = PhotoOutput()
        output.maxQueuedBytes = budget << 20
        let session = CaptureSession()
        let preview = FrameOutput(format: .rgb(width: 1280, height: 960))
        try session.add(CaptureDeviceInput(device: .simulated(framesPerSecond: max(1, rate))))
        try session.add(preview)
        try session.add(output)
        let counted = PreviewFrames()
        let frames = preview.frames
        try await session.startRunning()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await frame in frames { counted.add(frame) } }
            try await Task.sleep(for: .seconds(5))
            let idle = try await measure(counted) { try await Task.sleep(for: .seconds(10)) }
            var isMet = true
            for waits in [false, true] {
                let tally = CaptureTally()
                let busy = try await measure(counted) { try await press(output, tally, waits: waits) }
                isMet = report(tally, idle, busy, waits: waits) && isMet
            }
            await session.stopRunning()
            group.cancelAll()
            return isMet ? 0 : 1
        }
    }

    /// Presses the shutter a hundred times, either at once or each time as soon as the output is ready; returns when
    /// all captures are over.
    private static func press(_ output: PhotoOutput, _ tally: CaptureTally, waits: Bool) async throws {
        for number in 0..<presses {
            var settings = PhotoSettings(raw: [.bayer], processed: [.jpeg])
            settings.frames = 1
            settings.momentTolerance = .seconds(60)
            settings.details.title = "press \(number) \(waits)"
            let limit = ContinuousClock.now + .seconds(60)
            while waits, output.captureReadiness(for: settings) != .ready, ContinuousClock.now < limit {
                try await Task.sleep(for: .milliseconds(1))
            }
            try tally.press(output, settings, title: "press \(number) \(waits)")
        }
        _ = try await tally.waitForAll()
    }

    /// Counts frames and samples the memory while `work` runs.
    private static func measure(
        _ counted: PreviewFrames, _ work: @escaping @Sendable () async throws -> Void
    ) async throws -> Span {
        let before = counted.counts
        let isOver = Flag()
        let running = Task {
            defer { isOver.raise() }
            try await work()
        }
        var span = Span()
        while !isOver.isRaised {
            span.peak = max(span.peak, ResidentMemory.mebibytes)
            try await Task.sleep(for: .milliseconds(20))
        }
        try await running.value
        let after = counted.counts
        span.frames.shown = after.shown - before.shown
        span.frames.lost = after.lost - before.lost
        return span
    }

    private static func report(_ tally: CaptureTally, _ idle: Span, _ busy: Span, waits: Bool) -> Bool {
        let (counts, limit) = (tally.counts, idle.peak + Double(budget + processing))
        let lost = counts.pressed - counts.ended
        print(
            """
            \(presses) presses at 12 MP, \(waits ? "each when the output is ready" : "at once"): \(counts.succeeded) \
            succeeded, \(counts.refused) refused, \(counts.failed) failed, \(lost) lost, \(counts.incomplete) \
            incomplete, \(counts.mixed) mixed
                preview frames: \(busy.frames.shown), lost \(busy.frames.lost); without captures \
            \(idle.frames.shown), lost \(idle.frames.lost)
                resident memory: \(idle.peak.twoPlaces) MiB without captures, at most \(busy.peak.twoPlaces) MiB \
            (bar \(limit.twoPlaces))
            """)
        if counts.failed > 0 { print("    the first failure: \(tally.firstError)") }
        // A press when the output is ready is not refused.
        let isComplete = lost + counts.failed + counts.incomplete + counts.mixed + (waits ? counts.refused : 0) == 0
        // Frames that are lost without captures, too, are not lost to captures.
        let losesNone =
            busy.frames.shown > 0
            && busy.frames.lost * max(1, idle.frames.shown) <= idle.frames.lost * busy.frames.shown
        return isComplete && losesNone && busy.peak <= limit
    }
}

/// Counts the frames of a preview, and the gaps in their numbers.
private final class PreviewFrames: Sendable {
    struct Counts: Sendable {
        var (shown, lost) = (0, 0)
        var last: UInt64?
    }

    private let state = Mutex(Counts())

    var counts: Counts { state.withLock { $0 } }

    func add(_ frame: CapturedFrame) {
        guard let number = frame.metadata?.frameNumber else { return }
        state.withLock { counts in
            counts.shown += 1
            if let last = counts.last, number > last { counts.lost += Int(clamping: number - last - 1) }
            counts.last = number
        }
    }
}

/// A flag that one task raises and another reads.
private final class Flag: Sendable {
    private let value = Atomic(false)

    var isRaised: Bool { value.load(ordering: .acquiring) }

    func raise() { value.store(true, ordering: .releasing) }
}
