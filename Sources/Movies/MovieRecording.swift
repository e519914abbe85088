public import CapturePlan
internal import Dispatch
internal import Files
internal import FrameStream
package import GStreamer
internal import GscapElements
package import MovieFiles
internal import Synchronization
internal import Waiting

/// A movie recording under way, which `MovieOutput.startRecording` returns.
///
///     waiting ──first frame──► starting ──encoder runs──► recording ⇄ paused
///        │                        │                          │
///        └────────────────────────┴──stop, limit, failure────┤
///                                                            ▼
///                                    ended ◄──files closed── finishing
///
/// The end is reported exactly once: by the event `ended` and by `result`. From `finishing` it comes within ten
/// seconds, whatever hangs. A recording that stores no picture for ten seconds fails, or for the time of four frames if
/// that is longer.
/// *Thread-safe.*
public final class MovieRecording: Sendable {
    /// An event of a recording.
    public enum Event: Sendable {
        /// The first picture is encoded: a recording that is stopped from now on has a file.
        case started
        /// A file is complete. The last one comes before `ended`.
        case fileFinished(MovieFile)
        /// The recording has ended; the last event.
        case ended(MovieResult)
    }

    private enum Phase { case waiting, starting, recording, finishing, ended }

    private struct State {
        var phase = Phase.waiting
        var isPaused = false
        /// Whether a picture was encoded.
        var hasStarted = false
        var timeline = MovieTimeline()
        var period: UInt64 = 0
        /// The time of the newest frame that was pushed into the encoder.
        var newest: UInt64?
        /// The dates of the frames that are pushed and not encoded yet.
        var dates = FrameDates()
        /// The time in the movie at which the present file began, as far as it is stored.
        var fileStart: UInt64 = 0
        /// The value of `fileStart` for which the key picture of the next file was requested.
        var nextFileRequest: UInt64?
        /// The number of frames that were pushed and are not stored.
        var pending = 0
        /// When the last picture was stored, or the recording was started or resumed.
        var progress: WaitClock.Instant
        /// The time in the movie of the newest sound.
        var soundEnd: UInt64 = 0
        /// Whether the source of the sound has ended, and the missing sound is not reported yet.
        var missesSound = false
        /// Whether the end or a stall of the sound was reported.
        var hasReportedStall = false
        var encoder: MovieEncoder?
        var reason: CaptureError?
        var files: [MovieFile] = []
        var result: MovieResult?
        var waiters: [CheckedContinuation<MovieResult, Never>] = []
    }

    private let reports = EventBroadcast<Event>(replays: true)
    /// While the lock is held, nothing else is called.
    private let state: Mutex<State>
    private let clock = WaitClock.current
    /// Used on the queue alone.
    private let storage: Mutex<MovieStorage>
    private let settings: MovieSettings
    /// Starts the encoder and writes the files, one after another.
    private let queue = DispatchQueue(label: "gscap.recording")
    private let session: WeakPipeline
    private let warn: @Sendable (String) -> Void
    private let ended: @Sendable (MovieRecording) -> Void

    /// The longest time without progress, and from `finishing` to the end.
    private static let limit = Duration.seconds(10)
    /// The longest times in nanoseconds without sound that are not reported: after the end of its source, and while
    /// that lasts.
    private static let (silence, stall): (UInt64, UInt64) = (250_000_000, 2_000_000_000)

    /// Creates a recording of the frames of a session's pipeline. `warn` reports what is missing in the movie while the
    /// recording goes on; `ended` is called after its end.
    package init(
        path: String, _ container: MovieContainer, _ settings: MovieSettings, of session: Pipeline,
        warn: @escaping @Sendable (String) -> Void,
        ended: @escaping @Sendable (MovieRecording) -> Void
    ) throws(CaptureError) {
        storage = Mutex(try MovieStorage(path: path, container, settings))
        state = Mutex(State(progress: clock.now))
        self.settings = settings
        self.session = WeakPipeline(session)
        self.warn = warn
        self.ended = ended
        watch()
    }

