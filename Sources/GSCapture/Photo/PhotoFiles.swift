internal import Files
internal import Synchronization

/// A folder in which the files of captures are stored, with names from a template. *Thread-safe.*
///
/// A press of the shutter reserves the next name, which no other capture of this or another process gets meanwhile, and
/// the events of the capture are stored under that name as they come:
///
///     let files = try PhotoFiles(folder: "photos")
///     try files.prepare()
///     var shot = try files.nextShot()
///     for await event in try output.capturePhoto(with: settings).events {
///         for report in shot.store(event) { print(report.path) }
///     }
public final class PhotoFiles: Sendable {
    /// The template of the names, without the file extension.
    public let nameTemplate: String
    /// Whether the files replace existing ones.
    public let replacesFiles: Bool
    /// The names in the folder.
    fileprivate let names: ShotNames
    private let lastNumber = Mutex(0)

    /// The path of the folder, which is created with its parents when the first name is reserved.
    public var folder: String { names.folder }

    /// Describes a folder. Throws `nameTemplateInvalid` if the template is no file name or has an unknown field.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - nameTemplate: The beginning of the files' names. `{n}` is the number of the capture, the next one that no
    ///     other files in the folder have; `{date}` and `{time}` are local, and so are the conversions of strftime,
    ///     such as `%Y-%m-%d`; `{kind}` is the format of the photo. Without `{n}`, the second and later captures of one
    ///     name have the number at the end of it.
    ///   - replacesFiles: Whether existing files are replaced. Then numbers count from 1, and a template without a
    ///     number names all captures the same.
    ///   - deferredFolder: The folder of the output's deferred jobs, whose names are in use, too; nil without one.
    public init(
        folder: String, nameTemplate: String = "photo-{n}", replacesFiles: Bool = false, deferredFolder: String? = nil
    ) throws(CaptureError) {
        try NameTemplate.check(nameTemplate)
        names = ShotNames(folder: folder, otherFolders: deferredFolder.map { [$0] } ?? [])
        (self.nameTemplate, self.replacesFiles) = (nameTemplate, replacesFiles)
    }

    /// Checks that files can be created in the folder, and completes or deletes what killed processes have left behind
    /// there. Call it before photos are stored.
    public func prepare() throws(CaptureError) {
        try OutputFolder.check(folder)
        NameReservation.removeRemnants(in: names.place)
        LivePhotoFiles.finish(in: names.place)
    }

    /// Reserves the name of the next capture's files, until the result is released. Call it at the press: the numbers
    /// are in the order of the calls.
    public func nextShot() throws(CaptureError) -> Shot { try Shot(of: self) }

    /// The beginning of the names of a capture's files, and the claim on it; nil if another capture has the same name,
    /// whose files then are replaced.
    typealias Name = (text: String, reservation: NameReservation?)

    /// The most attempts to reserve a name, each of which fails if another process deletes the folder meanwhile, as it
    /// may as long as the folder is empty.
    private static let mostAttempts = 3

    /// Reserves the next name.
    fileprivate func nextName() throws(CaptureError) -> Name {
        let name = NameTemplate.expand(nameTemplate)
        return try lastNumber.withLock { last throws(CaptureError) -> Name in
            for _ in 1..<Self.mostAttempts {
                do throws(CaptureError) {
                    return try reserve(name, after: &last)
                } catch {
                    if !error.isNotCreated { throw error }
                }
            }
            return try reserve(name, after: &last)
        }
    }

    /// Reserves a name with the first free number above `last`, in the folder, which is created if it does not exist.
    private func reserve(_ name: String, after last: inout Int) throws(CaptureError) -> Name {
        try OutputFolder.create(names.place)
        let isNumbered = name.contains("{n}")
        if replacesFiles, !isNumbered { return (name, try NameReservation.claim(name, in: names.place)) }
        let found = try names.reserve(after: last, replacing: replacesFiles) { number in
            if isNumbered { return name.replacing("{n}", with: ShotNames.digits(of: number)) }
            return number == 1 ? name : "\(name)-\(number)"
        }
        last = found.number
        return (found.reservation.name, found.reservation)
    }
}

// MARK: - The files of one capture

extension PhotoFiles {
    /// The files of one capture, whose name is reserved as long as this exists.
    ///
    ///     event ──photo──► stored at once, under the next name if another program has taken this one
    ///              ├──still of a Live Photo──► waits ──its movie, or the end──► stored with the movie, or alone
    ///              └──proxy of a deferred photo──► waits ──the end──► stored after its job
    ///
    /// A proxy waits so that a killed process leaves none without its job.
    public struct Shot: Sendable {
        /// The beginning of the files' names. It changes if another program takes the name before the files are stored.
        public private(set) var name: String
        /// The claim on the name.
        private var reservation: NameReservation?
        private let files: PhotoFiles
        /// How many photos of each format and camera have arrived.
        private var counts: [Kind: Int] = [:]
        /// The photos that are stored last, in this order: the still of a Live Photo, or the proxy of a deferred photo,
        /// and the failed photo whose job is not stored.
        private var waiting: [Photo] = []

        /// What photos of one capture are counted by.
        private struct Kind: Hashable {
            let format: PhotoFormat
            /// The camera of a virtual device; nil for a single camera.
            let camera: String?
        }

