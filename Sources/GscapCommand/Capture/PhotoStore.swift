internal import GSCapture
internal import RawImage

/// Stores photos in a folder and remembers what it stored.
struct PhotoStore {
    private var names: FileNames
    private let console: Console
    private var rows: [[String]] = []
    private var lastNote = ""
    /// The capture whose fusion was told of last.
    private var lastTold: UInt64?
    /// How many files of each kind the photo under way has given.
    private var given: [PhotoFormat: Int] = [:]

    /// How many files are stored.
    var count: Int { rows.count }

    init(folder: String, template: String, plan: PipelinePlan, console: Console) throws(Failure) {
        let endings = plan.branches.map(\.format.fileExtension)
        names = try FileNames(
            folder: folder, template: template, namesKinds: Set(endings).count < endings.count)
        self.console = console
    }

    /// Makes the folder and finds out now, not after the first photo, whether files can be made there.
    func prepare() throws(Failure) { try OutputFolder.prepare(names.folder) }

    mutating func nextStem() -> String {
        given = [:]
        return names.nextStem()
    }

    /// Stores one photo, or tells why there is none.
    mutating func keep(_ photo: Photo, stem: String, after duration: Duration) -> ExitCode {
        given[photo.format, default: 0] += 1
        let path = names.path(
            stem: stem, kind: photo.format.name, ending: photo.format.fileExtension, frame: frame(of: photo))
        do {
            try photo.write(to: path)
        } catch {
            // What ends a capture is told by each of its branches.
            if error.description != lastNote { console.note(error.description) }
            lastNote = error.description
            console.event("failed", [("file", .text(path)), ("reason", .text(error.message))])
            return ExitCode(error)
        }
        tell(photo.metadata?.fusion, of: photo.resolvedSettings.uniqueID)
        let size = photo.pixelSize.map { " \($0.width)×\($0.height)" } ?? ""
        let fusion = photo.metadata?.fusion.map { Receipt($0).summary } ?? ""
        rows.append([path, Words.size(photo.fileSize), photo.format.summary + size, Words.time(duration), fusion])
        console.event("file", fields(photo, path: path, duration: duration))
        return .done
    }

    /// Says once a capture which frames were left out.
    private mutating func tell(_ report: FusionReport?, of capture: UInt64) {
        guard let report, lastTold != capture else { return }
        lastTold = capture
        for rejection in Receipt(report).rejections { console.note(rejection) }
    }

    /// Its number where each frame of the burst gives a file of its own.
    private func frame(of photo: Photo) -> Int? {
        let settings = photo.resolvedSettings
        guard photo.format == .raw(.bayer), settings.expectedPhotoCount > settings.formats.count else { return nil }
        return given[photo.format]
    }

    private func fields(_ photo: Photo, path: String, duration: Duration) -> [(String, JSON)] {
        var fields: [(String, JSON)] = [
            ("file", .text(path)), ("bytes", .integer(photo.fileSize)), ("kind", .text(photo.format.name)),
            ("capture", .integer(Int(clamping: photo.resolvedSettings.uniqueID))),
            ("seconds", .number(Words.seconds(duration))),
        ]
        if let size = photo.pixelSize {
            fields += [("width", .integer(size.width)), ("height", .integer(size.height))]
        }
        if let metadata = photo.metadata {
            fields += [
                ("exposureTime", .number(metadata.exposureTime)), ("iso", .number(metadata.iso)),
                ("frames", .integer(metadata.fusedFrames)),
                ("sensorDigests", .list(metadata.sensorDigests.map(JSON.text))),
                ("fusion", metadata.fusion.map { Receipt($0).json } ?? .null),
            ]
        }
        return fields
    }

    /// Prints what was stored.
    func summarize(framesSeen: Int) {
        console.event("done", [("files", .integer(rows.count)), ("framesSeen", .integer(framesSeen))])
        guard !console.isJSON, !rows.isEmpty else { return }
        console.print(Words.table(rows, right: [1, 3]))
    }
}
