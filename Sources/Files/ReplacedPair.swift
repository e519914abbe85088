internal import Glibc

/// A Live Photo on disk whose still a photo without a movie is about to replace. The movie would seem to belong to the
/// new photo, so it is deleted afterwards.
///
///     still and movie ──replaced──► photo and movie ──movie deleted──► photo
///
/// The pair's name is claimed meanwhile, so that no other process stores a pair. A movie that has changed since, or
/// that another still of the name belongs to, stays.
package struct ReplacedPair {
    private let pair: PairedFiles
    private let claim: NameReservation
    /// The movie as it was found.
    private let movie: stat

    /// The largest still and movie that are read.
    private static let (largestStill, largestMovie) = (256 << 20, 256 << 20)

    /// Finds the Live Photo whose still has this path, by the identifier in the bytes of a still that `identifier`
    /// returns. Nil if there is none, or if another process stores one.
    package init?(replacing path: String, identifier read: ([UInt8]) -> String?) {
        pair = PairedFiles(still: path)
        func identifier(of still: String) -> String? {
            WholeFile.bytes(of: still, most: Self.largestStill).flatMap(read)
        }
        guard let own = identifier(of: pair.stillPath),
            let claim = try? pair.claim(), let movie = WholeFile.status(of: pair.moviePath),
            WholeFile.bytes(of: pair.moviePath, most: Self.largestMovie)?.firstRange(of: own.utf8) != nil,
            !pair.otherStills.contains(where: { identifier(of: $0) == own })
        else { return nil }
        (self.claim, self.movie) = (claim, movie)
    }

    /// Deletes the movie, after the still was replaced.
    package func finish() {
        defer { withExtendedLifetime(claim) {} }
        guard let now = WholeFile.status(of: pair.moviePath), now.st_ino == movie.st_ino, now.st_dev == movie.st_dev,
            now.st_mtim.tv_sec == movie.st_mtim.tv_sec, now.st_mtim.tv_nsec == movie.st_mtim.tv_nsec
        else { return }
        unsafe unlink(pair.moviePath.cPath)
    }
}
