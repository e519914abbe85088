import Foundation
import Glibc
import TemporaryFolders
import Testing
import Waiting

/// The files that a process leaves when it is killed after some time.
@Suite(.serialized, .timeLimit(.minutes(10))) struct KilledProcessRealTimeTests {
    private let camera = ["--size", "320x240", "--rate", "30", "--no-preview", "--json"]

    /// A killed process leaves a movie that can be played up to its last second.
    @Test(arguments: ["movie.mp4", "movie.mov"]) func aKilledRecordingCanBePlayed(name: String) throws {
        let folder = try TemporaryFolder()
        let command = try BuiltCommand(["record", folder.path(name)] + camera)
        #expect(command.waitForOutput(#""event":"recording""#))
        let start = Date()
        WaitClock.machine.block(for: .milliseconds(Int.random(in: 2500...3500)))
        kill(command.process.processIdentifier, SIGKILL)
        let length = Date().timeIntervalSince(start)
        #expect(command.wait().wasKilled)
        // A busy machine renders fewer frames, but none may be missing at the end for longer than a second.
        #expect(Double(try pictures(in: folder.path(name))) > (length - 1.1) * 15)
    }

    /// A process that is killed at any time leaves no still without its movie, and the next one completes the pairs.
    @Test func aKilledProcessLeavesNoHalfPair() throws {
        let folder = try TemporaryFolder()
        let words = ["--live", "--interval", "0.3", "--output", folder.path("photos")] + camera
        for _ in 0..<2 {
            let command = try BuiltCommand(words)
            #expect(command.waitForOutput(#""event":"file""#))
            WaitClock.machine.block(for: .milliseconds(Int.random(in: 0...700)))
            kill(command.process.processIdentifier, SIGKILL)
            #expect(command.wait().wasKilled)
            let names = folder.names(in: "photos")
            for still in names where still.hasSuffix(".jpg") && !still.hasPrefix(".") {
                #expect(names.contains(still.replacingOccurrences(of: ".jpg", with: ".mov")), "\(names)")
            }
        }
        let last = try BuiltCommand(["--live", "--output", folder.path("photos")] + camera).wait()
        #expect(last.code == 0, "\(last.errors)")
        let names = folder.names(in: "photos")
        #expect(names.allSatisfy { !$0.hasPrefix(".") }, "\(names)")
        #expect(names.count { $0.hasSuffix(".jpg") } == names.count { $0.hasSuffix(".mov") })
    }
}
