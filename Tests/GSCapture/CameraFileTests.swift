import Foundation
import GSCapture
import RawImage
import TemporaryFolders
import Testing

/// Tests of virtual devices that files describe.
@Suite struct CameraFileTests {
    private func device(_ text: String) throws -> CaptureDevice {
        let folder = try TemporaryFolder()
        let path = folder.path("cameras.ini")
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return try CaptureDevice(contentsOf: path)
    }

    private static let wide = "[wide]\nsource = gscapsensorsrc\nfocal-length = 100\nsize = 128 96\n"

    /// The example describes the same cameras as the library's.
    @Test func theExampleIsTheSimulatedDevice() throws {
        let path = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        let device = try CaptureDevice(contentsOf: path + "/examples/wide-and-tele.ini")
        let simulated = try CaptureDevice.simulatedWideAndTele()
        #expect(device.isVirtual && device.localizedName == "wide-and-tele.ini")
        #expect(device.constituents.map(\.device.uniqueID) == ["wide", "tele"])
        #expect(device.constituents.map(\.device.localizedName) == ["Wide", "Tele"])
        #expect(device.constituents.map(\.calibration) == simulated.constituents.map(\.calibration))
        #expect(device.constituents.map(\.device.activeFormat) == simulated.constituents.map(\.device.activeFormat))
        #expect(device.source == "gscapsensorsrc name=camera scene-clock=true calibration=true")
        #expect(device.virtualDeviceSwitchOverVideoZoomFactors == [2])
    }

