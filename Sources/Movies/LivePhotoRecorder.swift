package import CapturePlan
internal import Dispatch
package import GStreamer
internal import MovieFiles
package import RawImage
internal import Synchronization
internal import Waiting

/// Records the movies of Live Photos: encodes the frames of a running pipeline all the time, keeps the newest second
/// and a half in a ring, and hands each capture its part of the stream.
///
///     idle ──frame──► starting ──encoder runs──► recording ──suspended, failure──► idle
///
///     a capture:  press ──1.5 s later, suspended or stopped──► recorded ──still delivered──► movie
///
/// Captures overlap freely: their movies are parts of one stream, of which each picture is encoded once. *Thread-safe.*
package final class LivePhotoRecorder: Sendable {
    /// The receivers of what becomes of a capture's movie.
    package struct Actions: Sendable {
        /// The movie of a capture ends here.
        let recorded: @Sendable (UInt64) -> Void
        /// The movie of a capture is complete, or has failed.
        let delivered: @Sendable (LivePhotoMovie) -> Void

        /// Creates the receivers.
        package init(
            recorded: @escaping @Sendable (UInt64) -> Void, delivered: @escaping @Sendable (LivePhotoMovie) -> Void
        ) {
            (self.recorded, self.delivered) = (recorded, delivered)
        }
    }

    /// A reason why no frames are recorded.
    struct Suspension: OptionSet, Sendable {
        let rawValue: Int
        /// The application has suspended Live Photos.
        static let requested = Suspension(rawValue: 1)
        /// A movie is being recorded.
        static let movie = Suspension(rawValue: 2)
    }

    private enum Phase: Sendable { case idle, starting, recording }

    /// A capture whose movie is not delivered yet.
    private struct Capture: Sendable {
        let resolved: ResolvedPhotoSettings
        let press: UInt64
        /// A date, and the time of the pipeline that it belongs to: of the press, or of the still if its own is known.
        var anchor: (date: MovieDate, time: UInt64)
        /// The date that the still's file states, if it is known.
        var stillDate: MovieDate?
        /// The still's Exif orientation.
        var orientation = 1
        /// The pictures, once the movie has ended.
        var pictures: [LivePhotoRing.Picture]?
        /// The parameter sets of the pictures.
        var parameters: H264Parameters?
        /// The instant of the still, in the middle of its exposure, or why there is none; nil before it is delivered.
        var still: Result<UInt64, CaptureError>?
        /// Whether the end of the movie has been reported.
        var isReported = false
    }

    private struct State: Sendable {
        var phase = Phase.idle
        var suspension: Suspension = []
        /// The number of movies that are being recorded; more than one for a moment, in which all but one are refused.
        var movies = 0
        var trims = true
        var ring = LivePhotoRing()
        var captures: [UInt64: Capture] = [:]
        var encoder: MovieEncoder?
        /// The number of encoders so far, by which the pictures of a former one are recognized.
        var encoders = 0
        var format: MovieEncoder.Format?
        /// The number of frames that were pushed and are not encoded.
        var pending = 0
        var motion = CameraMotion()
        /// The speeds of the frames that are being encoded.
        var speeds: [(time: UInt64, speed: Double)] = []
        /// Why the encoder failed; nil while it works.
        var failure: CaptureError?
        var isStopped = false
    }

    /// The largest size of the pictures.
    package static let maxSize = (width: 1920, height: 1080)
    /// The time before and after the press that a movie has.
    package static let margin: UInt64 = 1_500_000_000
    /// The time from key picture to key picture.
    private static let keyInterval: UInt64 = 500_000_000
    /// The time after the end of a movie at which it ends without the frames that are still missing.
    private static let delay: UInt64 = 2_000_000_000

    /// While the lock is held, nothing else is called.
    private let state = Mutex(State())
    /// Starts the encoder and makes the movies, one after another.
    private let queue = DispatchQueue(label: "gscap.live-photo")
    private let settings: MovieSettings
    private let actions: Actions
    private let clock = WaitClock.current

    /// Creates a recorder whose encoder has these settings.
    package init(_ actions: Actions, settings: MovieSettings = MovieSettings()) {
        (self.settings, self.actions) = (settings, actions)
    }

    deinit { state.withLock { $0.encoder }?.stop() }

    /// Whether captures get a movie now.
    package var condition: LivePhotoCondition {
        state.withLock { state in
            if state.suspension.contains(.movie) { return .recordingMovie }
            return state.suspension.isEmpty ? .possible : .suspended
        }
    }

    /// The size of the pictures; nil before the first frame.
    package var dimensions: PhotoDimensions? {
        state.withLock { $0.format }.map { PhotoDimensions(width: $0.width, height: $0.height) }
    }

    /// The time before a press that a movie would have now, in nanoseconds, at most `margin`.
    package var buffered: UInt64 { state.withLock { min($0.ring.duration, Self.margin) } }

    /// Sets whether movies are trimmed where the camera moved too much.
    package func setTrims(_ trims: Bool) { state.withLock { $0.trims = trims } }
}

