import Cameras
import GSCapture
import GStreamer
import RawImage
import Testing

/// Descriptions of cameras.
@Suite struct CaptureDeviceTests {
    @Test func theSimulatedCameraIsDescribed() throws {
        let device = CaptureDevice.simulated()
        #expect(
            device.formats.map { "\($0.width)×\($0.height)@\(Int($0.maxFrameRate))" }
                == ["4032×3024@10", "1920×1440@30", "1280×960@30", "640×480@60"])
        #expect(device.activeFormat == device.formats.first)
        #expect(device.supportsRAW && device.hasFlash && !device.isVirtual)
        #expect(device.exposureTimes?.contains(0.01) == true && device.isos?.contains(100) == true)
        #expect(device.supportedColorSpaces.contains(device.activeColorSpace))
        #expect(device.pipelineText.contains("width=4032,height=3024,framerate=10/1"))
    }

    @Test func formatsAreReadFromCaps() throws {
        let caps = try Caps(
            """
            video/x-raw,format=YUY2,width=640,height=480,framerate=30/1; \
            video/x-bayer,format={rggb,bggr},width=1920,height=1080,framerate={15/1,30/1}; \
            video/x-bayer,format=rggb10le,width=[16,4000],height=[16,3000],framerate=[1/1,25/2]; \
            video/x-bayer
            """)
        let formats = CaptureDevice.Format.all(in: caps)
        #expect(formats.map(\.width) == [1920, 1920, 4000])
        #expect(formats.map(\.maxFrameRate) == [30, 30, 12.5])
        #expect(formats.last?.mediaCaps == "video/x-bayer,format=rggb10le,width=4000,height=3000,framerate=25/2")
        // Each format is a subset of the camera's caps.
        for format in formats {
            let isOffered = try Caps(format.mediaCaps).isSubset(of: caps)
            #expect(isOffered)
        }
    }

    /// Lists of sizes are bounded.
    @Test func manyFormatsAreBounded() throws {
        let sides = (1...100).map { "\($0 * 16)" }.joined(separator: ",")
        let caps = try Caps("video/x-bayer,format=rggb,width={\(sides)},height={\(sides)},framerate=30/1")
        #expect(CaptureDevice.Format.all(in: caps).count == 64)
    }

    @Test func sourcesWithoutCameraFormatsAreLeftOut() throws {
        #expect(CaptureDevice.offersFrames(nil))
        #expect(CaptureDevice.offersFrames(.any))
        #expect(CaptureDevice.offersFrames(try Caps("image/jpeg; video/x-raw")))
        #expect(!CaptureDevice.offersFrames(try Caps("image/jpeg; video/x-h264")))
        #expect(!CaptureDevice.offersFrames(Caps.none))
        #expect(try CaptureDevice.discover().last?.uniqueID == "simulated")
    }

    /// The camera's colour space is that of the formats that have one.
    @Test func theActiveColorSpaceDecidesWideColor() throws {
        var device = CaptureDevice.simulated(width: 160, height: 120)
        let formats: [PhotoFormat] = [.processed(.jpeg), .processed(.heifPQ)]
        #expect(try !PipelinePlan(device: device, preview: nil, formats: formats).text.contains("color-space"))
        device.activeColorSpace = .displayP3
        let text = try PipelinePlan(device: device, preview: nil, formats: formats).text
        #expect(text.contains("name=jpeg-look color-space=display-p3"))
        #expect(!text.contains("name=heif-pq-look color-space"))
    }
}

/// Cameras that a back-end has found.
@Suite struct FoundCameraTests {
    private let camera: Camera = {
        var camera = Camera(id: "usb-1/Eye", name: "Eye", backend: "test", place: "USB port 1", address: "/dev/video9")
        let words = BayerDialect.CodeFormat(pattern: .rggb, bitDepth: 12, layout: .littleEndian)
        let bytes = BayerDialect.CodeFormat(pattern: .rggb, bitDepth: 8, layout: .bytes)
        let rates = CameraFormat.Rates(least: Fraction(1, 1), most: Fraction(30, 1))
        camera.formats = [
            CameraFormat(code: "RG12", codes: words, width: .init(16, 4000, step: 8), height: .init(16, 3000, step: 2)),
            CameraFormat(code: "RGGB", codes: bytes, width: .init(640), height: .init(480), rates: rates),
        ]
        camera.controls = [
            CameraControl(.exposureTime, 0.0001...1, standard: 0.01), CameraControl(.analogueGain, 1...16, standard: 1),
        ]
        return camera
    }()

    @Test func theLargestFormatIsTheActiveOne() {
        let device = CaptureDevice(camera)
        #expect(device.activeFormat?.mediaCaps == "video/x-bayer,format=rggb12le,width=4000,height=3000")
        #expect(device.pipelineText.hasPrefix("gscapv4l2src name=camera device=usb-1/Eye reconnect=false"))
        #expect(device.exposureTimes == 0.0001...1 && device.isos == 100...1600)
        #expect(device.place == "USB port 1" && device.supportsRAW)
    }

    @Test func aSizeAndARateChooseAmongTheFormats() throws {
        let device = CaptureDevice(camera)
        func caps(_ width: Int?, _ height: Int?, _ rate: Int?) throws -> String? {
            try device.running(width: width, height: height, framesPerSecond: rate).activeFormat?.mediaCaps
        }
        #expect(try caps(640, 480, nil) == "video/x-bayer,format=rggb12le,width=640,height=480")
        #expect(
            try caps(640, 480, 30) == "video/x-bayer,format=rggb12le,width=640,height=480,framerate=30/1")
        #expect(throws: CaptureError.self) { try caps(8000, 6000, nil) }
        #expect(throws: CaptureError.self) { try caps(641, 480, nil) }
        #expect(throws: CaptureError.self) {
            try CaptureDevice.simulated().running(width: 64, height: 48, framesPerSecond: nil)
        }
    }

    @Test func aCameraThatCannotBeOpenedIsPassedOver() {
        var locked = camera
        locked.problem = "you are no member of the group video"
        let (device, passedOver) = CaptureDevice.standard(among: [CaptureDevice(locked), CaptureDevice(camera)])
        #expect(device.problem == nil && passedOver.count == 1)
    }
}
