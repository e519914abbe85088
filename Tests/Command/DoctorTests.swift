import Foundation
import GscapCommand
import PictureFiles
import TemporaryFolders
import Testing

/// `gscap doctor`: what the machine has, and the advice that `gscap devices` gives, too.
@Suite(.timeLimit(.minutes(10))) struct DoctorTests {
    /// Returns the findings in a run's JSON.
    private func findings(_ result: BuiltCommand.Result) throws -> [[String: Any]] {
        try result.events().filter { $0["event"] as? String == "finding" }
    }

    @Test func photosCanBeTakenOnAMachineWithTheElements() throws {
        let result = try BuiltCommand.run("doctor", "--json")
        #expect(result.code == 0, "\(result.errors)")
        let last = try #require(try result.events().last)
        #expect(last["event"] as? String == "doctor" && last["takesPhotos"] as? Bool == true)
        let topics = try findings(result).compactMap { $0["topic"] as? String }
        #expect(Set(topics) == ["machine", "elements", "formats", "cameras", "display", "photo"])
        let photo = try #require(try findings(result).first { $0["topic"] as? String == "photo" })
        #expect(photo["state"] as? String == "ok", "\(photo)")
    }

    @Test func aReaderSeesALineForEachFinding() throws {
        let result = try BuiltCommand.run("doctor")
        #expect(result.code == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(result.output.contains("  ok       GStreamer: version 1."), "\(result.output)")
        for name in [".jpg, .jpeg", ".png", ".tif, .tiff", ".exr"] {
            #expect(result.output.contains("  ok       \(name): can be written"), "\(result.output)")
        }
        #expect(result.output.contains("  missing  preview: there is no display"))
    }

    @Test func withoutGStreamersPluginsNoPhotoCanBeTaken() throws {
        let folder = try TemporaryFolder()
        try folder.write(bytes: [], to: "plugins/none")
        let result = try BuiltCommand(
            ["doctor", "--json"],
            environment: [
                "GST_PLUGIN_SYSTEM_PATH": folder.path("plugins"), "GST_PLUGIN_PATH": folder.path("plugins"),
                "GST_REGISTRY": folder.path("registry"),
            ]
        ).wait()
        #expect(result.code == 69)
        let needed = try findings(result).filter { $0["state"] as? String == "needed" }
        let queue = try #require(needed.first { $0["subject"] as? String == "queue" }, "\(needed)")
        #expect(queue["advice"] as? String == "install the Debian package libgstreamer1.0-0")
        #expect(result.errors.contains("no photo can be taken: queue"), "\(result.errors)")
    }

    @Test func aMissingLibraryIsNamedWithItsPackageAndPhotosCanBeTaken() throws {
        let folder = try TemporaryFolder()
        for file in AVIFLibrary.files { try folder.write(bytes: [], to: "broken/\(file)") }
        let result = try BuiltCommand(
            ["doctor", "--json"], environment: ["LD_LIBRARY_PATH": folder.path("broken")]
        ).wait()
        #expect(result.code == 0, "\(result.errors)")
        let avif = try #require(try findings(result).first { $0["subject"] as? String == ".avif" })
        #expect(avif["state"] as? String == "missing", "\(avif)")
        #expect((avif["advice"] as? String)?.contains("install the Debian package libavif16") == true, "\(avif)")
    }

    @Test func devicesHasTheSameFindingsOfCameras() throws {
        let doctor = try findings(BuiltCommand.run("doctor", "--json")).filter { $0["topic"] as? String == "cameras" }
        let devices = try findings(BuiltCommand.run("devices", "--json"))
        #expect(!doctor.isEmpty && doctor.count == devices.count)
        for (one, other) in zip(doctor, devices) {
            #expect(one["text"] as? String == other["text"] as? String)
            #expect(one["advice"] as? String == other["advice"] as? String)
        }
    }

    @Test func aCameraThatTheUserMayNotOpenIsNamedWithTheRemedy() throws {
        let folder = try TemporaryFolder()
        for name in ["video0", "video1", "media0", "videos", "null"] { try folder.write(bytes: [], to: name) }
        #expect(CameraFindings.nodes(in: folder.path("")) == ["media0", "video0", "video1"])
        let files = ["video0", "video1"].map(folder.path)
        #expect(CameraFindings.refused(files) { _ in true }.isEmpty)
        let finding = try #require(CameraFindings.refused(files) { $0.hasSuffix("video1") }.first)
        #expect(finding.state == .missing && finding.text.contains(folder.path("video0")))
        #expect(!finding.text.contains("video1") && finding.advice != nil)
    }

    @Test func theElementOfAConnectedCameraIsNamedWithItsPackage() throws {
        let nodes = ["media0", "video0"]
        #expect(CameraFindings.missingElements(for: nodes) { _ in true }.isEmpty)
        #expect(CameraFindings.missingElements(for: []) { _ in false }.isEmpty)
        let advice = CameraFindings.missingElements(for: nodes) { _ in false }.compactMap(\.advice)
        #expect(
            advice == [
                "install the Debian package gstreamer1.0-plugins-good",
                "install the Debian package gstreamer1.0-libcamera",
            ])
    }
}
