internal import CVideo4Linux
package import Errors
internal import Glibc
internal import Synchronization

/// An opened camera, of which one thread takes frames. *Thread-safe.*
///
///     opened ──start──▶ streaming ──stop──▶ stopped
///                        │   ▲
///                        └───┘ nextFrame: waits for a frame, for `wake`, or for the loss of the device
package final class V4L2Camera: Sendable {
    /// The camera.
    package let camera: Camera
    /// The format in which it runs.
    package let format: CameraFormat
    /// The size of the frames in pixels.
    package let size: (width: Int, height: Int)
    /// The bytes from the start of a row to that of the next.
    package let stride: Int
    /// The controls.
    package let controls: V4L2Controls
    /// What the sensor's data sheet says; nil for an unknown sensor.
    package let profile: SensorProfile?

    private let node: VideoNode
    private let parts: CameraParts
    private let buffers: FrameBuffers
    private let signal: WakeSignal

    /// Opens a camera in a format: sets the formats along the media graph and requests buffers. Throws an error that
    /// names the part that refuses.
    package init(
        _ camera: Camera, _ format: CameraFormat, width: Int, height: Int, rate: Double? = nil, buffers count: Int = 6
    ) throws(GscapError) {
        if let problem = camera.problem { throw GscapError(.noDevice, problem, place: camera.id) }
        let opened: VideoNode?
        do throws(SystemError) { opened = try VideoNode(camera.address) } catch {
            throw GscapError(.noDevice, V4L2Backend.problem(error, camera.address), place: camera.id, cause: error)
        }
        guard let node = opened else {
            throw GscapError(.noDevice, "\(camera.address) is no camera any more", place: camera.id)
        }
        (self.camera, self.format, self.node) = (camera, format, node)
        parts = CameraParts(node)
        var colorspace: UInt32 = 0
        if let graph = parts.graph, let route = parts.route, let code = parts.busFormat(format.codes) {
            let setup = RouteSetup(graph, route, code: code, width: width, height: height)
            colorspace = try setup.apply()
        }
        let code = FourCharacterCode.code(format.code)
        let given: NegotiatedFormat
        do throws(SystemError) {
            given = try node.setFormat(code: code, width: width, height: height, colorspace: colorspace)
        } catch {
            throw CameraUse.error("the camera refuses \(format.code) \(width)x\(height)", error, node)
        }
        guard (given.code, given.width, given.height) == (code, width, height) else {
            throw GscapError(
                .unsupported,
                "the camera does not take \(format.code) \(width)x\(height), but "
                    + "\(FourCharacterCode.text(given.code)) \(given.width)x\(given.height); choose that",
                place: camera.id)
        }
        size = (width, height)
        stride = given.stride
        if let rate { node.setRate(rate) }
        profile = try SensorProfiles.profile(of: parts.sensorName)
        controls = V4L2Controls(parts.files, profile: profile)
        controls.setFrame(width: width, height: height)
        if let rate, rate > 0, controls.frameDuration != nil { _ = try controls.set([.frameDuration: 1 / rate]) }
        buffers = try FrameBuffers(node, count: count)
        signal = try WakeSignal()
    }

    /// Starts the stream.
    package func start() throws(GscapError) {
        do throws(SystemError) {
            for index in 0..<buffers.count { try buffers.queue(index) }
            var type = node.bufferType
            try node.file.call(gscap_vidioc_streamon, &type)
        } catch {
            buffers.close()
            // The kernel's answer to formats that differ along the media graph.
            if error.number == EPIPE, let graph = parts.graph, let route = parts.route {
                let fresh = (try? MediaGraph(graph.file.path)) ?? graph
                let reason = route.disagreement(in: fresh) ?? "the parts of the media graph disagree"
                throw GscapError(
                    .pipelineFailed, "the camera does not start: \(reason)", place: camera.id, cause: error)
            }
            throw CameraUse.error("the camera does not start", error, node)
        }
    }

    /// Waits for the next frame. Throws `ended` after `wake`, and `noDevice` when the camera has gone.
    package func nextFrame() throws(GscapError) -> CameraFrame {
        while true {
            let filled: KernelBuffer?
            do throws(SystemError) {
                filled = try buffers.dequeue()
            } catch {
                throw lost(error)
            }
            if let filled {
                let lease = FrameLease(buffers, filled.index)
                // A frame that the driver marks as damaged is no frame; its number counts as lost.
                if filled.isDamaged || filled.used == 0 { continue }
                return unsafe CameraFrame(
                    bytes: buffers.bytes(of: filled), lease: lease, sequence: filled.sequence,
                    timestamp: filled.timestamp, isMonotonic: filled.isMonotonic,
                    isStartOfExposure: filled.isStartOfExposure)
            }
            switch signal.wait(for: node.file.descriptor) {
            case .ready: break
            case .woken: throw GscapError(.ended, "the stream was interrupted", place: camera.id)
            case .failed: throw lost(SystemError(number: ENODEV))
            }
        }
    }

    /// Makes `nextFrame` return at once until `permitWaits` is called.
    package func wake() { signal.raise() }

    /// Lets `nextFrame` wait again.
    package func permitWaits() { signal.lower() }

    /// Ends the stream. The memory of frames that are in use stays valid.
    package func stop() { buffers.close() }

    /// The buffers that the driver can fill now.
    package var queuedCount: Int { buffers.queuedCount }

    /// Returns a descriptor of a frame's memory for other devices (DMABUF), which the caller closes; nil if the driver
    /// exports none.
    package func export(_ frame: CameraFrame) -> Int32? { buffers.export(frame.lease.index) }

    private func lost(_ error: SystemError) -> GscapError {
        GscapError(.noDevice, "the camera \(camera.name) was disconnected", place: camera.id, cause: error)
    }
}

