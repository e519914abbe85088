internal import Files
internal import GSCapture
internal import GStreamer
internal import Glibc
internal import GscapElements
internal import JSON
internal import Synchronization
internal import Waiting

/// `gscap`, `gscap FILE`, `gscap --pipeline FILE`: runs a pipeline, takes photos and stores them.
struct CaptureCommand {
    /// When the photos are taken.
    private enum Rhythm {
        /// Each when the one before is stored.
        case oneAfterAnother
        /// At a fixed interval.
        case every(Duration)
        /// At Enter and at SIGUSR1.
        case byHand
    }

    /// A press of the shutter.
    private struct Press: Sendable {
        /// The files of the photo, or why none can be created; nil for standard output.
        let shot: Result<PhotoFiles.Shot?, CaptureError>
        /// The events of the capture and the number of its photos, or why it was refused; nil without files. The
        /// capture itself would keep the photos that are stored already.
        let capture: Result<(events: AsyncStream<CaptureEvent>, photoCount: Int), CaptureError>?
        let start = WaitClock.current.now
    }

    private let plan: PipelinePlan
    /// The camera of a pipeline that is composed from settings; nil for the pipeline of a file.
    private let camera: CameraOptions?
    /// The folder of the jobs of deferred photos; nil unless they are deferred.
    private let deferredFolder: String?
    /// How many photos to take; 0 runs the pipeline without taking photos.
    private let photos: Int
    private let rhythm: Rhythm
    /// The settings of each photo.
    private let settings: PhotoSettings
    private let timeout: Duration?
    /// Whether photos are taken until a signal comes or the reader of the output ends.
    private var isEndless: Bool { photos == .max && timeout == nil }
    /// Whether the live preview is asked for.
    private let expectsPreview: Bool
    private let console: Console
    /// The files of the photos; nil for standard output.
    private let files: PhotoFiles?
    private var reports: PhotoReports
    /// The command that runs after each photo; nil without `--after`.
    private let hook: PhotoHook?
    /// The claims on the names of file sinks that number their files.
    private let claims: [NameReservation]
    /// Whether the session failed or ran out of time, so that no further photo is taken.
    private var isOver = false

    /// Runs a capture with the arguments of `gscap`.
    static func run(_ words: [String]) async throws -> ExitCode {
        let options = try Options(words, of: .capture)
        if let extent = options.value("--help") {
            Console().print(extent.isEmpty ? help.shortPage(of: .capture) : help.page(of: .capture))
            return .done
        }
        if options.has("--version") {
            Console().print(Software.nameAndVersion)
            return .done
        }
        let interrupts = Interrupts()
        let console = Console(isJSON: options.has("--json"), isVerbose: options.has("--verbose"))
        interrupts.watch { console.note("stopping after the current photo; a second Ctrl-C stops at once") }
        var command = try CaptureCommand(options, console)
        return try await command.run(interrupts)
    }

    private init(_ options: Options, _ console: Console) throws {
        self.console = console
        let folder = options.value("--output") ?? "photos"
        camera = try Self.camera(options, console)
        try options.requireOperands(atMost: options.has("--pipeline") || camera != nil ? 0 : 1)
        try Self.checkFolder(folder)
        deferredFolder = options.has("--deferred") ? folder + "/deferred" : nil
        let file = options.value("--pipeline") ?? options.operands.first ?? "FILE"
        if let camera {
            plan = try camera.plan()
            claims = []
        } else {
            if deferredFolder != nil {
                throw Failure(.usage, "--deferred needs --raw or --format instead of a pipeline file")
            }
            (plan, claims) = try Self.plan(from: file, options, console)
        }
        let number = try options.integer("--photos", in: 0...1_000_000)
        rhythm = try Self.rhythm(options)
        if case .oneAfterAnother = rhythm {
            photos = number ?? (plan.shutter == nil ? 0 : plan.photos)
        } else {
            photos = number ?? Int.max
        }
        if photos > 0 { try Self.checkStoresPhotos(plan) }
        if let deferredFolder { OutputFolder.expect(deferredFolder) }
        var settings = camera?.settings ?? PhotoSettings(everythingOf: plan)
        try ShotOptions(options).apply(to: &settings, formats: plan.branches.map(\.format))
        self.settings = settings
        if StandardFile.isOutput(folder) {
            let circumstances =
                camera.map { PipelinePlan.Circumstances(device: $0.device) } ?? PipelinePlan.Circumstances(plan: plan)
            let files = circumstances.resolved(settings).expectedPhotoCount
            try Self.checkStandardOutput(options, files: files.multipliedReportingOverflow(by: photos), console)
        }
        timeout = try options.seconds("--timeout")
        expectsPreview = options.has("--preview")
        files =
            StandardFile.isOutput(folder)
            ? nil
            : try PhotoFiles(
                folder: folder, nameTemplate: options.value("--name") ?? "photo-{n}",
                replacesFiles: options.has("--overwrite"), deferredFolder: folder + "/deferred")
        reports = PhotoReports(console)
        hook = options.value("--after").map { PhotoHook(command: $0, console: console) }
    }

