import Files
import Foundation
import GStreamer
import MovieFiles
import TemporaryFolders
import Testing

@testable import CapturePlan
@testable import GSCapture
@testable import Movies

/// The files of captures: their names, and what becomes of each photo. The photos are made without a camera.
@Suite struct PhotoFilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func files(_ template: String = "photo-{n}", replacing: Bool = false) throws -> PhotoFiles {
        try PhotoFiles(folder: folder.path("photos"), nameTemplate: template, replacesFiles: replacing)
    }

    private func settings(_ formats: [PhotoFormat]) -> ResolvedPhotoSettings {
        ResolvedPhotoSettings(
            uniqueID: 1, frames: 1, exposures: [.bias(0)], formats: formats, expectedPhotoCount: formats.count,
            momentTolerance: nil, fusionMode: nil)
    }

    private func photo(
        _ format: PhotoFormat, _ settings: ResolvedPhotoSettings, bytes: [UInt8] = [1, 2], camera: String? = nil,
        error: CaptureError? = nil
    ) throws -> Photo {
        var photo = Photo(
            resolvedSettings: settings, format: format, photoCount: 1, metadata: nil, error: error,
            sample: error == nil ? try Sample(Buffer(copying: bytes), caps: nil) : nil)
        photo.sourceDeviceUniqueID = camera
        return photo
    }

    /// The names of the stored files, without the claims on them.
    private var names: [String] { folder.names(in: "photos").filter { !$0.hasPrefix(".") } }

    private static let jpeg = PhotoFormat.processed(.jpeg)

    @Test func eachCaptureHasANumber() throws {
        let files = try files()
        #expect(folder.names.isEmpty)
        try files.prepare()
        var (first, second) = (try files.nextShot(), try files.nextShot())
        #expect((first.name, second.name) == ("photo-0001", "photo-0002"))
        let settings = settings([Self.jpeg])
        let report = try #require(second.store(.photo(photo(Self.jpeg, settings))).first)
        #expect(report.path == folder.path("photos/photo-0002.jpg"))
        #expect(try report.result.get() == LivePhotoFiles.Stored(still: report.path, size: 2))
        #expect(first.store(.photo(try photo(Self.jpeg, settings))).count == 1)
        #expect(names == ["photo-0001.jpg", "photo-0002.jpg"])
        // Another process has stored a file, and one has a job of the next name.
        try folder.write(bytes: [], to: "photos/photo-0003-proxy.jpg")
        try folder.write(bytes: [], to: "jobs/photo-0004/photo.txt")
        let jobs = folder.path("jobs")
        let later = try PhotoFiles(folder: folder.path("photos"), deferredFolder: jobs).nextShot()
        #expect(later.name == "photo-0005")
    }

    /// The frames, cameras and formats of one capture have different names.
    @Test func eachFileOfACaptureHasItsName() throws {
        var settings = settings([.raw(.bayer), .raw(.proRAW), Self.jpeg])
        settings.constituents = ["wide", "tele"]
        settings.expectedPhotoCount = 12
        var shot = try files().nextShot()
        var paths: [String] = []
        for camera in ["tele", "wide"] {
            for format in [.raw(.bayer), .raw(.bayer), .raw(.proRAW), Self.jpeg] as [PhotoFormat] {
                paths += shot.store(.photo(try photo(format, settings, camera: camera))).map(\.path)
            }
        }
        let expected = [2, 1].flatMap { camera in
            ["-bayer-1.dng", "-bayer-2.dng", "-proRAW.dng", "-jpeg.jpg"].map { "photo-0001-camera\(camera)\($0)" }
        }
        #expect(paths == expected.map { folder.path("photos/" + $0) })
        #expect(names == expected.sorted())
        #expect(shot.finish().isEmpty && shot.store(.finished(settings, nil)).isEmpty)
    }

    @Test func templatesNameTheFiles() throws {
        var shot = try files("{kind}%%").nextShot()
        for format in [.raw(.bayer), .raw(.proRAW)] as [PhotoFormat] {
            _ = shot.store(.photo(try photo(format, settings([.raw(.bayer), .raw(.proRAW)]))))
        }
        #expect(names == ["bayer%.dng", "proRAW%.dng"])
        let mine = try files("mine")
        let shots = try [mine.nextShot(), mine.nextShot()]
        #expect(shots.map(\.name) == ["mine", "mine-2"])
        for template in ["", "..", "a/b", "{what}", "{n", "%n%", "%N", String(repeating: "n", count: 201)] {
            let error = #expect(throws: CaptureError.self) { try files(template) }
            #expect(error?.code == .nameTemplateInvalid, "\(template)")
        }
    }

    /// The file that took the name stays, and the capture's remaining files have the same new name.
    @Test func aTakenNameIsFollowedByTheNext() throws {
        let settings = settings([.raw(.proRAW), Self.jpeg])
        var shot = try files().nextShot()
        try folder.write(bytes: [7], to: "photos/photo-0001.dng")
        for format in settings.formats { _ = shot.store(.photo(try photo(format, settings))) }
        #expect(shot.name == "photo-0002")
        #expect(names == ["photo-0001.dng", "photo-0002.dng", "photo-0002.jpg"])
        #expect(try folder.bytes("photos/photo-0001.dng").count == 1)
    }

    @Test func filesAreReplacedOnRequest() throws {
        let settings = settings([Self.jpeg])
        for template in ["latest", "photo-{n}"] {
            for size in 1...2 {
                var shot = try files(template, replacing: true).nextShot()
                let bytes = [UInt8](repeating: 0, count: size)
                let report = shot.store(.photo(try photo(Self.jpeg, settings, bytes: bytes))).first
                #expect(try report?.result.get().stillSize == size)
            }
        }
        #expect(names == ["latest.jpg", "photo-0001.jpg"])
        #expect(try folder.bytes("photos/latest.jpg").count == 2)
    }

    /// The fault: an empty path, which is that of the current folder, could be checked but not used.
    @Test func theCurrentFolderMayHaveAnEmptyPath() throws {
        let name = "gscap-test-\(folder.url.lastPathComponent)"
        #expect(try PhotoFiles(folder: "", nameTemplate: name).nextShot().name == name)
    }
}