    /// The events, from the first one on. Each access returns a stream for one more reader.
    public var events: AsyncStream<Event> { reports.stream() }

    /// Whether the recording is paused.
    public var isPaused: Bool { state.withLock(\.isPaused) }

    /// The time for which the movie has been recorded, without pauses.
    public var duration: Duration {
        state.withLock { state in
            let time = state.newest.flatMap { state.timeline.time(of: $0) }
            return time.map { .nanoseconds(Int64(clamping: $0 + state.period)) } ?? .zero
        }
    }

    /// Waits for the end, and returns the result.
    public var result: MovieResult {
        get async {
            await withCheckedContinuation { waiter in
                let result = state.withLock { state in
                    if state.result == nil { state.waiters.append(waiter) }
                    return state.result
                }
                if let result { waiter.resume(returning: result) }
            }
        }
    }

    /// Leaves out what the camera sees from now on, until `resume`. Does nothing if the recording is paused.
    public func pause() {
        state.withLock { state in
            guard !state.isPaused else { return }
            state.isPaused = true
            if let newest = state.newest { state.timeline.pause(at: newest + state.period) }
        }
    }

    /// Continues after a pause. The movie has no gap there.
    public func resume() {
        state.withLock { state in
            state.isPaused = false
            state.progress = clock.now
        }
    }

    /// Ends the recording. The frames that have arrived are stored; `result` waits for that.
    public func stop() { finish(because: nil) }
}

/// The result of a movie recording.
public struct MovieResult: Sendable {
    /// The files in their order. All can be played, also after a failure.
    public let files: [MovieFile]
    /// Why the recording failed; nil if it was stopped or reached its length. The files then end before.
    public let error: CaptureError?
    /// The number of frames that are missing in the movie because the encoder or the disk was too slow.
    public let lostFrames: Int

    /// The length of the movie.
    public var duration: Duration { files.reduce(.zero) { $0 + $1.duration } }
}

/// A reference to the session's pipeline that does not keep it.
private final class WeakPipeline: Sendable {
    private struct Reference { weak var pipeline: Pipeline? }
    private let reference: Mutex<Reference>

    init(_ pipeline: Pipeline) { reference = Mutex(Reference(pipeline: pipeline)) }

    var pipeline: Pipeline? { reference.withLock(\.pipeline) }
}

// MARK: - Frames

extension MovieRecording {
    /// Whether frames are recorded now.
    package var wantsFrames: Bool {
        state.withLock { !$0.isPaused && [.waiting, .starting, .recording].contains($0.phase) }
    }

    /// Takes a frame of the session; does not block.
    package func take(_ sample: Sample) {
        guard let buffer = sample.buffer, let time = buffer.presentationTime, let caps = sample.caps else { return }
        let date = MovieDate(of: buffer, at: time) { session.pipeline?.runningTime }
        let (encoder, isFirst, isFileStart) = state.withLock { state -> (MovieEncoder?, Bool, Bool) in
            guard !state.isPaused else { return (nil, false, false) }
            if state.phase == .waiting {
                state.phase = .starting
                return (nil, true, false)
            }
            guard state.phase == .recording, let encoder = state.encoder else { return (nil, false, false) }
            // A clock that goes back would make times that no movie can have.
            if let newest = state.newest, time <= newest { return (nil, false, false) }
            guard MovieEncoder.canWait(buffer, behind: state.pending) else { return (nil, false, false) }
            state.timeline.add(frame: time)
            state.newest = time
            state.dates.add(date, at: time)
            state.pending += 1
            return (encoder, false, beginsFile(time, &state))
        }
        if isFirst {
            let orientation = buffer.captureOrientation
            queue.async { [self] in startEncoder(caps, orientation) }
        }
        encoder?.push(buffer, isKey: isFileStart)
    }

    /// Records that the camera computes a frame, so that a recording that waits for it is not late.
    package func noteWork() {
        state.withLock { if $0.pending == 0 { $0.progress = clock.now } }
    }

