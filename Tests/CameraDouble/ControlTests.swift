import CVideo4Linux
import CameraDouble
import Errors
import FrameStream
import GStreamer
import RawImage
import Testing

@testable import Cameras

extension CameraDoubleTests {
    /// The controls of webcams and of sensors, and flips.
    @Suite struct ControlTests {
        private let devices: DoubleDevices

        init() throws { devices = try DoubleDevices() }

        @Test func aWebcamsExposureIsMadeManualBeforeItIsSet() throws {
            let camera = DoubleCamera(
                "video7", "Webcam", .init(code: "BA81", stride: 16),
                [
                    .init(ControlID.automaticExposure, 0...3, Int64(V4L2_EXPOSURE_APERTURE_PRIORITY.rawValue)),
                    .init(ControlID.absoluteExposure, 1...5000, 156), .init(ControlID.gain, 0...255, 64),
                ])
            let described = try #require(CameraSystem.camera(camera.id))
            let exposure = try #require(described.controls.first { $0.kind == .exposureTime })
            #expect(exposure.range == 1e-4...0.5 && abs(exposure.step - 1e-4) < 1e-12)
            let pipeline = try CameraPipeline("exposure-time=0.01")
            #expect(camera.deliver(camera.bytes(1), sequence: 0))
            let sample = try pipeline.sample()
            let metadata = try #require(sample.metadata)
            #expect(camera.settings == [ControlID.automaticExposure, ControlID.absoluteExposure])
            #expect(camera.value(ControlID.automaticExposure) == Int64(V4L2_EXPOSURE_MANUAL.rawValue))
            #expect(camera.value(ControlID.absoluteExposure) == 100)
            #expect(abs(metadata.exposureTime - 0.01) < 1e-9)
        }

        /// A sensor of 4 rows, whose lines have a millisecond and whose frames have 40.
        private func sensor() -> DoubleCamera {
            DoubleCamera(
                "video7", "Sensor", .init(code: "RG12"),
                [
                    .init(ControlID.pixelRate, 1_000_000...1_000_000, 1_000_000, flags: V4L2_CTRL_FLAG_READ_ONLY),
                    .init(ControlID.horizontalBlanking, 984...984, 984, flags: V4L2_CTRL_FLAG_READ_ONLY),
                    .init(ControlID.verticalBlanking, 16...1000, 36), .init(ControlID.exposure, 1...36, 20),
                ])
        }

        private func controls(_ camera: DoubleCamera) throws -> V4L2Controls {
            let node = try #require(try VideoNode("/dev/" + camera.node))
            let controls = V4L2Controls([node.file], profile: nil)
            controls.setFrame(width: camera.format.width, height: camera.format.height)
            return controls
        }

        @Test func framesAreLengthenedBeforeALongExposureAndShortenedAfterIt() throws {
            let camera = sensor()
            let controls = try controls(camera)
            #expect(try controls.set([.exposureTime: 0.01])[.exposureTime] == 0.01)
            #expect(camera.settings == [ControlID.exposure])
            // The kernel would limit the exposure to the frame as it is.
            let long = try controls.set([.exposureTime: 0.1])
            #expect(long[.exposureTime] == 0.1 && long[.frameDuration].map { abs($0 - 0.104) < 1e-9 } == true)
            #expect(camera.value(ControlID.exposure) == 100)
            #expect(camera.settings.dropFirst() == [ControlID.verticalBlanking, ControlID.exposure])
            // The frames have their usual length again, and none has an exposure that nobody asked for.
            #expect(try controls.set([.exposureTime: 0.005])[.exposureTime] == 0.005)
            #expect(controls.frameDuration.map { abs($0 - 0.04) < 1e-9 } == true)
            #expect(camera.settings.suffix(2) == [ControlID.exposure, ControlID.verticalBlanking])
        }

        @Test func aFrameDurationIsSetAndShortensExposuresWhichAreReported() throws {
            let camera = sensor()
            let controls = try controls(camera)
            #expect(try controls.set([.frameDuration: 0.2])[.frameDuration].map { abs($0 - 0.2) < 1e-9 } == true)
            #expect(camera.value(ControlID.verticalBlanking) == 196)
            _ = try controls.set([.exposureTime: 0.19])
            // A frame of 24 lines has at most 20 for the exposure.
            let short = try controls.set([.frameDuration: 0.024])
            #expect(camera.value(ControlID.verticalBlanking) == 20)
            #expect(short[.exposureTime].map { abs($0 - 0.02) < 1e-9 } == true)
        }

        @Test func theLongestExposureIsThatOfTheLongestFrame() throws {
            let camera = sensor()
            let described = try #require(CameraSystem.camera(camera.id))
            let exposure = try #require(described.controls.first { $0.kind == .exposureTime })
            #expect(abs(exposure.range.upperBound - 1.0) < 1e-9)
        }

        /// Flips change the order of the colours, which the frames' caps state.
        @Test(
            arguments: [
                ("none", "rggb10p", "pRAA"), ("horizontal", "grbg10p", "pgAA"), ("vertical", "gbrg10p", "pGAA"),
                ("both", "bggr10p", "pBAA"),
            ])
        func flipsChangeTheOrderOfTheColours(flip: String, caps: String, code: String) throws {
            let camera = DoubleCamera(
                "video7", "Sensor", .init(code: "pRAA"),
                [
                    .init(ControlID.horizontalFlip, 0...1, 0, flags: V4L2_CTRL_FLAG_MODIFY_LAYOUT),
                    .init(ControlID.verticalFlip, 0...1, 0, flags: V4L2_CTRL_FLAG_MODIFY_LAYOUT),
                ])
            let pipeline = try CameraPipeline("flip=\(flip)")
            #expect(camera.deliver(camera.bytes(1), sequence: 0))
            #expect(try pipeline.sample().caps?.first?["format"]?.text == caps)
            #expect(CameraSystem.camera(camera.id)?.formats.map(\.code) == [code])
            #expect(camera.value(ControlID.horizontalFlip) == (flip == "horizontal" || flip == "both" ? 1 : 0))
            pipeline.stop()
            // A camera that another program has flipped keeps its order, too.
            let next = try CameraPipeline()
            #expect(camera.deliver(camera.bytes(1), sequence: 0))
            #expect(try next.sample().caps?.first?["format"]?.text == caps)
        }

        @Test func aCameraThatCannotBeFlippedSaysSo() throws {
            _ = DoubleCamera()
            #expect {
                _ = try V4L2Backend.flip(#require(CameraSystem.discover().first), horizontally: true, vertically: false)
            } throws: { "\($0)".contains("horizontal-flip") }
            let camera = try #require(CameraSystem.discover().first)
            #expect(try V4L2Backend.flip(camera, horizontally: false, vertically: false) == camera)
        }
    }
}
