import Foundation
import Glibc
import TemporaryFolders
import TestClocks
import Testing

/// `gscap record` with the built command; the movies are decoded by gst-launch-1.0.
@Suite(.serialized, .timeLimit(.minutes(10))) struct RecordTests {
    private let camera = ["--size", "320x240", "--rate", "30", "--no-preview", "--json"]

    private func record(_ path: String, _ more: String...) -> [String] { ["record", path] + camera + more }

    private func events(_ name: String, _ result: BuiltCommand.Result) throws -> [[String: Any]] {
        try result.events().filter { $0["event"] as? String == name }
    }

    @Test func aMovieOfAGivenLength() throws {
        let folder = try TemporaryFolder()
        let result = try BuiltCommand(record(folder.path("movie.mp4"), "--duration", "1.5")).wait()
        #expect(result.code == 0, "\(result.errors)")
        let file = try #require(try events("file", result).first)
        #expect(try pictures(in: folder.path("movie.mp4")) == file["frames"] as? Int)
        #expect(try events("recorded", result).first?["files"] as? Int == 1)
        #expect(abs((file["seconds"] as? Double ?? 0) - 1.5) < 0.2)
    }

    @Test func aSoundThatEndsIsReported() throws {
        let folder = try TemporaryFolder()
        let sound = "audiotestsrc is-live=true num-buffers=40"
        let result = try BuiltCommand(record(folder.path("movie.mp4"), "--duration", "3", "--audio", sound)).wait()
        #expect(result.code == 0)
        #expect(result.errors.contains("gscap: the source of the sound has ended: "), "\(result.errors)")
    }

    @Test func aSoundThatStallsIsReported() throws {
        let folder = try TemporaryFolder()
        let sound = "audiotestsrc is-live=true ! valve drop=true"
        let result = try BuiltCommand(record(folder.path("movie.mp4"), "--duration", "3", "--audio", sound)).wait()
        #expect(result.code == 0)
        #expect(result.errors.contains("delivers nothing: sound is missing from 0.0 s on"), "\(result.errors)")
    }

    /// The faults: a missing file exited with 69, sound from a file passed before the first picture, and names of the
    /// encoder's elements failed with warnings of GStreamer.
    @Test(arguments: [
        ("filesrc location=/no/such.wav ! wavparse ! clocksync", 66, "/no/such.wav cannot be read: No such file"),
        ("filesrc location=/dev/null ! decodebin", 64, "filesrc, is not live; append \"! clocksync\""),
        ("audiotestsrc", 64, "audiotestsrc, is not live; set is-live=true"),
        ("audiotestsrc is-live=true name=gscap-frames", 64, "rename the element \"gscap-frames\""),
        ("audiotestsrc is-live=true name=openh264enc0 ! queue name=voaacenc0", 0, ""),
    ]) func theSourceOfTheSoundIsChecked(sound: String, code: Int32, problem: String) throws {
        let folder = try TemporaryFolder()
        let result = try BuiltCommand(record(folder.path("movie.mp4"), "--duration", "1", "--audio", sound)).wait()
        #expect(result.code == code && !result.errors.contains("GStreamer-WARNING"), "\(result.errors)")
        #expect(problem.isEmpty || (result.errors.hasPrefix("gscap: --audio: ") && result.errors.contains(problem)))
    }

    /// Arguments that cannot be right are refused before the camera starts, which is one that never does.
    @Test(arguments: [
        ("movie.avi", "ends in .mp4 or .mov", 64), ("none/movie.mp4", "create it", 73),
        ("exists.mp4", "use --overwrite", 73), ("pipe.mp4", "cannot be written to a pipe", 73),
        ("folder.mp4", "this is a folder", 73), ("device.mp4", "this is a device", 73),
        ("/proc/movie.mp4", "choose another folder", 73),
    ]) func anImpossibleFileIsRefusedAtOnce(name: String, problem: String, code: Int32) throws {
        let folder = try TemporaryFolder()
        try Data([1]).write(to: folder.url.appending(path: "exists.mp4"))
        unsafe mkfifo(folder.path("pipe.mp4"), 0o600)
        unsafe mkdir(folder.path("folder.mp4"), 0o700)
        unsafe symlink("/dev/null", folder.path("device.mp4"))
        let overwrite = ["pipe.mp4", "folder.mp4"].contains(name) ? ["--overwrite"] : []
        let path = name.hasPrefix("/") ? name : folder.path(name)
        let words = ["record", path, "--size", "8064x6048", "--no-preview"] + overwrite
        let start = ContinuousClock.now
        let result = try BuiltCommand(words).wait()
        #expect(result.code == code && result.errors.contains(problem), "\(result.errors)")
        #expect(ContinuousClock.now - start < .seconds(5))
    }

    /// The fault: a pause lasted for good if the input ended in it.
    @Test func theEndOfTheInputEndsAPause() throws {
        let folder = try TemporaryFolder()
        let program = BuiltCommand.folder.appending(path: "gscap").path
        let words = record(folder.path("movie.mp4"), "--press", "--duration", "1").map { "'\($0)'" }
        let script = "echo | exec '\(program)' \(words.joined(separator: " "))"
        let result = try BuiltCommand(["-c", script], program: "/bin/sh").wait()
        #expect(result.code == 0, "\(result.errors)")
        #expect(try events("paused", result).count == 1 && events("resumed", result).count == 1)
        #expect(try pictures(in: folder.path("movie.mp4")) > 0)
    }

    @Test func controlCEndsAMovieWithoutLength() throws {
        let folder = try TemporaryFolder()
        let command = try BuiltCommand(record(folder.path("movie.mov")))
        #expect(command.waitForOutput(#""event":"recording""#))
        #expect(blocks { folder.names.contains("movie.mov") })
        command.process.interrupt()
        let result = command.wait()
        #expect(result.code == 0, "\(result.errors)")
        #expect(try pictures(in: folder.path("movie.mov")) > 0)
    }

    @Test func aSignalPausesAndContinues() throws {
        let folder = try TemporaryFolder()
        let command = try BuiltCommand(record(folder.path("movie.mp4"), "--press"))
        #expect(command.waitForOutput(#""event":"recording""#))
        #expect(command.waitForState { $0.catches(SIGUSR1) })
        for event in ["paused", "resumed"] {
            kill(command.process.processIdentifier, SIGUSR1)
            #expect(command.waitForOutput(#""event":"\#(event)""#))
        }
        #expect(blocks { folder.names.contains("movie.mp4") })
        command.process.interrupt()
        #expect(command.wait().code == 0)
        #expect(try pictures(in: folder.path("movie.mp4")) > 0)
    }

    /// A process that is killed before its first half second is stored leaves no movie, rather than an empty one. Its
    /// hidden claim on the name is removed by the next recording.
    @Test func aRecordingKilledAtItsStartLeavesNoEmptyFile() throws {
        let folder = try TemporaryFolder()
        let command = try BuiltCommand(record(folder.path("movie.mp4")))
        #expect(command.waitForOutput(#""event":"recording""#))
        kill(command.process.processIdentifier, SIGKILL)
        #expect(command.wait().wasKilled)
        // A busy machine may have stored some of the movie.
        for name in folder.names where !name.hasPrefix(".") { #expect(try pictures(in: folder.path(name)) > 0) }
    }

    /// The fault: of two recordings to one new file, the later failed when the first half second was stored. A paused
    /// one has not stored it.
    @Test func aNameOfAnotherRecordingIsRefused() throws {
        let folder = try TemporaryFolder()
        let command = try BuiltCommand(record(folder.path("movie.mp4"), "--press"))
        #expect(command.waitForOutput(#""event":"recording""#))
        #expect(command.waitForState { $0.catches(SIGUSR1) })
        kill(command.process.processIdentifier, SIGUSR1)
        #expect(command.waitForOutput(#""event":"paused""#))
        for (option, advice) in [("--no-preview", "use --overwrite"), ("--overwrite", "choose another name")] {
            let later = try BuiltCommand(record(folder.path("movie.mp4"), "--duration", "1", option)).wait()
            #expect(later.code == 73 && later.errors.contains(advice), "\(later.errors)")
        }
        kill(command.process.processIdentifier, SIGUSR1)
        #expect(command.waitForOutput(#""event":"resumed""#))
        #expect(blocks { folder.names.contains("movie.mp4") })
        command.process.interrupt()
        let result = command.wait()
        #expect(result.code == 0, "\(result.errors)")
        #expect(try pictures(in: folder.path("movie.mp4")) > 0)
    }

    /// A disk without space ends the recording with the reason, and the movie can be played up to there.
    @Test func aFullDiskLeavesAMovie() throws {
        let folder = try TemporaryFolder()
        let program = BuiltCommand.folder.appending(path: "gscap").path
        let words = record(folder.path("movie.mp4"), "--duration", "60").map { "'\($0)'" }.joined(separator: " ")
        // The limit is in units of 1024 bytes.
        let command = try BuiltCommand(["-c", "ulimit -f 150; exec '\(program)' \(words)"], program: "/bin/bash")
        let result = command.wait()
        #expect(result.code == 74, "\(result.errors)")
        #expect(result.errors.contains("cannot write the movie"))
        let file = try #require(try events("file", result).first)
        #expect(try pictures(in: folder.path("movie.mp4")) == file["frames"] as? Int)
        #expect(try events("recorded", result).count == 1)
    }

    @Test func wrongArgumentsAreRefused() throws {
        let folder = try TemporaryFolder()
        for words in [
            [], [folder.path("movie.avi")], [folder.path("movie.mp4"), "--encoder", "h265"],
            [folder.path("movie.mp4"), "--duration", "0.1"],
        ] {
            let result = try BuiltCommand(["record"] + words + camera).wait()
            #expect(result.code == 64, "\(words): \(result.errors)")
        }
        for (option, range) in [
            ("--duration", "1 to 1000000 seconds"), ("--split-time", "1 to 1000000 seconds"),
            ("--split-size", "0.1 to 1000000000 megabytes"),
            ("--bit-rate", "0.01 to 288 megabits per second with openh264"),
        ] {
            let result = try BuiltCommand(record(folder.path("movie.mp4"), option, "0")).wait()
            #expect(result.code == 64 && result.errors == "gscap: \(option) needs a number from \(range), not \"0\"\n")
        }
        for words in [["500"], ["288.1"], ["1000.1", "--encoder", "x264"]] {
            let result = try BuiltCommand(["record", folder.path("movie.mp4"), "--bit-rate"] + words + camera).wait()
            #expect(result.code == 64 && result.errors.contains("--bit-rate needs a number"), "\(result.errors)")
        }
        #expect(folder.names.isEmpty)
        _ = try folder.write("text", to: "movie.mp4")
        let taken = try BuiltCommand(record(folder.path("movie.mp4"), "--duration", "1")).wait()
        #expect(taken.code == 73 && taken.errors.contains("choose another name, or use --overwrite"), "\(taken.errors)")
        #expect(try folder.bytes("movie.mp4").count == 4)
    }
}