    /// Whether a frame is the first one beyond the length of the present file. A file begins with a key picture.
    private func beginsFile(_ time: UInt64, _ state: inout State) -> Bool {
        guard state.nextFileRequest != state.fileStart, let time = state.timeline.time(of: time),
            time >= state.fileStart, settings.isFileComplete(after: time - state.fileStart, period: state.period)
        else { return false }
        state.nextFileRequest = state.fileStart
        return true
    }

    /// Creates and starts the encoder for frames of this format and Exif orientation.
    private func startEncoder(_ caps: Caps, _ orientation: Int) {
        do throws(CaptureError) {
            guard let session = session.pipeline else { return }
            let format = try MovieEncoder.Format(caps, orientation: orientation)
            storage.withLock { $0.setFormat(format) }
            let encoder = try MovieEncoder(settings, format) { [weak self] output in
                self?.queue.async { [weak self] in self?.receive(output) }
            }
            try encoder.start(inTimeOf: session)
            let isFinishing = state.withLock { state in
                guard state.phase == .starting else { return true }
                state.phase = .recording
                state.encoder = encoder
                state.period = format.period
                state.progress = clock.now
                return false
            }
            if isFinishing { encoder.stop() }
        } catch {
            finish(because: error, isDrained: true)
        }
    }
}

// MARK: - Storing

extension MovieRecording {
    /// Takes what the encoder delivers. Called on the queue.
    private func receive(_ output: MovieEncoder.Output) {
        switch output {
        case .picture(let unit, let time):
            let (moment, period, isFirst, date) = state.withLock { state -> (UInt64?, UInt64, Bool, MovieDate?) in
                state.pending -= 1
                state.progress = clock.now
                let date = state.dates.take(at: time)
                guard state.phase != .ended, let moment = state.timeline.time(of: time) else {
                    return (nil, 0, false, nil)
                }
                defer { state.hasStarted = true }
                return (moment, state.period, !state.hasStarted, date)
            }
            guard let moment else { return closeIfDrained() }
            if isFirst { reports.send(.started) }
            if let length, settings.isComplete(after: moment, period: period) {
                storage.withLock { $0.extend(to: length) }
                finish(because: nil)
            } else {
                store { storage throws(GscapError) in try storage.add(unit, at: moment, takenAt: date) }
                let fileStart = storage.withLock(\.fileStart)
                state.withLock { $0.fileStart = fileStart }
                reportMissingSound(at: moment)
            }
            closeIfDrained()
        case .sound(let bytes, let time):
            let moment = state.withLock { $0.phase == .ended ? nil : $0.timeline.time(of: time) }
            guard let moment, moment < length ?? .max else { return }
            state.withLock { $0.soundEnd = moment }
            store { storage throws(GscapError) in try storage.add(sound: bytes, at: moment) }
        case .soundEnded: state.withLock { $0.missesSound = true }
        case .drained: close()
        case .failed(let error): finish(because: error, isDrained: true)
        }
    }

    /// Reports that the sound has ended, or has stalled, before a picture at this time; each once.
    private func reportMissingSound(at time: UInt64) {
        let found = state.withLock { state -> (end: UInt64, isOver: Bool)? in
            if state.missesSound, time > state.soundEnd + Self.silence {
                (state.missesSound, state.hasReportedStall) = (false, true)
                return (state.soundEnd, true)
            }
            guard settings.audioSource != nil, !state.hasReportedStall, time > state.soundEnd + Self.stall else {
                return nil
            }
            state.hasReportedStall = true
            return (state.soundEnd, false)
        }
        guard let (end, isOver) = found else { return }
        let tenths = (end + 50_000_000) / 100_000_000
        let start = "\(tenths / 10).\(tenths % 10) s"
        guard isOver else { return warn("the source of the sound delivers nothing: sound is missing from \(start) on") }
        let gap = end > 0 ? "the rest of the movie, from \(start) on," : "the movie"
        warn("the source of the sound has ended: \(gap) has no sound")
    }

    /// The length at which the recording ends, in nanoseconds; nil without a limit.
    private var length: UInt64? { settings.maxDuration.map { UInt64(clamping: $0.nanoseconds) } }

