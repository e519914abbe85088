import Files
import Glibc
import TemporaryFolders
import Testing

/// Files that get their names when they are complete, as photos and movies do.
@Suite(.timeLimit(.minutes(1))) struct NewFileTests {
    @Test func aFileAppearsWithItsName() throws {
        let folder = try TemporaryFolder()
        let file = try NewFile(for: folder.path("photo.jpg"))
        #expect(folder.names.isEmpty)
        try file.publish()
        #expect(folder.names == ["photo.jpg"])
    }

    /// Neither photos nor movies replace a file unasked.
    @Test func anExistingFileIsLeft() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("text", to: "photo.jpg")
        let file = try NewFile(for: path)
        let error = #expect(throws: GscapError.self) { try file.publish() }
        #expect(error?.systemError == EEXIST)
        #expect(try folder.bytes("photo.jpg").count == 4)
        try file.publish(replacing: true)
        #expect(try folder.bytes("photo.jpg").isEmpty)
        #expect(folder.names == ["photo.jpg"])
    }

    @Test func aFileThatIsNotPublishedIsGone() throws {
        let folder = try TemporaryFolder()
        var file: NewFile? = try NewFile(for: folder.path("photo.jpg"))
        #expect(file?.path == folder.path("photo.jpg"))
        file = nil
        #expect(folder.names.isEmpty)
    }

    @Test func partsOfPaths() {
        #expect("photo.jpg".pathFolder == ".")
        #expect("/photo.jpg".pathFolder == "/")
        #expect("photos/photo.jpg".pathFolder == "photos")
        #expect("photos.d/photo".pathName == "photo" && "photos.d/photo".pathStem == "photo")
        #expect("photos/photo.MP.jpg".pathStem == "photo.MP")
    }
}