    /// Returns the camera that the options select, or the default one; nil if they name a pipeline file.
    private static func camera(_ options: Options, _ console: Console) throws -> CameraOptions? {
        let names = CameraOptions.names.filter(options.has)
        if options.has("--pipeline") {
            guard let name = names.first else { return nil }
            throw Failure(.usage, "--pipeline and \(name) exclude each other")
        }
        if let file = options.operands.first {
            try CameraOptions.requireNone(options, beside: file)
            return nil
        }
        return try CameraOptions(options, console)
    }

    private static func rhythm(_ options: Options) throws(Failure) -> Rhythm {
        guard let interval = try options.seconds("--interval") else {
            return options.has("--press") ? .byHand : .oneAfterAnother
        }
        if options.has("--press") { throw Failure(.usage, "--interval and --press exclude each other") }
        return .every(interval)
    }

    private mutating func run(_ interrupts: Interrupts) async throws -> ExitCode {
        if photos > 0 { try files?.prepare() }
        let session = camera == nil ? CaptureSession(plan: plan) : CaptureSession()
        // A command reports the loss of the camera and ends.
        session.recoversFromDeviceLoss = false
        let output = PhotoOutput()
        if let camera { try camera.configure(session, output, deferredFolder: deferredFolder) }
        try session.add(output)
        // The rules of a composed pipeline are known before the camera runs; a pipeline file may set other limits.
        if camera != nil, photos > 0 { try output.validate(settings) }
        let started = WaitClock.current.now
        let deadline = timeout.map { started + $0 }
        let start = Watchdog(
            deadline, .tryAgain, console, "the pipeline did not start within the time given by --timeout",
            isFailure: true)
        let events = session.events
        try await session.startRunning()
        start.cancel()
        console.event("started", [("file", .text(plan.file))])
        let monitor = SessionMonitor(
            session, events, console: console, expectsPreview: expectsPreview,
            fuses: plan.branches.contains(where: \.isFused))
        if case .byHand = rhythm { PressTrigger.explain("takes a photo", end: "ends", console) }
        if case .every = rhythm, photos > 0 { await waitForFrames(of: output, interrupts, until: deadline) }
        if settings.livePhotoFormat != nil { await waitForLivePhoto(of: output, interrupts, until: deadline) }
        var code = await shoot(output, monitor: monitor, interrupts: interrupts, deadline: deadline)
        if let hook { code = Self.first(code, await hook.finish(until: deadline)) }
        await monitor.end()
        reports.summarize(framesSeen: monitor.framesSeen)
        // The watchdog is not cancelled after the stop, because a blocked device may also delay the end of the process.
        _ = Watchdog(stopping: code, console)
        await session.stopRunning()
        return code
    }