// MARK: - Frames

extension LivePhotoRecorder {
    /// Whether frames are recorded now.
    package var wantsFrames: Bool { state.withLock { $0.suspension.isEmpty && $0.failure == nil && !$0.isStopped } }

    /// Takes a frame of the pipeline; does not block.
    package func take(_ sample: Sample, inTimeOf session: Pipeline) {
        guard let buffer = sample.buffer, let time = buffer.presentationTime, let caps = sample.caps else { return }
        let (measures, known) = state.withLock { ($0.trims, $0.format) }
        let profile = measures ? known.flatMap { CameraMotion.Profile(buffer, $0.frameSize) } : nil
        let (encoder, starts) = state.withLock { state -> (MovieEncoder?, Int?) in
            guard state.suspension.isEmpty, state.failure == nil, !state.isStopped else { return (nil, nil) }
            if state.phase == .idle {
                state.phase = .starting
                state.encoders += 1
                return (nil, state.encoders)
            }
            if let profile, let speed = state.motion.speed(of: profile, at: time) { state.speeds.append((time, speed)) }
            guard state.phase == .recording, MovieEncoder.canWait(buffer, behind: state.pending) else {
                return (nil, nil)
            }
            state.pending += 1
            return (state.encoder, nil)
        }
        if let starts { queue.async { [self] in startEncoder(caps, number: starts, inTimeOf: session) } }
        encoder?.push(buffer)
    }

    private func startEncoder(_ caps: Caps, number: Int, inTimeOf session: Pipeline) {
        do throws(CaptureError) {
            var format = try MovieEncoder.Format(caps)
            format.keyInterval = Self.keyInterval
            try MovieEncoder.check(settings)
            let encoder = try MovieEncoder(settings, format, isInBackground: true) { [weak self] output in
                self?.queue.async { [weak self] in self?.receive(output, from: number) }
            }
            try encoder.start(inTimeOf: session)
            let isInUse = state.withLock { state in
                guard state.encoders == number, state.phase == .starting else { return false }
                (state.phase, state.encoder, state.format, state.pending) = (.recording, encoder, format, 0)
                return true
            }
            if !isInUse { encoder.stop() }
        } catch {
            fail(error, number)
        }
    }

    /// Takes what an encoder delivers. Called on the queue.
    private func receive(_ output: MovieEncoder.Output, from number: Int) {
        switch output {
        case .picture(let unit, let time): add(unit, at: time, from: number)
        case .failed(let error): fail(error, number)
        case .sound, .soundEnded, .drained: break
        }
    }

    private func add(_ unit: H264AccessUnit, at time: UInt64, from number: Int) {
        let ended = state.withLock { state -> [UInt64] in
            guard state.encoders == number, state.phase == .recording else { return [] }
            state.pending -= 1
            let speed = state.speeds.last { $0.time <= time && $0.time + Self.keyInterval > time }?.speed
            state.speeds.removeAll { $0.time <= time }
            let open = state.captures.values.filter { $0.pictures == nil }.map(\.press)
            let needed = min(time, open.min() ?? time)
            state.ring.append(unit, at: time, speed: speed, needed: needed - min(needed, Self.margin))
            return Self.end(&state) { $0.press + Self.margin <= time }
        }
        for id in ended { conclude(id) }
    }

    /// Ends the movies under way because no further frames arrive. Later frames begin another stream.
    package func interrupt(because error: CaptureError) { fail(error, nil, isLasting: false) }

    /// Ends the movies under way after a failure; `number` is that of the encoder that failed, nil for any.
    private func fail(_ error: CaptureError, _ number: Int?, isLasting: Bool = true) {
        let (encoder, ended) = state.withLock { state -> (MovieEncoder?, [UInt64]) in
            guard number == nil || state.encoders == number else { return (nil, []) }
            if isLasting { state.failure = error }
            let ended = Self.end(&state) { _ in true }
            return (Self.drop(&state), ended)
        }
        end(encoder, ended)
    }

