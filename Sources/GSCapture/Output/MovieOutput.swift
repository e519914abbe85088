internal import Files
internal import GStreamer
internal import MovieFiles
internal import Synchronization

/// The movie output of a session: records the camera's picture as H.264 in MP4 or QuickTime files, beside stills and
/// previews.
///
///     let movies = MovieOutput()
///     try session.add(movies)
///     let recording = try movies.startRecording(to: "holiday.mp4")
///     …
///     recording.stop()
///     print(await recording.result.files)
///
/// The pictures are those of a live preview of this size. Frames are rendered and encoded only while a movie is
/// recorded. If the process is killed, all but about the last second of the file can be played. *Thread-safe.*
public final class MovieOutput: Sendable {
    private struct State {
        var owner: ObjectIdentifier?
        weak var running: RunningPipeline?
        var recording: MovieRecording?
    }

    /// The largest size of the movie in pixels; it has the camera's aspect ratio.
    public let maxSize: (width: Int, height: Int)
    /// While the lock is held, nothing else is called.
    private let state = Mutex(State())

    /// Creates an output for movies of at most this size, which is 1920×1080 at most.
    public init(width: Int = 1920, height: Int = 1080) { maxSize = (width, height) }

    /// Whether a movie is being recorded, or its file finished.
    public var isRecording: Bool { state.withLock { $0.recording != nil } }

    /// Starts to record a movie with the next frame. The path ends in .mp4 or .mov; the file appears when half a second
    /// is stored, and a file that exists is not replaced unless the settings say so, nor one to which another output or
    /// process records. One movie is recorded at a time.
    public func startRecording(
        to path: String, settings: MovieSettings = MovieSettings()
    ) throws(CaptureError) -> MovieRecording {
        try Self.check(settings, path)
        let container = try Self.container(of: path)
        let (running, isBusy) = state.withLock { ($0.running, $0.recording != nil) }
        guard let running else {
            throw CaptureError(.sessionNotRunning, "start the session of the output before recording a movie")
        }
        if isBusy { throw Self.busy }
        guard running.livePhotos?.beginMovie() ?? true else {
            throw CaptureError(
                .movieInProgress, "a Live Photo is being taken, which excludes a movie; wait for its end")
        }
        let recording: MovieRecording
        do throws(CaptureError) {
            recording = try MovieRecording(path: path, container, settings, of: running.pipeline) {
                [weak running] warning in
                running?.eventStream.yield(.warning(warning))
            } ended: { [weak self, weak running] ended in
                self?.state.withLock { if $0.recording === ended { $0.recording = nil } }
                running?.livePhotos?.endMovie()
            }
        } catch {
            running.livePhotos?.endMovie()
            throw error
        }
        let (isFirst, isConnected) = state.withLock { state in
            let isFirst = state.recording == nil
            if isFirst { state.recording = recording }
            return (isFirst, state.running === running)
        }
        guard isFirst else {
            recording.finish(because: Self.busy, isDrained: true)
            throw Self.busy
        }
        if !isConnected { recording.finish(because: Self.stopped, isDrained: true) }
        return recording
    }

    /// Throws if no movie can be recorded to a path with these settings, without starting anything.
    package static func check(_ settings: MovieSettings, _ path: String) throws(CaptureError) {
        if let broken = settings.brokenRule { throw broken }
        _ = try container(of: path)
        try FragmentedMovie.check(path: path, replacing: settings.replacesFiles)
        try MovieEncoder.check(settings)
    }

    private static var busy: CaptureError {
        CaptureError(.movieInProgress, "a movie is being recorded; stop it first")
    }

    private static var stopped: CaptureError {
        CaptureError(.aborted, "the session stopped before the recording")
    }

    private static func container(of path: String) throws(CaptureError) -> MovieContainer {
        let ending = path.split(separator: ".").last?.lowercased() ?? ""
        guard path.contains("."), let container = MovieContainer(rawValue: ending == "m4v" ? "mp4" : ending) else {
            throw CaptureError(.movieSettingsInvalid, "a movie's name ends in .mp4 or .mov", place: path)
        }
        return container
    }
}

// MARK: - The session

extension MovieOutput {
    /// Whether the output belongs to a session.
    var isInSession: Bool { state.withLock { $0.owner != nil } }

    /// Marks the output as belonging to a session; returns false if it already belonged to one.
    func join(_ owner: ObjectIdentifier) -> Bool {
        state.withLock { state in
            if state.owner != nil { return false }
            state.owner = owner
            return true
        }
    }

    /// Takes the output out of this session, which ends its recording. Does nothing if the output is not in it.
    func leave(_ owner: ObjectIdentifier) {
        let (isMember, running) = state.withLock { state in
            guard state.owner == owner else { return (false, nil as RunningPipeline?) }
            state.owner = nil
            return (true, state.running)
        }
        guard isMember, let running else { return }
        disconnect(running, because: CaptureError(.aborted, "the output was removed while it recorded"))
    }

    /// Connects the pipeline that delivers frames.
    func connect(_ running: RunningPipeline) {
        state.withLock { if $0.owner != nil { $0.running = running } }
    }

    /// Ends the recording of a pipeline's frames, and disconnects the pipeline. Does nothing for another one.
    func disconnect(_ running: RunningPipeline, because reason: CaptureError) {
        let recording = state.withLock { state -> MovieRecording? in
            guard state.running === running else { return nil }
            state.running = nil
            return state.recording
        }
        recording?.finish(because: reason)
    }

    /// Ends the recording because the pipeline was interrupted and delivers no frames.
    func interrupt(_ running: RunningPipeline, because reason: CaptureError) {
        let recording = state.withLock { $0.running === running ? $0.recording : nil }
        recording?.finish(because: reason)
    }

    /// Records that a pipeline's camera computes a frame, which is late for this reason.
    func noteWork(_ running: RunningPipeline) {
        state.withLock { $0.running === running ? $0.recording : nil }?.noteWork()
    }

    /// Whether frames of a pipeline are recorded now.
    func wantsFrames(of running: RunningPipeline) -> Bool {
        let recording = state.withLock { $0.running === running ? $0.recording : nil }
        return recording?.wantsFrames ?? false
    }

    /// Records a frame of a pipeline.
    func take(_ sample: Sample, of running: RunningPipeline) {
        state.withLock { $0.running === running ? $0.recording : nil }?.take(sample)
    }
}