    @Test func everyKeyIsRead() throws {
        let device = try device(
            Self.wide + """
                [tele]
                name = Long lens   # no comment: a value ends with its line
                source = fakesrc is-live=true ! identity name=other
                caps = video/x-bayer,format=bggr,width=640,height=480
                focal-length = 1000, 1001
                principal-point = 321 238.5
                radial-distortion = -0.1, 0.02
                tangential-distortion = 0.001 -0.002
                rotation = 0 -1 0  1 0 0  0 0 1
                position = 12 -3 0.5
                """)
        let tele = try #require(device.constituents.last)
        #expect(
            tele.device.localizedName.hasPrefix("Long lens")
                && tele.device.source == "fakesrc name=camera is-live=true ! identity name=other")
        #expect(tele.device.pipelineText.hasSuffix("! video/x-bayer,format=bggr,width=640,height=480"))
        var expected = CameraCalibration(width: 640, height: 480, focalLength: 1000)
        (expected.focalLength.y, expected.principalPoint) = (1001, [321, 238.5])
        (expected.radialDistortion, expected.tangentialDistortion) = ([-0.1, 0.02, 0], [0.001, -0.002])
        (expected.rotation, expected.position) = (Matrix3([0, -1, 0], [1, 0, 0], [0, 0, 1]), [12, -3, 0.5])
        #expect(tele.calibration == expected)
        #expect(device.constituents[0].device.activeFormat == nil)
    }

    /// The fault: the invisible mark was reported as a line that is no group.
    @Test func aByteOrderMarkIsSkipped() throws {
        let text = "\u{FEFF}" + Self.wide
        let device = try device(text + "[tele]\nsource = gscapsensorsrc\nfocal-length = 200\nsize = 128 96\n")
        #expect(device.constituents.map(\.device.uniqueID) == ["wide", "tele"])
        let error = #expect(throws: CaptureError.self) { try self.device(text + Self.wide) }
        #expect(error?.message == "[wide] appears twice; write it once")
    }

    @Test func theFocalLengthOfFilmStandsIn() throws {
        let device = try device(Self.wide + "[tele]\ndevice = simulated\nsize = 400 300\nfocal-length-35mm = 80\n")
        let tele = try #require(device.constituents.last)
        #expect(tele.device.uniqueID == "tele" && tele.device.source.hasPrefix("gscapsensorsrc"))
        #expect(tele.calibration == CameraCalibration(width: 400, height: 300, focalLengthIn35mm: 80))
    }

    @Test(arguments: [
        ("", "at least two cameras"),
        ("[tele]\nsource = fakesrc\nsize = 9 9\n", "[tele] state either focal-length"),
        ("[tele]\nsource = fakesrc\nfocal-length = 5\n", "[tele] state the size"),
        ("[tele]\nfocal-length = 5\n", "[tele] state the camera"),
        ("[tele]\nsource = fakesrc\ndevice = c\n", "[tele] state the camera"),
        ("[tele]\nsource = fakesrc\nsize = 4e9 4e9\nfocal-length-35mm = 50\n", "4000000000 is not between 1 and 65535"),
        ("[tele]\nsource = fakesrc\n[tele]\nsize = 9 9\n", "[tele] appears twice"),
        ("[tele]\nsource = fakesrc\n  [tele]\nsize = 9 9\n", "[tele] appears twice"),
        ("[tele]\nsource = fakesrc name=c\n", "[tele] source: its element is named camera; leave out name=c"),
        (
            "[tele]\nsource = fakesrc ! ! fakesink\n",
            "[tele] source: an element is missing between two links\n  fakesrc ! ! fakesink\n"
        ),
        ("[tele]\nsource = fakesrc blob=3\n", "[tele] source: fakesrc has no property \"blob\""),
        ("[tele]\nsource =\n", "[tele] source: "),
        ("[tele]\ndevice = absent\n", "there is no camera absent; the cameras are"),
        ("[tele]\nsource = fakesrc\nfocal = 5\n", "there is no key focal; the keys are source,"),
        (
            "[tele]\nsource = fakesrc\nsize = 9 9\nfocal-length = 5 5 5\n",
            "focal-length needs 1 or 2 numbers, not \"5 5 5\""
        ),
        (
            "[tele]\nsource = fakesrc\nsize = 9 9\nfocal-length = long\n",
            "focal-length needs 1 or 2 numbers, not \"long\""
        ),
        ("[tele]\nsource = fakesrc\nsize = 9 9\nfocal-length = inf\n", "focal-length needs"),
        (
            "[tele]\nsource = fakesrc\nsize = 9 9\nfocal-length = -5\n",
            "focal-length: -5 is not between 0.45 and 9000 pixels"
        ),
        ("[tele]\nsource = fakesrc\nsize = 9 9\nfocal-length = 5 0.1\n", "focal-length: 0.1 is not between 0.45 and"),
        ("[tele]\nsource = fakesrc\nsize = 9 9\nfocal-length = 1e9\n", "focal-length: 1000000000 is not between"),
        ("[tele]\nsource = fakesrc\nsize = 9 9\nfocal-length = nan\n", "focal-length needs 1 or 2 numbers, not \"nan"),
        ("[tele]\nsource = fakesrc\nsize = 9 9\nfocal-length-35mm = -24\n", "-35mm: -24 is not between 1 and 20000"),
        (
            "[tele]\nsource = fakesrc\nsize = 40 30\nfocal-length = 50\nprincipal-point = 20 900\n",
            "principal-point: 900 is not between -15 and 45 pixels"
        ),
        (
            "[tele]\nsource = fakesrc\nsize = 40 30\nfocal-length = 50\nposition = 0 0 1e7\n",
            "position: 10000000 is not between -10000 and 10000 millimetres"
        ),
        (
            "[tele]\nsource = fakesrc\nsize = 40 30\nfocal-length = 30\nradial-distortion = -0.5\n",
            "[tele] radial-distortion \"-0.5\": the distortion folds the picture"
        ),
        (
            "[tele]\nsource = fakesrc\nsize = 40 30\nfocal-length = 30\ntangential-distortion = 3 0\n",
            "[tele] tangential-distortion \"3 0\": the distortion folds the picture"
        ),
        ("[tele]\nsource = fakesrc\nsize = 9.5 9\nfocal-length = 5\n", "whole pixels"),
        ("[tele]\nsource = fakesrc\nsize = 1e30 9\nfocal-length = 5\n", "size: 1e+30 is not between 1 and 65535"),
        (
            "[tele]\nsource = fakesrc\nsize = 9 9\nfocal-length = 5\nrotation = 1 1 1 1 1 1 1 1 1\n",
            "not a rotation matrix"
        ),
        (
            "[tele]\nsource = fakesrc\ncaps = video/x-raw,width=9,height=9\nfocal-length = 5\n",
            "no format of video/x-bayer"
        ),
        (
            "[tele]\nsource = gscapsensorsrc is-live=false\nsize = 9 9\nfocal-length = 5\n",
            "[tele] source: its element is not live, as all cameras of a device must be; set is-live=true"
        ),
        ("[tele]\nsource = dngsrc\nsize = 9 9\nfocal-length = 5\n", "[tele] source: its element is not live"),
        ("[tele]\nsource = fakesrc\ncaps = ,,\nfocal-length = 5\n", "[tele] caps: "),
        (
            "[tele]\nsource = fakesrc\nfocal-length = 5\nfocal-length=6\n",
            "focal-length in [tele] appears twice"
        ),
        ("no group", "no group"),
    ]) func eachFaultHasItsError(text: String, message: String) throws {
        // GLib reports a line outside of groups only at the start.
        let text = text.hasPrefix("no") ? text : Self.wide + text
        let error = #expect(throws: CaptureError.self) { try device(text) }
        #expect(error?.code == .virtualDeviceInvalid && error?.place.hasSuffix("cameras.ini") == true)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test func aMissingElementIsNamed() {
        let error = #expect(throws: CaptureError.self) { try device("[wide]\nsource = nosuchsrc\n") }
        #expect(error?.code == .missingElement && error?.place.hasSuffix("cameras.ini") == true)
        #expect(error?.message.hasPrefix("[wide] source: no element \"nosuchsrc\"") == true, "\(error?.message ?? "")")
    }

    @Test func aMissingFileHasItsPath() {
        let error = #expect(throws: CaptureError.self) { try CaptureDevice(contentsOf: "absent/cameras.ini") }
        #expect(error?.description.hasPrefix("absent/cameras.ini: ") == true)
    }
}