    /// Waits, for five seconds at most, until the camera delivers frames or has failed: presses at an interval before
    /// the first frame would all take that one. Time in which the camera computes a frame does not count.
    private func waitForFrames(
        of output: PhotoOutput, _ interrupts: Interrupts, until deadline: WaitClock.Instant?
    ) async {
        let isEndless = isEndless
        let frames = Task {
            var isComputed = true
            while isComputed, !Task.isCancelled {
                let end = Self.firstPress(before: deadline)
                let updates = Deadline.sequence(output.captureReadinessUpdates, until: end)
                for await readiness in updates where readiness != .notReadyMomentarily { return }
                isComputed = output.isCameraComputing && deadline.map { $0 > WaitClock.current.now } ?? true
            }
        }
        let signal = Task {
            await interrupts.wait(orReaderGone: isEndless)
            frames.cancel()
        }
        await frames.value
        signal.cancel()
    }

    /// Waits, for five seconds at most, until a Live Photo would have all of the time before the press. The output
    /// reports no changes of that time, so it is asked again and again.
    private func waitForLivePhoto(
        of output: PhotoOutput, _ interrupts: Interrupts, until deadline: WaitClock.Instant?
    ) async {
        let end = Self.firstPress(before: deadline)
        while output.livePhotoBufferedDuration < .milliseconds(1500), WaitClock.current.now < end,
            !interrupts.isRaised(orReaderGone: isEndless)
        {
            await WaitClock.current.sleep(for: .milliseconds(20))
        }
    }

    /// Returns when the wait for the first press ends: in five seconds, or at the deadline if that is earlier.
    private static func firstPress(before deadline: WaitClock.Instant?) -> WaitClock.Instant {
        let latest = WaitClock.current.now + .seconds(5)
        return min(deadline ?? latest, latest)
    }
}

// MARK: - Taking the photos

extension CaptureCommand {
    /// Takes all photos and returns the exit code: that of the first photo that failed, otherwise `interrupted` after a
    /// signal or else success. The end of the output's reader ends only a series that would go on until Ctrl-C.
    private mutating func shoot(
        _ output: PhotoOutput, monitor: SessionMonitor, interrupts: Interrupts, deadline: WaitClock.Instant?
    ) async -> ExitCode {
        if photos == 0 { return await idle(monitor: monitor, interrupts: interrupts, deadline: deadline) }
        var worst = ExitCode.done
        var number = 0
        for await press in presses(of: output, interrupts: interrupts, deadline: deadline) {
            number += 1
            monitor.photo = (number, photos == .max ? 0 : photos)
            let code = await store(press, monitor: monitor, deadline: deadline)
            if worst == .done { worst = code }
            if isOver || number >= photos { break }
        }
        if worst == .done, interrupts.isRaised(orReaderGone: isEndless) {
            if number == 0 { console.note("no photo was taken") }
            return interrupts.isRaised() ? .interrupted : .done
        }
        guard worst == .done, number < photos, photos != .max, let deadline, deadline <= WaitClock.current.now else {
            return worst
        }
        return console.report(
            Failure(.tryAgain, "\(number) of \(photos) photos were taken within the time given by --timeout"))
    }

    /// Returns the captures in their order. Those taken at an interval or by hand begin at once, also while earlier
    /// ones are being processed.
    private func presses(
        of output: PhotoOutput, interrupts: Interrupts, deadline: WaitClock.Instant?
    ) -> AsyncStream<Press> {
        let settings = settings
        let files = files
        let press = { @Sendable (isNext: Bool) -> Press in
            var settings = PhotoSettings(from: settings)
            // A photo of one frame is ready before the camera has delivered another.
            if isNext, settings.zeroShutterLag == nil { settings.zeroShutterLag = false }
            let shot = Result { () throws(CaptureError) in try files?.nextShot() }
            guard case .success(let named) = shot else { return Press(shot: shot, capture: nil) }
            if settings.isDeferred { settings.deferredName = named?.name }
            return Press(
                shot: shot,
                capture: Result { () throws(CaptureError) in
                    let capture = try output.capturePhoto(with: settings)
                    return (capture.events, capture.resolvedSettings.expectedPhotoCount)
                })
        }
        let triggers: AsyncStream<Void>
        switch rhythm {
        case .oneAfterAnother:
            let isNext = Atomic(false)
            return AsyncStream(unfolding: {
                interrupts.isRaised() ? nil : press(isNext.exchange(true, ordering: .relaxed))
            })
        case .every(let interval): triggers = PressTrigger.presses(every: interval)
        case .byHand: triggers = PressTrigger.pressesByHand()
        }
        let (stream, captures) = AsyncStream<Press>.makeStream()
        let photos = photos
        let producer = Task {
            var count = 0
            for await trigger in Deadline.sequence(triggers, until: deadline) where trigger != nil {
                captures.yield(press(false))
                count += 1
                if count >= photos { break }
            }
            captures.finish()
        }
        let isEndless = isEndless
        let end = Task {
            await interrupts.wait(orReaderGone: isEndless)
            producer.cancel()
        }
        captures.onTermination = { _ in
            producer.cancel()
            end.cancel()
        }
        return stream
    }

