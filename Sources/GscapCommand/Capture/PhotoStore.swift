internal import Files
internal import GSCapture
internal import GscapElements
internal import PhotoMetadata
internal import RawImage
internal import Synchronization

/// The names of photo files, for several threads.
final class PhotoNames: Sendable {
    private let names: Mutex<FileNames>
    let folder: String

    init(_ names: FileNames) {
        self.names = Mutex(names)
        folder = names.folder
        replacesFiles = names.replacesFiles
    }

    /// Whether the files replace existing ones.
    let replacesFiles: Bool

    /// Reserves the beginning of the next photo's file names.
    func next() -> Result<PhotoName, Failure> {
        names.withLock { names in Result { () throws(Failure) in try names.next() } }
    }

    /// Returns the path of a file; `FileNames.path` describes the parameters.
    func path(stem: String, kind: String?, fileExtension: String, frame: Int?) -> String {
        names.withLock { $0.path(stem: stem, kind: kind, fileExtension: fileExtension, frame: frame) }
    }
}

/// Stores photos in a folder and lists the stored files at the end.
struct PhotoStore {
    /// The names of the files. Presses on other threads take the names of photos.
    private let names: PhotoNames
    private let console: Console
    private var rows: [[String]] = []
    /// The message of the last failure, so that it is not printed again for the other branches of the same capture.
    private var lastMessage = ""
    /// The ID of the last capture whose left-out frames were reported; nil before the first.
    private var lastReported: UInt64?
    /// The ID of the last capture that was reported to lack the detail of a camera; nil before the first.
    private var lastIncomplete: UInt64?
    /// The paths of the files of the current photo.
    private(set) var paths: [String] = []
    /// How many files of each format and camera have arrived for the current photo.
    private var fileCounts: [FileKind: Int] = [:]
    /// The photo that is stored last: the still of a Live Photo, with its movie, or the proxy of a deferred photo,
    /// after its job. Nil without one.
    private var last: Photo?
    /// The failed photo of the format `deferred`, whose job is not stored; nil without one.
    private var lost: Photo?

    /// What files of one photo are counted by.
    private struct FileKind: Hashable {
        let format: PhotoFormat
        /// The camera of a virtual device; nil for a single camera.
        let camera: String?

        init(_ photo: Photo) { (format, camera) = (photo.format, photo.sourceDeviceUniqueID) }
    }

    /// How many files are stored, of all photos.
    var count: Int { rows.count }

    init(
        folder: String, template: String, replacesFiles: Bool, plan: PipelinePlan, console: Console
    ) throws(Failure) {
        let formats = plan.branches.map(\.format).filter { $0 != .proxy && $0 != .deferred }
        let extensions = formats.map(\.fileExtension)
        names = PhotoNames(
            try FileNames(
                folder: folder, template: template, namesKinds: Set(extensions).count < extensions.count,
                replacesFiles: replacesFiles))
        self.console = console
    }

    /// Checks before the first photo that files can be created in the folder, and deletes what killed processes left
    /// behind there.
    func prepare() throws(Failure) {
        try PhotoFolder.check(names.folder)
        NameReservation.removeRemnants(in: names.folder)
        LivePhotoFiles.finish(in: names.folder)
    }

    /// Returns a function that reserves the beginning of the next photo's file names. Any thread may call it.
    var nextName: @Sendable () -> Result<PhotoName, Failure> { { [names] in names.next() } }

    /// Starts to store the files of the next photo.
    mutating func begin() {
        fileCounts = [:]
        paths = []
        (last, lost) = (nil, nil)
    }

    /// Stores one file of a photo and returns success, or reports the error and returns its exit code. If another
    /// program has taken the name since it was reserved, this and the remaining files of the photo get the next one.
    mutating func store(_ photo: Photo, _ name: inout PhotoName, after duration: Duration) -> ExitCode {
        fileCounts[FileKind(photo), default: 0] += 1
        if let job = photo.deferredJob { return store(job, duration) }
        if photo.format == .deferred {
            lost = photo
        } else if photo.isLivePhotoStill || photo.format == .proxy {
            last = photo
        } else {
            return store(photo, &name, after: duration, nil)
        }
        return .done
    }

    /// Stores the photo that waits for the others. A still whose movie is nil, has failed or cannot be written is
    /// stored alone. A proxy is stored after its job, so that a killed process leaves none without a job, or alone if
    /// the job cannot be stored.
    mutating func storeLast(
        _ movie: LivePhotoMovie?, _ name: inout PhotoName, after duration: Duration
    ) -> ExitCode {
        let (last, lost) = (self.last, self.lost)
        (self.last, self.lost) = (nil, nil)
        var code = ExitCode.done
        if let last { code = store(last, &name, after: duration, movie) }
        guard let lost, let error = lost.error else { return code }
        guard last != nil, code == .done else {
            let lostCode = store(lost, &name, after: duration, nil)
            return code == .done ? lostCode : code
        }
        return console.report(
            Failure(ExitCode(error), "the photo is stored as a small JPEG alone: \(error.commandText)"))
    }

