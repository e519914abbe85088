import Glibc
import TemporaryFolders
import Testing
import UnnamedFiles

/// Files that get their names when they are complete, as photos and movies do.
@Suite(.timeLimit(.minutes(1))) struct UnnamedFileTests {
    @Test func aFileAppearsWithItsName() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("photo.jpg")
        let descriptor = UnnamedFile.open(in: UnnamedFile.folder(of: path))
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        #expect(folder.names.isEmpty)
        #expect(UnnamedFile.name(descriptor, path))
        #expect(folder.names == ["photo.jpg"])
    }

    /// Neither photos nor movies replace a file unasked.
    @Test func anExistingFileIsLeft() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("text", to: "photo.jpg")
        let descriptor = UnnamedFile.open(in: UnnamedFile.folder(of: path))
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let isNamed = UnnamedFile.name(descriptor, path)
        let reason = errno
        #expect(!isNamed && reason == EEXIST)
        #expect(try folder.bytes("photo.jpg").count == 4)
    }

    @Test func foldersOfPaths() {
        #expect(UnnamedFile.folder(of: "photo.jpg") == ".")
        #expect(UnnamedFile.folder(of: "/photo.jpg") == "/")
        #expect(UnnamedFile.folder(of: "photos/photo.jpg") == "photos")
    }
}
