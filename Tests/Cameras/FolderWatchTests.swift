import Files
import Foundation
import Glibc
import Synchronization
import TemporaryFolders
import Testing

@testable import Cameras

/// The watch of a folder.
@Suite struct FolderWatchTests {
    @Test func namesOfInterestAreReportedWhenTheyComeChangeAndGoOthersAreNot() async throws {
        let folder = try TemporaryFolder()
        let (changes, continuation) = AsyncStream<Void>.makeStream()
        let seen = Mutex<[String]>([])
        let made = FolderWatch(
            folder.url.path,
            concerns: { name in
                seen.withLock { $0.append(name) }
                return name == "video7"
            },
            { continuation.yield() })
        let watch = try #require(made)
        var next = changes.makeAsyncIterator()
        let (other, path) = (folder.path("other"), folder.path("video7"))
        for file in [other, path] {
            close(unsafe open(file.cPath, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
        }
        await next.next()
        #expect(seen.withLock { $0.contains("video7") })
        unsafe chmod(path.cPath, 0o640)
        await next.next()
        unsafe unlink(path.cPath)
        await next.next()
        _ = consume watch
    }

    @Test func aFolderThatDoesNotExistCannotBeWatched() {
        #expect(FolderWatch("/dev/no-such-folder", concerns: { _ in true }, {}) == nil)
    }
}
