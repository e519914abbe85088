internal import Glibc

/// A Live Photo on disk, one of whose files is about to be replaced. What stays is not left as the half of a pair: a
/// movie without its still is deleted, and a still without its movie loses its content identifier.
package struct ReplacedPair {
    private let pair: PairedFiles
    /// The paths of the stills whose content identifier the movie states.
    private let stills: [String]

    /// Finds the Live Photo whose files have the name of this path, with any extension. Nil if there is none.
    package init?(replacing path: String) {
        pair = PairedFiles(still: path)
        guard let movie = WholeFile.bytes(of: pair.moviePath) else { return nil }
        stills = pair.stillPaths.filter { still in
            guard let identifier = WholeFile.bytes(of: still).flatMap(LivePhotoStill.identifier) else { return false }
            return movie.firstRange(of: Array(identifier.utf8)) != nil
        }
        if stills.isEmpty { return nil }
    }

    /// Deletes the movie if the path was that of its still, which a photo without a movie has replaced.
    package func finishAfterPhoto() {
        if stills.contains(pair.stillPath) { unsafe unlink(pair.moviePath) }
    }

    /// Removes the content identifier of the stills of other formats, after a pair has replaced their movie.
    package func finishAfterPair() {
        for still in stills where still != pair.stillPath {
            guard let bytes = WholeFile.bytes(of: still), let identifier = LivePhotoStill.identifier(in: bytes)
            else { continue }
            let plain = LivePhotoStill.removingIdentifier(identifier, from: bytes)
            try? WholeFile.write(pieces: [plain], to: still, replacing: true)
        }
    }
}
