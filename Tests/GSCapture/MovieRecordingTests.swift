import Foundation
import GSCapture
import GStreamer
import Glibc
import GscapElements
import MovieFiles
import TemporaryFolders
import TestClocks
import Testing

/// Movies beside stills, as sessions record them.
@Suite(.timeLimit(.minutes(10)), .serialized) struct MovieRecordingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func path(_ name: String) -> String { folder.path(name) }

    private var names: [String] { folder.names }

    func session(
        _ movies: MovieOutput, _ photos: PhotoOutput? = nil, width: Int = 320, height: Int = 240
    ) async throws -> CaptureSession {
        let session = CaptureSession()
        let camera = CaptureDevice.simulated(width: width, height: height, framesPerSecond: 30)
        try session.add(CaptureDeviceInput(device: camera))
        try session.add(movies)
        if let photos { try session.add(photos) }
        try await session.startRunning()
        return session
    }

    func settings(seconds: Double? = nil, bitRate: Int? = nil) -> MovieSettings {
        var settings = MovieSettings()
        settings.bitRate = bitRate
        settings.maxDuration = seconds.map { .milliseconds(Int($0 * 1000)) }
        return settings
    }

    func end(of recording: MovieRecording) async throws -> MovieResult {
        try #require(await result { await recording.result }, "the recording did not end")
    }

    /// Waits until a recording has this length.
    private func record(_ recording: MovieRecording, seconds: Double) async -> Bool {
        await reached { recording.duration >= .milliseconds(Int(seconds * 1000)) }
    }

    /// The frames of such a camera, scaled to 1920 columns, have seven rows.
    @Test func aPictureThatIsTooFlatIsRefused() async throws {
        let movies = MovieOutput()
        let session = try await session(movies, width: 4032, height: 16)
        let recording = try movies.startRecording(to: path("movie.mp4"), settings: settings(seconds: 1))
        let result = try await end(of: recording)
        #expect(result.error?.description.contains("less wide") == true, "\(String(describing: result.error))")
        #expect(names.isEmpty)
        await session.stopRunning()
    }

    @Test(arguments: ["movie.mp4", "movie.mov"]) func aMovieHasEachFrame(name: String) async throws {
        let movies = MovieOutput()
        let session = try await session(movies)
        let recording = try movies.startRecording(to: path(name), settings: settings(seconds: 2))
        #expect(movies.isRecording)
        let result = try await end(of: recording)
        #expect(result.error == nil)
        #expect(!movies.isRecording)
        let file = try #require(result.files.first)
        #expect(result.files.count == 1)
        let movie = try MovieReader(file.path)
        #expect(movie.pictures.count == file.frameCount)
        #expect(abs(file.duration / .seconds(1) - 2) < 0.05)
        #expect(movie.pictures.first == 0)
        // The frames are a thirtieth of a second apart; a machine that is busy may lose some, which are counted.
        #expect(file.frameCount + result.lostFrames == 60)
        #expect(movie.format?["width"]?.integer == 320 && movie.format?["height"]?.integer == 240)
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
        #expect(size == file.size)
        let bytes = try folder.bytes(name)
        let key = name.hasSuffix("mov") ? Data("com.apple.quicktime.software".utf8) : Data([0xA9] + Array("too".utf8))
        #expect(bytes.range(of: key) != nil)
        #expect(bytes.range(of: Data("gscap \(GscapPlugin.version)".utf8)) != nil)
        await session.stopRunning()
    }

    /// The fault: a frame less than half a period before the end was stored, too, and shown for this rest.
    @Test func aMovieHasItsLengthToAFrame() async throws {
        let movies = MovieOutput()
        let session = try await session(movies)
        let recording = try movies.startRecording(to: path("movie.mp4"), settings: settings(seconds: 1.007))
        let result = try await end(of: recording)
        #expect(result.error == nil)
        #expect(try #require(result.files.first).frameCount + result.lostFrames == 30)
        #expect(abs(result.duration / .milliseconds(1) - 1007) <= 1)
        await session.stopRunning()
    }

    /// The fault: files had the dates at which they were begun, not those of their frames, which are of 2024 here.
    /// QuickTime files have it as text, too, which Apple's software reads.
    @Test(arguments: ["mp4", "mov"]) func aFileHasTheDateOfItsFirstFrame(ending: String) async throws {
        let format = CaptureDevice.Format(
            width: 64, height: 48, maxFrameRate: 30,
            mediaCaps: "video/x-bayer,format=rggb12le,width=64,height=48,framerate=30/1")
        let camera = CaptureDevice(
            uniqueID: "old", localizedName: "Old",
            source: "gscapsensorsrc name=camera is-live=false ! identity sleep-time=10000", formats: [format],
            activeFormat: format)
        let (session, movies) = (CaptureSession(), MovieOutput())
        try session.add(CaptureDeviceInput(device: camera))
        try session.add(movies)
        try await session.startRunning()
        var settings = settings(seconds: 8)
        settings.maxFileDuration = .seconds(4)
        let result = try await end(of: movies.startRecording(to: path("movie.\(ending)"), settings: settings))
        let files = try result.files.map { try [UInt8](Data(contentsOf: URL(filePath: $0.path))) }
        let dates = files.map(MovieReader.date)
        let begin = try #require(dates.first ?? nil)
        #expect(begin >= 1_717_243_200 && begin < 1_717_243_200 + 300, "\(dates)")
        #expect(dates.count == 2 && [3, 4, 5].contains((dates[1] ?? 0) - begin), "\(dates)")
        let texts = files.map(MovieReader.creationDate)
        let instants = texts.map { $0.flatMap { try? Date($0, strategy: .iso8601) } }
        let stated = instants.map { $0.map { Int($0.timeIntervalSince1970) } }
        #expect(stated == (ending == "mov" ? dates : [nil, nil]), "\(texts)")
        await session.stopRunning()
    }

    /// The fault: a movie did not state the orientation of its camera's frames, which their photos state.
    @Test func aTurnedCameraHasATurnedMovie() async throws {
        let (photos, turned) = (PhotoOutput(), CaptureSession())
        try turned.add(CaptureDeviceInput(device: .simulated(width: 64, height: 48, framesPerSecond: 30)))
        try turned.add(photos)
        try await turned.startRunning()
        var photo = PhotoSettings(raw: [.bayer])
        (photo.frames, photo.details.orientation) = (1, 6)
        try await photos.capturePhoto(with: photo).photos.first?.write(to: path("frame.dng"))
        await turned.stopRunning()
        let camera = CaptureDevice(
            uniqueID: "turned", localizedName: "Turned",
            source: "dngsrc name=camera is-live=true loop=true location=\(path("frame.dng"))")
        let (session, movies) = (CaptureSession(), MovieOutput())
        try session.add(CaptureDeviceInput(device: camera))
        try session.add(movies)
        try await session.startRunning()
        let result = try await end(of: movies.startRecording(to: path("movie.mp4"), settings: settings(seconds: 1)))
        #expect(result.error == nil)
        #expect(MovieReader.turn(of: try [UInt8](folder.bytes("movie.mp4"))) == [0, 1, -1, 0])
        await session.stopRunning()
    }

    /// Above 60 frames per second the encoder gave each frame the bits of a sixtieth of a second.
    @Test func aFastMovieHasItsBitRate() async throws {
        let (session, movies) = (CaptureSession(), MovieOutput())
        let camera = CaptureDevice.simulated(width: 320, height: 240, framesPerSecond: 120)
        try session.add(CaptureDeviceInput(device: camera))
        try session.add(movies)
        try await session.startRunning()
        var settings = settings(seconds: 3)
        settings.bitRate = 1_000_000
        let result = try await end(of: movies.startRecording(to: path("movie.mp4"), settings: settings))
        let file = try #require(result.files.first)
        #expect(file.frameCount > 30 && file.size < 500_000, "\(file.size) bytes in place of 375,000")
        await session.stopRunning()
    }

    /// Encoders take even sizes only, so the last column and row are left out.
    @Test func anOddSizeIsCropped() async throws {
        let movies = MovieOutput()
        let session = try await session(movies, width: 163, height: 121)
        let recording = try movies.startRecording(to: path("movie.mp4"), settings: settings(seconds: 1))
        #expect(try await end(of: recording).error == nil)
        let movie = try MovieReader(path("movie.mp4"))
        #expect(movie.format?["width"]?.integer == 162 && movie.format?["height"]?.integer == 120)
        await session.stopRunning()
    }

    /// The frames carry the times of ten minutes but come faster. `make soak` records an hour.
    @Test func aLongMovieHasNoGap() async throws {
        let format = CaptureDevice.Format(
            width: 64, height: 48, maxFrameRate: 1,
            mediaCaps: "video/x-bayer,format=rggb,width=64,height=48,framerate=1/1")
        let camera = CaptureDevice(
            uniqueID: "long", localizedName: "Long", source: "videotestsrc name=camera ! identity sleep-time=5000",
            formats: [format], activeFormat: format)
        let (session, movies, photos) = (CaptureSession(), MovieOutput(), PhotoOutput())
        try session.add(CaptureDeviceInput(device: camera))
        try session.add(movies)
        try session.add(photos)
        try await session.startRunning()
        let recording = try movies.startRecording(to: path("movie.mp4"), settings: settings(seconds: 600))
        for minute in 1...5 {
            #expect(await record(recording, seconds: Double(minute * 60)))
            var photo = PhotoSettings(processed: [.jpeg])
            // The frames' times are ahead of the clock.
            photo.momentTolerance = .seconds(1_000_000)
            #expect(try await photos.capturePhoto(with: photo).photos.allSatisfy { $0.error == nil })
        }
        let result = try await end(of: recording)
        #expect(result.error == nil)
        let movie = try MovieReader(path("movie.mp4"))
        #expect(movie.pictures.count == result.files.first?.frameCount)
        // A busy machine may lose frames, which are counted; the others keep their times.
        #expect(movie.pictures.count + result.lostFrames == 600)
        #expect(movie.steps.allSatisfy { abs($0 / 1000 - ($0 / 1000).rounded()) < 0.001 })
        await session.stopRunning()
    }

    @Test func aPauseLeavesNoGap() async throws {
        let movies = MovieOutput()
        let session = try await session(movies)
        let recording = try movies.startRecording(to: path("movie.mp4"))
        for _ in 0..<3 {
            let before = recording.duration
            #expect(await reached { recording.duration > before + .milliseconds(300) })
            recording.pause()
            #expect(recording.isPaused)
            let seen = session.framesSeen
            #expect(await reached { session.framesSeen > seen + 30 })
            recording.resume()
        }
        let length = recording.duration
        recording.stop()
        let result = try await end(of: recording)
        #expect(result.error == nil)
        // A busy machine may lose the last frames.
        #expect(result.duration > length - .milliseconds(500) && result.duration < length + .seconds(1))
        let movie = try MovieReader(path("movie.mp4"))
        #expect((movie.steps.max() ?? 0) < 200 + Double(result.lostFrames) * 34)
        await session.stopRunning()
    }

    @Test func filesAreSplitByTime() async throws {
        let movies = MovieOutput()
        let session = try await session(movies)
        var settings = settings(seconds: 5)
        settings.maxFileDuration = .milliseconds(1500)
        let recording = try movies.startRecording(to: path("movie.mp4"), settings: settings)
        let result = try await end(of: recording)
        #expect(result.error == nil)
        #expect(result.files.count == 4)
        #expect(names == result.files.map { URL(fileURLWithPath: $0.path).lastPathComponent }.sorted())
        #expect(names.starts(with: ["movie-2.mp4"]) && names.last == "movie.mp4")
        for file in result.files {
            let movie = try MovieReader(file.path)
            #expect(movie.pictures.first == 0)
            #expect(movie.pictures.count == file.frameCount)
        }
        // A busy machine may lose the frame at which a file would begin.
        for file in result.files.dropLast() {
            #expect(abs(file.duration / .milliseconds(1) - 1500) < 2 + 34 * Double(result.lostFrames))
        }
        #expect(abs(result.duration / .seconds(1) - 5) < 0.1 + Double(result.lostFrames) / 30)
        await session.stopRunning()
    }

    /// Files of an earlier recording stay, and do not end this one.
    @Test func aTakenNameIsLeftOut() async throws {
        let movies = MovieOutput()
        let session = try await session(movies)
        try Data([9]).write(to: folder.url.appending(path: "movie-2.mp4"))
        var settings = settings(seconds: 1.8)
        settings.maxFileDuration = .seconds(1)
        let result = try await end(of: movies.startRecording(to: path("movie.mp4"), settings: settings))
        #expect(result.error == nil)
        #expect(result.files.map(\.path) == [path("movie.mp4"), path("movie-3.mp4")])
        #expect(try [UInt8](folder.bytes("movie-2.mp4")) == [9])
        await session.stopRunning()
    }

    /// A file that is complete is reported, although the next one cannot be created.
    @Test func aFailureKeepsTheFilesBefore() async throws {
        let movies = MovieOutput()
        let session = try await session(movies)
        let taken = folder.url.appending(path: "movie-2.mp4")
        try FileManager.default.createDirectory(at: taken, withIntermediateDirectories: false)
        var settings = settings(seconds: 5)
        (settings.maxFileDuration, settings.replacesFiles) = (.seconds(1), true)
        let result = try await end(of: movies.startRecording(to: path("movie.mp4"), settings: settings))
        #expect(result.error != nil)
        #expect(result.files.map(\.path) == [path("movie.mp4")])
        await session.stopRunning()
    }

    /// The message is that for an existing file.
    @Test func ofTwoRecordingsToOneNameTheLaterIsRefused() async throws {
        let (first, second) = (MovieOutput(), MovieOutput())
        let sessions = try await [session(first), session(second)]
        let recording = try first.startRecording(to: path("movie.mp4"), settings: settings(seconds: 1))
        let error = #expect(throws: CaptureError.self) { try second.startRecording(to: path("movie.mp4")) }
        #expect(error?.code == .cannotWrite && error?.message.contains("the file exists") == true)
        #expect(try await end(of: recording).error == nil)
        for session in sessions { await session.stopRunning() }
    }

    /// The first fault: the recording went on to its end. Files that are finished may be moved while it goes on.
    @Test func aRecordingWhoseFileIsDeletedFails() async throws {
        let movies = MovieOutput()
        let session = try await session(movies)
        var settings = settings(seconds: 60)
        settings.maxFileDuration = .milliseconds(1500)
        let recording = try movies.startRecording(to: path("movie.mp4"), settings: settings)
        #expect(await reached { names.contains("movie-2.mp4") })
        try FileManager.default.removeItem(atPath: path("movie.mp4"))
        try FileManager.default.removeItem(atPath: path("movie-2.mp4"))
        let start = ContinuousClock.now
        let result = try await end(of: recording)
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(result.error?.code == .cannotWrite && result.error?.place == path("movie-2.mp4"))
        #expect(result.error?.message.contains("deleted or moved") == true, "\(String(describing: result.error))")
        #expect(result.files.map(\.path) == [path("movie.mp4")] && names.isEmpty)
        await session.stopRunning()
    }

    /// Returns a camera of 200 frames from the time 0 on, and of 100 more of a source with these properties.
    private func camera(followedBy properties: String) -> CaptureDevice {
        let format = CaptureDevice.Format(
            width: 64, height: 48, maxFrameRate: 30,
            mediaCaps: "video/x-bayer,format=rggb,width=64,height=48,framerate=30/1")
        return CaptureDevice(
            uniqueID: "joined", localizedName: "Joined",
            source: "videotestsrc name=camera num-buffers=200 ! joined. "
                + "videotestsrc num-buffers=100 \(properties) ! joined. "
                + "concat name=joined adjust-base=false ! identity sleep-time=10000",
            formats: [format], activeFormat: format)
    }

    /// Frames that are missing at the end of a movie, as those of a process that was suspended, do not shorten it. They
    /// are counted.
    @Test func aGapAtTheEndIsPartOfTheMovie() async throws {
        let camera = camera(followedBy: "timestamp-offset=100000000000")
        let (session, movies) = (CaptureSession(), MovieOutput())
        try session.add(CaptureDeviceInput(device: camera))
        try session.add(movies)
        try await session.startRunning()
        let result = try await end(of: movies.startRecording(to: path("movie.mp4"), settings: settings(seconds: 60)))
        let file = try #require(result.files.first)
        #expect(file.duration == .seconds(60) && file.frameCount > 20)
        #expect(file.frameCount + result.lostFrames == 1800)
        await session.stopRunning()
    }

    /// Frames whose times go back, as those of a camera that was reset, are left out.
    @Test func aClockThatGoesBackHarmsNoMovie() async throws {
        let camera = camera(followedBy: "")
        let (session, movies) = (CaptureSession(), MovieOutput())
        try session.add(CaptureDeviceInput(device: camera))
        try session.add(movies)
        try await session.startRunning()
        let result = try await end(of: movies.startRecording(to: path("movie.mp4"), settings: settings()))
        #expect(result.files.count == 1)
        let movie = try MovieReader(path("movie.mp4"))
        #expect(movie.pictures.count > 20 && movie.pictures.count <= 200)
        #expect(movie.steps.allSatisfy { $0 > 0 })
        await session.stopRunning()
    }

    @Test func noFileExceedsItsSize() async throws {
        let movies = MovieOutput()
        let session = try await session(movies)
        var settings = settings(seconds: 6)
        settings.maxFileSize = 300_000
        settings.bitRate = 1_000_000
        let recording = try movies.startRecording(to: path("movie.mp4"), settings: settings)
        let result = try await end(of: recording)
        #expect(result.error == nil)
        #expect(result.files.count > 1)
        for file in result.files { #expect(file.size <= 300_000) }
        await session.stopRunning()
    }

    /// A source of sound that fails ends the recording alone: photos and the preview go on.
    @Test func aFailureHarmsNoPhoto() async throws {
        let (movies, photos) = (MovieOutput(), PhotoOutput())
        let session = try await session(movies, photos)
        var settings = settings()
        settings.audioSource =
            "fakesrc is-live=true num-buffers=1 format=time ! audio/x-raw,rate=1 ! identity error-after=1"
        let failing = try movies.startRecording(to: path("failing.mp4"), settings: settings)
        let failure = try await end(of: failing)
        #expect(failure.error?.place == "audioSource", "\(String(describing: failure.error))")
        #expect(session.isRunning)
        let movie = try movies.startRecording(to: path("movie.mp4"))
        #expect(await record(movie, seconds: 0.5))
        for _ in 0..<2 {
            let capture = try photos.capturePhoto(with: PhotoSettings(processed: [.jpeg]))
            #expect(try await capture.photos.count == 1)
        }
        #expect(movies.isRecording)
        movie.stop()
        #expect(try await end(of: movie).error == nil)
        #expect(session.isRunning)
        await session.stopRunning()
    }

    /// The end is reported once, whatever ends the recording, and the file can be read up to there.
    @Test func aSessionThatStopsEndsTheRecording() async throws {
        let movies = MovieOutput()
        let session = try await session(movies)
        let recording = try movies.startRecording(to: path("movie.mp4"))
        #expect(await record(recording, seconds: 1))
        await session.stopRunning()
        recording.stop()
        let result = try await end(of: recording)
        #expect(result.error?.code == .aborted)
        var ends = 0
        var files = 0
        for await event in recording.events {
            if case .ended = event { ends += 1 }
            if case .fileFinished = event { files += 1 }
        }
        #expect((ends, files) == (1, 1))
        let movie = try MovieReader(path("movie.mp4"))
        #expect(movie.pictures.count == result.files.first?.frameCount)
        #expect(movie.pictures.count >= 20)
        #expect(throws: CaptureError.self) { try movies.startRecording(to: path("other.mp4")) }
        #expect(names == ["movie.mp4"])
    }

    @Test func theOutputComesAndGoesWhileTheSessionRuns() async throws {
        let movies = MovieOutput()
        let session = try await session(movies)
        let recording = try movies.startRecording(to: path("movie.mp4"))
        #expect(await record(recording, seconds: 0.5))
        #expect(!session.canAdd(MovieOutput()))
        session.remove(movies)
        #expect(try await end(of: recording).error?.code == .aborted)
        session.beginConfiguration()
        try session.add(movies)
        try await session.commitConfiguration()
        let second = try movies.startRecording(to: path("second.mp4"), settings: settings(seconds: 1))
        #expect(try await end(of: second).error == nil)
        await session.stopRunning()
    }

    @Test func whatCannotBeRecordedIsRefused() async throws {
        let movies = MovieOutput()
        #expect(throws: CaptureError.self) { try movies.startRecording(to: path("movie.mp4")) }
        let session = try await session(movies)
        try Data([1]).write(to: folder.url.appending(path: "exists.mp4"))
        let refused: [(String, MovieSettings, CaptureError.Code)] = [
            (path("exists.mp4"), settings(), .cannotWrite), (path("none/movie.mp4"), settings(), .cannotWrite),
            (path("movie.avi"), settings(), .movieSettingsInvalid),
            (path("movie.mp4"), settings(seconds: 0.1), .movieSettingsInvalid),
            (path("movie.mp4"), settings(bitRate: 288_000_001), .movieSettingsInvalid),
        ]
        for (path, settings, code) in refused {
            let error = #expect(throws: CaptureError.self) {
                try movies.startRecording(to: path, settings: settings)
            }
            #expect(error?.code == code, "\(path)")
        }
        let recording = try movies.startRecording(to: path("movie.mp4"))
        let error = #expect(throws: CaptureError.self) { try movies.startRecording(to: path("second.mp4")) }
        #expect(error?.code == .movieInProgress)
        recording.stop()
        _ = try await end(of: recording)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path("exists.mp4"))).count == 1)
        #expect(!names.contains("second.mp4"))
        await session.stopRunning()
    }
}
