import Foundation
import GscapElements
import TemporaryFolders
import Testing

/// The errors of files, whose advice each program words for its users.
@Suite(.timeLimit(.minutes(1))) struct FileErrorTests {
    @Test func theAdviceStandsApartFromTheProblem() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("text", to: "photo.jpg")
        let error = #expect(throws: FileError.self) { try WholeFile.write(pieces: [[1]], to: path) }
        #expect(error?.kind == .exists && error?.isNameTaken == true)
        #expect(error?.problem == "cannot name the file: the file exists")
        #expect(error?.message == "cannot name the file: the file exists; choose another name, or allow replacing")
    }

    /// The fault: the error of a name that another process uses advised nothing, and counted as one of a file that may
    /// be replaced.
    @Test func aNameInUseIsNoFileToReplace() throws {
        let folder = try TemporaryFolder()
        let claim = try #require(try NameReservation.claim("photo.pair", in: folder.url.path))
        let error = #expect(throws: FileError.self) {
            try PairedFiles(still: folder.path("photo.jpg")).write(still: [1], movie: [[2]])
        }
        withExtendedLifetime(claim) {}
        #expect(error?.kind == .taken && error?.isNameTaken == true)
        #expect(error?.message == "another process stores files of this name; choose another name")
    }
}
