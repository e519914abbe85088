import Files
import Foundation
import Glibc
import TemporaryFolders
import Testing

/// The errors of files, whose advice each program words for its users.
@Suite(.timeLimit(.minutes(1))) struct FileErrorTests {
    @Test func theAdviceOnAnExistingFileIsKnown() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("text", to: "photo.jpg")
        let error = #expect(throws: GscapError.self) { try WholeFile.write(pieces: [[1]], to: path) }
        #expect(error?.code == .cannotWrite && error?.isNameTaken == true)
        #expect(error?.message == "cannot name the file: the file exists; \(GscapError.existingFileAdvice)")
        #expect(error?.place == path && error?.systemError == EEXIST)
    }

    /// The fault: the error of a name that another process uses advised nothing, and counted as one of a file that may
    /// be replaced.
    @Test func aNameInUseIsNoFileToReplace() throws {
        let folder = try TemporaryFolder()
        let claim = try #require(try NameReservation.claim("photo.pair", in: folder.url.path))
        let error = #expect(throws: GscapError.self) {
            try PairedFiles(still: folder.path("photo.jpg")).write(still: [1], movie: [[2]])
        }
        withExtendedLifetime(claim) {}
        #expect(error?.isNameTaken == true)
        #expect(error?.message == "another process stores files of this name; choose another name")
    }

    /// The fault: a folder that takes no files, such as /proc, counted as one that does not exist.
    @Test(arguments: [
        ("/proc/photo.jpg", "no file can be created in this folder (No such file or directory); choose another folder"),
        ("none/photo.jpg", "the folder does not exist; create it"),
        ("link.jpg", "the folder that the link leads to does not exist; create it"),
    ]) func aMissingFolderIsToldFromOneWithoutFiles(name: String, reason: String) throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link.jpg"), withDestinationPath: folder.path("none/photo.jpg"))
        let path = name.hasPrefix("/") ? name : folder.path(name)
        let error = GscapError("cannot create a file", path, reason: ENOENT)
        #expect(error.message == "cannot create a file: \(reason)")
        #expect(error.isNotCreated && !error.isNameTaken && !error.isWriteFailure)
    }
}
