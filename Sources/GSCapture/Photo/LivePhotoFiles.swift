internal import Files
internal import GStreamer
internal import GscapElements

/// The files of Live Photos: stores still and movie so that a killed process leaves neither without the other. A still
/// whose movie failed, or cannot be written, is stored alone.
///
///     for await event in capture.events {
///         if case .photo(let photo) = event, photo.isLivePhotoStill { still = photo }
///         if case .livePhotoMovie(let movie) = event, let still {
///             try LivePhotoFiles.write(still, movie, to: "photos/bridge.jpg")
///         }
///     }
public enum LivePhotoFiles {
    /// The files that `write` has stored.
    public struct Stored: Sendable, Hashable {
        /// The path of the still, or of the Motion Photo.
        public let still: String
        /// The path of the movie; nil for a Motion Photo, which contains it, and if there is no movie.
        public let movie: String?
        /// The size of the still in bytes.
        public let stillSize: Int
        /// The size of the movie's file in bytes; 0 without one.
        public let movieSize: Int
        /// The reason why the still is stored without its movie; nil if the movie is stored, or there is none.
        public let movieError: CaptureError?

        /// Describes files that are stored; `movie` is nil without a file for it.
        package init(
            still: String, size: Int, movie: String? = nil, movieSize: Int = 0, movieError: CaptureError? = nil
        ) {
            (self.still, stillSize, self.movie, self.movieSize) = (still, size, movie, movieSize)
            self.movieError = movieError
        }

        /// Compares all properties; errors are equal if their descriptions are.
        public static func == (left: Self, right: Self) -> Bool {
            left.still == right.still && left.movie == right.movie && left.stillSize == right.stillSize
                && left.movieSize == right.movieSize
                && left.movieError?.description == right.movieError?.description
        }

        /// Hashes all properties except the error.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(still)
            hasher.combine(movie)
            hasher.combine(stillSize)
            hasher.combine(movieSize)
        }
    }

    /// Stores the still of a Live Photo with its movie: a pair as `path` and a movie of the same name with the
    /// extension .mov, a Motion Photo as `path` alone. If the movie failed, or cannot be written, as on a full disk,
    /// stores the still alone, without content identifier, so that nothing presents it as a part of a pair. If a file
    /// exists, this throws unless `replacing` is true. A still without a movie that replaces that of a Live Photo
    /// deletes the old movie.
    @discardableResult
    public static func write(
        _ still: Photo, _ movie: LivePhotoMovie?, to path: String, replacing: Bool = false
    ) throws(CaptureError) -> Stored {
        if let error = still.error { throw error }
        guard let bytes = still.fileBytes() else {
            throw CaptureError(.branchFailed, "there is no picture to write", place: path)
        }
        var movieError = movie?.error
        if let movie, movieError == nil {
            do throws(CaptureError) {
                return try writeBoth(bytes, movie, to: path, replacing: replacing)
            } catch {
                // Another name may be free for both files.
                if error.isNameTaken { throw error }
                movieError = error
            }
        }
        let plain = LivePhotoStill.removingIdentifier(still.resolvedSettings.livePhotoContentIdentifier, from: bytes)
        try replacingPhoto(path, replacing) { () throws(CaptureError) in
            try WholeFile.write(pieces: [plain], to: path, replacing: replacing)
        }
        return Stored(still: path, size: plain.count, movieError: movieError)
    }

    /// Stores the still, as the bytes of its file, with its movie; throws if one of them cannot be written.
    private static func writeBoth(
        _ still: [UInt8], _ movie: LivePhotoMovie, to path: String, replacing: Bool
    ) throws(CaptureError) -> Stored {
        let pieces = try movie.filePieces()
        let size = pieces.reduce(0) { $0 + $1.count }
        if movie.contentIdentifier == nil {
            let file = try motionPhoto(still, movie, size: size)
            try replacingPhoto(path, replacing) { () throws(CaptureError) in
                try WholeFile.write(pieces: [file] + pieces, to: path, replacing: replacing)
            }
            return Stored(still: path, size: file.count + size)
        }
        let pair = PairedFiles(still: path)
        try pair.write(still: still, movie: pieces, replacing: replacing)
        return Stored(still: path, size: still.count, movie: pair.moviePath, movieSize: size)
    }

    /// Stores a photo by `write` and returns its result. If the photo replaces the still of a Live Photo, deletes the
    /// old movie, which would seem to belong to the new photo.
    package static func replacingPhoto<Result>(
        _ path: String, _ replacing: Bool, _ write: () throws(CaptureError) -> Result
    ) throws(CaptureError) -> Result {
        let old = replacing ? ReplacedPair(replacing: path, identifier: LivePhotoStill.identifier) : nil
        let result = try write()
        old?.finish()
        return result
    }

    /// Returns the bytes of a Motion Photo: the still, a JPEG, with the movie behind it.
    public static func motionPhotoBytes(_ still: Photo, _ movie: LivePhotoMovie) throws(CaptureError) -> [UInt8] {
        guard let bytes = still.fileBytes() else {
            throw still.error ?? CaptureError(.branchFailed, "there is no picture to write")
        }
        let pieces = try movie.filePieces()
        let file = try motionPhoto(bytes, movie, size: pieces.reduce(0) { $0 + $1.count })
        return file + pieces.joined()
    }

    private static func motionPhoto(
        _ still: [UInt8], _ movie: LivePhotoMovie, size: Int
    ) throws(CaptureError) -> [UInt8] {
        do {
            return try LivePhotoStill.motionPhoto(
                still, movieSize: size, stillTime: movie.photoDisplayTime.nanoseconds / 1000)
        } catch {
            throw CaptureError(.branchFailed, "the still cannot become a Motion Photo: \(error)", cause: error)
        }
    }

    /// Publishes the pairs in a folder that a killed process has left complete, and deletes what it has left
    /// incomplete. Call it before new photos are stored there.
    public static func finish(in folder: String) { PairedFiles.finish(in: folder) }
}

extension Photo {
    /// Whether the photo is the still of a Live Photo, which `LivePhotoFiles` stores with its movie.
    public var isLivePhotoStill: Bool {
        guard case .processed(let format) = format else { return false }
        return error == nil && resolvedSettings.livePhotoStill == format
    }
}
