package import Files
internal import Glibc
internal import PhotoMetadata

/// A movie file that grows by fragments, each with its own index, so that all but the newest fragment can be played
/// when the process is killed.
///
///     ftyp | moov: tracks without samples, metadata | moof: index, mdat: samples | moof, mdat | …
///
/// The file gets its name when the first fragment is written, so that no empty file is left. A fragment is written in
/// one piece. If that fails, the file is cut after the last complete fragment. A file that is deleted or moved
/// meanwhile fails the next fragment, or the end. Used by one thread at a time.
package final class FragmentedMovie {
    /// The path of the file.
    package let path: String
    /// The size of the file in bytes.
    package private(set) var size = 0
    private let descriptor: Int32
    private var tracks: [MovieTrack] = []
    /// The samples of each track since the last fragment.
    private var pending: [[MovieSample]] = []
    private var fragments: UInt32 = 0
    /// The description of the tracks until it is written, with the first fragment.
    private var head: [UInt8] = []
    /// Where the durations are that are stated at the end.
    private var durations = DurationOffsets()
    /// The end of the longest track in the fragments written, in milliseconds.
    package private(set) var milliseconds: UInt64 = 0
    /// The number of samples of the first track in the fragments written.
    package private(set) var pictures = 0
    private let replaces: Bool
    private var stage: Stage
    /// The file, unless it is an older movie's.
    private var new: NewFile?
    /// The claim on the name of a file that has none yet, which excludes photos of that name, too.
    private var claim: NameReservation?

    /// The state of the file.
    private enum Stage {
        /// A file without a name, which gets it with the first fragment.
        case unnamed
        /// The file of an older movie, which the first fragment replaces.
        case older
        /// The file of this movie.
        case named
    }

    /// Opens the file, without a name if the path is free. Throws if the path exists, unless `replacing` is true: then
    /// the older file remains until the first fragment. An empty file that a killed process has left is taken over; a
    /// file to which another recording writes, also before it has its name, is not.
    package init(path: String, replacing: Bool = false) throws(GscapError) {
        self.path = path
        replaces = replacing
        // Nothing is claimed in a folder of devices.
        _ = try Self.exists(path, replacing: replacing)
        let claim = try Self.claim(path, replacing: replacing)
        // Another recording may have named its file before the claim.
        if try Self.exists(path, replacing: replacing) {
            // A link may be to a file that does not exist yet.
            descriptor = unsafe open(path.cPath, O_WRONLY | O_CLOEXEC | O_CREAT, 0o644)
            guard descriptor >= 0 else { throw GscapError(Self.creation, path) }
            stage = .older
        } else {
            let file = try NewFile(for: path, action: Self.creation)
            (new, self.claim, descriptor, stage) = (file, claim, file.descriptor, .unnamed)
        }
        // Some file systems have no locks. The object is complete here, so deinit closes the file after an error.
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            throw GscapError(Self.creation, path, reason: EBUSY)
        }
    }

    /// Claims the name of a movie, and removes the claims that killed processes have left in its folder. Returns nil in
    /// a folder that takes no files, in which only an older file can become the movie.
    private static func claim(_ path: String, replacing: Bool) throws(GscapError) -> NameReservation? {
        NameReservation.removeRemnants(in: path.pathFolder)
        let claim: NameReservation?
        do throws(GscapError) {
            claim = try NameReservation.claim(path.pathStem, in: path.pathFolder)
        } catch {
            if error.isNotCreated { return nil }
            throw GscapError(creation, path, reason: error.systemError)
        }
        guard let claim else { throw GscapError(creation, path, reason: replacing ? EBUSY : EEXIST) }
        return claim
    }

    private static let creation = "cannot create the movie"

    /// Throws if no movie can be created at a path: if its folder does not exist or takes no files, if a file exists,
    /// unless `replacing` is true, or if that is no regular file. Leaves nothing there.
    package static func check(path: String, replacing: Bool) throws(GscapError) {
        if try exists(path, replacing: replacing) {
            if unsafe access(path.cPath, W_OK) == 0 { return }
            guard errno == ENOENT, let target = target(ofLink: path) else { throw GscapError(creation, path) }
            do throws(GscapError) {
                return try check(path: target, replacing: replacing)
            } catch {
                throw GscapError(creation, path, reason: error.systemError)
            }
        }
        _ = try NewFile(for: path, action: creation)
    }

    /// Returns the path that a link leads to; nil if it cannot be read.
    private static func target(ofLink path: String) -> String? {
        let name = unsafe String(unsafeUninitializedCapacity: Int(PATH_MAX)) { memory in
            unsafe memory.withMemoryRebound(to: CChar.self) { memory in
                guard let start = memory.baseAddress else { return 0 }
                return unsafe max(0, readlink(path.cPath, start, memory.count))
            }
        }
        guard !name.isEmpty else { return nil }
        return name.hasPrefix("/") ? name : "\(path.pathFolder)/\(name)"
    }

    /// Returns whether there is a file at a path; throws if a movie cannot replace it.
    private static func exists(_ path: String, replacing: Bool) throws(GscapError) -> Bool {
        var status = stat()
        // The target of a link, which may not exist yet.
        if unsafe stat(path.cPath, &status) == 0, let reason = obstacle(status.st_mode & S_IFMT) {
            throw GscapError(creation, path, reason: reason)
        }
        guard unsafe lstat(path.cPath, &status) == 0 else { return false }
        let isEmpty = status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
        guard replacing || isEmpty else { throw GscapError(creation, path, reason: EEXIST) }
        return true
    }

    /// Returns the reason (errno) why a movie cannot replace a file of this type; nil for a regular file.
    private static func obstacle(_ type: mode_t) -> Int32? {
        switch type {
        case S_IFREG: nil
        case S_IFDIR: EISDIR
        case S_IFIFO, S_IFSOCK: ESPIPE
        default: ENODEV
        }
    }

    deinit { if new == nil { close(descriptor) } }

    /// Sets the description of the tracks, and the name and version of the recording program. Called once, before the
    /// first sample.
    package func begin(_ tracks: [MovieTrack], in container: MovieContainer, software: String) {
        self.tracks = tracks
        pending = tracks.map { _ in [] }
        (head, durations) = Self.header(tracks, container, software)
    }

    /// Adds a sample, which `flush` writes.
    package func add(_ sample: MovieSample, track: Int) { pending[track].append(sample) }

    /// The size of the samples that are not written yet.
    package var pendingSize: Int { pending.reduce(0) { $0 + $1.reduce(0) { $0 + $1.bytes.count } } }

    /// Writes the samples that were added as a fragment; does nothing if there are none.
    package func flush() throws(GscapError) {
        guard pending.contains(where: { !$0.isEmpty }) else { return }
        if stage == .older {
            guard ftruncate(descriptor, 0) == 0 else { throw GscapError("cannot replace the movie", path) }
            stage = .named
        }
        fragments += 1
        try append(head + Self.fragment(pending, number: fragments))
        head = []
        if stage == .unnamed { try giveName() }
        if isGone { throw GscapError("cannot write the movie", path, reason: ESTALE) }
        for (track, samples) in zip(tracks, pending) {
            guard let last = samples.last else { continue }
            milliseconds = max(milliseconds, (last.time + UInt64(last.duration)) * 1000 / UInt64(track.timescale))
        }
        pictures += pending.first?.count ?? 0
        pending = tracks.map { _ in [] }
    }

    /// Gives the unnamed file its name. Throws if another program has created a file of this name meanwhile.
    private func giveName() throws(GscapError) {
        do throws(GscapError) {
            try new?.publish(action: Self.creation)
        } catch {
            throw error.systemError == EEXIST && replaces ? GscapError(Self.creation, path, reason: EBUSY) : error
        }
        (stage, claim) = (.named, nil)
    }

    /// Whether the file was deleted, or has another name. Writes to it would succeed.
    private var isGone: Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return false }
        if status.st_nlink == 0 { return true }
        return unsafe stat(path.cPath, &status) != 0 && [ENOENT, ENOTDIR].contains(errno)
    }

    /// Writes the duration, and flushes the file to disk; samples that are not written are lost. A file without samples
    /// is deleted. Throws if the file was deleted or moved. Another recording may then replace the file, also while
    /// this object lives.
    package func finish() throws(GscapError) {
        defer { release() }
        guard pictures > 0 else { return discard() }
        let duration = Box.full("mehd", version: 1, Box.long(milliseconds))
        try write(duration, at: durations.box)
        try write(Box.words(UInt32(clamping: milliseconds)), at: durations.field)
        guard fsync(descriptor) == 0 else { throw GscapError("cannot flush the movie to disk", path) }
        if isGone { throw GscapError("cannot finish the movie", path, reason: ESTALE) }
    }

    /// Deletes the file; leaves an older file of this path alone.
    package func discard() {
        defer { release() }
        if stage == .named, !isGone { unsafe unlink(path.cPath) }
    }

    /// Lets other recordings have the file and its name.
    private func release() {
        claim = nil
        flock(descriptor, LOCK_UN)
    }
}

