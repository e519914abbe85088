import Files
import Foundation
import TemporaryFolders
import Testing

/// Pairs of files, of which neither appears without the other, also after a kill at any step.
@Suite struct PairedFilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.path(name) }

    private var names: [String] { folder.names }

    private func bytes(_ name: String) throws -> [UInt8] { try [UInt8](folder.bytes(name)) }

    private func create(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: folder.url.appending(path: name))
    }

    private func link(_ name: String, to other: String) throws {
        try FileManager.default.linkItem(atPath: path(name), toPath: path(other))
    }

    @Test func bothFilesAppear() throws {
        try PairedFiles(still: path("a.jpg")).write(still: [1], movie: [[2], [3]])
        #expect(names == ["a.jpg", "a.mov"])
        #expect(try bytes("a.jpg") == [1] && bytes("a.mov") == [2, 3])
        #expect(throws: GscapError.self) { try PairedFiles(still: path("a.jpg")).write(still: [4], movie: [[5]]) }
        #expect(try bytes("a.jpg") == [1] && names == ["a.jpg", "a.mov"])
        try PairedFiles(still: path("a.jpg")).write(still: [4], movie: [[5]], replacing: true)
        #expect(try bytes("a.jpg") == [4] && bytes("a.mov") == [5] && names == ["a.jpg", "a.mov"])
    }

    @Test(arguments: ["a.jpg", "a.mov"]) func aTakenNameStopsBoth(taken: String) throws {
        try create(taken, [9])
        #expect(throws: GscapError.self) { try PairedFiles(still: path("a.jpg")).write(still: [1], movie: [[2]]) }
        #expect(names == [taken])
        #expect(try bytes(taken) == [9])
    }

    /// The fault: an error named the hidden file. A folder that has the hidden name makes the write fail.
    @Test(arguments: ["a.jpg", "a.mov"]) func anErrorNamesTheFile(name: String) throws {
        try FileManager.default.createDirectory(atPath: path(".\(name).pair"), withIntermediateDirectories: false)
        let error = #expect(throws: GscapError.self) {
            try PairedFiles(still: path("a.jpg")).write(still: [1], movie: [[2]])
        }
        #expect(error?.place == path(name) && error?.isNameTaken == false)
        #expect(names == [".\(name).pair"])
    }

    /// Without the still, the movie was not complete as a pair.
    @Test func aHiddenMovieAloneIsDeleted() throws {
        try create(".a.mov.pair", [2])
        PairedFiles.finish(in: folder.url.path)
        #expect(names.isEmpty)
    }

    @Test(arguments: [0, 1, 2]) func aCompletePairIsPublished(published: Int) throws {
        try create(".a.mov.pair", [2])
        try create(".a.jpg.pair", [1])
        if published > 0 { try link(".a.mov.pair", to: "a.mov") }
        if published > 1 { try link(".a.jpg.pair", to: "a.jpg") }
        PairedFiles.finish(in: folder.url.path)
        #expect(names == ["a.jpg", "a.mov"])
        #expect(try bytes("a.jpg") == [1] && bytes("a.mov") == [2])
    }

    /// The hidden name of the movie is removed first, so the still alone was published.
    @Test func aHiddenStillAloneIsPublishedAlready() throws {
        for (name, byte) in [("a.mov", UInt8(2)), ("a.jpg", 1)] { try create(name, [byte]) }
        try link("a.jpg", to: ".a.jpg.pair")
        PairedFiles.finish(in: folder.url.path)
        #expect(names == ["a.jpg", "a.mov"])
    }

    /// The fault: a process that was killed before a pair replaced an older one left the new pair hidden for good.
    @Test(arguments: 0...3) func aPairReplacesAnOlderOne(published: Int) throws {
        let old = Date(timeIntervalSinceNow: -60)
        for name in ["a.jpg", "a.mov"] {
            try create(name, [9])
            try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path(name))
        }
        try create(".a.mov.replacing-pair", [2])
        try create(".a.jpg.replacing-pair", [1])
        for name in ["a.mov", "a.jpg"].prefix(published) {
            try FileManager.default.removeItem(atPath: path(name))
            try link(".\(name).replacing-pair", to: name)
        }
        if published == 3 { try FileManager.default.removeItem(atPath: path(".a.mov.replacing-pair")) }
        PairedFiles.finish(in: folder.url.path)
        #expect(names == ["a.jpg", "a.mov"])
        #expect(try bytes("a.jpg") == [1] && bytes("a.mov") == [2])
    }

    /// Files that another program has stored since are not replaced.
    @Test(arguments: ["a.jpg", "a.mov"]) func aPairLeavesANewerFile(taken: String) throws {
        try create(".a.mov.replacing-pair", [2])
        try create(".a.jpg.replacing-pair", [1])
        for name in names {
            let old = Date(timeIntervalSinceNow: -60)
            try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path(name))
        }
        try create(taken, [9])
        PairedFiles.finish(in: folder.url.path)
        #expect(try bytes(taken) == [9])
        #expect(names.count == 3)
    }

    @Test func aNameThatWasTakenMeanwhileStaysAsItIs() throws {
        try create(".a.mov.pair", [2])
        try create(".a.jpg.pair", [1])
        try create("a.jpg", [9])
        PairedFiles.finish(in: folder.url.path)
        #expect(names == [".a.jpg.pair", ".a.mov.pair", "a.jpg"])
        #expect(try bytes("a.jpg") == [9])
    }

    /// Without links, as on memory cards, the movie is renamed before the still.
    @Test func aHiddenStillFollowsARenamedMovie() throws {
        try create("a.mov", [2])
        try create(".a.jpg.pair", [1])
        PairedFiles.finish(in: folder.url.path)
        #expect(names == ["a.jpg", "a.mov"])
        #expect(try bytes("a.jpg") == [1])
    }

    /// Without links, a process that is killed while it replaces a pair leaves the new movie beside the old still.
    @Test func aHiddenStillReplacesTheOldOneBesideARenamedMovie() throws {
        try create("a.jpg", [9])
        let old = Date(timeIntervalSinceNow: -60)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path("a.jpg"))
        try create("a.mov", [2])
        try create(".a.jpg.pair", [1])
        PairedFiles.finish(in: folder.url.path)
        #expect(names == ["a.jpg", "a.mov"])
        #expect(try bytes("a.jpg") == [1] && bytes("a.mov") == [2])
    }

    /// A still that another program has stored since is not replaced.
    @Test func aHiddenStillLeavesANewerOne() throws {
        try create("a.mov", [2])
        try create(".a.jpg.pair", [1])
        let old = Date(timeIntervalSinceNow: -60)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path(".a.jpg.pair"))
        try create("a.jpg", [9])
        PairedFiles.finish(in: folder.url.path)
        #expect(try bytes("a.jpg") == [9])
    }

    /// Hidden files that a killed process has left are never mixed with those of another press.
    @Test func aPairThatWasLeftIsNotMixedWithAnother() throws {
        try create(".a.mov.pair", [2])
        try create(".a.jpg.pair", [1])
        #expect(throws: GscapError.self) { try PairedFiles(still: path("a.jpg")).write(still: [3], movie: [[4]]) }
        #expect(names == ["a.jpg", "a.mov"])
        #expect(try bytes("a.jpg") == [1] && bytes("a.mov") == [2])
    }

    private func livePhoto(_ identifier: String) -> (still: [UInt8], movie: [UInt8]) {
        ([1, 2] + Array("id:\(identifier)".utf8) + [3], [4] + Array(identifier.utf8) + [5])
    }

    /// Finds the pair that a photo replaces. A still's identifier is the 36 bytes behind "id:".
    private func replacedPair(_ name: String) -> ReplacedPair? {
        ReplacedPair(replacing: path(name)) { bytes in
            guard let mark = bytes.firstRange(of: "id:".utf8), bytes.count >= mark.upperBound + 36 else { return nil }
            return String(decoding: bytes[mark.upperBound..<mark.upperBound + 36], as: UTF8.self)
        }
    }

    /// The fault: a movie stayed beside the plain photo that replaced its still.
    @Test(arguments: ["a.jpg", "a.heic", "a.dng"]) func aPhotoReplacesAPair(name: String) throws {
        let (still, movie) = livePhoto("2C0B5A5B-44B1-4C1A-9E0C-7C9C0F3E9A11")
        try PairedFiles(still: path("a.jpg")).write(still: still, movie: [movie])
        let old = replacedPair(name)
        #expect((old != nil) == (name == "a.jpg"))
        try create(name, [7])
        old?.finish()
        // A file beside the still leaves the pair.
        let left = names.filter { !$0.hasPrefix(".") }
        #expect(left == (name == "a.jpg" ? ["a.jpg"] : ["a.jpg", "a.mov", name].sorted()))
    }

    /// A movie stays that another program has stored meanwhile, or that belongs to another still, too.
    @Test(arguments: [false, true]) func aMovieInUseStays(isShared: Bool) throws {
        let (still, movie) = livePhoto("2C0B5A5B-44B1-4C1A-9E0C-7C9C0F3E9A11")
        try PairedFiles(still: path("a.jpg")).write(still: still, movie: [movie])
        if isShared { try create("a.jpeg", still) }
        let old = replacedPair("a.jpg")
        #expect((old == nil) == isShared)
        try create("a.jpg", [7])
        if !isShared {
            // A pair under way has the name.
            #expect(throws: GscapError.self) {
                try PairedFiles(still: path("a.heic")).write(still: [1], movie: [[2]], replacing: true)
            }
            try FileManager.default.removeItem(atPath: path("a.mov"))
            try create("a.mov", movie)
        }
        old?.finish()
        #expect(names.contains("a.mov"))
    }

    /// The fault: the old movie was replaced although a folder has the name of the still.
    @Test func aFolderStopsBoth() throws {
        try FileManager.default.createDirectory(atPath: path("a.jpg"), withIntermediateDirectories: false)
        try create("a.mov", [9])
        #expect(throws: GscapError.self) {
            try PairedFiles(still: path("a.jpg")).write(still: [1], movie: [[2]], replacing: true)
        }
        #expect(try bytes("a.mov") == [9] && names == ["a.jpg", "a.mov"])
    }

    /// Files without a movie, or with another's, are no Live Photo.
    @Test func otherFilesAreNoPair() throws {
        let (still, movie) = livePhoto("2C0B5A5B-44B1-4C1A-9E0C-7C9C0F3E9A11")
        try create("a.jpg", still)
        #expect(replacedPair("a.jpg") == nil)
        try create("a.mov", Array(movie.dropLast(20)))
        #expect(replacedPair("a.jpg") == nil)
        try create("a.mov", movie)
        try create("a.jpg", Array(still.prefix(30)))
        #expect(replacedPair("a.jpg") == nil)
        try create("a.jpg", still)
        #expect(replacedPair("a.jpg") != nil)
    }

    /// A pair that another process is storing is left alone.
    @Test func aPairUnderWayIsLeftAlone() throws {
        let claim = try #require(try NameReservation.claim("a.pair", in: folder.url.path))
        try create(".a.mov.pair", [2])
        PairedFiles.finish(in: folder.url.path)
        #expect(names.contains(".a.mov.pair"))
        withExtendedLifetime(claim) {}
    }
}