// MARK: - Failures

extension PhotoFilesTests {
    /// A failed photo leaves its name to the others of the capture, also if its error is that of a taken name.
    @Test func aFailedPhotoIsReportedOnceBesideTheOthers() throws {
        let settings = settings([.raw(.proRAW), Self.jpeg])
        var shot = try files().nextShot()
        let taken = CaptureError("the job cannot be stored", "job", reason: EEXIST)
        var reports = shot.store(.photo(try photo(.raw(.proRAW), settings, error: taken)))
        reports += shot.store(.photo(try photo(Self.jpeg, settings)))
        reports += shot.store(.finished(settings, taken)) + shot.finish()
        #expect(reports.map(\.path) == ["dng", "jpg"].map { folder.path("photos/photo-0001.\($0)") })
        #expect(reports.map { (try? $0.result.get()) != nil } == [false, true])
        #expect(names == ["photo-0001.jpg"])
    }

    /// A name is used up by its files, not by captures that are over without any.
    @Test func namesAreClaimedAsLongAsTheirCapturesLive() throws {
        var first: PhotoFiles.Shot? = try files().nextShot()
        var second = try files().nextShot()
        #expect((first?.name, second.name) == ("photo-0001", "photo-0002"))
        first = nil
        var third = try files().nextShot()
        #expect(third.name == "photo-0001")
        // Another program takes the name, and the next one is claimed.
        try folder.write(bytes: [7], to: "photos/photo-0001.tiff")
        try folder.write(bytes: [7], to: "photos/photo-0001.jpg")
        let settings = settings([Self.jpeg])
        let reports = [
            third.store(.photo(try photo(Self.jpeg, settings))), second.store(.photo(try photo(Self.jpeg, settings))),
        ]
        #expect(reports.map { $0.map(\.path) } == [3, 2].map { [folder.path("photos/photo-000\($0).jpg")] })
        #expect(folder.names(in: "photos").count { $0.hasPrefix(".") } == 2)
        (second, third) = (try files("other").nextShot(), try files("other").nextShot())
        #expect(folder.names(in: "photos").filter { $0.hasPrefix(".") } == [".other-2.gscap", ".other.gscap"])
        withExtendedLifetime((second, third)) {}
    }