    /// Stores one file of a photo, or the files of a Live Photo, and reports them.
    private mutating func store(
        _ photo: Photo, _ name: inout PhotoName, after duration: Duration, _ movie: LivePhotoMovie?
    ) -> ExitCode {
        store(photo, &name, after: duration, movie) { path, replaces throws(CaptureError) in
            if photo.isLivePhotoStill { return try LivePhotoFiles.write(photo, movie, to: path, replacing: replaces) }
            return try LivePhotoFiles.replacingPhoto(path, replaces) { () throws(CaptureError) in
                LivePhotoFiles.Stored(still: path, size: try photo.write(to: path, replacing: replaces))
            }
        }
    }

    /// Stores one file of a photo by `write`, and reports it.
    private mutating func store(
        _ photo: Photo, _ name: inout PhotoName, after duration: Duration, _ movie: LivePhotoMovie?,
        _ write: (String, Bool) throws(CaptureError) -> LivePhotoFiles.Stored
    ) -> ExitCode {
        var path = path(of: photo, stem: name.stem)
        let stored: LivePhotoFiles.Stored
        do throws(CaptureError) {
            stored = try self.write(photo, &name, &path, write)
        } catch {
            // Each branch of a failed capture gives the same error; its message is printed once. The event of the
            // session says that the camera is gone.
            if error.description != lastMessage, error.code != .interrupted { console.note(error.commandText) }
            lastMessage = error.description
            console.event(
                "failed",
                [
                    ("file", .text(path)), ("reason", .text(error.commandMessage)),
                    ("exitCode", .integer(Int(ExitCode(error).rawValue))),
                ])
            return ExitCode(error)
        }
        reportRejections(photo.metadata?.fusion, of: photo.resolvedSettings.uniqueID)
        let size = photo.pixelSize.map { " \($0.width)×\($0.height)" } ?? ""
        let fusion = photo.metadata?.fusion.map { FusionReportText($0).summary } ?? ""
        rows.append([
            path, TextFormat.size(stored.stillSize), photo.format.summary + size, TextFormat.time(duration), fusion,
        ])
        paths.append(path)
        let live = stored.movieError == nil ? movie.map { Self.fields($0, stored) } ?? [] : []
        console.event("file", fields(photo, path: path, bytes: stored.stillSize, duration: duration) + live)
        if let movie, let file = stored.movie {
            let lost = movie.lostFrameCount > 0 ? ", \(TextFormat.count(movie.lostFrameCount, "frame")) lost" : ""
            let length = "movie of \(TextFormat.time(movie.duration))" + lost
            rows.append([file, TextFormat.size(stored.movieSize), length, TextFormat.time(duration), ""])
            paths.append(file)
        }
        guard let error = stored.movieError else { return reportMissingCamera(of: photo) }
        return console.report(
            Failure(ExitCode(error), "the still is stored without a movie: \(error.commandText)"))
    }

    /// Reports, once per capture, that a fused photo lacks the detail of a camera that has failed.
    private mutating func reportMissingCamera(of photo: Photo) -> ExitCode {
        guard let error = photo.constituentError else { return .done }
        let code = ExitCode(error)
        guard lastIncomplete != photo.resolvedSettings.uniqueID else { return code }
        lastIncomplete = photo.resolvedSettings.uniqueID
        return console.report(Failure(code, "the photo is of one camera alone: \(error.commandText)"))
    }

    /// Returns the fields of the JSON event that describe the movie of a Live Photo.
    private static func fields(_ movie: LivePhotoMovie, _ stored: LivePhotoFiles.Stored) -> [(String, JSON)] {
        [
            ("movie", stored.movie.map(JSON.text) ?? .null), ("movieBytes", .integer(stored.movieSize)),
            ("movieSeconds", .number(TextFormat.seconds(movie.duration))),
            ("stillSeconds", .number(TextFormat.seconds(movie.photoDisplayTime))),
            ("movieFrames", .integer(movie.frameCount)), ("movieLost", .integer(movie.lostFrameCount)),
            ("contentIdentifier", movie.contentIdentifier.map(JSON.text) ?? .null),
        ]
    }

    /// The most names that are tried for a file before storing it fails.
    private static let mostNames = 100

    /// Stores a file of a photo by `write`, which takes its path and whether it replaces a file.
    private func write(
        _ photo: Photo, _ name: inout PhotoName, _ path: inout String,
        _ write: (String, Bool) throws(CaptureError) -> LivePhotoFiles.Stored
    ) throws(CaptureError) -> LivePhotoFiles.Stored {
        for _ in 1..<Self.mostNames {
            do throws(CaptureError) {
                return try write(path, names.replacesFiles)
            } catch {
                guard error.isNameTaken, case .success(let next) = names.next() else { throw error }
                name = next
                path = self.path(of: photo, stem: next.stem)
            }
        }
        return try write(path, false)
    }

    /// Prints, once per capture, which frames the fusion left out, and whether their noise profile is wrong.
    private mutating func reportRejections(_ report: FusionReport?, of capture: UInt64) {
        guard let report, lastReported != capture else { return }
        lastReported = capture
        for warning in FusionReportText(report).warnings { console.note(warning) }
    }

