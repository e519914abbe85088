import Foundation
import RawImage
import TemporaryFolders
import Testing

/// Tests of `gscap fuse` on frames of the simulated camera.
@Suite(.timeLimit(.minutes(10))) struct FuseTests {
    /// Creates a folder with four frames of a burst, `frame-0.dng` to `frame-3.dng`, and `small-0.dng` of another size.
    private func burst() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, words) in [
            ("frame", "num-buffers=4 iso=1600 ! video/x-bayer,format=rggb12le,width=640,height=480"),
            ("small", "num-buffers=1 ! video/x-bayer,format=rggb12le,width=320,height=240"),
        ] {
            let text =
                "gscapsensorsrc is-live=false seed=4 \(words) ! rawunpack ! dngenc preview-size=0 "
                + "! multifilesink location=\(folder.path("\(name)-%d.dng"))"
            let run = try BuiltCommand(
                ["-q"] + text.split(separator: " ").map(String.init), program: "/usr/bin/gst-launch-1.0"
            ).wait()
            #expect(run.code == 0, "\(run.errors)")
        }
        return folder
    }

    private func frames(_ folder: TemporaryFolder) -> [String] { (0..<4).map { folder.path("frame-\($0).dng") } }

    @Test(arguments: [
        [], ["--mosaic"], ["--reference", "2"], ["--effort", "speed", "--strength", "0.5", "--denoise", "0"],
    ])
    func aBurstBecomesOnePhoto(options: [String]) throws {
        let folder = try burst()
        let run = try BuiltCommand(
            ["fuse", "--json", "-o", folder.path("out.dng")] + options + frames(folder)
        ).wait()
        #expect(run.code == 0, "\(run.errors)")
        let event = try #require(try run.events().last)
        #expect(event["framesUsed"] as? Int == 4)
        #expect((event["effectiveFrames"] as? Double ?? 0) > (options.contains("--strength") ? 1.2 : 1.4))
        // The report numbers frames in the order of the command line, whichever is the reference.
        let reported = event["frames"] as? [[String: Any]] ?? []
        #expect(reported.compactMap { $0["file"] as? String } == frames(folder))
        #expect(reported.compactMap { $0["index"] as? Int } == [0, 1, 2, 3])
        if options.first == "--reference" {
            #expect(event["reference"] as? Int == 2)
            #expect(reported[2]["mergedShare"] as? Double == 1)
        }
        let proof = try BuiltCommand.run("verify", folder.path("out.dng"), "--against", folder.path("frame-3.dng"))
        #expect(proof.code == 0, "\(proof.output)")
        let inspected = try #require(try BuiltCommand.run("inspect", "--json", folder.path("out.dng")).events().first)
        let report = try #require(inspected["fusion"] as? [String: Any])
        #expect(report["reference"] as? Int == event["reference"] as? Int)
        #expect((report["frames"] as? [Any])?.count == 4)
        let text = try BuiltCommand.run("inspect", folder.path("out.dng")).output
        #expect(text.contains(options == ["--mosaic"] ? "bayer" : "linear"))
        #expect(text.contains("4 of 4, aligned with frame"))
    }

    /// The warning, the JSON and the photo name the frame by the order of the command line.
    @Test func aCopyIsLeftOutAndTheOtherFrameNamed() throws {
        let folder = try burst()
        let copy = folder.path("copy.dng")
        try FileManager.default.copyItem(atPath: folder.path("frame-2.dng"), toPath: copy)
        let (paths, out) = ([folder.path("frame-1.dng"), folder.path("frame-2.dng"), copy], folder.path("out.dng"))
        let run = try BuiltCommand(["fuse", "--reference", "1", "-o", out] + paths).wait()
        let reason = "is the same frame as \(paths[1]), which counts once"
        #expect(run.code == 0 && run.errors.contains("\(copy) was left out: \(reason)"), "\(run.errors)")
        let inspected = try #require(try BuiltCommand.run("inspect", "--json", out).events().first)
        let frames = (inspected["fusion"] as? [String: Any])?["frames"] as? [[String: Any]] ?? []
        #expect(frames.last?["rejection"] as? String == "is the same frame as frame 1, which counts once")
    }

    @Test func aFrameOfAnotherCameraIsReported() throws {
        let folder = try burst()
        let file = URL(fileURLWithPath: folder.path("frame-3.dng"))
        var bytes = try Data(contentsOf: file)
        while let model = bytes.range(of: Data("Simulated Sensor".utf8)) {
            bytes.replaceSubrange(model, with: Data("Different Sensor".utf8))
        }
        try bytes.write(to: file)
        let run = try BuiltCommand(["fuse", "-o", folder.path("out.dng")] + frames(folder)).wait()
        let text = "is of the camera \"Different Sensor\", but \(folder.path("frame-0.dng")) of \"Simulated Sensor\""
        #expect(run.code == 0 && run.errors.contains("\(file.path) \(text)"), "\(run.errors)")
    }

    @Test func aFrameThatIsNamedTwiceIsReportedAndCountsOnce() throws {
        let folder = try burst()
        let paths = [folder.path("frame-1.dng"), folder.path("frame-2.dng"), folder.path("frame-1.dng")]
        let run = try BuiltCommand(["fuse", "-o", folder.path("out.dng")] + paths).wait()
        #expect(run.code == 0 && run.output.contains("of 2 frames"), "\(run.output)")
        #expect(run.errors.contains("\(paths[0]) is named more than once and counts once"), "\(run.errors)")
    }

    /// A mode gives the same photo from files and in a pipeline; `fuse` begins with the mode `quality`.
    @Test(arguments: ["speed", "balanced", "quality"]) func aModeGivesTheSamePhotoInAPipeline(mode: String) throws {
        let folder = try burst()
        let options = mode == "quality" ? [] : ["--effort", mode]
        let fuse = try BuiltCommand(["fuse", "-o", folder.path("file.dng")] + options + frames(folder)).wait()
        #expect(fuse.code == 0, "\(fuse.errors)")
        let text =
            "dngsrc location=\(folder.path("frame-*.dng")) ! rawfusion frames=4 mode=\(mode) ! dngenc "
            + "! filesink location=\(folder.path("pipeline.dng"))"
        let run = try BuiltCommand(
            ["-q"] + text.split(separator: " ").map(String.init), program: "/usr/bin/gst-launch-1.0"
        ).wait()
        #expect(run.code == 0, "\(run.errors)")
        let digests = try ["file", "pipeline"].map {
            try BuiltCommand.run("inspect", "--json", folder.path("\($0).dng")).events().first?["rawDigest"] as? String
        }
        #expect(digests[0] != nil && digests[0] == digests[1])
    }

    /// An explicit scale enables super-resolution in mode speed too.
    @Test func superResolutionWorksInEveryMode() throws {
        let folder = try burst()
        let out = folder.path("out.dng")
        let words = ["fuse", "--json", "-o", out, "--effort", "speed", "--super-resolution", "2"]
        let run = try BuiltCommand(words + frames(folder)).wait()
        #expect(run.code == 0, "\(run.errors)")
        #expect((try run.events().last?["superResolvedFraction"] as? Double ?? 0) > 0.2)
    }

    /// The text of `inspect` states the scale and the strength that its JSON has.
    @Test func inspectStatesScaleAndDenoisingAsText() throws {
        let folder = try burst()
        let out = folder.path("out.dng")
        let words = ["fuse", "-o", out, "--super-resolution", "1.5", "--denoise", "0.75"]
        let run = try BuiltCommand(words + frames(folder)).wait()
        #expect(run.code == 0, "\(run.errors)")
        let inspected = try #require(try BuiltCommand.run("inspect", "--json", out).events().first)
        let report = try #require(inspected["fusion"] as? [String: Any])
        #expect(report["superResolutionScale"] as? Double == 1.5)
        #expect(report["denoising"] as? Double == 2.25)
        let text = try BuiltCommand.run("inspect", out).output
        #expect(text.contains("of the picture, at 1.5 times the frames' size"), "\(text)")
        #expect(text.contains("strength 2.25"), "\(text)")
    }

    /// A copy of another frame is not aligned, so the text states no motion of it.
    @Test func framesThatAreNotAlignedHaveNoMotion() throws {
        let folder = try burst()
        let (out, copy) = (folder.path("out.dng"), folder.path("copy.dng"))
        try FileManager.default.copyItem(atPath: folder.path("frame-1.dng"), toPath: copy)
        let paths = [folder.path("frame-0.dng"), folder.path("frame-1.dng"), copy]
        let run = try BuiltCommand(["fuse", "--reference", "0", "-o", out] + paths).wait()
        #expect(run.code == 0, "\(run.errors)")
        let lines = try BuiltCommand.run("inspect", out).output.split(separator: "\n")
        let left = try #require(lines.first { $0.contains("left out") })
        #expect(!left.contains("moved by"), "\(left)")
        #expect(lines.contains { $0.contains("frame 1") && $0.contains("moved by") })
    }

    @Test func tooManyFramesAreReported() throws {
        let folder = try TemporaryFolder()
        // A frame that is named twice counts once.
        let frames = try (0..<65).map { try folder.write(TestFrame(), to: "frame-\($0).dng") }
        let words = ["fuse", "-o", folder.path("out.dng")] + frames
        let run = try BuiltCommand(words).wait()
        #expect(run.code == 64 && run.errors.contains("65 frames are too many"), "\(run.errors)")
    }

    /// The default noise reduction of a mosaic is 0, since the user's converter denoises.
    @Test func aMosaicIsNotSmoothedUnlessAsked() throws {
        let folder = try burst()
        for (name, options) in [("plain", []), ("zero", ["--denoise", "0"])] {
            let run = try BuiltCommand(
                ["fuse", "--mosaic", "-o", folder.path("\(name).dng")] + options + frames(folder)
            ).wait()
            #expect(run.code == 0, "\(run.errors)")
        }
        let digests = try ["plain", "zero"].map {
            try BuiltCommand.run("inspect", "--json", folder.path("\($0).dng")).events().first?["rawDigest"] as? String
        }
        #expect(digests[0] != nil && digests[0] == digests[1])
    }

    /// Two frames whose exposures differ by two stops raise the photo's white level by two stops, unless --merge off
    /// fuses them as a burst.
    @Test(arguments: ["auto", "off"])
    func exposuresBecomeOnePhoto(bracket: String) throws {
        let folder = try TemporaryFolder()
        for (name, time) in [("long", 0.02), ("short", 0.005)] {
            let text =
                "gscapsensorsrc is-live=false seed=4 num-buffers=1 exposure-time=\(time) iso=100 "
                + "! video/x-bayer,format=rggb12le,width=640,height=480 ! rawunpack ! dngenc preview-size=0 "
                + "! filesink location=\(folder.path("\(name).dng"))"
            let run = try BuiltCommand(
                ["-q"] + text.split(separator: " ").map(String.init), program: "/usr/bin/gst-launch-1.0"
            ).wait()
            #expect(run.code == 0, "\(run.errors)")
        }
        let target = folder.path("out.dng")
        let run = try BuiltCommand.run(
            "fuse", folder.path("short.dng"), folder.path("long.dng"), "-o", target, "--merge", bracket,
            "--reference", "1", "--mosaic")
        #expect(run.code == 0, "\(run.errors)")
        let text = try BuiltCommand.run("inspect", target).output
        #expect(text.contains("65535") == (bracket == "auto"), "\(text)")
        #expect(text.contains("baseline exposure   2\n") == (bracket == "auto"), "\(text)")
        #expect(
            try BuiltCommand.run(
                "fuse", folder.path("short.dng"), folder.path("long.dng"), "-o", folder.path("other.dng"),
                "--merge=maybe"
            ).code == 64)
    }

    @Test func unusableInputsAreReported() throws {
        let folder = try burst()
        let target = folder.path("out.dng")
        let other = try BuiltCommand.run("fuse", folder.path("frame-0.dng"), folder.path("small-0.dng"), "-o", target)
        #expect(other.code == 65)
        #expect(other.errors.contains("small-0.dng"))
        #expect(try BuiltCommand(["fuse"] + frames(folder)).wait().code == 64)
        #expect(try BuiltCommand(["fuse", "-o", target, "--reference", "4"] + frames(folder)).wait().code == 64)
        #expect(
            try BuiltCommand.run("fuse", folder.path("nobody.dng"), folder.path("frame-0.dng"), "-o", target).code == 66
        )
        #expect(try BuiltCommand(["fuse", "-o", folder.path("frame-3.dng")] + frames(folder)).wait().code == 73)
        #expect(!folder.names.contains("out.dng"))
    }

    @Test(arguments: [
        ["--effort", "fast"], ["--strength", "5"], ["--strength", "nan"], ["--denoise", "-1"], ["--denoise", "2"],
        ["--reference", "-1"], ["--reference", "4"],
    ])
    func invalidOptionsAreRefused(options: [String]) throws {
        let folder = try burst()
        #expect(try BuiltCommand(["fuse", "-o", folder.path("out.dng")] + options + frames(folder)).wait().code == 64)
        #expect(!folder.names.contains("out.dng"))
    }

    // MARK: Unusual frames

    private func fuse(_ frames: [TestFrame], _ options: [String] = []) throws -> (BuiltCommand.Result, TemporaryFolder)
    {
        let folder = try TemporaryFolder()
        let paths = try frames.enumerated().map { try folder.write($0.element, to: "frame-\($0.offset).dng") }
        let run = try BuiltCommand(["fuse", "--json", "-o", folder.path("out.dng")] + options + paths).wait()
        return (run, folder)
    }

    @Test(arguments: [
        TestFrame(noise: []), TestFrame(noise: [NoiseProfile(shot: 0, read: 0)]), TestFrame(code: 0),
        TestFrame(code: 256), TestFrame(code: 4095), TestFrame(width: 2, height: 2), TestFrame(width: 65, height: 47),
        TestFrame(exposureTime: 0, iso: 0),
    ])
    func framesWithoutUsefulMetadataOrContentAreFused(frame: TestFrame) throws {
        let (run, folder) = try fuse([frame, frame, frame])
        #expect(run.code == 0, "\(run.errors)")
        let event = try #require(try run.events().last)
        let frames = try #require(event["frames"] as? [[String: Any]])
        #expect(frames.count == 3)
        // A frame was used if the report has no reason for its rejection.
        let used = frames.count { $0["rejection"] is NSNull }
        #expect(used == event["framesUsed"] as? Int)
        #expect(try BuiltCommand.run("verify", folder.path("out.dng")).code == 0)
    }

    @Test func anotherSceneIsLeftOutWithTheReason() throws {
        let (run, folder) = try fuse([
            TestFrame(width: 256, height: 192), TestFrame(width: 256, height: 192, code: 2000),
        ])
        #expect(run.code == 0, "\(run.errors)")
        let frames = try #require(try run.events().last?["frames"] as? [[String: Any]])
        #expect(frames[1]["rejection"] as? String != nil)
        let text = try BuiltCommand.run("inspect", folder.path("out.dng")).output
        #expect(text.contains("left out: "))
        #expect(text.contains("1 of 2"))
    }

    @Test(arguments: [
        TestFrame(width: 64, height: 50), TestFrame(width: 66), TestFrame(pattern: .bggr),
    ])
    func framesThatDifferAreNamed(other: TestFrame) throws {
        let (run, folder) = try fuse([TestFrame(), TestFrame(), other])
        #expect(run.code == 65)
        #expect(run.errors.contains("frame-2.dng"))
        #expect(!folder.names.contains("out.dng"))
    }

    @Test(arguments: [[], ["--mosaic"]]) func oneFrameBecomesAPhoto(_ options: [String]) throws {
        let (run, folder) = try fuse([TestFrame()], options)
        #expect(run.code == 0, "\(run.errors)")
        let event = try #require(try run.events().last)
        #expect(event["framesUsed"] as? Int == 1 && event["effectiveFrames"] as? Double == 1)
        #expect(try BuiltCommand.run("verify", folder.path("out.dng")).code == 0)
    }

    /// --overwrite replaces no frame, by whichever name.
    @Test func noFrameIsReplaced() throws {
        let folder = try TemporaryFolder()
        let names = ["frame-0.dng", "frame-1.dng", "frame-2.dng"]
        let paths = try names.map { try folder.write(TestFrame(), to: $0) }
        let before = try names.map(folder.bytes)
        let (link, other) = (folder.path("link.dng"), folder.path("other.dng"))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: paths[1])
        try FileManager.default.linkItem(atPath: paths[2], toPath: other)
        for target in [paths[0], link, other] {
            let run = try BuiltCommand(["fuse", "--overwrite", "-o", target] + paths).wait()
            #expect(run.code == 73 && run.errors.contains("name another output"), "\(run.errors)")
        }
        let wide = try BuiltCommand.run("fuse", "--overwrite", "--tele", paths[0], paths[1], "-o", paths[0])
        #expect(wide.code == 73 && wide.errors.contains("name another output"), "\(wide.errors)")
        #expect(try names.map(folder.bytes) == before)
    }

    @Test func anEmptyFolderIsNoBurst() throws {
        let folder = try TemporaryFolder()
        let run = try BuiltCommand(["fuse", folder.path("."), "-o", folder.path("out.dng")]).wait()
        #expect(run.code == 64 && run.errors.contains("at least one frame"), "\(run.errors)")
    }

    /// The photo shows the same area as its frames, also where it has all pixels up to the edge.
    @Test func theCropOfTheFramesSurvives() throws {
        let folder = try TemporaryFolder()
        let paths = try (0..<3).map { try folder.write(TestFrame(), to: "frame-\($0).dng") }
        let out = folder.path("out.dng")
        #expect(try BuiltCommand(["fuse", "-o", out] + paths).wait().code == 0)
        let crops = try [paths[0], out].map { path -> [String] in
            let lines = try BuiltCommand.run("inspect", path).output.split(separator: "\n").map(String.init)
            return lines.filter { $0.contains("default crop") }
        }
        #expect(!crops[0].isEmpty && crops[0] == crops[1])
    }

    /// Frames with masked borders prove the photo that was made from them, also one with a defective pixel brighter
    /// than the white level. A correction that fusion does not do is reported once.
    @Test func framesOfAnotherMakerAreFused() throws {
        let folder = try TemporaryFolder()
        let paths = try (0..<3).map { index -> String in
            var dng = HandmadeDNG.bayer(width: 64, height: 48, bits: 16)
            var codes = (0..<64 * 48).map { UInt16(300 + $0 % 64 * 20 + ($0 * 31 + index * 7) % 13) }
            if index == 2 { codes[20 * 64 + 30] = 2100 }
            dng.parts = [dng.bytes(codes)]
            dng.tags[50_717] = .shorts([2000])
            dng.tags[50_829] = .longs([5, 3, 45, 63])
            // MapPolynomial in OpcodeList3, which applies to demosaiced pictures.
            let words: [UInt32] = [1, 8, 0x0103_0000, 0, 0]
            dng.tags[51_022] = .undefined(words.flatMap { word in [24, 16, 8, 0].map { UInt8(word >> $0 & 255) } })
            try folder.write(bytes: dng.file, to: "frame-\(index).dng")
            return folder.path("frame-\(index).dng")
        }
        let out = folder.path("out.dng")
        let run = try BuiltCommand(["fuse", "-o", out] + paths).wait()
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.errors.split(separator: "MapPolynomial of OpcodeList3 is not done").count == 2, "\(run.errors)")
        for path in paths {
            let proof = try BuiltCommand.run("verify", out, "--against", path)
            #expect(proof.code == 0, "\(proof.errors)")
        }
    }

    /// A burst whose frames state no noise profile.
    @Test func unknownNoiseIsEstimatedAndReported() throws {
        let folder = try TemporaryFolder()
        let text =
            "gscapsensorsrc is-live=false seed=4 noise-profile=false num-buffers=4 iso=1600 "
            + "! video/x-bayer,format=rggb12le,width=640,height=480 ! dngenc preview-size=0 "
            + "! multifilesink location=\(folder.path("hidden-%d.dng"))"
        let source = try BuiltCommand(
            ["-q"] + text.split(separator: " ").map(String.init), program: "/usr/bin/gst-launch-1.0"
        ).wait()
        #expect(source.code == 0, "\(source.errors)")
        let paths = (0..<4).map { folder.path("hidden-\($0).dng") }
        let out = folder.path("out.dng")
        let run = try BuiltCommand(["fuse", "-o", out] + paths).wait()
        #expect(run.code == 0 && run.output.contains("noise estimated from the frames"), "\(run.output)\(run.errors)")
        let inspected = try BuiltCommand.run("inspect", "--json", out).events().first
        let report = try #require(inspected?["fusion"] as? [String: Any])
        #expect(report["noiseSource"] as? String == "estimated" && report["statedNoiseRatio"] is NSNull)
        // Much of the small scene moves.
        #expect(report["effectiveFrames"] as? Double ?? 0 > 1.8)
    }

    /// Frames that state 100 times less noise than they have.
    @Test func aWrongNoiseProfileIsReported() throws {
        let frame = TestFrame(width: 512, height: 384, noise: [NoiseProfile(shot: 1e-6, read: 4e-8)], code: nil)
        let (run, folder) = try fuse([frame, frame, frame])
        #expect(run.code == 0, "\(run.errors)")
        let event = try #require(try run.events().last)
        #expect(event["noiseSource"] as? String == "corrected")
        #expect(event["statedNoiseRatio"] as? Double ?? 0 > 2)
        let plain = try BuiltCommand.run(
            "fuse", "--overwrite", "-o", folder.path("out.dng"), folder.path("frame-0.dng"),
            folder.path("frame-1.dng"), folder.path("frame-2.dng"))
        #expect(plain.errors.contains("more noise variance than their NoiseProfile states"), "\(plain.errors)")
    }

    @Test func exposuresFarApartAreLeftOutWithTheReason() throws {
        let (run, _) = try fuse([TestFrame(), TestFrame(), TestFrame(exposureTime: 10)], ["--merge", "off"])
        #expect(run.code == 0, "\(run.errors)")
        let frames = try #require(try run.events().last?["frames"] as? [[String: Any]])
        #expect((frames[2]["rejection"] as? String)?.contains("exposed") == true)
    }
}
