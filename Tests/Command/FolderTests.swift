import Foundation
import Glibc
import TemporaryFolders
import Testing

/// Tests of output folders, file names, and folders in which files cannot be created.
@Suite(.timeLimit(.minutes(10))) struct FolderTests {
    private static let isRoot = geteuid() == 0

    /// Takes one photo, of which the DNG is larger than 7 MB and the JPEG smaller than 1 MB.
    private func photo(to path: String, _ more: String...) throws -> BuiltCommand.Result {
        try BuiltCommand(
            [
                "--pipeline", "pipelines/headless.txt", "--output", path, "--var", "WIDTH=1280", "--var", "HEIGHT=960",
                "--var", "FRAMES=1",
            ] + more
        ).wait()
    }

    @Test(.enabled(if: isRoot, "mounting a small disk requires root"))
    func fullDisk() throws {
        let disk = try SmallDisk(options: "size=2m")
        let result = try photo(to: disk.folder.path("disk"), "--json")
        #expect(result.code == 74)
        #expect(result.errors.contains("the disk is full"), "\(result.errors)")
        #expect(disk.folder.names(in: "disk") == ["photo-0001.jpg"])
        #expect(CompletePictures.faults(in: disk.folder, "disk") == [])
        let events = try result.events()
        #expect(events.contains { $0["event"] as? String == "failed" })
        #expect(events.last?["files"] as? Int == 1)
    }

    /// The fault: the error named a folder in the folder of the jobs, and the proxy seemed to be one that can be
    /// finished. The disk has space for some of the frames.
    @Test(.enabled(if: isRoot, "mounting a small disk requires root"))
    func fullDiskOfADeferredPhoto() throws {
        let disk = try SmallDisk(options: "size=2m")
        let folder = disk.folder.path("disk")
        let result = try BuiltCommand.run(
            "--deferred", "--size", "640x480", "--no-preview", "--json", "--output", folder)
        #expect(result.code == 74)
        let reason =
            "the photo is stored as a small JPEG alone: \(folder)/deferred: the frames of photo-0001 cannot be stored: "
            + "the disk is full; free some space"
        #expect(result.errors == "gscap: \(reason)\n", "\(result.errors)")
        #expect(try result.reasons() == [reason])
        #expect(disk.folder.names(in: "disk") == ["photo-0001-proxy.jpg"])
    }

    @Test(.enabled(if: isRoot, "mounting a read-only disk requires root"))
    func readOnlyDisk() throws {
        let disk = try SmallDisk(options: "ro")
        let result = try photo(to: disk.folder.path("disk"))
        #expect(result.code == 73)
        #expect(result.errors.contains("--output"), "\(result.errors)")
        #expect(disk.folder.names(in: "disk").isEmpty)
    }

    @Test(.disabled(if: isRoot, "root may write anywhere"))
    func folderWithoutRight() throws {
        let folder = try TemporaryFolder()
        #expect(unsafe chmod(folder.url.path, 0o555) == 0)
        defer { unsafe chmod(folder.url.path, 0o755) }
        let result = try photo(to: folder.url.path)
        #expect(result.code == 73)
        #expect(result.errors.contains("--output"), "\(result.errors)")
    }

    @Test func foldersAreMade() throws {
        let folder = try TemporaryFolder()
        #expect(try photo(to: folder.path("a/b/c")).code == 0)
        #expect(folder.names(in: "a/b/c") == ["photo-0001.dng", "photo-0001.jpg"])
    }

    @Test func otherFilesAreKept() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("existing", to: "photo-0001.dng")
        _ = try folder.write("existing too", to: "photo-0002.txt")
        #expect(try photo(to: folder.url.path).code == 0)
        #expect(folder.names == ["photo-0001.dng", "photo-0002.txt", "photo-0003.dng", "photo-0003.jpg"])
        #expect(try folder.bytes("photo-0001.dng") == Data("existing".utf8))
    }

    @Test func namesFollowTheTemplate() throws {
        let folder = try TemporaryFolder()
        let result = try photo(to: folder.url.path, "--name", "{date}_{time}_{n}_{kind}", "--photos", "2")
        #expect(result.code == 0, "\(result.errors)")
        for (number, kind) in [("0001", "jpeg.jpg"), ("0001", "proRAW.dng"), ("0002", "jpeg.jpg")] {
            let pattern = try Regex("[0-9]{8}_[0-9]{6}_\(number)_\(kind)")
            #expect(folder.names.contains { $0.wholeMatch(of: pattern) != nil }, "\(folder.names)")
        }
        #expect(folder.names.count == 4)
    }

    @Test func aNameWithoutNumberIsUsedOnce() throws {
        let folder = try TemporaryFolder()
        #expect(try photo(to: folder.url.path, "--name", "mine", "--photos", "2").code == 0)
        #expect(folder.names == ["mine-2.dng", "mine-2.jpg", "mine.dng", "mine.jpg"])
    }

    @Test func aNameOfTheKindAlone() throws {
        let folder = try TemporaryFolder()
        #expect(try photo(to: folder.url.path, "--name", "{kind}", "--photos", "2").code == 0)
        #expect(folder.names == ["jpeg-2.jpg", "jpeg.jpg", "proRAW-2.dng", "proRAW.dng"])
    }

    @Test func noProgressIsDrawnWithoutATerminal() throws {
        let folder = try TemporaryFolder()
        let result = try photo(to: folder.url.path)
        #expect(result.errors.isEmpty, "\(result.errors)")
        #expect(!result.output.contains("\r"))
        // The table that gscap prints at the end has a line for each file.
        #expect(result.output.split(separator: "\n").count == 2)
        #expect(result.output.contains("photo-0001.dng") && result.output.contains("photo-0001.jpg"))
    }
}

/// A file system in memory, mounted at "disk" in a temporary folder until the end of the test.
private final class SmallDisk {
    let folder: TemporaryFolder

    init(options: String) throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("disk"), withIntermediateDirectories: false)
        let isReadOnly = options == "ro"
        let mounted = unsafe mount(
            "gscap-test", folder.path("disk"), "tmpfs", isReadOnly ? UInt(MS_RDONLY) : 0, isReadOnly ? nil : options)
        let reason = errno
        try #require(mounted == 0, "cannot mount: error \(reason)")
    }

    deinit { unsafe umount2(folder.path("disk"), Int32(MNT_DETACH)) }
}