    private func store(_ body: @Sendable (inout MovieStorage) throws(GscapError) -> [MovieFile]) {
        do throws(GscapError) {
            report(try storage.withLock { storage throws(GscapError) in try body(&storage) })
        } catch {
            fail(error)
        }
    }

    /// Ends the recording after a failure to write; what is in the file stays.
    private func fail(_ error: GscapError) {
        let isFirst = state.withLock { state in
            guard state.phase != .ended else { return false }
            state.phase = .finishing
            state.reason = state.reason ?? error
            return true
        }
        guard isFirst else { return }
        report(storage.withLock { $0.abandon() })
        end()
    }

    private func report(_ files: [MovieFile]) {
        state.withLock { $0.files += files }
        for file in files { reports.send(.fileFinished(file)) }
    }

    /// Closes the last file when the encoder has delivered each frame. Called on the queue.
    private func closeIfDrained() {
        if state.withLock({ $0.phase == .finishing && $0.pending == 0 }) { close() }
    }

    /// Closes the last file and ends the recording. Called on the queue.
    private func close() {
        guard state.withLock({ $0.phase == .finishing }) else { return }
        store { storage throws(GscapError) in try storage.finish() }
        end()
    }
}

// MARK: - The end

extension MovieRecording {
    /// Begins to end the recording, once. `isDrained` says that the encoder delivers no more pictures.
    package func finish(because reason: CaptureError?, isDrained: Bool = false) {
        let (isFirst, encoder) = state.withLock { state -> (Bool, MovieEncoder?) in
            guard ![.finishing, .ended].contains(state.phase) else { return (isDrained, nil) }
            state.phase = .finishing
            state.reason = reason
            return (true, state.encoder)
        }
        guard isFirst else { return }
        queue.async { [self] in isDrained ? close() : closeIfDrained() }
        // The encoders deliver a picture for each frame, so this is for one that holds pictures back. openh264enc would
        // print an error when it is asked for more.
        clock.alarm(after: .seconds(1)) { [weak self] in
            if self?.state.withLock({ $0.phase == .finishing }) == true { encoder?.finish() }
        }
        clock.alarm(after: Self.limit) { [self] in
            end(CaptureError(.aborted, "the movie was not finished within \(Self.limit.components.seconds) s"))
        }
    }

    /// Ends the recording; the first call counts. `late` is the reason if there is no other.
    private func end(_ late: CaptureError? = nil) {
        let lost = late == nil ? storage.withLock(\.lostFrames) : 0
        let end = state.withLock { state -> (MovieResult, MovieEncoder?, [CheckedContinuation<MovieResult, Never>])? in
            guard state.phase != .ended else { return nil }
            state.phase = .ended
            let result = MovieResult(files: state.files, error: state.reason ?? late, lostFrames: lost)
            state.result = result
            defer { (state.encoder, state.waiters) = (nil, []) }
            return (result, state.encoder, state.waiters)
        }
        guard let (result, encoder, waiters) = end else { return }
        encoder?.stop()
        // If the call that hangs returns later, the file is closed with the pictures that it has.
        if late != nil { queue.async { [self] in _ = storage.withLock { $0.abandon() } } }
        ended(self)
        reports.send(.ended(result))
        reports.finish()
        for waiter in waiters { waiter.resume(returning: result) }
    }

    /// Looks twice a second whether pictures are stored, until the recording is released or ends.
    private func watch() {
        clock.alarm(after: .milliseconds(500)) { [weak self] in
            guard let self else { return }
            let (isOver, isStuck, isWaiting) = state.withLock { state in
                let limit = max(Self.limit, .nanoseconds(Int64(clamping: 4 * state.period)))
                let isLate = !state.isPaused && clock.now - state.progress > limit
                return ([.finishing, .ended].contains(state.phase), isLate, state.pending == 0)
            }
            if isOver { return }
            if isStuck {
                let reason = isWaiting ? "the camera delivers no frames" : "the encoder or the disk does not respond"
                return finish(because: CaptureError(.interrupted, reason))
            }
            watch()
        }
    }
}
