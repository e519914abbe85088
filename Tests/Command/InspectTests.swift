import Foundation
import TemporaryFolders
import Testing

/// Tests of `gscap inspect` and `gscap plan`.
@Suite(.timeLimit(.minutes(10))) struct InspectTests {
    @Test func printedPlansRun() throws {
        let folder = try TemporaryFolder()
        let gscap = BuiltCommand.folder.appending(path: "gscap").path
        let plan = "\"$0\" plan --raw bayer,proraw --format jpeg --size 320x240 --no-preview"
        for (number, line) in [
            "\(plan) | \"$0\" --pipeline /dev/stdin --output piped",
            "\(plan) > plan.txt && \"$0\" --pipeline plan.txt --output kept",
        ].enumerated() {
            let result = try BuiltCommand(["-c", line, gscap], program: "/bin/sh", folder: folder.url).wait()
            #expect(result.code == 0, "\(result.errors)")
            let names = folder.names(in: ["piped", "kept"][number])
            #expect(names == ["photo-0001-bayer.dng", "photo-0001-jpeg.jpg", "photo-0001-proRAW.dng"])
        }
    }

    @Test func dngsAndPipelinesAreDistinguished() throws {
        let folder = try TemporaryFolder()
        let photo = try BuiltCommand.run(
            "--pipeline", "pipelines/headless.txt", "--output", folder.url.path, "--var", "WIDTH=320", "--var",
            "HEIGHT=240")
        #expect(photo.code == 0)
        let dng = try BuiltCommand.run("inspect", folder.path("photo-0001.dng"))
        #expect(dng.code == 0)
        #expect(dng.output.contains("320"))
        let events = try BuiltCommand.run("inspect", "--json", folder.path("photo-0001.dng")).events()
        #expect(events.count == 1 && events[0]["event"] as? String == "dng")
        let pipeline = try BuiltCommand.run("inspect", "pipelines/headless.txt")
        #expect(pipeline.code == 0)
        #expect(pipeline.output.contains("shutter"))
    }

    @Test func brokenFilesAreRefused() throws {
        let folder = try TemporaryFolder()
        let photo = try BuiltCommand.run(
            "--pipeline", "pipelines/headless.txt", "--output", folder.url.path, "--var", "WIDTH=320", "--var",
            "HEIGHT=240")
        #expect(photo.code == 0)
        let whole = try folder.bytes("photo-0001.dng")
        let files: [(String, Data, Int32)] = [
            ("empty.dng", Data(), 65), ("header.dng", whole.prefix(8), 65),
            ("half.dng", whole.prefix(whole.count / 2), 65),
            ("noise.dng", Data([0x49, 0x49, 42, 0]) + Data((0..<400).map { UInt8($0 * 37 & 255) }), 65),
            ("picture.txt", try folder.bytes("photo-0001.jpg"), 65),
        ]
        for (name, bytes, code) in files {
            try bytes.write(to: folder.url.appending(path: name))
            let result = try BuiltCommand.run("inspect", folder.path(name))
            #expect(result.code == code, "\(name): \(result.errors)")
            #expect(result.errors.contains(name))
            #expect(result.output.isEmpty)
        }
        // The folder's DNGs are inspected, and the damaged ones among them are reported.
        #expect(try BuiltCommand.run("inspect", folder.url.path).code == 65)
        #expect(try BuiltCommand.run("inspect", folder.path("nobody")).code == 66)
        #expect(try BuiltCommand.run("inspect").code == 64)
    }
}
