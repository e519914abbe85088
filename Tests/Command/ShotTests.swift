import Foundation
import Glibc
import TemporaryFolders
import Testing

/// The options of a photo, the rhythm of photos and deferred photos, with the built command.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ShotTests {
    private let camera = ["--size", "320x240", "--rate", "30", "--no-preview", "--json"]

    private func bayer(_ folder: TemporaryFolder, _ more: String...) -> [String] {
        [
            "--pipeline", "pipelines/bayer-raw.txt", "--var", "WIDTH=320", "--var", "HEIGHT=240", "--var", "RATE=30",
            "--no-preview", "--json", "--output", folder.path("out"),
        ] + more
    }

    /// Returns the exposure times of the stored files, in the order of their events.
    private func exposureTimes(_ result: BuiltCommand.Result) throws -> [Double] {
        try result.events().filter { $0["event"] as? String == "file" }.compactMap { $0["exposureTime"] as? Double }
    }

    @Test func aBracketStoresEachExposure() throws {
        let folder = try TemporaryFolder()
        let result = try BuiltCommand(bayer(folder, "--bracket", "-1,0,1", "--artist", "A. Person")).wait()
        #expect(result.code == 0, "\(result.errors)")
        let times = try exposureTimes(result)
        #expect(times.count == 3)
        for (time, expected) in zip(times, [0.005, 0.01, 0.02]) { #expect(abs(time - expected) < 0.01 * expected) }
        #expect(folder.names(in: "out").sorted() == ["photo-0001-1.dng", "photo-0001-2.dng", "photo-0001-3.dng"])
    }

    @Test func exposureAndISOAreThoseOfTheOptions() throws {
        let folder = try TemporaryFolder()
        let result = try BuiltCommand(bayer(folder, "--shutter", "1/200", "--iso", "200")).wait()
        #expect(result.code == 0, "\(result.errors)")
        let file = try #require(try result.events().first { $0["event"] as? String == "file" })
        #expect(abs((file["exposureTime"] as? Double ?? 0) - 0.005) < 0.0001)
        #expect(file["iso"] as? Double == 200)
    }

    @Test func photosAreTakenAtAnInterval() throws {
        let folder = try TemporaryFolder()
        let result = try BuiltCommand(bayer(folder, "--interval", "0.2", "--photos", "3")).wait()
        #expect(result.code == 0, "\(result.errors)")
        #expect(folder.names(in: "out").count == 3)
    }

    @Test func aSignalTakesAPhoto() throws {
        let folder = try TemporaryFolder()
        let command = try BuiltCommand(bayer(folder, "--press"))
        // The process catches the signal once it waits for presses.
        #expect(command.waitForState { $0.catches(SIGUSR1) })
        for count in 1...2 {
            kill(command.process.processIdentifier, SIGUSR1)
            #expect(command.waitForOutput(#""event":"file""#, count: count))
        }
        command.process.interrupt()
        #expect(command.wait().code == 130)
        #expect(folder.names(in: "out").count == 2)
    }

    @Test func thePlanShowsTheSettingsAndTheRulesTheyBreak() throws {
        let valid = try BuiltCommand.run("plan", "--bracket", "-2,0,2", "--merge", "--quality", "0.5")
        #expect(valid.code == 0, "\(valid.errors)")
        #expect(valid.output.contains("# exposure: -2.0 EV, camera, +2.0 EV"))
        #expect(valid.output.contains("gscapjpegenc name=jpeg-encoder quality=0.5"))
        let broken = try BuiltCommand.run("plan", "--raw", "bayer", "--effort", "quality", "--iso", "1")
        #expect(broken.code == 64)
        #expect(broken.output.split(separator: "\n").count { $0.hasPrefix("# not allowed: ") } == 2)
        let all = try BuiltCommand.run(
            "plan", "--bracket", "-2,0,2", "--shutter", "0.01", "--flash", "on", "--location", "48.1,11.5,519")
        #expect(all.output.contains("# location: 48.1, 11.5, 519.0 m"), "\(all.output)")
        for rule in ["--bracket: a bracket has its own exposures", "--flash: the flash cannot fire"] {
            #expect(all.output.contains("# not allowed: " + rule), "\(all.output)")
        }
    }

    /// Errors name the options, not the properties of the library.
    @Test(arguments: [
        (["--raw", "bayer", "--bracket", "-1,1", "--merge"], "--merge: "),
        (
            ["--bracket", "-1,1", "--iso", "400"],
            "--bracket: a bracket has its own exposures: leave out --shutter, --iso"
        ),
        (["--bracket", "1/1000@1e6,1/10@100"], "--bracket: "),
        (["--live", "--raw", "proraw"], "--live or --motion-photo: "),
        (["--white", "5000,1e300"], "--white 5000,1e300: the temperature must be"),
        (["--bracket", "0,17"], "--bracket 0,17: 17 is not between"),
        (["--location", "95,10"], "--location 95,10: the latitude must be"),
        (
            ["--raw", "bayer", "--effort", "balanced"],
            "--effort: Bayer RAW is a single sensor frame: set --effort to speed\n"
        ),
        (["--live", "--zoom", "2"], "--zoom: a Live Photo cannot be zoomed: set --zoom to 1\n"),
        (
            ["--device", "simulated-wide-and-tele", "--raw", "bayer"],
            "--raw: the camera combines several cameras, and Bayer RAW is of one: use --constituents, or request"
        ),
        (
            ["--device", "simulated-wide-and-tele", "--raw", "bayer", "--constituents", "--iso", "200"],
            "--constituents: a bracket, an exposure or the flash is of one camera: leave it out, or --constituents\n"
        ),
        (["--format", "png", "--quality", "90"], "--quality: "),
        (["--format", "jpeg", "--deferred", "--bracket", "-1,1"], "--deferred: "),
    ])
    func brokenRulesNameTheOptions(options: [String], message: String) throws {
        let folder = try TemporaryFolder()
        for words in [["plan"] + options, camera + ["--output", folder.path("out")] + options] {
            let result = try BuiltCommand(words).wait()
            #expect(result.code == 64 && result.errors.contains("gscap: " + message), "\(result.errors)")
        }
    }

    /// The fault: the reason why a photo was refused was on standard error alone.
    @Test func aRefusedPhotoIsAnEvent() throws {
        let folder = try TemporaryFolder()
        let result = try BuiltCommand(bayer(folder, "--bracket", "-1,1", "--merge")).wait()
        #expect(result.code == 64)
        let reasons = try result.reasons()
        #expect(reasons.count == 1 && reasons[0].hasPrefix("--merge: Bayer RAW is not fused"), "\(reasons)")
        #expect(result.errors.contains("gscap: \(reasons.joined())\n"), "\(result.errors)")
        #expect(try result.events().last?["event"] as? String == "done")
    }

    /// The fault: the camera ran for the time before the press of a Live Photo until the photo was refused.
    @Test(arguments: [
        ["--live", "--raw", "proraw"], ["--live", "--bracket", "-1,1"], ["--live", "--zoom", "2"],
        ["--live", "--format", "png"], ["--format", "jpeg", "--shutter", "1000"],
    ])
    func contradictionsAreRefusedBeforeTheStart(options: [String]) throws {
        let folder = try TemporaryFolder()
        let result = try BuiltCommand(camera + ["--output", folder.path("out")] + options).wait()
        #expect(result.code == 64, "\(result.errors)")
        let (events, reasons) = (try result.events(), try result.reasons())
        #expect(events.map { $0["event"] as? String } == ["failed"] && events.first?["exitCode"] as? Int == 64)
        #expect(result.errors == "gscap: \(reasons.joined())\n")
        #expect(folder.names.isEmpty)
    }

    /// The file has its own camera and formats, so options for these would have no effect.
    @Test(arguments: [
        ["--raw", "bayer"], ["--format", "exr"], ["--size", "64x64"], ["--zoom", "2"], ["--live"], ["--deferred"],
    ])
    func thePlanOfAFileRefusesOptionsOfCameras(options: [String]) throws {
        let file = "pipelines/headless.txt"
        let result = try BuiltCommand(["plan", file] + options).wait()
        #expect(result.code == 64 && result.output.isEmpty)
        #expect(result.errors.contains("the pipeline file \(file) and \(options[0]) exclude each other"))
    }

    @Test func thePlanOfADeferredPhotoHasItsProxy() throws {
        let result = try BuiltCommand.run("plan", "--deferred", "--format", "jpeg")
        #expect(result.code == 0 && result.output.contains("# deferred: yes"), "\(result.errors)")
        #expect(result.output.contains("proxy"))
    }

    /// A process that is killed in between leaves no proxy without a job that makes the photo.
    @Test func theProxyIsStoredAfterTheJob() throws {
        let folder = try TemporaryFolder()
        let result = try BuiltCommand(["--deferred", "--output", folder.path("out")] + camera).wait()
        #expect(result.code == 0, "\(result.errors)")
        let events = try result.events().compactMap { $0["event"] as? String }
        #expect(events.filter { ["deferred", "file"].contains($0) } == ["deferred", "file"], "\(events)")
    }

    @Test func deferredPhotosAreFinishedAfterAKill() throws {
        let folder = try TemporaryFolder()
        let command = try BuiltCommand(
            [
                "--raw", "proraw", "--format", "jpeg", "--deferred", "--interval", "0.5", "--output",
                folder.path("out"),
            ]
                + camera)
        #expect(command.waitForOutput(#""event":"deferred""#))
        kill(command.process.processIdentifier, SIGKILL)
        #expect(command.wait().wasKilled)
        // The folder of the photos, whose subfolder has the jobs.
        let finished = try BuiltCommand.run("finish", folder.path("out"), "--json")
        #expect(finished.code == 0, "\(finished.errors)")
        #expect(finished.output.contains(folder.path("out/photo-0001.jpg")), "\(finished.output)")
        let names = Set(folder.names(in: "out"))
        #expect(names.isSuperset(of: ["photo-0001.dng", "photo-0001.jpg"]), "\(names)")
        #expect(!names.contains("photo-0001-proxy.jpg"))
        #expect(folder.names(in: "out/deferred").isEmpty)
    }
}
