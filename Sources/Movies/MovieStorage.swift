internal import CapturePlan
internal import Files
internal import GStreamer
internal import Glibc
internal import GscapElements
internal import MovieFiles

/// A file of a movie recording.
public struct MovieFile: Sendable, Hashable {
    /// The path of the file.
    public let path: String
    /// The size in bytes.
    public let size: Int
    /// The length of the movie in the file.
    public let duration: Duration
    /// The number of pictures.
    public let frameCount: Int
}

/// The files of a movie recording: puts pictures and sound in order of time, and begins another file at the limits.
///
/// A picture is written when the next one shows how long it lasts, and with sound, when the sound has reached its end
/// or is a second late. A fragment is written each half second. Times are in nanoseconds.
struct MovieStorage {
    /// An encoded picture or packet of sound, with its time in the movie.
    private struct Item {
        var bytes: [UInt8]
        var time: UInt64
        var isKey = true
        /// When a picture was taken.
        var date: MovieDate?
    }

    /// The unit of the times of pictures: this many are a second. 30, 60, 29.97 and 23.976 pictures per second are
    /// whole numbers of it.
    private static let timescale: UInt32 = 90000
    private static let fragment: UInt64 = 500_000_000
    private static let soundDelay: UInt64 = 1_000_000_000
    /// A difference between the time of a packet of sound and the end of the one before that is kept as a gap.
    private static let soundGap: UInt64 = 20_000_000
    /// The samples in a packet of AAC.
    private static let packet: UInt64 = 1024

    private let path: String
    private let settings: MovieSettings
    private let container: MovieContainer
    private let hasSound: Bool

    private var format: MovieEncoder.Format?
    private var parameters: H264Parameters?
    private var file: FragmentedMovie
    private var hasBegun = false
    /// Whether the file is finished.
    private var isClosed = false
    private var fileNumber = 1
    /// The finished files that no call has returned yet. They are kept when a call throws.
    private var finished: [MovieFile] = []
    /// The time of the file's first picture.
    private(set) var fileStart: UInt64 = 0
    private var fragmentStart: UInt64 = 0
    private var pictures: [Item] = []
    private var sound: [Item] = []
    private var newestSound: UInt64 = 0
    /// The end of the sound in the file, in samples.
    private var soundEnd: UInt64 = 0
    /// The bytes since the last key picture, and the most between two.
    private var (groupSize, largestGroup) = (0, 0)
    /// The number of frames that the gaps between pictures could hold.
    private(set) var lostFrames = 0
    /// The least time at which the movie ends: the last picture is shown until then.
    private var end: UInt64 = 0

    /// Begins the first file, which gets its name with its first half second. Throws if it exists, unless the settings
    /// allow to replace it.
    init(path: String, _ container: MovieContainer, _ settings: MovieSettings) throws(CaptureError) {
        (self.path, self.container, self.settings) = (path, container, settings)
        hasSound = settings.audioSource != nil
        file = try FragmentedMovie(path: path, replacing: settings.replacesFiles)
    }

    /// Sets the format of the pictures, before the first one.
    mutating func setFormat(_ format: MovieEncoder.Format) { self.format = format }

    /// Adds a picture, which was taken at a date; returns the files that are finished.
    mutating func add(
        _ unit: H264AccessUnit, at time: UInt64, takenAt date: MovieDate?
    ) throws(GscapError) -> [MovieFile] {
        parameters = parameters ?? unit.parameters
        pictures.append(Item(bytes: unit.bytes, time: time, isKey: unit.isKey, date: date))
        try release(all: false)
        return takeFinished()
    }

    /// Adds a packet of sound; returns the files that are finished.
    mutating func add(sound bytes: [UInt8], at time: UInt64) throws(GscapError) -> [MovieFile] {
        sound.append(Item(bytes: bytes, time: time))
        newestSound = time
        try release(all: false)
        return takeFinished()
    }

    /// Extends the movie to a length: the last picture is shown until then, and the frames that are missing there count
    /// as lost.
    mutating func extend(to length: UInt64) { end = length }

    /// Writes what has not been written, and finishes the last file; returns the files that this finishes.
    mutating func finish() throws(GscapError) -> [MovieFile] {
        try release(all: true)
        if hasBegun { try file.flush() }
        try close()
        return takeFinished()
    }

    /// Finishes the last file as it is, after a failure, unless it is finished; returns the finished files.
    mutating func abandon() -> [MovieFile] {
        try? close()
        return takeFinished()
    }

    /// Finishes the file, unless it is finished. A file without pictures is none.
    private mutating func close() throws(GscapError) {
        if isClosed { return }
        try file.finish()
        isClosed = true
        guard file.pictures > 0 else { return }
        finished.append(
            MovieFile(
                path: file.path, size: file.size, duration: .milliseconds(Int64(clamping: file.milliseconds)),
                frameCount: file.pictures))
    }