    /// The folder vanishes between the press and the first photo; later captures have it again.
    @Test func aMissingFolderFailsThePhotosOfItsCapture() throws {
        let files = try files()
        let settings = settings([.raw(.proRAW), Self.jpeg])
        var shot = try files.nextShot()
        try FileManager.default.removeItem(atPath: files.folder)
        let reports = try settings.formats.flatMap { shot.store(.photo(try photo($0, settings))) }
        #expect(reports.map(\.path) == ["dng", "jpg"].map { folder.path("photos/photo-0001.\($0)") })
        for report in reports {
            let error = #expect(throws: CaptureError.self) { try report.result.get() }
            #expect(error?.code == .cannotWrite && error?.place == report.path)
        }
        var later = try files.nextShot()
        #expect(try later.store(.photo(try photo(Self.jpeg, settings))).first?.result.get().stillSize == 2)
        #expect(names == ["photo-0002.jpg"])
    }

    @Test func aFileInPlaceOfTheFolderIsAnError() throws {
        try folder.write(bytes: [], to: "file")
        for name in ["file", "file/photos"] {
            let files = try PhotoFiles(folder: folder.path(name))
            let errors = [
                #expect(throws: CaptureError.self) { try files.prepare() },
                #expect(throws: CaptureError.self) { try files.nextShot() },
            ]
            #expect(errors.allSatisfy { $0?.code == .cannotWrite && $0?.place == files.folder })
        }
    }
}

// MARK: - Photos that wait for others

extension PhotoFilesTests {
    private func liveSettings(_ format: LivePhotoFormat) -> ResolvedPhotoSettings {
        var settings = settings([Self.jpeg])
        (settings.livePhotoFormat, settings.livePhotoStill) = (format, .jpeg)
        if format == .pair { settings.livePhotoContentIdentifier = "A" }
        return settings
    }

    /// A movie of one picture.
    private func movie(_ settings: ResolvedPhotoSettings) throws -> LivePhotoMovie {
        let parameters = try #require(H264Parameters(sequence: [0x67, 66, 0, 31], picture: [0x68]))
        let picture = LivePhotoMovieFile.Picture(bytes: [0, 0, 0, 1, 0x65], time: 0, isKey: true)
        let date = MovieDate(microseconds: 1_717_243_200_000_000)
        let pictures = LivePhotoMovieFile(
            [picture], start: 0, end: 1_000_000_000, stillTime: 0, size: (16, 16), parameters: parameters, date: date,
            stillDate: date, orientation: 1)
        return LivePhotoMovie(settings, pictures, lostFrames: 0)
    }

    /// A movie of the reserved name has appeared, so both files have the next one.
    @Test func stillAndMovieHaveOneName() throws {
        let settings = liveSettings(.pair)
        var shot = try files().nextShot()
        try folder.write(bytes: [7], to: "photos/photo-0001.mov")
        #expect(shot.store(.photo(try photo(Self.jpeg, settings))).isEmpty && names == ["photo-0001.mov"])
        let report = try #require(shot.store(.livePhotoMovie(try movie(settings))).first)
        let stored = try report.result.get()
        #expect(report.path == stored.still && report.movie?.frameCount == 1)
        #expect(stored.movie == folder.path("photos/photo-0002.mov") && stored.movieError == nil)
        #expect(names == ["photo-0001.mov", "photo-0002.jpg", "photo-0002.mov"])
        #expect(shot.store(.finished(settings, nil)).isEmpty)
    }

