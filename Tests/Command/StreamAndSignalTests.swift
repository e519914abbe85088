import Foundation
import Glibc
import TemporaryFolders
import Testing

/// Standard streams that are closed or full, and signals that are ignored or end the process.
@Suite(.timeLimit(.minutes(10))) struct StreamAndSignalTests {
    private static let gscap = BuiltCommand.folder.appending(path: "gscap").path
    private static let small = "--var WIDTH=64 --var HEIGHT=48 --var FRAMES=1"

    private func shell(_ script: String) throws -> BuiltCommand.Result {
        try BuiltCommand(["-c", script, Self.gscap], program: "/bin/bash").wait()
    }

    @Test(arguments: ["--help", "--version", "plan", "inspect pipelines/headless.txt", "devices --json", "help verify"])
    func aFullStandardOutput(words: String) throws {
        let result = try shell("\"$0\" \(words) > /dev/full")
        #expect(result.code == 74)
        #expect(result.errors.contains("standard output"), "\(result.errors)")
    }

    @Test(arguments: ["<&-", ">&-", "<&- >&-", "<&- >&- 2>&-"]) func closedStreams(closing: String) throws {
        let folder = try TemporaryFolder()
        let script =
            "\"$0\" pipelines/headless.txt --json --photos 2 \(Self.small) --output \(folder.path("out")) \(closing)"
        #expect(try shell(script).code == 0)
        #expect(folder.names(in: "out").count == 4)
        #expect(CompletePictures.faults(in: folder) == [])
    }

    /// Devices and named pipes receive the file and are never replaced.
    @Test func devicesAndPipesReceiveTheFile() throws {
        let folder = try TemporaryFolder()
        let photo = try folder.write(TestFrame(), to: "photo.dng")
        for options in ["", "--overwrite"] {
            let full = try shell("\"$0\" convert \(photo) /dev/full \(options)")
            #expect(full.code == 74, "\(full.errors)")
            #expect(try shell("\"$0\" develop \(photo) /dev/null --format png \(options)").code == 0)
        }
        #expect(try shell("test -c /dev/full && test -c /dev/null").code == 0)
        let piped = try shell("\"$0\" convert \(photo) /dev/stdout | \"$0\" verify - --json")
        #expect(piped.output.contains("\"sound\""), "\(piped.output) \(piped.errors)")
        let pipe = folder.path("pipe")
        let script = "mkfifo \(pipe); cat \(pipe) > \(folder.path("copy.dng")) & \"$0\" convert \(photo) \(pipe); wait"
        #expect(try shell(script).code == 0)
        #expect(try BuiltCommand.run("verify", folder.path("copy.dng")).code == 0)
    }

    /// A closed standard output receives no file, which is an error.
    @Test func aClosedStandardOutputTakesNoFile() throws {
        let folder = try TemporaryFolder()
        let photo = try folder.write(TestFrame(), to: "photo.dng")
        for words in ["convert \(photo) -", "develop \(photo) -"] {
            let run = try shell("\"$0\" \(words) >&-")
            #expect(run.code == 74 && run.errors.contains("closed"), "\(words): \(run.errors)")
        }
    }

    /// A symbolic link still names the file that --overwrite replaces.
    @Test func aLinkRemainsALink() throws {
        let folder = try TemporaryFolder()
        let photo = try folder.write(TestFrame(), to: "photo.dng")
        let (file, link) = (folder.path("file.dng"), folder.path("link.dng"))
        #expect(try shell("echo old > \(file); ln -s file.dng \(link)").code == 0)
        #expect(try BuiltCommand.run("convert", photo, link, "--overwrite").code == 0)
        #expect(try shell("test -L \(link)").code == 0)
        #expect(try BuiltCommand.run("verify", file).code == 0)
    }

    /// SIGHUP stays ignored under nohup, and otherwise stops the capture.
    @Test func ignoredHangups() throws {
        let folder = try TemporaryFolder()
        let more = "--photos 3 --interval 0.2 --json \(Self.small) --output \(folder.path("out"))"
        let script = """
            trap '' HUP; "$0" pipelines/headless.txt \(more) > \(folder.path("log")) & p=$!
            until grep -q '"file"' \(folder.path("log")); do kill -0 $p || exit 99; done
            kill -HUP $p; wait $p
            """
        let ignored = try shell(script)
        #expect(ignored.code == 0, "\(ignored.errors)")
        #expect(folder.names(in: "out").count == 6)
        let stopped = try shell(
            script.replacing("trap '' HUP;", with: "").replacing("--photos 3", with: "--photos 999"))
        #expect(stopped.code == 130, "\(stopped.errors)")
    }

    /// Ctrl-C also ends the reader of the output, so that the next output raises SIGPIPE. Both together are one request
    /// to finish.
    @Test func controlCWithAReaderThatEndsFinishesTheMovie() throws {
        let folder = try TemporaryFolder()
        let (fifo, movie) = (folder.path("fifo"), folder.path("movie.mp4"))
        let script = """
            mkfifo \(fifo); head -n 1 < \(fifo) > \(folder.path("line")) & r=$!
            "$0" record \(movie) --json --no-preview --size 320x240 > \(fifo) 2>&1 & p=$!
            wait $r; sleep 1; kill -INT $p; wait $p
            """
        let run = try shell(script)
        #expect(run.code == 0, "\(run.errors)")
        #expect(folder.names.contains("movie.mp4"))
    }

    /// A reader that ends interrupts nobody: the movie is complete, and the line that names it has no reader.
    @Test func aReaderThatEndsIsNoInterruption() throws {
        let folder = try TemporaryFolder()
        let words = "record \(folder.path("movie.mp4")) --duration 1 --no-preview --size 320x240"
        let run = try shell("\"$0\" \(words) | head -n 0; echo ${PIPESTATUS[0]}")
        #expect(run.output == "0\n", "\(run.output) \(run.errors)")
        #expect(folder.names == ["movie.mp4"])
    }

    /// Returns the exit code of gscap, whose reader ends after `lines` lines of output; without any, before it starts.
    private func codeWithoutReader(_ words: String, lines: Int = 0) throws -> String {
        let pause = lines == 0 ? "sleep 1; " : ""
        return try shell("(\(pause)\"$0\" \(words)) | head -n \(lines) > /dev/null; echo ${PIPESTATUS[0]}").output
    }

    /// The faults: with `--json`, a recording ended before its first picture, with 75, and a series of photos after the
    /// first one, with 130.
    @Test func workIsFinishedWithoutAReader() throws {
        let folder = try TemporaryFolder()
        let small = "--no-preview --size 64x48 --json"
        #expect(try codeWithoutReader("record \(folder.path("movie.mp4")) --duration 1 \(small)") == "0\n")
        #expect(try codeWithoutReader("--raw bayer --photos 3 --output \(folder.path("out")) \(small)") == "0\n")
        #expect(try folder.bytes("movie.mp4").count > 1000)
        #expect(folder.names(in: "out").count == 3)
        #expect(CompletePictures.faults(in: folder) == [])
    }

    /// Work without an end stops when the reader of the output ends. Photos and movies that have begun are stored.
    @Test func endlessWorkEndsWithItsReader() throws {
        let folder = try TemporaryFolder()
        let small = "--no-preview --size 64x48 --json"
        #expect(try codeWithoutReader("record \(folder.path("movie.mp4")) \(small)") == "0\n")
        let series = "--raw bayer --interval 0.2 --output \(folder.path("out")) \(small)"
        #expect(try codeWithoutReader(series, lines: 3) == "0\n")
        #expect(try !folder.bytes("movie.mp4").isEmpty)
        #expect(!folder.names(in: "out").isEmpty)
        #expect(CompletePictures.faults(in: folder) == [])
    }

    /// A service manager ignores SIGPIPE: writes to a reader that has ended then fail, which is no error of the
    /// command.
    @Test func ignoredPipesStayIgnored() throws {
        let folder = try TemporaryFolder()
        let code = folder.path("code")
        #expect(try shell("(trap '' PIPE; sleep 0.2; \"$0\" devices; echo $? > \(code)) | true").code == 0)
        #expect(try shell("until test -s \(code); do sleep 0.1; done; cat \(code)").output == "0\n")
    }

    @Test func quitEndsTheProcess() throws {
        let command = try BuiltCommand([
            "pipelines/preview.txt", "--no-preview", "--json", "--var", "WIDTH=64", "--var", "HEIGHT=48",
        ])
        #expect(command.waitForOutput("started"))
        kill(command.process.processIdentifier, SIGQUIT)
        let result = command.wait()
        #expect(result.wasKilled && result.code == SIGQUIT)
        #expect(!result.errors.contains("rash"), "\(result.errors)")
    }

    /// libcamera's log is shown with --verbose alone.
    @Test func theLogOfLibcameraIsHidden() throws {
        #expect(try BuiltCommand.run("devices").errors.isEmpty)
    }

    /// A file beyond the limit on files' sizes is an error, not the end of the process.
    @Test func aLimitOnFiles() throws {
        let folder = try TemporaryFolder()
        let result = try shell(
            "ulimit -f 1; \"$0\" pipelines/headless.txt --var WIDTH=640 --var HEIGHT=480 "
                + "--output \(folder.path("out")) 2>&1 | cat"
        )
        #expect(result.output.contains("limit on files"), "\(result.output)")
        #expect(folder.names == [])
        let deferred = try shell(
            "ulimit -f 1; \"$0\" --raw bayer --deferred --size 640x480 --no-preview --output \(folder.path("out")) "
                + "2>&1 | cat")
        #expect(deferred.output.contains("limit on files"), "\(deferred.output)")
        #expect(folder.names == [])
    }
}