    /// Ends the movies of some captures with the pictures that the ring has; returns the ids.
    private static func end(_ state: inout State, where isOver: (Capture) -> Bool) -> [UInt64] {
        let ids = state.captures.filter { $1.pictures == nil && isOver($1) }.keys.sorted()
        for id in ids {
            guard let press = state.captures[id]?.press else { continue }
            state.captures[id]?.pictures = state.ring.pictures(
                from: press - min(press, margin), until: press + margin)
            state.captures[id]?.parameters = state.ring.parameters
        }
        return ids
    }

    /// Forgets the encoder and the ring; returns the encoder, which is to be stopped.
    private static func drop(_ state: inout State) -> MovieEncoder? {
        defer { state.encoder = nil }
        state.encoders += 1
        state.phase = .idle
        state.ring.clear()
        (state.motion, state.speeds, state.pending) = (CameraMotion(), [], 0)
        return state.encoder
    }
}

// MARK: - Suspending

extension LivePhotoRecorder {
    /// Suspends recording, or resumes it. The movies under way end at a suspension; later ones show nothing from before
    /// its end.
    package func setSuspended(_ isSuspended: Bool) { isSuspended ? suspend(.requested) : resume(.requested) }

    /// Suspends recording for a movie, until as many calls of `endMovie()`; returns false if Live Photos are being
    /// taken.
    package func beginMovie() -> Bool {
        let suspended = state.withLock { state -> (MovieEncoder?, [UInt64])? in
            if state.captures.values.contains(where: { $0.pictures == nil }) { return nil }
            state.movies += 1
            return Self.suspend(&state, .movie)
        }
        guard let (encoder, ended) = suspended else { return false }
        end(encoder, ended)
        return true
    }

    /// Resumes recording after the last movie.
    package func endMovie() {
        state.withLock { state in
            state.movies -= 1
            if state.movies == 0 { Self.resume(&state, .movie) }
        }
    }

    private func suspend(_ reason: Suspension) {
        let (encoder, ended) = state.withLock { Self.suspend(&$0, reason) }
        end(encoder, ended)
    }

    private func resume(_ reason: Suspension) { state.withLock { Self.resume(&$0, reason) } }

    /// Returns the encoder to stop, and the captures whose movies end.
    private static func suspend(_ state: inout State, _ reason: Suspension) -> (MovieEncoder?, [UInt64]) {
        state.suspension.insert(reason)
        let ended = end(&state) { _ in true }
        return (drop(&state), ended)
    }

    private static func resume(_ state: inout State, _ reason: Suspension) {
        state.suspension.remove(reason)
        // The cause of a failure may be over.
        state.failure = nil
    }

    private func end(_ encoder: MovieEncoder?, _ ended: [UInt64]) {
        encoder?.stop()
        for id in ended { conclude(id) }
    }

    /// Stops for good. The captures under way have failed already.
    package func stop() {
        let encoder = state.withLock { state in
            state.isStopped = true
            state.captures = [:]
            return Self.drop(&state)
        }
        encoder?.stop()
    }
}

// MARK: - Captures

extension LivePhotoRecorder {
    /// Begins the movie of a capture. `press` is the time of the press in nanoseconds, which is now.
    package func begin(_ resolved: ResolvedPhotoSettings, at press: UInt64) {
        let id = resolved.uniqueID
        let anchor = (MovieDate.now, press)
        let isOver = state.withLock { state in
            state.captures[id] = Capture(resolved: resolved, press: press, anchor: anchor)
            let isOver = !state.suspension.isEmpty || state.failure != nil || state.isStopped
            if isOver { state.captures[id]?.pictures = [] }
            return isOver
        }
        if isOver { return conclude(id) }
        clock.alarm(after: .nanoseconds(Int64(Self.margin + Self.delay)), on: queue) { [weak self] in self?.endLate(id)
        }
    }

    /// Ends a movie whose last frames have not arrived.
    private func endLate(_ id: UInt64) {
        let ended = state.withLock { state in Self.end(&state) { $0.resolved.uniqueID == id } }
        for id in ended { conclude(id) }
    }

