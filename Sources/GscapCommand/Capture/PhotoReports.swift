internal import FrameStream
internal import GSCapture
internal import GscapElements
internal import JSON
internal import PhotoMetadata
internal import RawImage

/// Reports the photos that are stored or have failed, and lists the stored files at the end.
struct PhotoReports {
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

    /// How many files are stored, of all photos.
    var count: Int { rows.count }

    init(_ console: Console) { self.console = console }

    /// Starts to report the files of the next photo.
    mutating func begin() { paths = [] }

    /// Reports what became of the photos of a capture, and returns the first exit code that is not success.
    mutating func add(_ reports: [PhotoFiles.Report], after duration: Duration) -> ExitCode {
        reports.reduce(.done) { code, report in
            let next = add(report, after: duration)
            return code == .done ? next : code
        }
    }

    private mutating func add(_ report: PhotoFiles.Report, after duration: Duration) -> ExitCode {
        switch report.result {
        case .success(let stored):
            if let job = report.photo.deferredJob { return add(job, duration) }
            return add(report, stored, duration)
        case .failure(let error): return add(error, of: report)
        }
    }

    /// Writes the only file of the only photo to standard output.
    mutating func writeToStandardOutput(_ photo: Photo) -> ExitCode {
        do throws(Failure) {
            if let error = photo.error { throw Failure(error) }
            try StandardFile.write([photo.fileBytes() ?? []])
        } catch {
            return console.report(error)
        }
        rows.append([StandardFile.name])
        reportRejections(photo.metadata?.fusion, of: photo.resolvedSettings.uniqueID)
        return reportMissingCamera(of: photo)
    }

    /// Reports a photo that is not stored.
    private mutating func add(_ error: CaptureError, of report: PhotoFiles.Report) -> ExitCode {
        // The proxy is stored before the failure of its job is reported.
        if report.photo.format == .deferred, !paths.isEmpty {
            return console.report(
                Failure(ExitCode(error), "the photo is stored as a small JPEG alone: \(error.commandText)"))
        }
        // Each branch of a failed capture gives the same error; its message is printed once. The event of the session
        // says that the camera is gone.
        if error.description != lastMessage, error.code != .interrupted { console.note(error.commandText) }
        lastMessage = error.description
        console.event(
            "failed",
            [
                ("file", .text(report.path)), ("reason", .text(error.commandMessage)),
                ("exitCode", .integer(Int(ExitCode(error).rawValue))),
            ])
        return ExitCode(error)
    }

    /// Reports the file of a photo, or the files of a Live Photo.
    private mutating func add(
        _ report: PhotoFiles.Report, _ stored: LivePhotoFiles.Stored, _ duration: Duration
    ) -> ExitCode {
        let (photo, movie, path) = (report.photo, report.movie, report.path)
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

    /// Prints, once per capture, which frames the fusion left out, and whether their noise profile is wrong.
    private mutating func reportRejections(_ report: FusionReport?, of capture: UInt64) {
        guard let report, lastReported != capture else { return }
        lastReported = capture
        for warning in FusionReportText(report).warnings { console.note(warning) }
    }

    /// Lists the job of a photo that is to be finished later.
    private mutating func add(_ job: DeferredJob, _ duration: Duration) -> ExitCode {
        paths.append(job.folder)
        rows.append([job.folder, "", "frames, to be finished by `gscap finish`", TextFormat.time(duration), ""])
        console.event("deferred", [("job", .text(job.folder))])
        return .done
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
                ("receipt", photo.receipt.map { JSON($0.structure) } ?? .null),
                ("reference", .text(metadata.fusion?.reference ?? 0 > 0 ? "sharpest" : "nearest")),
                ("sensorDigests", .list(metadata.sensorDigests.map(JSON.text))),
                ("fusion", metadata.fusion.map { FusionReportText($0).json } ?? .null),
            ]
        }
        return fields
    }

    /// Prints the list of the stored files, unless standard output has the photo; with `--json`, prints their number
    /// and the number of frames seen.
    func summarize(framesSeen: Int) {
        console.event("done", [("files", .integer(rows.count)), ("framesSeen", .integer(framesSeen))])
        guard !console.isJSON, let first = rows.first, first != [StandardFile.name] else { return }
        console.print(TextFormat.table(rows, right: [1, 3]))
    }
}