    private mutating func takeFinished() -> [MovieFile] {
        defer { finished = [] }
        return finished
    }
}

// MARK: - Order of time

extension MovieStorage {
    /// Writes the pictures whose end is known, and the sound beside them.
    private mutating func release(all: Bool) throws(GscapError) {
        guard let newest = pictures.last?.time, let period = format?.period else { return }
        let complete = hasSound ? max(min(newest, newestSound), newest - min(newest, Self.soundDelay)) : newest
        while let picture = pictures.first, all || (pictures.count > 1 && pictures[1].time <= complete) {
            let end = pictures.count > 1 ? pictures[1].time : max(picture.time + period, end)
            try write(picture, until: end)
            pictures.removeFirst()
            while let packet = sound.first, packet.time < end {
                try write(packet)
                sound.removeFirst()
            }
        }
    }

    /// Writes a picture, to another file if it begins one.
    private mutating func write(_ picture: Item, until end: UInt64) throws(GscapError) {
        if picture.isKey {
            (largestGroup, groupSize) = (max(largestGroup, groupSize), 0)
            if splits(at: picture.time) { try nextFile() }
        }
        if !hasBegun {
            // A decoder needs a key picture first.
            guard picture.isKey, let format, let parameters else { return }
            let tracks = MovieEncoder.tracks(
                format, parameters, hasSound: hasSound, timescale: Self.timescale, date: picture.date ?? .now)
            file.begin(tracks, in: container, software: LivePhotoMovie.software)
            (hasBegun, fileStart, fragmentStart) = (true, picture.time, picture.time)
        }
        if picture.time - fragmentStart >= Self.fragment { try flush(from: picture.time) }
        let start = Self.ticks(picture.time - fileStart, Self.timescale)
        let duration = UInt32(clamping: Self.ticks(end - fileStart, Self.timescale) - start)
        file.add(
            MovieSample(bytes: picture.bytes, time: start, duration: duration, isKey: picture.isKey), track: 0)
        groupSize += picture.bytes.count
        lostFrames += format?.framesLost(from: picture.time, to: end) ?? 0
    }

    /// Writes a packet of sound. Its time is the end of the one before, unless there is a gap, which begins a fragment.
    /// A packet is left out if the sound is later than that by a packet, as that of a device with a fast clock.
    private mutating func write(_ packet: Item) throws(GscapError) {
        guard hasBegun, packet.time >= fileStart else { return }
        let exact = Self.ticks(packet.time - fileStart, MovieEncoder.samplingRate)
        let gap = Self.ticks(Self.soundGap, MovieEncoder.samplingRate)
        if soundEnd >= exact + Self.packet { return }
        if exact > soundEnd + gap {
            try flush(from: packet.time)
            soundEnd = exact
        }
        file.add(
            MovieSample(bytes: packet.bytes, time: soundEnd, duration: UInt32(Self.packet), isKey: true), track: 1)
        soundEnd += Self.packet
        groupSize += packet.bytes.count
    }

    private mutating func flush(from time: UInt64) throws(GscapError) {
        try file.flush()
        fragmentStart = time
    }

    private static func ticks(_ time: UInt64, _ scale: UInt32) -> UInt64 {
        let (seconds, rest) = time.quotientAndRemainder(dividingBy: 1_000_000_000)
        return seconds * UInt64(scale) + (rest * UInt64(scale) + 500_000_000) / 1_000_000_000
    }
}

// MARK: - Limits

extension MovieStorage {
    /// Whether another file begins at this key picture: the file has its length, or would be too large at the next one.
    private func splits(at time: UInt64) -> Bool {
        guard hasBegun, let format else { return false }
        if settings.isFileComplete(after: time - fileStart, period: format.period) { return true }
        guard let limit = settings.maxFileSize else { return false }
        // The next group may be larger than all before; each fragment has an index.
        return file.size + file.pendingSize + largestGroup + largestGroup / 2 + 4096 > limit
    }

    /// Finishes the file and begins the next one.
    private mutating func nextFile() throws(GscapError) {
        try file.flush()
        try close()
        // Files of an earlier recording are left out.
        repeat { fileNumber += 1 } while !settings.replacesFiles && isTaken(nextPath)
        file = try FragmentedMovie(path: nextPath, replacing: settings.replacesFiles)
        (hasBegun, isClosed, soundEnd) = (false, false, 0)
    }

    private func isTaken(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// The path of the present file: `movie-2.mp4` for the second file of `movie.mp4`, if there was none.
    private var nextPath: String {
        let dot = path.lastIndex(of: ".") ?? path.endIndex
        return "\(path[..<dot])-\(fileNumber)\(path[dot...])"
    }
}
