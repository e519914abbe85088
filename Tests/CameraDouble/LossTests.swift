import CVideo4Linux
import CameraDouble
import Errors
import Foundation
import FrameStream
import GStreamer
import Glibc
import Testing

@testable import Cameras

extension CameraDoubleTests {
    /// Cameras that go, come back, or cannot be used.
    @Suite struct LossTests {
        private let devices: DoubleDevices

        init() throws { devices = try DoubleDevices() }

        /// A stream ends with its device and goes on when it returns with another file, whatever the driver answers.
        @Test(arguments: [GSCAP_DOUBLE_NO_DEVICE, GSCAP_DOUBLE_INVALID, GSCAP_DOUBLE_POLL_ERROR].map(\.rawValue))
        func aStreamGoesOnWhenItsCameraReturns(loss: UInt32) throws {
            let camera = DoubleCamera("video7", "Double")
            let pipeline = try CameraPipeline()
            #expect(camera.deliver(camera.bytes(1), sequence: 5))
            let held = try pipeline.sample()
            #expect(gscap_double_wait_for_poll(camera.number))
            gscap_double_unplug(camera.number, GscapDoubleLoss(rawValue: loss))
            let lost = try pipeline.message("gscap-camera-lost")
            #expect(lost["reason"]?.text?.contains("disconnected") == true)
            // Another camera is not the one that is waited for.
            _ = DoubleCamera("video8", "Other")
            let same = DoubleCamera("video9", "Double")
            #expect(try pipeline.message("gscap-camera-returned")["device"]?.text == "/dev/video9")
            #expect(same.deliver(same.bytes(2), sequence: 0))
            let next = try pipeline.sample()
            #expect(next.bytes == same.bytes(2) && held.bytes == camera.bytes(1))
            #expect(held.offset == 5 && next.offset == 6)
            #expect(try pipeline.count("lost-frames") == 0)
        }

        @Test func aCameraThatDoesNotReturnEndsTheStreamIfItIsNotWaitedFor() throws {
            let camera = DoubleCamera()
            let pipeline = try CameraPipeline("reconnect=false")
            #expect(camera.deliver(camera.bytes(1), sequence: 0))
            _ = try pipeline.sample()
            gscap_double_unplug(camera.number, GSCAP_DOUBLE_NO_DEVICE)
            #expect(try pipeline.failure().message.contains("disconnected"))
        }

        /// The state changes while the streaming thread waits for a frame, or for the camera.
        @Test(arguments: [false, true]) func theStreamStopsWhileItWaits(isLost: Bool) throws {
            let camera = DoubleCamera()
            let pipeline = try CameraPipeline()
            #expect(camera.deliver(camera.bytes(1), sequence: 0))
            _ = try pipeline.sample()
            #expect(gscap_double_wait_for_poll(camera.number))
            if isLost {
                gscap_double_unplug(camera.number, GSCAP_DOUBLE_POLL_ERROR)
                _ = try pipeline.message("gscap-camera-lost")
            }
            pipeline.stop()
            #expect(pipeline.pipeline.state(timeout: .seconds(60)) == .null)
        }

        @Test func aCameraInUseNamesTheProgram() throws {
            let camera = DoubleCamera { $0.start_error = EBUSY }
            let user = Process()
            user.executableURL = URL(fileURLWithPath: "/bin/sleep")
            user.arguments = ["1000"]
            user.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: devices.path(camera)))
            try user.run()
            defer {
                // Threads of the tests may block the signal of terminate(), and the program inherits that.
                kill(user.processIdentifier, SIGKILL)
                user.waitUntilExit()
            }
            let described = try #require(CameraSystem.camera(camera.id))
            let opened = try V4L2Camera(described, described.formats[0], width: 16, height: 4)
            #expect { try opened.start() } throws: {
                "\($0)".contains("sleep (process \(user.processIdentifier))")
            }
        }

        @Test(arguments: [EACCES, EPERM]) func aMissingRightNamesTheGroup(error: Int32) throws {
            let found = unsafe getgrnam("video") ?? getgrgid(0)
            let group = try unsafe #require(unsafe found)
            let (name, number) = unsafe (String(cString: group.pointee.gr_name), group.pointee.gr_gid)
            _ = DoubleCamera(group: number) { $0.open_error = error }
            let camera = try #require(CameraSystem.discover().first)
            #expect(camera.problem?.contains("usermod -aG \(name)") == true)
            #expect(!camera.isUsable && camera.address == "/dev/video7" && camera.name == "Double")
        }

        @Test func aCameraWithOneBufferIsRefused() throws {
            _ = DoubleCamera { $0.most_buffers = 1 }
            let camera = try #require(CameraSystem.discover().first)
            #expect { _ = try V4L2Camera(camera, camera.formats[0], width: 16, height: 4) } throws: {
                "\($0)".contains("1 of 1 buffers")
            }
        }

        @Test func camerasComeAndGoAsEvents() async throws {
            let camera = DoubleCamera("video7", "Double")
            var events = CameraSystem.events().makeAsyncIterator()
            #expect(await events.next().map(Self.text) == "added /dev/video7")
            gscap_double_unplug(camera.number, GSCAP_DOUBLE_NO_DEVICE)
            #expect(await events.next().map(Self.text) == "removed /dev/video7")
            _ = DoubleCamera("video8", "Double")
            #expect(await events.next().map(Self.text) == "added /dev/video8")
        }

        private static func text(_ event: CameraEvent) -> String {
            switch event {
            case .added(let camera): "added \(camera.address)"
            case .changed(let camera): "changed \(camera.address)"
            case .removed(let camera): "removed \(camera.address)"
            }
        }
    }
}
