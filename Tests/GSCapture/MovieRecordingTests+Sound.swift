import GSCapture
import Testing

// The sound of movies.

extension MovieRecordingTests {
    @Test(arguments: ["movie.mp4", "movie.mov"]) func soundIsRecordedBeside(name: String) async throws {
        let movies = MovieOutput()
        let session = try await session(movies)
        var settings = settings(seconds: 3)
        settings.audioSource = "audiotestsrc is-live=true"
        let recording = try movies.startRecording(to: path(name), settings: settings)
        let result = try await end(of: recording)
        #expect(result.error == nil)
        let movie = try MovieReader(path(name), hasSound: true)
        #expect(!movie.pictures.isEmpty)
        // Packets of 1024 samples at 48 kHz, without a gap, over the length of the movie.
        let steps = zip(movie.sound.dropFirst(), movie.sound).map { Double($0 - $1) / 1e6 }
        #expect(steps.allSatisfy { abs($0 - 1024 / 48.0) < 1 }, "\(steps.filter { abs($0 - 1024 / 48.0) >= 1 })")
        let ends = [movie.sound.first, movie.sound.last].map { Double($0 ?? 0) / 1e9 }
        #expect(ends[0] < 0.5 && abs(ends[1] - result.duration / .seconds(1)) < 0.5, "\(ends)")
        await session.stopRunning()
    }

    /// A source of sound that ends leaves the rest of the movie without sound, and a warning says so.
    @Test func aSoundThatEndsIsReported() async throws {
        let movies = MovieOutput()
        let session = try await session(movies)
        let warning = Task { [events = session.events] () -> String in
            for await event in events {
                if case .warning(let text) = event, text.contains("sound has ended") { return text }
            }
            return ""
        }
        var settings = settings(seconds: 3)
        settings.audioSource = "audiotestsrc is-live=true num-buffers=40"
        let result = try await end(of: movies.startRecording(to: path("movie.mp4"), settings: settings))
        #expect(result.error == nil && result.duration > .seconds(2))
        let text = await warning.value
        await session.stopRunning()
        #expect(text.contains("the rest of the movie, from "), "\(text)")
    }

    /// The fault: an element that is not installed counted as a wrong setting, and errors named internal elements.
    @Test func errorsOfTheSoundNameTheSetting() async throws {
        func error(_ source: String) -> CaptureError? {
            var settings = MovieSettings()
            settings.audioSource = source
            return #expect(throws: CaptureError.self) { try MovieOutput.check(settings, path("movie.mp4")) }
        }
        let missing = path("none.wav")
        for (source, code) in [
            ("filesrc location=\(missing) ! wavparse", .cannotRead), ("filesrc location=/ ! decodebin", .cannotRead),
            ("filesrc location=/dev/null ! decodebin", .movieSettingsInvalid),
            ("filesrc location=/dev/null ! decodebin ! identity", .movieSettingsInvalid),
            ("uridecodebin uri=file://\(missing)", .movieSettingsInvalid),
            ("audiotestsrc is-live=true name=gscap-frames", .movieSettingsInvalid),
            ("audiotestsrc is-live=true ! queue name=gscap-sound", .movieSettingsInvalid),
            ("gscapnosuchsrc", CaptureError.Code.missingElement), ("audiotestsrc foo=1", .movieSettingsInvalid),
            ("videotestsrc", .movieSettingsInvalid), ("audiotestsrc !", .movieSettingsInvalid),
            ("audiotestsrc", .movieSettingsInvalid), ("", .movieSettingsInvalid),
        ] {
            let refused = error(source)
            #expect(refused?.code == code && refused?.place == "audioSource", "\(String(describing: refused))")
        }
        for source in [
            "autoaudiosrc", "audiotestsrc is-live=true name=openh264enc0", "fdsrc do-timestamp=true ! decodebin",
            "filesrc location=/dev/null ! decodebin ! clocksync",
            "filesrc location=/dev/null ! wavparse ! identity sync=true",
        ] {
            var settings = MovieSettings()
            settings.audioSource = source
            #expect(throws: Never.self, "\(source)") { try MovieOutput.check(settings, path("movie.mp4")) }
        }
        let movies = MovieOutput()
        let session = try await session(movies)
        for (source, code) in [
            ("multifilesrc location=\(missing) ! wavparse ! clocksync", CaptureError.Code.cannotRead),
            ("uridecodebin uri=file://\(missing) ! clocksync", .cannotRead),
            ("audiotestsrc is-live=true ! identity error-after=2", .pipelineFailed),
        ] {
            var settings = self.settings()
            (settings.audioSource, settings.replacesFiles) = (source, true)
            let result = try await end(of: movies.startRecording(to: path("movie.mp4"), settings: settings))
            #expect(result.error?.place == "audioSource" && result.error?.code == code, "\(String(describing: result))")
        }
        await session.stopRunning()
    }
}
