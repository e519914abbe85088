import Foundation
import RawImage
import TemporaryFolders
import Testing

/// Tests of `gscap fuse FOLDER… -o DIR/`, which groups frames into bursts and fuses each.
@Suite(.timeLimit(.minutes(10))) struct FuseFolderTests {
    /// Writes a frame for each of these times of capture in seconds, with names numbered in order.
    private func write(
        _ name: String, to folder: TemporaryFolder, at times: [Double?], exposureTimes: [Double] = [0.01]
    ) throws {
        for (index, time) in times.enumerated() {
            let frame = TestFrame(time: time, exposureTime: exposureTimes[index % exposureTimes.count])
            try folder.write(frame, to: "\(name)-\(index).dng")
        }
    }

    private func fuse(_ folder: TemporaryFolder, _ words: String...) throws -> BuiltCommand.Result {
        try BuiltCommand(["fuse", "--json"] + words + ["-o", folder.path("out") + "/"]).wait()
    }

    private func events(_ name: String, _ run: BuiltCommand.Result) throws -> [[String: Any]] {
        try run.events().filter { $0["event"] as? String == name }
    }

    private func seconds(from start: Double, by step: Double, _ count: Int) -> [Double] {
        (0..<count).map { start + Double($0) * step }
    }

    @Test func eachBurstBecomesAPhoto() throws {
        let folder = try TemporaryFolder()
        try write("in/a", to: folder, at: seconds(from: 0, by: 0.1, 4))
        // The pause before the fourth frame, 0.8 s, is far longer than the 0.1 s between the other frames.
        try write("in/b", to: folder, at: seconds(from: 60, by: 0.1, 3) + seconds(from: 61, by: 0.1, 2))
        try write("in/c", to: folder, at: [300])
        try write("in/d", to: folder, at: [nil, nil])
        let run = try fuse(folder, folder.path("in"))
        #expect(run.code == 0, "\(run.errors)")
        #expect(folder.names(in: "out") == ["a-0-fused.dng", "b-0-fused.dng", "b-3-fused.dng"])
        let files = try events("file", run)
        #expect(files.compactMap { ($0["frames"] as? [Any])?.count } == [4, 3, 2])
        #expect(files.compactMap { $0["group"] as? Int } == [1, 2, 3])
        let left = try events("leftOut", run)
        #expect(left.compactMap { ($0["file"] as? String)?.suffix(7) }.sorted() == ["c-0.dng", "d-0.dng", "d-1.dng"])
        #expect(left.allSatisfy { ($0["reason"] as? String)?.isEmpty == false })
        #expect(try events("done", run).first?["fused"] as? Int == 3)
    }

    @Test func framesAreInOneBurstOnlyIfTheyAreAlike() throws {
        let folder = try TemporaryFolder()
        for index in 0..<4 {
            let time = Double(index) * 0.1
            try folder.write(TestFrame(time: time), to: "in/a-\(index).dng")
            try folder.write(TestFrame(width: 66, time: time), to: "in/a-wide-\(index).dng")
            try folder.write(TestFrame(time: time, pattern: .gbrg), to: "other/a-\(index).dng")
        }
        let run = try fuse(folder, folder.path("in"), folder.path("other"))
        #expect(run.code == 0, "\(run.errors)")
        #expect(folder.names(in: "out") == ["a-wide-0-fused.dng", "in-a-0-fused.dng", "other-a-0-fused.dng"])
        #expect(try events("file", run).allSatisfy { $0["framesUsed"] as? Int == 4 })
    }

    /// Frames of one burst whose times of capture are in whole seconds are not split where the second changes. Names
    /// are sorted by their numbers: 11 after 9.
    @Test func timesInWholeSecondsSuffice() throws {
        let folder = try TemporaryFolder()
        try write("in/a", to: folder, at: (0..<12).map { Double($0 / 5) })
        let run = try fuse(folder, folder.path("in"))
        #expect(run.code == 0, "\(run.errors)")
        let frames = try #require(try events("file", run).first?["frames"] as? [[String: Any]])
        let files = frames.compactMap { (frame: [String: Any]) -> String? in frame["file"] as? String }
        #expect(files.last?.hasSuffix("/a-11.dng") == true)
    }

    @Test func longExposuresAreNoPause() throws {
        let folder = try TemporaryFolder()
        try write("in/a", to: folder, at: seconds(from: 0, by: 8.5, 3), exposureTimes: [8])
        #expect(try fuse(folder, folder.path("in")).code == 0)
        #expect(folder.names(in: "out") == ["a-0-fused.dng"])
    }

    @Test func changedExposureEndsABurst() throws {
        let folder = try TemporaryFolder()
        try write(
            "in/a", to: folder, at: seconds(from: 0, by: 0.1, 6), exposureTimes: [0.01, 0.01, 0.01, 0.04, 0.04, 0.04])
        #expect(try fuse(folder, folder.path("in")).code == 0)
        #expect(folder.names(in: "out") == ["a-0-fused.dng", "a-3-fused.dng"])
    }

    @Test func aThousandFramesWithoutPauseAreNoBurst() throws {
        let folder = try TemporaryFolder()
        try write("in/a", to: folder, at: seconds(from: 0, by: 1, 65))
        let run = try fuse(folder, folder.path("in"))
        #expect(run.code == 65)
        #expect(run.output.contains("65 frames"))
    }

    @Test func existingPhotosAreKeptAndAFailingBurstDoesNotStopTheOthers() throws {
        let folder = try TemporaryFolder()
        for name in ["a", "b", "c"] { try write("in/\(name)", to: folder, at: seconds(from: 0, by: 0.1, 3)) }
        // A truncated frame makes the fusion of its burst fail.
        let path = folder.path("in/b-1.dng")
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: path))
        let first = try fuse(folder, folder.path("in"))
        #expect(first.code == 65)
        #expect(first.errors.contains("b-1.dng"))
        #expect(folder.names(in: "out").contains("a-0-fused.dng"))
        #expect(folder.names(in: "out").contains("c-0-fused.dng"))
        try whole.write(to: URL(fileURLWithPath: path))
        let before = try folder.bytes("out/a-0-fused.dng")
        let again = try fuse(folder, folder.path("in"))
        #expect(again.code == 0, "\(again.errors)")
        #expect(try events("kept", again).count >= 2)
        #expect(try folder.bytes("out/a-0-fused.dng") == before)
    }

    /// A photo that was fused from a burst is not grouped into bursts again.
    @Test func photosInTheSameFolderAreLeftOut() throws {
        let folder = try TemporaryFolder()
        try write("in/a", to: folder, at: seconds(from: 0, by: 0.1, 3))
        for options in [[], ["--mosaic"]] {
            let run = try BuiltCommand(["fuse", folder.path("in"), "-o", folder.path("in") + "/"] + options).wait()
            #expect(run.code == 0, "\(run.errors)")
        }
        #expect(folder.names(in: "in") == ["a-0-fused.dng", "a-0.dng", "a-1.dng", "a-2.dng"])
    }

    @Test func aFolderMayBeOneBurst() throws {
        let folder = try TemporaryFolder()
        try write("in/a", to: folder, at: [0, 100, 200])
        let run = try BuiltCommand.run("fuse", "--json", folder.path("in"), "-o", folder.path("one.dng"))
        #expect(run.code == 0, "\(run.errors)")
        #expect(try run.events().last?["framesUsed"] as? Int == 3)
    }

    @Test func foldersWithoutBurstsAreReported() throws {
        let folder = try TemporaryFolder()
        try write("in/a", to: folder, at: [0])
        let run = try fuse(folder, folder.path("in"))
        #expect(run.code == 65)
        #expect(!folder.names.contains("out"))
        let missing = try fuse(folder, folder.path("nothing"))
        #expect(missing.code == 66, "\(missing)")
    }
}
