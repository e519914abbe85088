import Foundation
import GSCapture
import GStreamer
import RawImage
import TemporaryFolders
import TestClocks
import Testing

/// Live Photos of sessions: stills with movies of the moments before and after the press.
@Suite(.timeLimit(.minutes(10)), .serialized) struct LivePhotoTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.path(name) }

    /// The names in the folder, hidden ones as well.
    private var names: [String] { folder.names }

    private func session(_ output: PhotoOutput, _ movies: MovieOutput? = nil) async throws -> CaptureSession {
        let session = CaptureSession()
        try session.add(CaptureDeviceInput(device: .simulated(width: 320, height: 240, framesPerSecond: 30)))
        output.isLivePhotoCaptureEnabled = true
        try session.add(output)
        if let movies { try session.add(movies) }
        try await session.startRunning()
        return session
    }

    private func settings(_ format: LivePhotoFormat = .pair, raw: Set<RAWPhotoFormat> = []) -> PhotoSettings {
        var settings = PhotoSettings(raw: raw, processed: [.jpeg])
        settings.livePhotoFormat = format
        settings.frames = 1
        return settings
    }

    private func filled(_ output: PhotoOutput) async -> Bool {
        await reached { output.livePhotoBufferedDuration >= .milliseconds(1500) }
    }

    /// What a capture has delivered, in the order of the events.
    private struct Delivery {
        var names: [String] = []
        var still: Photo?
        var photos: [Photo] = []
        var movie: LivePhotoMovie?
        var failure: CaptureError?
    }

    private func delivery(of capture: PhotoCapture) async throws -> Delivery {
        let delivery = await result {
            var delivery = Delivery()
            for await event in capture.events {
                switch event {
                case .photo(let photo):
                    delivery.names.append("photo")
                    delivery.photos.append(photo)
                    if photo.isLivePhotoStill { delivery.still = photo }
                case .didRecordLivePhotoMovie: delivery.names.append("recorded")
                case .livePhotoMovie(let movie):
                    delivery.names.append("movie")
                    delivery.movie = movie
                case .finished(_, let error):
                    delivery.names.append("finished")
                    delivery.failure = error
                default: break
                }
            }
            return delivery
        }
        return try #require(delivery, "the capture did not end")
    }

    private func offset(of text: String, in bytes: [UInt8]) -> Int? {
        bytes.firstRange(of: Array(text.utf8))?.lowerBound
    }

    @Test func aPairHasOneIdentifier() async throws {
        let output = PhotoOutput()
        let session = try await session(output)
        #expect(output.isLivePhotoCaptureSupported)
        #expect(await filled(output))
        let capture = try output.capturePhoto(with: settings(raw: [.bayer]))
        let resolved = capture.resolvedSettings
        let identifier = try #require(resolved.livePhotoContentIdentifier)
        #expect(UUID(uuidString: identifier) != nil)
        let delivery = try await delivery(of: capture)
        #expect(delivery.failure == nil)
        #expect(delivery.names.count { $0 == "photo" } == 2 && delivery.names.last == "finished")
        let movie = try #require(delivery.movie)
        let still = try #require(delivery.still)
        #expect(movie.error == nil && movie.contentIdentifier == identifier)
        #expect(movie.dimensions == resolved.livePhotoMovieDimensions)
        // A busy machine loses frames, but the movie reaches from before the press to after it.
        #expect(movie.duration > .milliseconds(2500) && movie.duration < .milliseconds(3100), "\(movie.duration)")
        #expect(movie.photoDisplayTime > .milliseconds(1200) && movie.photoDisplayTime < .milliseconds(1700))
        let stored = try LivePhotoFiles.write(still, movie, to: path("live.jpg"))
        #expect(names == ["live.jpg", "live.mov"])
        #expect(stored.movie == path("live.mov"))
        let jpeg = try [UInt8](folder.bytes("live.jpg"))
        let file = try [UInt8](folder.bytes("live.mov"))
        #expect(file == movie.fileBytes() && stored.movieSize == file.count && stored.stillSize == jpeg.count)
        #expect(offset(of: "Apple iOS", in: jpeg) != nil)
        #expect(offset(of: identifier, in: jpeg) != nil && offset(of: identifier, in: file) != nil)
        // The fault: the movie had the date at which it was stored.
        let taken = try #require(still.receipt?.sensorTime)
        let begin = Double(taken) / 1e6 - movie.photoDisplayTime / .seconds(1)
        #expect(MovieReader.date(of: file).map { abs(Double($0) + 0.5 - begin) < 1 } == true, "\(begin)")
        // Apple's software shows this date, which is that of the still.
        let exposed = try #require(still.metadata?.wallClock)
        let creation = MovieReader.creationDate(of: file).flatMap { try? Date($0, strategy: .iso8601) }
        #expect(creation?.timeIntervalSince1970 == (Double(exposed) / 1e6).rounded(.down))
        let pictures = try MovieReader(path("live.mov"))
        #expect(pictures.format?["width"]?.integer == 320)
        // GStreamer's demultiplexer rounds the edit list to its own times, which leaves out some pictures at the ends;
        // judge_live.py counts those that ffprobe reads.
        #expect(pictures.pictures.count > movie.frameCount * 3 / 4)
        // The Bayer RAW is not a part of the pair.
        let raw = try #require(delivery.photos.first(where: \.isRAWPhoto)?.fileBytes())
        #expect(offset(of: identifier, in: raw) == nil)
        #expect(throws: CaptureError.self) { try LivePhotoFiles.write(still, movie, to: path("live.jpg")) }
        #expect(names == ["live.jpg", "live.mov"])
        await session.stopRunning()
    }

    /// On a busy machine the movies lose frames, rather than the preview.
    @Test func renderingAndEncodingGiveWay() async throws {
        let output = PhotoOutput()
        let session = try await session(output)
        #expect(await reached { output.livePhotoBufferedDuration > .zero })
        let threads = try Self.threads().filter { $0.name.hasPrefix("live-photo-queu") }
        #expect(!threads.isEmpty && threads.allSatisfy { $0.niceValue > 0 }, "\(threads)")
        await session.stopRunning()
    }

    /// The frames of a preview are encoded as they are, and not rendered again; when the preview fails, the movies go
    /// on.
    @Test func thePreviewsFramesAreRenderedOnce() async throws {
        let output = PhotoOutput()
        let session = CaptureSession()
        try session.add(CaptureDeviceInput(device: .simulated(width: 640, height: 480, framesPerSecond: 30)))
        try session.add(PreviewOutput(sink: "identity error-after=90 ! fakesink", width: 1280, height: 960))
        output.isLivePhotoCaptureEnabled = true
        try session.add(output)
        let events = session.events
        try await session.startRunning()
        #expect(await filled(output))
        let alone = try Self.threads().filter { $0.name.hasPrefix("live-photo-queu") }.map(\.ticks)
        #expect(session.framesSeen < 90 ? alone.allSatisfy { $0 <= 2 } : true, "\(alone)")
        #expect(try await delivery(of: output.capturePhoto(with: settings())).movie?.error == nil)
        var warning: String?
        for await event in events where warning == nil {
            if case .warning(let text) = event { warning = text }
            if warning != nil { break }
        }
        #expect(warning?.contains("preview") == true, "\(warning ?? "")")
        #expect(await session.delivers(60))
        let movie = try await delivery(of: output.capturePhoto(with: settings())).movie
        #expect(movie?.error == nil && movie.map { $0.duration > .milliseconds(2500) } == true)
        let own = try Self.threads().filter { $0.name.hasPrefix("live-photo-queu") }.map(\.ticks)
        #expect(own.contains { $0 > 2 }, "\(own)")
        await session.stopRunning()
    }

    /// The threads of this process, with the hundredths of a second of processor time that they have taken.
    private static func threads() throws -> [(name: String, niceValue: Int, ticks: Int)] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap { id in
            guard let text = try? String(contentsOfFile: "/proc/self/task/\(id)/stat", encoding: .utf8),
                let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")")
            else { return nil }
            // The times are the twelfth and the thirteenth field after the name, the nice value is the seventeenth.
            let fields = text[close...].split(separator: " ")
            guard fields.count > 17 else { return nil }
            let ticks = (Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0)
            return (String(text[text.index(after: open)..<close]), Int(fields[17]) ?? 0, ticks)
        }
    }

    /// The XMP packet of a Motion Photo states where its movie begins, to the byte.
    @Test func aMotionPhotoContainsItsMovie() async throws {
        let output = PhotoOutput()
        let session = try await session(output)
        #expect(await filled(output))
        let delivery = try await delivery(of: output.capturePhoto(with: settings(.motionPhoto)))
        let (still, movie) = (try #require(delivery.still), try #require(delivery.movie))
        #expect(movie.error == nil && movie.contentIdentifier == nil)
        let stored = try LivePhotoFiles.write(still, movie, to: path("live.MP.jpg"))
        #expect(names == ["live.MP.jpg"] && stored.movie == nil)
        let file = try [UInt8](folder.bytes("live.MP.jpg"))
        #expect(file == (try LivePhotoFiles.motionPhotoBytes(still, movie)))
        let text = String(decoding: file.prefix(65_536), as: UTF8.self)
        let length = try #require(text.firstMatch(of: /Item:Semantic="MotionPhoto"[^>]*Item:Length="(\d+)"/))
        let size = try #require(Int(length.1))
        #expect(Array(file.suffix(size)) == movie.fileBytes())
        #expect(file[file.count - size - 2..<file.count - size] == [0xFF, 0xD9])
        let time = try #require(text.firstMatch(of: /MotionPhotoPresentationTimestampUs="(\d+)"/))
        let expected = movie.photoDisplayTime / .microseconds(1)
        #expect(abs(Double(time.1).map { $0 - expected } ?? .infinity) < 2)
        #expect(offset(of: "Apple iOS", in: file) == nil)
        await session.stopRunning()
    }

    /// The fault: the movie of a still that is shown turned lay on its side.
    @Test(arguments: [LivePhotoFormat.pair, .motionPhoto])
    func aMovieIsTurnedLikeItsStill(format: LivePhotoFormat) async throws {
        let output = PhotoOutput()
        let session = try await session(output)
        #expect(await reached { output.livePhotoBufferedDuration > .zero })
        for (orientation, turn) in [(1, [1, 0, 0, 1]), (6, [0, 1, -1, 0]), (8, [0, -1, 1, 0]), (2, [-1, 0, 0, 1])] {
            var settings = settings(format)
            settings.details.orientation = orientation
            let delivery = try await delivery(of: output.capturePhoto(with: settings))
            let file = try #require(delivery.movie?.fileBytes())
            #expect(MovieReader.turn(of: file) == turn, "orientation \(orientation)")
        }
        await session.stopRunning()
    }

    /// Movies of presses that follow each other fast overlap: they are parts of one encoded stream.
    @Test func overlappingPressesHaveTheirOwnMovies() async throws {
        let output = PhotoOutput()
        let session = try await session(output)
        #expect(await filled(output))
        var captures: [PhotoCapture] = []
        for _ in 0..<4 {
            captures.append(try output.capturePhoto(with: settings()))
            #expect(await session.delivers(9))
        }
        var identifiers: Set<String> = []
        for capture in captures {
            let delivery = try await delivery(of: capture)
            let movie = try #require(delivery.movie)
            #expect(movie.error == nil)
            #expect(movie.duration > .milliseconds(2300), "\(movie.duration)")
            identifiers.insert(try #require(movie.contentIdentifier))
        }
        #expect(identifiers.count == 4)
        await session.stopRunning()
    }

    /// A suspension ends the movies under way; captures during it have none; those after it begin behind it.
    @Test func suspensionsTrimMovies() async throws {
        let output = PhotoOutput()
        let session = try await session(output)
        #expect(await filled(output))
        let press = ContinuousClock.now
        let before = try output.capturePhoto(with: settings())
        #expect(await session.delivers(15))
        output.isLivePhotoCaptureSuspended = true
        // A busy machine sleeps longer.
        let afterwards = min(.now - press, .milliseconds(1500))
        let early = try #require(try await delivery(of: before).movie)
        #expect(early.error == nil && early.duration < afterwards + .milliseconds(1800), "\(early.duration)")
        let during = try output.capturePhoto(with: settings())
        #expect(during.resolvedSettings.livePhotoFormat == nil)
        #expect(during.resolvedSettings.livePhotoMovieDimensions == nil)
        let plain = try await delivery(of: during)
        #expect(plain.movie == nil && plain.names == ["photo", "finished"] && plain.still == nil)
        let resumption = ContinuousClock.now
        output.isLivePhotoCaptureSuspended = false
        #expect(await reached { output.livePhotoBufferedDuration > .milliseconds(100) })
        let behind = try output.capturePhoto(with: settings())
        let recorded = .now - resumption
        let late = try #require(try await delivery(of: behind).movie)
        #expect(late.error == nil && late.duration < recorded + .milliseconds(1800), "\(late.duration), \(recorded)")
        // The end of the run ends the suspension, unless it is preserved.
        output.isLivePhotoCaptureSuspended = true
        await session.stopRunning()
        #expect(!output.isLivePhotoCaptureSuspended)
        output.preservesLivePhotoCaptureSuspendedOnSessionStop = true
        output.isLivePhotoCaptureSuspended = true
        try await session.startRunning()
        await session.stopRunning()
        #expect(output.isLivePhotoCaptureSuspended)
    }

    @Test func moviesAndLivePhotosExcludeEachOther() async throws {
        let (output, movies) = (PhotoOutput(), MovieOutput())
        let session = try await session(output, movies)
        #expect(await filled(output))
        let capture = try output.capturePhoto(with: settings())
        let busy = #expect(throws: CaptureError.self) { try movies.startRecording(to: path("movie.mp4")) }
        #expect(busy?.code == .movieInProgress)
        #expect(try await delivery(of: capture).movie?.error == nil)
        let recording = try movies.startRecording(to: path("movie.mp4"))
        #expect(throws: CaptureError.self) { try movies.startRecording(to: path("other.mp4")) }
        let refused = #expect(throws: CaptureError.self) { try output.capturePhoto(with: settings()) }
        #expect(refused?.code == .movieInProgress)
        #expect(try await output.capturePhoto(with: PhotoSettings(processed: [.jpeg])).photos.count == 1)
        recording.stop()
        _ = await recording.result
        #expect(await filled(output))
        #expect(try await delivery(of: output.capturePhoto(with: settings())).movie?.error == nil)
        await session.stopRunning()
    }

    /// Without its movie a still has no identifier, so that nothing takes it for a part of a pair.
    @Test func aStillAloneHasNoIdentifier() async throws {
        let output = PhotoOutput()
        let session = try await session(output)
        #expect(await filled(output))
        let capture = try output.capturePhoto(with: settings())
        let delivery = try await delivery(of: capture)
        let still = try #require(delivery.still)
        let identifier = try #require(capture.resolvedSettings.livePhotoContentIdentifier)
        try LivePhotoFiles.write(still, nil, to: path("still.jpg"))
        let file = try [UInt8](folder.bytes("still.jpg"))
        #expect(offset(of: identifier, in: file) == nil && file.count == still.fileSize)
        #expect(names == ["still.jpg"])
        await session.stopRunning()
    }

    /// The fault: a movie that could not be written, as on a full disk, lost its still, too. A folder that has the
    /// hidden name of the movie makes the write fail.
    @Test func aMovieThatCannotBeWrittenLeavesTheStill() async throws {
        let output = PhotoOutput()
        let session = try await session(output)
        #expect(await filled(output))
        let delivery = try await delivery(of: output.capturePhoto(with: settings()))
        let (still, movie) = (try #require(delivery.still), try #require(delivery.movie))
        #expect(movie.error == nil)
        let identifier = try #require(movie.contentIdentifier)
        try FileManager.default.createDirectory(atPath: path(".live.mov.pair"), withIntermediateDirectories: false)
        let stored = try LivePhotoFiles.write(still, movie, to: path("live.jpg"))
        #expect(names == [".live.mov.pair", "live.jpg"])
        #expect(stored.movie == nil && stored.movieSize == 0 && stored.movieError?.place == path("live.mov"))
        let file = try [UInt8](folder.bytes("live.jpg"))
        #expect(offset(of: identifier, in: file) == nil && file.count == stored.stillSize)
        // A movie whose name is taken is an error, because the program may choose another name for both.
        try folder.write(bytes: [1], to: "taken.mov")
        let taken = #expect(throws: CaptureError.self) {
            try LivePhotoFiles.write(still, movie, to: path("taken.jpg"))
        }
        #expect(taken?.place == path("taken.mov"))
        #expect(names == [".live.mov.pair", "live.jpg", "taken.mov"])
        await session.stopRunning()
    }

    /// A capture that fails, or is cancelled, delivers its movie with the error, before its end.
    @Test func aCancelledCaptureEndsItsMovie() async throws {
        let output = PhotoOutput()
        let session = try await session(output)
        #expect(await filled(output))
        let capture = try output.capturePhoto(with: settings())
        capture.cancel()
        let cancelled = try await delivery(of: capture)
        #expect(cancelled.names.suffix(2) == ["movie", "finished"])
        #expect(cancelled.movie?.error?.code == .cancelled)
        let last = try output.capturePhoto(with: settings())
        await session.stopRunning()
        #expect(try await delivery(of: last).movie?.error?.code == .aborted)
    }

    @Test func aLivePhotoMustBeEnabled() async throws {
        let output = PhotoOutput()
        let session = CaptureSession()
        try session.add(CaptureDeviceInput(device: .simulated(width: 320, height: 240, framesPerSecond: 30)))
        try session.add(output)
        try await session.startRunning()
        let refused = #expect(throws: CaptureError.self) { try output.capturePhoto(with: settings()) }
        #expect(refused?.code == .livePhotoNotEnabled)
        // Enabling it rebuilds the running pipeline.
        output.isLivePhotoCaptureEnabled = true
        #expect(await filled(output))
        #expect(try await delivery(of: output.capturePhoto(with: settings())).movie?.error == nil)
        await session.stopRunning()
    }
}