    /// A still whose movie has failed, or is not awaited, is stored alone.
    @Test func aStillWithoutAMovieIsStoredAlone() throws {
        let files = try files()
        var shots = try (files.nextShot(), files.nextShot())
        var settings = liveSettings(.pair)
        _ = shots.0.store(.photo(try photo(Self.jpeg, settings)))
        let failed = LivePhotoMovie(settings, CaptureError(.branchFailed, "no frames"))
        let stored = try shots.0.store(.livePhotoMovie(failed)).first?.result.get()
        #expect(stored?.movieError?.code == .branchFailed && stored?.movie == nil)
        settings = liveSettings(.motionPhoto)
        #expect(shots.1.store(.photo(try photo(Self.jpeg, settings))).isEmpty && names == ["photo-0001.jpg"])
        #expect(shots.1.finish().map(\.path) == [folder.path("photos/photo-0002.MP.jpg")])
        #expect(names == ["photo-0001.jpg", "photo-0002.MP.jpg"] && shots.1.finish().isEmpty)
    }

    /// The proxy comes first, but it is stored after the job, or, if that failed, before the failure is reported.
    @Test(arguments: [true, false]) func theProxyFollowsItsJob(isStored: Bool) throws {
        let settings = settings([.proxy, .deferred])
        var shot = try files().nextShot()
        #expect(shot.store(.photo(try photo(.proxy, settings))).isEmpty && names.isEmpty)
        let error = CaptureError(.cannotWrite, "the disk is full")
        var frames = try photo(.deferred, settings, error: isStored ? nil : error)
        if isStored { frames.deferredJob = DeferredJob(folder: "jobs/photo-0001") }
        let early = shot.store(.photo(frames))
        #expect(early.map(\.path) == (isStored ? ["jobs/photo-0001"] : []) && names.isEmpty)
        let late = shot.store(.finished(settings, nil))
        #expect(late.map(\.photo.format) == (isStored ? [.proxy] : [.proxy, .deferred]))
        #expect(names == ["photo-0001-proxy.jpg"])
        if !isStored { #expect(throws: CaptureError.self) { try late.last?.result.get() } }
    }

    /// Neither the proxy nor its job is stored: each is reported, once.
    @Test func aProxyThatCannotBeStoredIsReported() throws {
        let settings = settings([.proxy, .deferred])
        let files = try files()
        var shot = try files.nextShot()
        try FileManager.default.removeItem(atPath: files.folder)
        let error = CaptureError(.cannotWrite, "the disk is full")
        #expect(shot.store(.photo(try photo(.deferred, settings, error: error))).isEmpty)
        #expect(shot.store(.photo(try photo(.proxy, settings))).isEmpty)
        let reports = shot.store(.finished(settings, error))
        #expect(reports.map(\.photo.format) == [.proxy, .deferred])
        #expect(reports.allSatisfy { (try? $0.result.get()) == nil } && shot.finish().isEmpty)
    }

    /// A still whose movie cannot be written is stored alone, and says why.
    @Test func aMovieThatCannotBeWrittenLeavesTheStill() throws {
        try folder.write(bytes: [], to: "photos/latest.mov/file")
        let settings = liveSettings(.pair)
        var shot = try files("latest", replacing: true).nextShot()
        _ = shot.store(.photo(try photo(Self.jpeg, settings)))
        let stored = try shot.store(.livePhotoMovie(try movie(settings))).first?.result.get()
        #expect(stored?.movieError?.code == .cannotWrite && stored?.movie == nil)
        #expect(names == ["latest.jpg", "latest.mov"])
    }

    /// The fault: another process stores a pair of the only name, and the capture gave up its own claim.
    @Test func aNameWithoutANumberIsTriedOnce() throws {
        let settings = liveSettings(.pair)
        var shot = try files("latest", replacing: true).nextShot()
        let pair = try #require(try NameReservation.claim("latest.pair", in: folder.path("photos")))
        _ = shot.store(.photo(try photo(Self.jpeg, settings)))
        let report = try #require(shot.store(.livePhotoMovie(try movie(settings))).first)
        let error = #expect(throws: CaptureError.self) { try report.result.get() }
        #expect(error?.isNameTaken == true)
        #expect(folder.names(in: "photos") == [".latest.gscap", ".latest.pair.gscap"])
        withExtendedLifetime((pair, shot)) {}
    }
}