    /// Lists the job of a photo that is to be finished later.
    private mutating func store(_ job: DeferredJob, _ duration: Duration) -> ExitCode {
        paths.append(job.folder)
        rows.append([job.folder, "", "frames, to be finished by `gscap finish`", TextFormat.time(duration), ""])
        console.event("deferred", [("job", .text(job.folder))])
        return .done
    }

    private func path(of photo: Photo, stem: String) -> String {
        let isProxy = photo.format == .proxy
        // Readers recognize a Motion Photo by the end of its name, too.
        let isMotionPhoto = photo.isLivePhotoStill && photo.resolvedSettings.livePhotoFormat == .motionPhoto
        let suffix = camera(of: photo) + (isProxy ? "-proxy" : isMotionPhoto ? ".MP" : "")
        return names.path(
            stem: stem + suffix, kind: isProxy ? nil : photo.format.name, fileExtension: photo.format.fileExtension,
            frame: number(of: photo))
    }

    /// Returns the part of the name that tells the cameras of a virtual device apart: the widest is number 1.
    private func camera(of photo: Photo) -> String {
        guard let name = photo.sourceDeviceUniqueID, photo.resolvedSettings.constituents.count > 1 else { return "" }
        return "-camera\((photo.resolvedSettings.constituents.firstIndex(of: name) ?? 0) + 1)"
    }

    /// Returns the number of the photo among those of its format, from 1: if each frame of a burst is stored as a
    /// separate file, or each exposure of a bracket, the merged one last. Otherwise nil.
    private func number(of photo: Photo) -> Int? {
        let settings = photo.resolvedSettings
        let single = settings.formats.count * max(1, settings.constituents.count)
        let hasFrames = photo.format == .raw(.bayer) && settings.expectedPhotoCount > single
        return hasFrames || settings.exposures.count > 1 ? fileCounts[FileKind(photo)] : nil
    }

    /// Returns the fields of the JSON event that reports a stored file.
    private func fields(_ photo: Photo, path: String, bytes: Int, duration: Duration) -> [(String, JSON)] {
        var fields: [(String, JSON)] = [
            ("file", .text(path)), ("bytes", .integer(bytes)), ("kind", .text(photo.format.name)),
            ("capture", .integer(Int(clamping: photo.resolvedSettings.uniqueID))),
            ("seconds", .number(TextFormat.seconds(duration))),
        ]
        if let camera = photo.sourceDeviceUniqueID {
            let offset = photo.constituentOffset.map { JSON.number(TextFormat.seconds($0)) }
            fields += [("camera", .text(camera)), ("constituentOffset", offset ?? .null)]
        }
        if let size = photo.pixelSize {
            fields += [("width", .integer(size.width)), ("height", .integer(size.height))]
        }
        if let metadata = photo.metadata {
            fields += [
                ("exposureTime", .number(metadata.exposureTime)), ("iso", .number(metadata.iso)),
                ("frames", .integer(metadata.fusedFrames)),
                ("frameNumber", .integer(Int(clamping: metadata.frameNumber))),
                ("lag", metadata.capture?.lag.map(JSON.number) ?? .null),
                ("receipt", photo.receipt.map(Self.json) ?? .null),
                ("reference", .text(metadata.fusion?.reference ?? 0 > 0 ? "sharpest" : "nearest")),
                ("sensorDigests", .list(metadata.sensorDigests.map(JSON.text))),
                ("fusion", metadata.fusion.map { FusionReportText($0).json } ?? .null),
            ]
        }
        return fields
    }

    /// Returns a receipt as JSON, with the names of the fields that it has everywhere; unknown ones are left out.
    private static func json(_ receipt: PhotoReceipt) -> JSON {
        let fields: [(String, JSON?)] = [
            ("capture-id", .integer(Int(clamping: receipt.captureID))),
            ("sensor-time", receipt.sensorTimeText.map(JSON.text)),
            ("sensor-running-time", receipt.sensorRunningTime.map { .integer(Int(clamping: $0)) }),
            ("lag", receipt.lag.map(JSON.number)), ("exposure-lag", receipt.exposureLag.map(JSON.number)),
            ("age", receipt.age.map(JSON.number)),
            ("settled", receipt.isSettled.map(JSON.truth)), ("frames-used", .integer(receipt.framesUsed)),
            ("frame-number", .integer(Int(clamping: receipt.frameNumber))),
            ("sharpness-chosen", .truth(receipt.isChosenBySharpness)),
            ("burst-index", receipt.burst.map { .integer($0.index) }),
            ("burst-count", receipt.burst.map { .integer($0.count) }),
            ("burst-reference", receipt.burst.map { .truth($0.isReference) }),
        ]
        return .object(fields.compactMap { field in field.1.map { (field.0, $0) } })
    }

    /// Prints the list of the stored files; with `--json`, prints their number and the number of frames seen.
    func summarize(framesSeen: Int) {
        console.event("done", [("files", .integer(rows.count)), ("framesSeen", .integer(framesSeen))])
        guard !console.isJSON, !rows.isEmpty else { return }
        console.print(TextFormat.table(rows, right: [1, 3]))
    }
}
