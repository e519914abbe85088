import GSCapture
import GStreamer
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