// MARK: - Writing

extension FragmentedMovie {
    private func append(_ bytes: [UInt8]) throws(GscapError) {
        do throws(GscapError) {
            try write(bytes, at: size)
        } catch {
            _ = ftruncate(descriptor, off_t(size))
            if size == 0 { discard() }
            throw error
        }
        size += bytes.count
    }

    private func write(_ bytes: [UInt8], at offset: Int) throws(GscapError) {
        var done = 0
        while done < bytes.count {
            let written = unsafe bytes.withUnsafeBytes { all in
                unsafe pwrite(
                    descriptor, all.baseAddress?.advanced(by: done), bytes.count - done, off_t(offset + done))
            }
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { throw GscapError("cannot write the movie", path) }
            done += written
        }
    }
}

// MARK: - Boxes

extension FragmentedMovie {
    /// Returns the boxes before the first fragment, and where the durations are.
    private static func header(
        _ tracks: [MovieTrack], _ container: MovieContainer, _ software: String
    ) -> ([UInt8], DurationOffsets) {
        let type = type(container)
        let numbered = tracks.enumerated().map { (UInt32($0 + 1), $1) }
        let head = header(1000, duration: 0, tracks)
        let space = Box.plain("free", [UInt8](repeating: 0, count: 12))
        let defaults = numbered.map { Box.full("trex", Box.words($0.0, 1, 0, 0, 0)) }
        let extends = Box.plain("mvex", [space] + defaults)
        let metadata = MovieMetadata.origin(software, tracks.first?.date ?? .now, in: container)
        let boxes = [head] + numbered.map { $0.1.box(number: $0.0, in: container) } + [metadata, extends]
        let whole = type + Box.plain("moov", boxes)
        // The duration is the fourth word of the content of mvhd, the first box in moov, behind its version and flags.
        return (whole, DurationOffsets(box: whole.count - extends.count + 8, field: type.count + 8 + 8 + 4 + 12))
    }

