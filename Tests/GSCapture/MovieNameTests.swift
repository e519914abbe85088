import Files
import Foundation
import Glibc
import MovieFiles
import TemporaryFolders
import Testing

/// The names of movie files: when they appear, and what is refused.
struct MovieNameTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.path(name) }

    /// The names that a listing shows. A recording's claim on a name is a hidden file.
    private var names: [String] { folder.names.filter { !$0.hasPrefix(".") } }

    /// The faults: a device was refused only after the recording, by the system's reason for a flush, and a folder that
    /// takes no files, or a link to a missing folder, only after the camera had started.
    @Test(arguments: [
        ("device.mp4", [ENODEV]), ("proc/movie.mp4", [ENOENT, EACCES]), ("link.mp4", [ENOENT]), ("loop.mp4", [ELOOP]),
    ])
    func anImpossiblePathIsFoundBefore(name: String, reasons: [Int32]) throws {
        try FileManager.default.createSymbolicLink(atPath: path("device.mp4"), withDestinationPath: "/dev/null")
        try FileManager.default.createSymbolicLink(atPath: path("proc"), withDestinationPath: "/proc")
        try FileManager.default.createSymbolicLink(atPath: path("link.mp4"), withDestinationPath: "none/movie.mp4")
        try FileManager.default.createSymbolicLink(atPath: path("loop.mp4"), withDestinationPath: "loop.mp4")
        // A link's own name exists, so that only a movie that replaces it follows the link.
        for replacing in name.hasPrefix("l") ? [true] : [false, true] {
            let error = #expect(throws: GscapError.self) {
                try FragmentedMovie.check(path: path(name), replacing: replacing)
            }
            #expect(error.map { reasons.contains($0.systemError) } == true, "\(String(describing: error))")
            #expect(throws: GscapError.self) { try FragmentedMovie(path: path(name), replacing: replacing) }
        }
    }

    /// A look at a folder leaves nothing there.
    @Test func aPossiblePathIsAccepted() throws {
        try FragmentedMovie.check(path: path("movie.mp4"), replacing: false)
        #expect(names.isEmpty)
    }

    /// A link to a file that does not exist yet is followed, as one to an older file is.
    @Test func aLinkToNoFileIsFollowed() throws {
        try FileManager.default.createSymbolicLink(
            atPath: path("link.mp4"), withDestinationPath: path("target.mp4"))
        try FragmentedMovie.check(path: path("link.mp4"), replacing: true)
        let movie = try FragmentedMovie(path: path("link.mp4"), replacing: true)
        try writeFragment(of: movie)
        try movie.finish()
        #expect(try folder.bytes("target.mp4").count > 100)
    }

    /// A movie can be replaced while the recording that made it still lives.
    @Test func aFinishedMovieIsNotLocked() throws {
        try Data([1, 2, 3]).write(to: folder.url.appending(path: "movie.mp4"))
        let movie = try FragmentedMovie(path: path("movie.mp4"), replacing: true)
        #expect(throws: GscapError.self) { try FragmentedMovie(path: path("movie.mp4"), replacing: true) }
        try movie.finish()
        try FragmentedMovie(path: path("movie.mp4"), replacing: true).finish()
        withExtendedLifetime(movie) {}
    }

    private func writeFragment(of movie: FragmentedMovie) throws {
        movie.begin([MovieTrack(.audio(channels: 1), timescale: 48_000)], in: .mp4, software: "gscap")
        movie.add(MovieSample(bytes: [0], time: 0, duration: 1024, isKey: true), track: 0)
        try movie.flush()
    }

    /// The fault: a process that was killed before the first fragment left an empty file.
    @Test func aMovieGetsItsNameWithItsFirstFragment() throws {
        let movie = try FragmentedMovie(path: path("movie.mp4"))
        #expect(names.isEmpty)
        try writeFragment(of: movie)
        #expect(names == ["movie.mp4"])
        try movie.finish()
        #expect(try folder.bytes("movie.mp4").count == movie.size)
    }

    /// The fault: of two recordings to one new name, the later failed with its first fragment. A claim is the
    /// same in one process and in several.
    @Test(arguments: [false, true]) func aNameIsRefusedBeforeItsFileAppears(replacing: Bool) throws {
        let movie = try FragmentedMovie(path: path("movie.mp4"))
        let error = #expect(throws: GscapError.self) {
            try FragmentedMovie(path: path("movie.mp4"), replacing: replacing)
        }
        #expect(error?.systemError == (replacing ? EBUSY : EEXIST))
        let other = try FragmentedMovie(path: path("other.mp4"))
        #expect(names.isEmpty)
        try movie.finish()
        try FragmentedMovie(path: path("movie.mp4")).finish()
        try writeFragment(of: other)
        #expect(names == ["other.mp4"])
        try other.finish()
    }

    /// The fault: a recording and a photo had claims that did not exclude each other.
    @Test func aNameOfAPhotoUnderWayIsRefused() throws {
        let photo = try #require(try NameReservation.claim("photo-0001", in: folder.url.path))
        #expect(throws: GscapError.self) { try FragmentedMovie(path: path("photo-0001.mp4")) }
        withExtendedLifetime(photo) {}
        let movie = try FragmentedMovie(path: path("photo-0002.mp4"))
        #expect(try NameReservation.claim("photo-0002", in: folder.url.path) == nil)
        try movie.finish()
    }

    @Test func claimsOfKilledProcessesAreRemoved() throws {
        for name in [".movie.gscap", ".other.gscap"] { try Data().write(to: folder.url.appending(path: name)) }
        let movie = try FragmentedMovie(path: path("movie.mp4"))
        #expect(folder.names == [".movie.gscap"])
        try movie.finish()
        #expect(folder.names.isEmpty)
    }

    /// A file that another program has created meanwhile is left alone.
    @Test(arguments: [false, true]) func aNameThatIsTakenMeanwhileIsLeft(replacing: Bool) throws {
        let movie = try FragmentedMovie(path: path("movie.mp4"), replacing: replacing)
        try Data([1]).write(to: folder.url.appending(path: "movie.mp4"))
        let error = #expect(throws: GscapError.self) { try writeFragment(of: movie) }
        #expect(error?.systemError == (replacing ? EBUSY : EEXIST))
        try movie.finish()
        #expect(names == ["movie.mp4"])
        #expect(try [UInt8](folder.bytes("movie.mp4")) == [1])
    }

    /// The fault: a movie whose file was deleted, moved or replaced by another while it was recorded counted as stored.
    @Test(arguments: ["delete", "move", "replace"]) func aMovieThatIsGoneIsNotStored(how: String) throws {
        let movie = try FragmentedMovie(path: path("movie.mp4"))
        try writeFragment(of: movie)
        let files = FileManager.default
        if how == "delete" { try files.removeItem(atPath: path("movie.mp4")) }
        if how == "move" { try files.moveItem(atPath: path("movie.mp4"), toPath: path("moved.mp4")) }
        if how == "replace" { try Data([1]).write(to: folder.url.appending(path: "movie.mp4"), options: .atomic) }
        movie.add(MovieSample(bytes: [0], time: 1024, duration: 1024, isKey: true), track: 0)
        #expect(throws: GscapError.self) { try movie.flush() }
        let error = #expect(throws: GscapError.self) { try movie.finish() }
        #expect(error?.systemError == ESTALE)
        if how == "replace" { #expect(try [UInt8](folder.bytes("movie.mp4")) == [1]) }
    }

    /// A recording that stores nothing leaves the movie that it would have replaced.
    @Test func anOlderMovieRemainsUntilThereIsANewOne() throws {
        try Data([1, 2, 3]).write(to: folder.url.appending(path: "movie.mp4"))
        let movie = try FragmentedMovie(path: path("movie.mp4"), replacing: true)
        try movie.finish()
        #expect(try [UInt8](folder.bytes("movie.mp4")) == [1, 2, 3])
        try FragmentedMovie(path: path("new.mp4"), replacing: true).finish()
        #expect(names == ["movie.mp4"])
    }
}