    /// Takes note of a photo of a capture: the time of the still by its receipt and metadata, or the error by which it
    /// failed.
    package func note(
        _ resolved: ResolvedPhotoSettings, _ format: PhotoFormat, _ receipt: PhotoReceipt?, _ metadata: FrameMetadata?,
        _ error: CaptureError?
    ) {
        guard let still = resolved.livePhotoStill, format == .processed(still) else { return }
        let isReady = state.withLock { state in
            guard var capture = state.captures[resolved.uniqueID], capture.still == nil else { return false }
            if let error {
                // Without a still there is no need for the rest of the movie.
                (capture.still, capture.pictures) = (.failure(error), capture.pictures ?? [])
            } else {
                capture.still = .success(receipt?.sensorRunningTime ?? capture.press)
                // The dates of still and movie agree, also if the camera's clock is not the machine's.
                if let date = receipt?.sensorTime, let time = receipt?.sensorRunningTime {
                    capture.anchor = (MovieDate(microseconds: date), time)
                }
                capture.stillDate = metadata.flatMap { MovieDate($0) }
                capture.orientation = metadata?.orientation ?? 1
            }
            state.captures[resolved.uniqueID] = capture
            return capture.pictures != nil
        }
        if isReady { queue.async { [self] in deliver(resolved.uniqueID) } }
    }

    /// Reports that a movie has ended, and delivers it if its still is there.
    private func conclude(_ id: UInt64) {
        queue.async { [self] in
            reportEnd(id)
            if state.withLock({ $0.captures[id]?.still != nil }) { deliver(id) }
        }
    }

    /// Reports, once, that a movie has ended. Called on the queue.
    private func reportEnd(_ id: UInt64) {
        let isFirst = state.withLock { state in
            guard state.captures[id]?.isReported == false else { return false }
            state.captures[id]?.isReported = true
            return true
        }
        if isFirst { actions.recorded(id) }
    }

    /// Delivers the movie of a capture, once. Called on the queue.
    private func deliver(_ id: UInt64) {
        let taken = state.withLock { state -> (Capture, State)? in
            guard let capture = state.captures[id], capture.pictures != nil, capture.still != nil else { return nil }
            state.captures[id] = nil
            return (capture, state)
        }
        guard let (capture, state) = taken, let pictures = capture.pictures, let still = capture.still else { return }
        // The still may come between the end of the movie and its report.
        if case .success = still, !capture.isReported { actions.recorded(id) }
        actions.delivered(Self.movie(capture, pictures, still, state))
    }

    private static func movie(
        _ capture: Capture, _ pictures: [LivePhotoRing.Picture], _ still: Result<UInt64, CaptureError>, _ state: State
    ) -> LivePhotoMovie {
        let resolved = capture.resolved
        let instant: UInt64
        switch still {
        case .success(let time): instant = time
        case .failure(let error): return LivePhotoMovie(resolved, error)
        }
        guard let format = state.format, let parameters = capture.parameters, !pictures.isEmpty else {
            let reason = state.suspension.contains(.movie) ? "a movie is being recorded" : "no frames were recorded"
            return LivePhotoMovie(resolved, state.failure ?? CaptureError(.branchFailed, reason, place: "live-photo"))
        }
        // A picture has the time of the start of its exposure; the still's own instant is the middle of it.
        let shown = pictures.last { $0.time <= instant }?.time ?? pictures[0].time
        let wanted = capture.press - min(capture.press, margin)
        var range = LivePhotoRing.range(of: pictures, from: wanted, period: format.period)
        if state.trims { range = LivePhotoRing.trimmed(pictures, range, around: shown) }
        guard let start = pictures.first(where: { $0.time >= range.lowerBound })?.time, start < range.upperBound else {
            return LivePhotoMovie(resolved, CaptureError(.branchFailed, "no frames were recorded", place: "live-photo"))
        }
        let first = pictures.lastIndex { $0.isKey && $0.time <= start } ?? 0
        let used = pictures[first...].filter { $0.time < range.upperBound }.map { picture in
            LivePhotoMovieFile.Picture(bytes: picture.bytes, time: picture.time, isKey: picture.isKey)
        }
        let times = used.map(\.time).filter { $0 >= start } + [range.upperBound]
        let lost = zip(times, times.dropFirst()).reduce(0) { $0 + format.framesLost(from: $1.0, to: $1.1) }
        let (anchor, time) = capture.anchor
        return LivePhotoMovie(
            resolved,
            LivePhotoMovieFile(
                used, start: start, end: range.upperBound, stillTime: shown, size: (format.width, format.height),
                parameters: parameters, date: anchor.moved(from: time, to: start),
                stillDate: capture.stillDate ?? anchor.moved(from: time, to: instant),
                orientation: capture.orientation),
            lostFrames: lost)
    }
}