    /// Returns the box with the type of the file.
    static func type(_ container: MovieContainer) -> [UInt8] {
        let brands = container == .mov ? ["qt  "] : ["iso5", "iso6", "mp41", "avc1"]
        let version = Box.words(container == .mov ? 0x2005_0300 : 512)
        return Box.plain("ftyp", Array(brands[0].utf8), version, brands.flatMap { Array($0.utf8) })
    }

    /// Returns the movie's header; the duration is in the timescale.
    static func header(_ timescale: UInt32, duration: UInt64, _ tracks: [MovieTrack]) -> [UInt8] {
        Box.full(
            "mvhd", Box.dates(tracks.first?.date ?? .now), Box.words(timescale, UInt32(clamping: duration), 0x10000),
            Box.halves(0x100, 0),
            Box.words(0, 0), Box.identity, Box.words(0, 0, 0, 0, 0, 0, UInt32(tracks.count + 1)))
    }

    /// Returns a fragment: the index of the samples (`moof`), and the samples, track after track (`mdat`).
    private static func fragment(_ samples: [[MovieSample]], number: UInt32) -> [UInt8] {
        let used = samples.enumerated().filter { !$1.isEmpty }
        // The length of the index is known without the offsets in it, which are counted from its start.
        let indexSize = index(used, number, dataOffset: 0).count
        let size = used.reduce(0) { $0 + $1.element.reduce(0) { $0 + $1.bytes.count } }
        var bytes = index(used, number, dataOffset: indexSize + 8)
        bytes.reserveCapacity(indexSize + 8 + size)
        bytes += UInt32(clamping: size + 8).bigEndianBytes + Array("mdat".utf8)
        for track in used { for sample in track.element { bytes += sample.bytes } }
        return bytes
    }

    private static func index(
        _ tracks: [(offset: Int, element: [MovieSample])], _ number: UInt32, dataOffset: Int
    ) -> [UInt8] {
        var offset = dataOffset
        var boxes = [Box.full("mfhd", Box.words(number))]
        for (track, samples) in tracks {
            // Offsets count from the start of the moof box.
            let head = Box.full("tfhd", flags: 0x2_0000, Box.words(UInt32(track + 1)))
            let time = Box.full("tfdt", version: 1, Box.long(samples.first?.time ?? 0))
            // The run states an offset, and of each sample the duration, the size and the flags.
            var run = Box.words(UInt32(samples.count), UInt32(clamping: offset))
            for sample in samples {
                run += Box.words(
                    sample.duration, UInt32(clamping: sample.bytes.count), sample.isKey ? 0x200_0000 : 0x101_0000)
            }
            boxes.append(Box.plain("traf", head, time, Box.full("trun", flags: 0x701, run)))
            offset += samples.reduce(0) { $0 + $1.bytes.count }
        }
        return Box.plain("moof", boxes)
    }
}

/// The offsets in a file at which its duration is stated: zero, and free space, until the movie is finished.
private struct DurationOffsets {
    /// The offset of the box with the duration of the fragments.
    var box = 0
    /// The offset of the field in the movie's header, which readers without support of fragments use.
    var field = 0
}
