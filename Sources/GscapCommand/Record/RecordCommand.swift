internal import GSCapture
internal import JSON

/// `gscap record FILE`: records a movie of the camera's picture.
enum RecordCommand: Subcommand {
    static let name = CommandName.record
    static let help = CommandHelp(
        usage: [("gscap record FILE.mp4|FILE.mov [options]", "")],
        summary: "record a movie: H.264 in MP4 or MOV",
        details: """
            Records the camera's picture, as the live preview shows it, as H.264 of at most 1920×1080 pixels, until
            Ctrl-C or --duration. If the process is killed, all but about the last second, or two pictures, can be
            played.
            """,
        examples: """
            Examples
              gscap record holiday.mp4 --duration 60
              gscap record traffic.mov --split-time 600 --audio "alsasrc device=hw:1"
            """,
        operands: .files(["mp4", "mov"]))
    static let handlesSignals = true

    static func run(_ options: Options, _ console: Console) async throws -> ExitCode {
        let interrupts = Interrupts()
        interrupts.watch { console.note("finishing the movie; a second Ctrl-C stops at once") }
        try options.requireOperands(atMost: 1)
        guard let path = options.operands.first else {
            throw Failure(.usage, "no file is named: gscap record FILE.mp4")
        }
        if StandardFile.isOutput(path) {
            throw Failure(.usage, "a movie is completed in its file, so it cannot go to standard output: name a file")
        }
        let settings = try settings(options)
        // Before the camera starts, which takes seconds.
        try MovieOutput.check(settings, path)
        let camera = try CameraOptions(options, console)
        let session = CaptureSession()
        session.recoversFromDeviceLoss = false
        try session.add(CaptureDeviceInput(device: camera.device))
        if let preview = camera.preview { try session.add(preview) }
        let output = MovieOutput()
        try session.add(output)
        let events = session.events
        try await session.startRunning()
        let monitor = SessionMonitor(session, events, console: console)
        let code: ExitCode
        do throws(CaptureError) {
            let recording = try output.startRecording(to: path, settings: settings)
            if options.has("--press") {
                PressTrigger.explain("pauses or continues the movie", end: "ends it", console)
            }
            let advice =
                camera.isSimulated
                ? "a lower --rate or a smaller --size may help" : "the encoder or the disk is too slow for the camera"
            let end = await record(
                recording, interrupts, console, pausesByHand: options.has("--press"),
                endsWithReader: settings.maxDuration == nil, onLoss: advice)
            let endsEarly = interrupts.isRaised() && settings.maxDuration != nil
            code = end == .done && endsEarly ? .interrupted : end
        } catch let error where error.code == .sessionNotRunning {
            // The pipeline failed, or its stream ended, before the recording began.
            code = await monitor.reportEnd(before: "the movie began")
        } catch {
            await monitor.end()
            await session.stopRunning()
            throw error
        }
        await monitor.end()
        // The watchdog is not cancelled after the stop, because a blocked device may also delay the end of the process.
        _ = Watchdog(stopping: code, console)
        await session.stopRunning()
        return code
    }

    private static func settings(_ options: Options) throws(Failure) -> MovieSettings {
        var settings = MovieSettings()
        settings.maxDuration = try options.seconds("--duration", from: 1)
        settings.maxFileDuration = try options.seconds("--split-time", from: 1)
        let size = try options.number("--split-size", in: 0.1...1e9, unit: "megabytes")
        settings.maxFileSize = size.map { Int($0 * 1e6) }
        settings.audioSource = options.value("--audio")
        settings.replacesFiles = options.has("--overwrite")
        let encoders = MovieSettings.Encoder.allCases.map { $0.rawValue }
        let encoder = try Suggestions.choice("--encoder", options, among: encoders)
        if let encoder = encoder.flatMap(MovieSettings.Encoder.init) { settings.encoder = encoder }
        settings.bitRate = try bitRate(options, settings.encoder)
        return settings
    }

    /// Returns the bits per second that the options request; throws if the encoder does not support them.
    private static func bitRate(_ options: Options, _ encoder: MovieSettings.Encoder) throws(Failure) -> Int? {
        let range = Double(MovieSettings.leastBitRate) / 1e6...Double(encoder.maxBitRate) / 1e6
        let unit = "megabits per second with \(encoder.rawValue)"
        return try options.number("--bit-rate", in: range, unit: unit).map { Int(($0 * 1e6).rounded()) }
    }

    /// Records until the end, a signal, or a failure; prints the files, and returns the exit code. `pausesByHand` says
    /// that Enter and SIGUSR1 pause and continue, `endsWithReader` that the end of the output's reader also ends the
    /// recording; `advice` is printed if frames are lost.
    private static func record(
        _ recording: MovieRecording, _ interrupts: Interrupts, _ console: Console, pausesByHand: Bool,
        endsWithReader: Bool, onLoss advice: String
    ) async -> ExitCode {
        let ender = Task {
            await interrupts.wait()
            recording.stop()
        }
        // The reader may have ended before the movie has a picture.
        let (start, started) = AsyncStream<Void>.makeStream()
        let readerWatch = Task {
            guard endsWithReader else { return }
            for await _ in start { break }
            await interrupts.wait(orReaderGone: true)
            recording.stop()
        }
        let pauses = pausesByHand ? PressTrigger.pressesByHand() : nil
        let pauser = Task {
            guard let pauses else { return }
            for await _ in pauses {
                let pauses = !recording.isPaused
                pauses ? recording.pause() : recording.resume()
                console.event(pauses ? "paused" : "resumed")
                console.note(pauses ? "paused; Enter goes on" : "recording goes on")
            }
            // Nobody is left who could end the pause.
            if !Task.isCancelled, recording.isPaused {
                recording.resume()
                console.event("resumed")
                console.note("the input has ended; recording goes on")
            }
        }
        defer {
            ender.cancel()
            readerWatch.cancel()
            pauser.cancel()
        }
        var code = ExitCode.done
        for await event in recording.events {
            switch event {
            case .started:
                console.event("recording")
                started.yield()
            case .fileFinished(let file): show(file, console)
            case .ended(let result):
                if let error = result.error {
                    code = ExitCode(error)
                    console.note(error.commandText)
                } else if result.files.isEmpty {
                    code = .tryAgain
                    console.note("no frame arrived, so there is no movie")
                }
                if result.lostFrames > 0 {
                    console.note("\(TextFormat.count(result.lostFrames, "frame")) lost; \(advice)")
                }
                let reason = result.error.map { [("reason", JSON.text($0.commandText))] } ?? []
                console.event(
                    "recorded",
                    [
                        ("files", .integer(result.files.count)),
                        ("seconds", .number(TextFormat.seconds(result.duration))),
                        ("lost", .integer(result.lostFrames)),
                    ] + reason)
            }
        }
        return code
    }

    private static func show(_ file: MovieFile, _ console: Console) {
        console.event(
            "file",
            [
                ("file", .text(file.path)), ("bytes", .integer(file.size)),
                ("seconds", .number(TextFormat.seconds(file.duration))), ("frames", .integer(file.frameCount)),
            ])
        if console.isJSON { return }
        console.print(
            "\(file.path)  \(TextFormat.size(file.size)), \(TextFormat.count(file.frameCount, "frame")), "
                + TextFormat.time(file.duration))
    }
}
