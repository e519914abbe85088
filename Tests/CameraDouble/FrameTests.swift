import CVideo4Linux
import CameraDouble
import Errors
import FrameStream
import GStreamer
import RawImage
import Testing

@testable import Cameras

extension CameraDoubleTests {
    /// The numbers, the times and the memory of frames.
    @Suite struct FrameTests {
        private let devices: DoubleDevices

        init() throws { devices = try DoubleDevices() }

        @Test func gapsInTheDriversNumbersAreLostFramesAlsoWhereTheNumbersWrap() throws {
            let camera = DoubleCamera()
            let pipeline = try CameraPipeline()
            let sequences: [UInt32] = [.max - 4, .max - 3, .max, 0, 1, 4]
            var numbers: [UInt64] = []
            for sequence in sequences {
                #expect(camera.deliver(camera.bytes(1), sequence: sequence))
                let offset = try pipeline.sample().offset
                numbers.append(try #require(offset))
            }
            #expect(numbers.map { $0 - numbers[0] } == [0, 1, 4, 5, 6, 9])
            // Two between the second and the third, two before the last.
            #expect(try pipeline.count("lost-frames") == 4)
        }

        @Test func damagedFramesAreNoFramesAndCountAsLost() throws {
            let camera = DoubleCamera()
            let pipeline = try CameraPipeline()
            for index in 0..<4 as Range<UInt32> {
                #expect(camera.deliver(camera.bytes(UInt8(index)), sequence: index, isDamaged: index == 2))
            }
            #expect(try [0, 1, 3] == (0..<3).map { _ in try Int(#require(pipeline.sample().bytes.first)) })
            #expect(try pipeline.count("lost-frames") == 1)
        }

        /// Frames that are held are never written to, and when the driver would have too few buffers, frames are
        /// copied.
        @Test func heldFramesStayAsTheyAreAndLaterOnesAreCopied() throws {
            let camera = DoubleCamera { $0.most_buffers = 4 }
            let pipeline = try CameraPipeline("buffers=6")
            var held: [Sample] = []
            for index in 0..<12 as Range<UInt32> {
                #expect(camera.deliver(camera.bytes(UInt8(index)), sequence: index))
                held.append(try pipeline.sample())
            }
            #expect(held.map(\.bytes) == (0..<12).map { camera.bytes(UInt8($0)) })
            // Of four buffers two may be held.
            #expect(try pipeline.count("copied-frames") == 10)
            #expect(try pipeline.count("lost-frames") == 0)
            held = []
            #expect(gscap_double_wait_for_buffers(camera.number, 4))
            #expect(camera.deliver(camera.bytes(99), sequence: 12))
            #expect(try pipeline.sample().bytes == camera.bytes(99))
            #expect(try pipeline.count("copied-frames") == 10)
        }

        /// The memory of a frame outlives its stream, and a new stream can begin before it is released.
        @Test func aNewStreamStartsWhileFramesOfTheLastOneAreHeld() throws {
            let camera = DoubleCamera()
            let pipeline = try CameraPipeline()
            #expect(camera.deliver(camera.bytes(7), sequence: 0))
            let held = try pipeline.sample()
            try pipeline.pipeline.setState(.null)
            try pipeline.pipeline.setState(.playing)
            #expect(camera.deliver(camera.bytes(8), sequence: 0))
            #expect(try pipeline.sample().bytes == camera.bytes(8))
            #expect(held.bytes == camera.bytes(7))
        }

        /// Drivers state the end of a frame or the start of its exposure; the metadata has the start in either case.
        @Test(arguments: [false, true]) func timesAreThoseOfTheStartOfTheExposure(isStart: Bool) throws {
            // A line of 1000 pixels at 1 MHz is a millisecond.
            let camera = DoubleCamera(
                "video7", "Double", .init(code: "RG12"),
                [
                    .init(ControlID.pixelRate, 1_000_000...1_000_000, 1_000_000, flags: V4L2_CTRL_FLAG_READ_ONLY),
                    .init(ControlID.horizontalBlanking, 984...984, 984, flags: V4L2_CTRL_FLAG_READ_ONLY),
                    .init(ControlID.verticalBlanking, 16...1000, 36),
                    .init(ControlID.exposure, 1...36, 20),
                ]
            ) { $0.is_start_of_exposure = isStart }
            let pipeline = try CameraPipeline()
            let time: UInt64 = 3_000_000_000
            #expect(camera.deliver(camera.bytes(1), sequence: 0, time: time))
            let sample = try pipeline.sample()
            let metadata = try #require(sample.metadata)
            // The exposure has 20 lines and the readout 4.
            #expect(metadata.sensorTimestamp == (isStart ? time : time - 24_000_000))
            #expect(abs(metadata.exposureTime - 0.02) < 1e-9)
            #expect(sample.duration == 40_000_000)
        }
    }
}