/// A frame in the memory of the driver.
@safe package struct CameraFrame: @unchecked Sendable {
    // Sendable: the driver does not write to the bytes while the lease exists.

    /// The bytes; valid while the lease exists.
    package let bytes: UnsafeRawBufferPointer
    /// The use of the memory, which goes back to the driver when the last reference is released.
    package let lease: FrameLease
    /// The driver's number of the frame; lost frames leave gaps.
    package let sequence: UInt32
    /// The time in nanoseconds.
    package let timestamp: UInt64
    /// Whether the time is that of CLOCK_MONOTONIC.
    package let isMonotonic: Bool
    /// Whether the time is that of the start of the exposure, and not of the end of the frame.
    package let isStartOfExposure: Bool
}

/// The use of a buffer, after which the driver gets it back.
package final class FrameLease: Sendable {
    fileprivate let index: Int
    private let buffers: FrameBuffers

    fileprivate init(_ buffers: FrameBuffers, _ index: Int) { (self.buffers, self.index) = (buffers, index) }

    // A device that is gone takes nothing back; the stream says so when it waits for the next frame.
    deinit { try? buffers.queue(index) }
}

/// Lets one thread wait for a device file and others wake it.
private final class WakeSignal: Sendable {
    enum Result {
        case ready, woken, failed
    }

    private let event: Int32

    init() throws(GscapError) {
        event = gscap_video_event()
        if event < 0 { throw GscapError(.noMemory, "there are too many open files", place: "camera") }
    }

    deinit { close(event) }

    func raise() {
        var one: UInt64 = 1
        _ = unsafe write(event, &one, 8)
    }

    func lower() {
        var count: UInt64 = 0
        _ = unsafe read(event, &count, 8)
    }

    /// Waits until the device has something to read or has failed, or until the signal is raised.
    func wait(for device: Int32) -> Result {
        var files = [
            pollfd(fd: device, events: Int16(POLLIN), revents: 0), pollfd(fd: event, events: Int16(POLLIN), revents: 0),
        ]
        // An interruption by a signal of the process is no event.
        while unsafe poll(&files, 2, -1) < 0, errno == EINTR {}
        if files[1].revents != 0 { return .woken }
        return files[0].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 ? .failed : .ready
    }
}
