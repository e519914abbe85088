internal import GSCapture
internal import GStreamer
internal import Glibc

/// `gscap --pipeline FILE`: runs a pipeline, takes photos through it and stores them.
struct CaptureCommand {
    private static let known: [Options.Known] = [
        .value("--pipeline"), .value("--photos"), .value("--output"), .value("--name"), .value("--set"),
        .value("--var"), .value("--quality"), .flag("--preview"), .flag("--no-preview"), .flag("--json"),
        .value("--timeout"), .flag("--verbose"), .flag("--help"), .flag("--version"),
    ]

    private let plan: PipelinePlan
    private let photos: Int
    private let timeout: Duration?
    private let console: Console
    private var store: PhotoStore
    /// Whether no further photo can come.
    private var isOver = false

    /// Runs the command.
    static func run(_ words: [String]) async throws -> ExitCode {
        let options = try Options(words, known: known)
        if options.has("--help") { return try Command.help(nil) }
        if options.has("--version") {
            Console().print("gscap \(Command.version)")
            return .done
        }
        let interrupts = Interrupts()
        let console = Console(isJSON: options.has("--json"), isVerbose: options.has("--verbose"))
        interrupts.watch { console.note("finishing what is under way; a second Ctrl-C stops at once") }
        var command = try CaptureCommand(options, console)
        return try await command.run(interrupts)
    }

    private init(_ options: Options, _ console: Console) throws {
        self.console = console
        guard let file = options.value("--pipeline") else {
            let file = options.operands.first ?? "FILE"
            throw Failure(.usage, "say which pipeline: gscap --pipeline \(file); see gscap --help")
        }
        try options.refuseOperands(after: 0)
        plan = try PlanReader.plan(from: file, options: options, console: console)
        let wanted = try options.integer("--photos", in: 0...1_000_000)
        photos = plan.shutter == nil ? 0 : wanted ?? plan.photos
        timeout = try options.seconds("--timeout")
        store = try PhotoStore(
            folder: options.value("--output") ?? "photos", template: options.value("--name") ?? "photo-{n}",
            plan: plan, console: console)
    }

    private mutating func run(_ interrupts: Interrupts) async throws -> ExitCode {
        if photos > 0 { try store.prepare() }
        let session = CaptureSession(plan: plan)
        let output = PhotoOutput()
        session.add(output)
        let started = ContinuousClock.now
        let deadline = timeout.map { started + $0 }
        let start = Watchdog(
            deadline, .tryAgain, console, "the pipeline did not start within the time given by --timeout")
        try await session.startRunning()
        start.cancel()
        console.event("started", [("file", .text(plan.file))])
        let watch = SessionWatch(session, console: console)
        let code = await shoot(output, watch: watch, interrupts: interrupts, deadline: deadline)
        await watch.end()
        store.summarize(framesSeen: watch.framesSeen)
        let lastMoment = deadline.map { max($0, .now) + Self.stoppingTime }
        let stop = Watchdog(lastMoment, code, console, "the pipeline did not stop, so it was left behind")
        await session.stopRunning()
        stop.cancel()
        return code
    }

    /// How long a pipeline may take to stop when there is a limit for the whole.
    private static var stoppingTime: Duration { .seconds(5) }
}

// MARK: - Taking the photos

extension CaptureCommand {
    private mutating func shoot(
        _ output: PhotoOutput, watch: SessionWatch, interrupts: Interrupts, deadline: ContinuousClock.Instant?
    ) async -> ExitCode {
        if photos == 0 { return await idle(watch: watch, interrupts: interrupts, deadline: deadline) }
        var worst = ExitCode.done
        for number in 1...photos {
            if interrupts.isRaised { break }
            watch.photo = (number, photos)
            let code = await takeOne(output, watch: watch, deadline: deadline)
            if worst == .done { worst = code }
            if isOver { break }
        }
        return worst == .done && interrupts.isRaised ? .interrupted : worst
    }

    /// Takes one photo and stores its files as they come.
    private mutating func takeOne(
        _ output: PhotoOutput, watch: SessionWatch, deadline: ContinuousClock.Instant?
    ) async -> ExitCode {
        let stem = store.nextStem()
        let begun = ContinuousClock.now
        var code = ExitCode.done
        do {
            let settings = PhotoSettings(everythingOf: plan)
            let events = try output.events(for: settings)
            for await event in Deadline.sequence(events, until: deadline) {
                guard let event else {
                    console.note("no photo within the time given by --timeout")
                    isOver = true
                    return .tryAgain
                }
                if case .photo(let photo) = event {
                    code = Self.worse(code, store.keep(photo, stem: stem, after: ContinuousClock.now - begun))
                    watch.filesWritten = store.count
                    if let error = photo.error { isOver = isOver || error.endsSession }
                }
            }
        } catch {
            console.note(error.description)
            return ExitCode(error)
        }
        return code
    }

    /// A pipeline without a shutter runs until it ends, is stopped, or its time is up.
    private func idle(
        watch: SessionWatch, interrupts: Interrupts, deadline: ContinuousClock.Instant?
    ) async -> ExitCode {
        await withTaskGroup(of: ExitCode.self) { group in
            group.addTask {
                await interrupts.wait()
                return .interrupted
            }
            group.addTask { await watch.ended() }
            if let deadline {
                group.addTask {
                    try? await Task.sleep(until: deadline)
                    return .done
                }
            }
            let first = await group.next() ?? .done
            group.cancelAll()
            return first
        }
    }

    private static func worse(_ left: ExitCode, _ right: ExitCode) -> ExitCode {
        left == .done ? right : left
    }
}

extension CaptureError {
    /// Whether later photos would fail for the same reason.
    fileprivate var endsSession: Bool { [.aborted, .pipelineFailed, .noDevice].contains(code) }
}
