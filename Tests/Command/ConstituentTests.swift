import Foundation
import TemporaryFolders
import Testing

/// `gscap --constituents` with the built command.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ConstituentTests {
    private let device = ["--device", "simulated-wide-and-tele", "--size", "640x480", "--rate", "20", "--no-preview"]

    @Test func eachCameraHasItsFiles() throws {
        let folder = try TemporaryFolder()
        let photos = folder.path("photos")
        let words = ["--constituents", "--photos", "2", "--raw", "bayer", "--format", "jpeg", "--output", photos]
        let result = try BuiltCommand(words + device + ["--json"]).wait()
        #expect(result.code == 0, "\(result.errors)")
        let expected = [1, 2].flatMap { number in
            [1, 2].flatMap { ["photo-000\(number)-camera\($0).dng", "photo-000\(number)-camera\($0).jpg"] }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: photos).sorted() == expected)
        let files = try result.events().filter { $0["event"] as? String == "file" }
        #expect(Set(files.compactMap { $0["camera"] as? String }) == ["simulated-wide", "simulated-tele"])
        // The first press may come before the first frame, and then both photos are later than it.
        for capture in Set(files.compactMap { $0["capture"] as? Int }) {
            let offsets = files.filter { $0["capture"] as? Int == capture }
                .compactMap { $0["constituentOffset"] as? Double }
            let (first, last) = (offsets.min() ?? 1, offsets.max() ?? 2)
            // Of a frame that a busy machine loses, the next one is taken.
            #expect(offsets.count == 4 && last - first <= 0.1, "\(offsets)")
        }
        // The tele's photo is the middle of the wide's.
        let fused = folder.path("fused.dng")
        let run = try BuiltCommand.run(
            "fuse", "--json", "--tele", "\(photos)/photo-0002-camera2.dng", "\(photos)/photo-0002-camera1.dng", "-o",
            fused)
        #expect(run.code == 0, "\(run.errors)")
        let tele = try #require(try run.events().last?["tele"] as? [String: Any])
        #expect(abs((tele["seenFraction"] as? Double ?? 0) - 0.25) < 0.03)
    }

    @Test func aFileDescribesTheCameras() throws {
        let folder = try TemporaryFolder()
        let (file, photos) = (folder.path("cameras.ini"), folder.path("photos"))
        let caps = "caps = video/x-bayer,format=rggb12le,width=640,height=480,framerate=20/1\n"
        let text =
            "[left]\nsource = gscapsensorsrc\n\(caps)focal-length = 480\n"
            + "[right]\nsource = gscapsensorsrc zoom=2 lens-right=10\n\(caps)focal-length = 960\nposition = 10 0 0\n"
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        let words = [
            "--device", file, "--constituents", "--raw", "bayer", "--output", photos, "--no-preview", "--json",
        ]
        let result = try BuiltCommand(words).wait()
        #expect(result.code == 0, "\(result.errors)")
        let cameras = try result.events().compactMap { $0["camera"] as? String }
        #expect(Set(cameras) == ["left", "right"])
        let inspected = try BuiltCommand.run("inspect", photos + "/photo-0001-camera2.dng").output
        #expect(inspected.contains("960 960") && inspected.contains("10 0 0"), "\(inspected)")
        let sized = try BuiltCommand(words + ["--size", "64x48"]).wait()
        #expect(sized.code == 64 && sized.errors.contains("--size is no option of a file of cameras"))
        try "[left]\nfocal = 1\n".write(toFile: file, atomically: true, encoding: .utf8)
        let refused = try BuiltCommand(words).wait()
        #expect(refused.code == 65 && refused.errors.contains("there is no key focal"), "\(refused.errors)")
        let absent = try BuiltCommand.run("--device", folder.path("absent.ini"), "--raw", "bayer")
        #expect(absent.code == 66 && absent.errors.contains("there is no such file"), "\(absent.errors)")
    }

    /// Errors and messages name the option that was given and the likely reason.
    @Test func aFusionThatFailsHasItsReason() throws {
        let folder = try TemporaryFolder()
        let words = ["--fuse-constituents", "--no-preview", "--output", folder.path("photos")]
        let exposed = try BuiltCommand(words + device + ["--iso", "200"]).wait()
        #expect(
            exposed.code == 64 && exposed.errors.contains("gscap: --fuse-constituents: ")
                && !exposed.errors.contains(" --constituents"), "\(exposed.errors)")
        let small = ["--device", "simulated-wide-and-tele", "--size", "96x72", "--rate", "20"]
        let photo = try BuiltCommand(words + small).wait()
        #expect(photo.code == 0 && photo.errors.contains("pictures of 96×72 pixels are too small"), "\(photo.errors)")
    }

    /// The table of the files says that the tele camera was used.
    @Test func aPhotoOfBothCamerasSaysSo() throws {
        let folder = try TemporaryFolder()
        let photos = folder.path("photos")
        let words = ["--fuse-constituents", "--raw", "proraw", "--output", photos]
        let result = try BuiltCommand(words + device).wait()
        #expect(result.code == 0 && result.output.contains("; tele camera in "), "\(result.output) \(result.errors)")
        let inspected = try BuiltCommand.run("inspect", photos + "/photo-0001.dng").output
        #expect(inspected.contains("tele camera") && inspected.contains("% of the picture"), "\(inspected)")
    }

    /// The mistake in a source is reported as one of the file.
    @Test func aMistakeInASourceNamesTheFile() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("[left]\nsource = gscapsensorsrc ! ! identity\n", to: "cameras.ini")
        let result = try BuiltCommand.run("--device", file, "--raw", "bayer")
        #expect(
            result.code == 65
                && result.errors.hasPrefix("gscap: \(file): [left] source: an element is missing between two links\n"),
            "\(result.errors)")
    }

    /// The zoom factor crops the photo of the camera that it selects, and no photos of all cameras.
    @Test func photosOfEachCameraShowItsWholeView() throws {
        let each = try BuiltCommand(["plan", "--constituents", "--zoom", "3", "--raw", "bayer"] + device).wait()
        #expect(each.code == 0 && !each.output.contains("# crop: ") && each.output.contains("# bayer: 640×480"))
        let one = try BuiltCommand(["plan", "--zoom", "3", "--raw", "proraw"] + device).wait()
        #expect(one.code == 0 && one.output.contains("# crop: 1.5"), "\(one.output)")
    }

    /// At 12 megapixels each, a busy machine took longer for the first frames than photos wait for them.
    @Test func twoSimulatedSensorsHaveThreeMegapixelsEach() throws {
        let words = ["plan", "--device", "simulated-wide-and-tele", "--constituents", "--raw", "bayer"]
        let plan = try BuiltCommand(words).wait()
        #expect(plan.code == 0 && plan.output.contains("# bayer: 2016×1512"), "\(plan)")
        let larger = try BuiltCommand(words + ["--size", "4032x3024"]).wait()
        #expect(larger.code == 0 && larger.output.contains("# bayer: 4032×3024"), "\(larger)")
    }

    /// Writes the file of two cameras whose sources have these properties, and returns its path.
    private func cameras(_ folder: TemporaryFolder, left: String = "", right: String = "") throws -> String {
        let caps = "caps = video/x-bayer,format=rggb12le,width=128,height=96,framerate=20/1\n"
        let text =
            "[left]\nsource = gscapsensorsrc \(left)\n\(caps)focal-length = 96\n"
            + "[right]\nsource = gscapsensorsrc zoom=2 \(right)\n\(caps)focal-length = 192\n"
        return try folder.write(text, to: "cameras.ini")
    }

    /// The fault: the message was that of the library, "start the session", and the exit status that of a defect.
    @Test func aCameraThatEndsBeforeTheMovieSaysSo() throws {
        let folder = try TemporaryFolder()
        let words = [
            "record", folder.path("movie.mp4"), "--device",
            try cameras(folder, left: "num-buffers=1", right: "num-buffers=1"), "--no-preview",
        ]
        let result = try BuiltCommand(words).wait()
        // The streams may also end between the start of the recording and its first frame.
        let ends = ["the stream ended before the movie began", "the camera's stream ended"]
        #expect(result.code == 74 && ends.contains(where: result.errors.contains), "\(result)")
        #expect(folder.names == ["cameras.ini"])
    }

    /// The fault: a series ended with the photo in which one of the cameras was lost.
    @Test func aSeriesGoesOnWithoutALostCamera() throws {
        let folder = try TemporaryFolder()
        let (node, photos) = (try folder.write("", to: "node"), folder.path("photos"))
        let command = try BuiltCommand([
            "--device", try cameras(folder, right: "device=\(node)"), "--constituents", "--raw", "bayer",
            "--photos", "20", "--interval", "0.25", "--no-preview", "--json", "--output", photos,
        ])
        #expect(command.waitForOutput("photo-0002-camera2.dng"))
        try FileManager.default.removeItem(atPath: node)
        let result = command.wait()
        let names = folder.names(in: "photos")
        #expect(names.filter { $0.hasSuffix("-camera1.dng") }.count == 20, "\(names)")
        #expect((1..<20).contains(names.filter { $0.hasSuffix("-camera2.dng") }.count), "\(names)")
        // One message says which camera is lost, another one that its photos failed.
        #expect(result.code == 69 && result.errors.ranges(of: "right takes no more photos").count == 1)
        #expect(result.errors.contains("gscap: right: "), "\(result.errors)")
    }

    /// The fault: photos without the tele camera's detail, because it was lost, ended with the exit status 0.
    @Test func aLostTeleOfAFusedPhotoIsAFailure() throws {
        let folder = try TemporaryFolder()
        let (node, photos) = (try folder.write("", to: "node"), folder.path("photos"))
        let words = [
            "--device", try cameras(folder, right: "device=\(node)"), "--fuse-constituents", "--format", "jpeg",
            "--photos", "8", "--interval", "0.5", "--no-preview", "--json", "--output", photos,
        ]
        let command = try BuiltCommand(words)
        #expect(command.waitForOutput("photo-0002.jpg"))
        try FileManager.default.removeItem(atPath: node)
        let result = command.wait()
        #expect(folder.names(in: "photos").count == 8)
        #expect(result.code == 69, "\(result.errors)")
        #expect(result.errors.contains("the photo is of one camera alone: right: "), "\(result.errors)")
        let failures = try result.events().filter { $0["event"] as? String == "failed" }
        #expect((1..<8).contains(failures.count) && failures.allSatisfy { $0["exitCode"] as? Int == 69 })
        // A camera that does not start is lost from the first photo on.
        let second = try BuiltCommand(words + ["--photos", "1", "--overwrite"]).wait()
        #expect(second.code == 69 && second.errors.contains("right did not start: "), "\(second.errors)")
    }

    /// The fault: the photo of the tele camera was stored without a word that it is not fused.
    @Test func aZoomThatIsNotFusedSaysSo() throws {
        let folder = try TemporaryFolder()
        let words = ["--fuse-constituents", "--zoom", "2", "--format", "jpeg"]
        let photos = ["--photos", "2", "--output", folder.path("photos")]
        let result = try BuiltCommand(words + photos + device).wait()
        #expect(result.code == 0 && folder.names(in: "photos").count == 2)
        #expect(
            result.errors.ranges(of: "at the zoom factor 2 it shows the whole view, and no camera has a longer lens")
                .count == 1, "\(result.errors)")
        let planned = try BuiltCommand(["plan"] + words + device).wait()
        #expect(planned.code == 0 && planned.output.contains("# fusion: none"), "\(planned.output)")
        let fused = try BuiltCommand(["plan", "--fuse-constituents", "--zoom", "1.9"] + device).wait()
        #expect(fused.code == 0 && !fused.output.contains("# fusion: "), "\(fused.output)")
    }

    @Test func aSingleCameraHasNoConstituents() throws {
        let folder = try TemporaryFolder()
        let result = try BuiltCommand(["--constituents", "--no-preview", "--output", folder.path("photos")]).wait()
        #expect(result.code == 64 && result.errors.contains("several cameras"), "\(result.errors)")
    }
}