    /// Stores each file of a photo when it arrives and returns the exit code.
    private mutating func store(
        _ press: Press, monitor: SessionMonitor, deadline: WaitClock.Instant?
    ) async -> ExitCode {
        reports.begin()
        defer { hook?.run(reports.paths) }
        var shot: PhotoFiles.Shot?
        do throws(CaptureError) {
            shot = try press.shot.get()
        } catch {
            // Without a name for its files no further photo can be stored, either.
            isOver = true
            return console.report(Failure(error))
        }
        var code = ExitCode.done
        var count = 0
        do throws(CaptureError) {
            guard let (events, expected) = try press.capture?.get() else { return .software }
            for await event in Deadline.sequence(events, until: deadline) {
                let duration = WaitClock.current.now - press.start
                guard let event else {
                    isOver = true
                    _ = reports.add(shot?.finish() ?? [], after: duration)
                    monitor.filesWritten = reports.count
                    return console.report(
                        Failure(
                            .tryAgain,
                            "the photo was not finished within the time given by --timeout"
                                + (reports.count > 0 ? "; only the listed files of it are stored" : "")))
                }
                switch event {
                case .photo, .livePhotoMovie: monitor.show(phase: "writing")
                default: break
                }
                if let stored = shot?.store(event) {
                    code = Self.first(code, reports.add(stored, after: duration))
                } else if case .photo(let photo) = event {
                    code = Self.first(code, reports.writeToStandardOutput(photo))
                }
                monitor.filesWritten = reports.count
                if case .photo(let photo) = event {
                    count += 1
                    // The other files of the photo are still being made.
                    if count < expected { monitor.show(phase: "developing") }
                    isOver = isOver || photo.error?.endsSession == true
                }
            }
            if code == .done, count < expected {
                return console.report(
                    Failure(.inputOutput, "only \(count) of \(expected) files of the photo arrived"))
            }
        } catch {
            if error.code == .sessionNotRunning {
                // The pipeline failed, or its stream ended, before the press.
                isOver = true
                return await monitor.reportEnd(before: "the photo was taken")
            }
            // Frames may come again before the next press.
            isOver = isOver || (error.endsSession && error.code != .interrupted)
            return console.report(Failure(ExitCode(error), error.commandText))
        }
        return code
    }

    /// Runs a pipeline that takes no photos until the stream ends, a signal arrives, the reader of the output ends, or
    /// the time limit is reached.
    private func idle(
        monitor: SessionMonitor, interrupts: Interrupts, deadline: WaitClock.Instant?
    ) async -> ExitCode {
        await withTaskGroup(of: ExitCode.self) { group in
            group.addTask {
                await interrupts.wait(orReaderGone: true)
                return interrupts.isRaised() ? .interrupted : .done
            }
            group.addTask { await monitor.ended() }
            if let deadline {
                group.addTask {
                    await WaitClock.current.sleep(until: deadline)
                    return .done
                }
            }
            let first = await group.next() ?? .done
            group.cancelAll()
            return first
        }
    }

    /// Returns the first of two exit codes that is not success.
    private static func first(_ earlier: ExitCode, _ later: ExitCode) -> ExitCode {
        earlier == .done ? later : earlier
    }
}

extension CaptureError {
    /// Whether the session has failed, so that further photos would fail too.
    fileprivate var endsSession: Bool {
        !concernsOneConstituent && [.aborted, .interrupted, .pipelineFailed, .noDevice].contains(code)
    }
}