        /// Reserves the next name in a folder.
        fileprivate init(of files: PhotoFiles) throws(CaptureError) {
            self.files = files
            (name, reservation) = try files.nextName()
        }

        /// Stores what an event of the capture delivers, and reports the photos that are stored or have failed, each
        /// once. The files are complete when this returns.
        public mutating func store(_ event: CaptureEvent) -> [Report] {
            switch event {
            case .photo(let photo): store(photo)
            case .livePhotoMovie(let movie): storeWaiting(movie)
            case .finished: finish()
            case .willBegin, .willCapture, .didCapture, .didRecordLivePhotoMovie: []
            }
        }

        /// Stores the photos that wait for others, and reports them. The end of the capture does this, too; call it if
        /// its events are not awaited to the end.
        public mutating func finish() -> [Report] { storeWaiting(nil) }

        private mutating func store(_ photo: Photo) -> [Report] {
            counts[Kind(format: photo.format, camera: photo.sourceDeviceUniqueID), default: 0] += 1
            if let job = photo.deferredJob {
                let stored = LivePhotoFiles.Stored(still: job.folder, size: 0)
                return [Report(photo: photo, movie: nil, path: job.folder, result: .success(stored))]
            }
            if photo.format == .deferred {
                waiting.append(photo)
            } else if photo.isLivePhotoStill || photo.format == .proxy {
                waiting.insert(photo, at: 0)
            } else {
                return [write(photo, nil)]
            }
            return []
        }

        private mutating func storeWaiting(_ movie: LivePhotoMovie?) -> [Report] {
            let photos = waiting
            waiting = []
            return photos.map { write($0, movie) }
        }

        /// The most names that are tried for a file before storing it fails.
        private static let mostNames = 100

        /// Stores a photo, a Live Photo with its movie. If another program has taken the name since it was reserved,
        /// this and the remaining files get the next one.
        private mutating func write(_ photo: Photo, _ movie: LivePhotoMovie?) -> Report {
            var result = write(photo, movie, to: path(of: photo))
            for _ in 1..<Self.mostNames {
                guard case .failure(let error) = result, photo.error == nil, error.isNameTaken,
                    let next = try? files.nextName(), next.text != name
                else { break }
                (name, reservation) = next
                result = write(photo, movie, to: path(of: photo))
            }
            return Report(photo: photo, movie: movie, path: path(of: photo), result: result)
        }

        private func write(
            _ photo: Photo, _ movie: LivePhotoMovie?, to path: String
        ) -> Result<LivePhotoFiles.Stored, CaptureError> {
            Result { () throws(CaptureError) in
                let replaces = files.replacesFiles
                if photo.isLivePhotoStill {
                    return try LivePhotoFiles.write(photo, movie, to: path, replacing: replaces)
                }
                return try LivePhotoFiles.replacingPhoto(path, replaces) { () throws(CaptureError) in
                    LivePhotoFiles.Stored(still: path, size: try photo.write(to: path, replacing: replaces))
                }
            }
        }
    }

    /// What became of a photo.
    public struct Report: Sendable {
        /// The photo, or its error.
        public let photo: Photo
        /// The movie of a Live Photo, or its error; nil for other photos.
        public let movie: LivePhotoMovie?
        /// The path of the photo's file, also of one that could not be stored, or of the folder of a deferred job.
        public let path: String
        /// The stored files, or why the photo is not stored. A still whose movie is not stored has a `movieError`. Of a
        /// deferred job it is the folder, with the size 0.
        public let result: Result<LivePhotoFiles.Stored, CaptureError>
    }
}

// MARK: - Names

extension PhotoFiles.Shot {
    /// Returns the path of a photo's file.
    private func path(of photo: Photo) -> String {
        let settings = photo.resolvedSettings
        var name = name.replacing("{kind}", with: photo.format.name)
        // The cameras of a virtual device differ in their numbers: the widest is number 1.
        if let camera = photo.sourceDeviceUniqueID, settings.constituents.count > 1 {
            name += "-camera\((settings.constituents.firstIndex(of: camera) ?? 0) + 1)"
        }
        if photo.format == .proxy { name += "-proxy" }
        // Readers recognize a Motion Photo by the end of its name, too.
        if photo.isLivePhotoStill, settings.livePhotoFormat == .motionPhoto { name += ".MP" }
        let extensions = settings.formats.map(\.fileExtension)
        let isShared = !photo.format.isOfDeferredDelivery && Set(extensions).count < extensions.count
        return files.names.path(
            of: name, kind: isShared && !files.nameTemplate.contains("{kind}") ? photo.format.name : nil,
            part: number(of: photo), fileExtension: photo.format.fileExtension)
    }

    /// Returns the number of the photo among those of its format, from 1: if each frame of a burst is stored as a
    /// separate file, or each exposure of a bracket, the merged one last. Otherwise nil.
    private func number(of photo: Photo) -> Int? {
        let settings = photo.resolvedSettings
        let single = settings.formats.count * max(1, settings.constituents.count)
        let hasFrames = photo.format == .raw(.bayer) && settings.expectedPhotoCount > single
        let isOne = !hasFrames && settings.exposures.count <= 1
        return isOne ? nil : counts[Kind(format: photo.format, camera: photo.sourceDeviceUniqueID)]
    }
}
