internal import DNG
internal import Develop
internal import GSCapture
internal import JSON
internal import PictureFiles
internal import RawImage

/// The settings with which `gscap develop` renders every file of a run.
struct DevelopJob {
    let settings: DevelopSettings
    let picture: PictureSettings
    let console: Console
    let replacesFiles: Bool
    /// Whether the settings are also stored in a sidecar beside each photo.
    let writesSidecar: Bool

    /// Renders the photo at `path` and stores the picture at `target`, in a folder that is created if it does not
    /// exist. `fields` are added to the JSON event.
    func run(_ path: String, to target: String, in folder: String? = nil, _ fields: [(String, JSON)] = []) throws {
        let start = ContinuousClock.now
        console.progress("reading \(path)")
        let photo = try Self.explaining(path) { try settings.photo(path, console) }
        let show = { @Sendable [console] (fraction: Double) in
            console.progress(ProgressBar.text(Int(fraction * 100), of: 100, "developing \(path)"))
        }
        show(0)
        let pieces = try Self.explaining(path) {
            try picture.encode(photo.filter, of: path, sidecarCrop: photo.crop, console, progress: show)
        }
        console.progress("writing \(target)")
        if let folder { try PhotoFolder.prepare(folder) }
        let file = OutputFile(path: target, replacing: replacesFiles, sources: SourceFiles([path]))
        try file.write(pieces: pieces)
        if writesSidecar { try storeSidecar(of: photo, path, isReported: !file.isStandardOutput) }
        if file.isStandardOutput { return }
        let size = pieces.reduce(0) { $0 + $1.count }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let damage: [(String, JSON)] =
            photo.filter.damage.isEmpty ? [] : [("damaged", .list(photo.filter.damage.map(JSON.text)))]
        console.event(
            "file",
            [("file", .text(target)), ("from", .text(path)), ("bytes", .integer(size))] + fields
                + (photo.filter.lensProfile.map { [("lensProfile", .text($0.summary))] } ?? [])
                + damage
                + [("seconds", .number(seconds))])
        guard !console.isJSON else { return }
        let lens = photo.filter.lensProfile.map { ", \($0.summary)" } ?? ""
        console.print("\(target)  \(TextFormat.size(size)), \(TextFormat.decimal(seconds, 2)) s\(lens)")
    }

    /// Stores the settings in a sidecar beside the photo, without a picture.
    func storeSidecar(of path: String) throws {
        let photo = try Self.explaining(path) { try settings.photo(path, console) }
        try storeSidecar(of: photo, path, isReported: true)
    }

    private func storeSidecar(of photo: DevelopSettings.Photo, _ path: String, isReported: Bool) throws {
        var sidecar = DevelopSidecar(photo.filter, crop: picture.crop ?? photo.crop)
        sidecar.look = photo.look == .file ? nil : photo.look
        sidecar.profileName = photo.profileName
        let target = try SidecarFile.write(sidecar, beside: path, replacing: replacesFiles)
        guard isReported else { return }
        console.event("sidecar", [("file", .text(target)), ("from", .text(path))])
        if !console.isJSON { console.print(target) }
    }

    /// Runs `work` on a file and converts its errors to failures that name the file.
    static func explaining<Result>(
        _ path: String, encoding: Bool = false, _ work: () throws -> Result
    ) throws -> Result {
        do {
            return try work()
        } catch let error as Failure {
            throw Failure(error, of: path, encoding: encoding)
        }
    }
}
