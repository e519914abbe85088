internal import GSCapture
internal import JSON
internal import Synchronization
internal import Waiting

/// Monitors a session while photos are taken: prints warnings, draws the progress line and records a failure.
final class SessionMonitor: Sendable {
    private struct State {
        var photo = (number: 0, of: 0)
        /// The phase of the capture in progress, as the progress line shows it: "fusing 4/8".
        var stage = ""
        var filesWritten = 0
        var framesSeen = 0
        /// Why the session failed; nil while it runs.
        var failure: CaptureError?
        /// Whether the failure is reported.
        var isReported = false
    }

    private static let hiddenPreview = "there is no display, so the preview runs unseen"

    private let state = Mutex(State())
    private let session: CaptureSession
    private let console: Console
    /// Whether a preview that runs unseen is reported.
    private let reportsHiddenPreview: Bool
    /// Whether bursts are fused, and not developed as soon as their frames are taken.
    private let fuses: Bool
    private let finished: AsyncStream<ExitCode>
    private let finish: AsyncStream<ExitCode>.Continuation
    private let tasks = Mutex<[Task<Void, Never>]>([])

    /// Monitors a session by its events, which are taken before the start. A preview that runs unseen is reported if
    /// `expectsPreview` is set, with `--verbose`, and if a display is named that refuses connections; without a
    /// display, nobody expects a preview.
    init(
        _ session: CaptureSession, _ events: AsyncStream<SessionEvent>, console: Console, expectsPreview: Bool = false,
        fuses: Bool = true
    ) {
        self.session = session
        self.console = console
        self.fuses = fuses
        reportsHiddenPreview = expectsPreview || console.isVerbose || Display.isNamed
        (finished, finish) = AsyncStream<ExitCode>.makeStream()
        let listener = Task { for await event in events { self.receive(event) } }
        let painter = Task {
            repeat { self.draw() } while await WaitClock.current.sleep(for: .milliseconds(200))
        }
        tasks.withLock { $0 = [listener, painter] }
    }

    /// The number of the photo being taken, from 1, and the number of all photos.
    var photo: (number: Int, of: Int) {
        get { state.withLock(\.photo) }
        set {
            state.withLock {
                $0.photo = newValue
                $0.stage = ""
            }
        }
    }

    /// Shows the phase of the photo being taken, from its frames to its files, in the progress line.
    func show(phase: String) {
        state.withLock { $0.stage = phase }
        draw()
    }

    /// How many files are stored, as the progress line shows it.
    var filesWritten: Int {
        get { state.withLock(\.filesWritten) }
        set { state.withLock { $0.filesWritten = newValue } }
    }

    /// How many frames the camera has delivered.
    var framesSeen: Int { state.withLock(\.framesSeen) }

    /// Waits until the pipeline's stream ends or fails, and returns the exit code.
    func ended() async -> ExitCode {
        for await code in finished { return code }
        return .done
    }

    /// Reports why the session no longer runs, unless that is reported, and returns the exit code. Waits two seconds at
    /// most for the event about it. `moment` completes "the stream ended before …".
    func reportEnd(before moment: String) async -> ExitCode {
        var code: ExitCode?
        for await end in Deadline.sequence(finished, until: WaitClock.current.now + .seconds(2)) {
            code = end
            break
        }
        let (error, isReported) = state.withLock { ($0.failure, $0.isReported) }
        let text = error?.description ?? "the stream ended before \(moment)"
        let failure = Failure(code.flatMap { $0 == .done ? nil : $0 } ?? .inputOutput, text)
        return isReported ? failure.exitCode : console.report(failure)
    }

    /// Stops monitoring, erases the progress line and releases all references to the session's pipeline.
    func end() async {
        finish.finish()
        for task in tasks.withLock({ $0 }) {
            task.cancel()
            await task.value
        }
        countFrames()
        console.clearProgress()
    }

    private func receive(_ event: SessionEvent) {
        switch event {
        case .warning(let text):
            console.note(text)
            console.event("warning", [("message", .text(text))])
        case .previewHidden:
            if reportsHiddenPreview { console.note(Self.hiddenPreview) }
            console.event("warning", [("message", .text(Self.hiddenPreview))])
        case .refused(let error):
            console.note(error.description)
            console.event("warning", [("message", .text(error.message))])
        case .failed(let error):
            // Without a number of photos, no photo may follow that would report it.
            let isReported = photo.of == 0
            state.withLock { ($0.failure, $0.isReported) = (error, isReported) }
            if isReported { console.report(Failure(ExitCode(error), error.description)) }
            finish.yield(ExitCode(error))
        case .interrupted(let error):
            console.note(error.description)
            console.event("interrupted", [("message", .text(error.message))])
        case .resumed:
            console.event("resumed", [])
        case .ended:
            finish.yield(.done)
        case .progress(let progress):
            receive(progress)
        }
    }

    private func receive(_ progress: CaptureProgress) {
        switch progress {
        case .frames(_, let taken, let count):
            console.event("frame", [("done", .integer(taken)), ("of", .integer(count))])
            show(phase: taken < count || fuses ? "burst \(taken)/\(count)" : "developing")
        case .fusing(_, let merged, let count):
            console.event("fusing", [("done", .integer(merged)), ("of", .integer(count))])
            // The frames are merged when the last one arrives; the rest of the fusion removes noise.
            show(phase: merged < count ? "fusing \(merged)/\(count)" : "denoising")
        case .fused(let id, let report):
            console.event(
                "fused", [("capture", .integer(Int(clamping: id))), ("fusion", FusionReportText(report).json)])
            show(phase: "developing")
        }
    }

    private func countFrames() {
        let frames = session.framesSeen
        state.withLock { $0.framesSeen = max($0.framesSeen, frames) }
    }

    private func draw() {
        countFrames()
        let line = state.withLock { state in
            var parts = [TextFormat.count(state.framesSeen, "frame")]
            if state.photo.number > 0 {
                parts.append("photo \(state.photo.number)" + (state.photo.of > 0 ? " of \(state.photo.of)" : ""))
            }
            if !state.stage.isEmpty { parts.append(state.stage) }
            if state.filesWritten > 0 { parts.append(TextFormat.count(state.filesWritten, "file") + " written") }
            return parts.joined(separator: " · ")
        }
        console.progress(line)
    }
}
