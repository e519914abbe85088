internal import Cameras
internal import FrameStream
internal import GStreamer
internal import Glibc
internal import RawImage
internal import Synchronization

/// The frames of an opened camera as buffers, with their times and metadata.
final class V4L2Stream: Sendable {
    private struct State {
        var history: ControlHistory
        var last: UInt32?
        /// The frames that the driver has lost so far, and the wraps of its numbers.
        var number: UInt64 = 0
        var isStarted = false
        var pace = FramePace()
    }

    /// The frames that stay with the driver, which otherwise has nowhere to put the next one.
    private static let leastQueued = 2

    private let camera: V4L2Camera
    private let format: MosaicFormat
    private let rate: Double?
    private let pool: BufferPool
    private let state: Mutex<State>
    private let element: ElementHandle

    /// The number of the stream's first frame: a camera that returns goes on after the last one.
    private let first: UInt64

    /// Opens a camera, whose frames have numbers from `number` on.
    init(
        _ camera: Camera, _ format: (format: CameraFormat, width: Int, height: Int, rate: Double?),
        _ settings: V4L2SourceSettings, _ element: ElementHandle, number: UInt64
    ) throws(GscapError) {
        (self.element, first) = (element, number)
        self.camera = try V4L2Camera(
            camera, format.format, width: format.width, height: format.height, rate: format.rate,
            buffers: settings.bufferCount)
        self.format = PackedMosaicFormat(width: format.width, height: format.height, codes: format.format.codes)
            .canonical()
        rate = format.rate
        pool = try BufferPool(size: self.camera.stride * format.height)
        state = Mutex(State(history: Self.history(of: self.camera)))
    }

    /// The history of a camera whose frames all have the present values.
    private static func history(of camera: V4L2Camera) -> ControlHistory {
        let delays = learnedDelays.withLock { $0[camera.camera.id] }
        return ControlHistory(
            ControlHistory.Values(exposureTime: camera.controls.exposureTime, gain: camera.controls.analogueGain),
            exposureDelay: delays?.exposure ?? camera.profile?.exposureDelay,
            gainDelay: delays?.gain ?? camera.profile?.gainDelay)
    }

    /// The delays that the frames of cameras have shown, by the cameras' identifiers.
    private static let learnedDelays = Mutex<[String: (exposure: Int, gain: Int)]>([:])

    /// The time from frame to frame in seconds; nil if unknown.
    var frameDuration: Double? { camera.controls.frameDuration ?? rate.map { 1 / $0 } }

    /// What a photographer should know about the camera; nil if nothing.
    var warning: String? {
        guard camera.profile == nil else { return nil }
        let sensor = camera.camera.sensor
        return
            "the sensor\(sensor.isEmpty ? "" : " \(sensor)") is unknown: its black level is taken as 0, its ISO number "
            + "as 100 at the lowest gain, and colours are guessed; describe it in \(SensorProfiles.folder)/"
            + "\(sensor.isEmpty ? "NAME" : sensor).sensor"
    }

    func start() throws(GscapError) {
        state.withLock { $0.isStarted = true }
        try camera.start()
    }

    func stop() {
        camera.stop()
        let delays = state.withLock { $0.history.delays }
        Self.learnedDelays.withLock { $0[camera.camera.id] = delays }
    }

    func wake() { camera.wake() }
    func permitWaits() { camera.permitWaits() }

    /// Sets exposure and gain, which the frames show after the camera's delay.
    func apply(_ control: SensorControl) throws(GscapError) {
        var wanted: V4L2Controls.Values = [:]
        wanted[.exposureTime] = control.exposureTime
        wanted[.analogueGain] = control.iso.map { $0 / baseISO }
        guard !wanted.isEmpty else { return }
        // Under the lock, so that a frame which already has the new values is not described before they are recorded.
        let values = try state.withLock { state throws(GscapError) in
            let time = Self.now()
            let given = try camera.controls.set(wanted)
            let values = ControlHistory.Values(exposureTime: given[.exposureTime], gain: given[.analogueGain])
            // What is set before the stream holds from its first frame on.
            if state.isStarted { state.history.set(values, at: time) } else { state.history = Self.history(of: camera) }
            return values
        }
        element.log(.debug, "sets \(values)")
    }

    private var baseISO: Double { camera.profile?.baseISO ?? 100 }

    /// A frame, with the number of those that the driver has lost before it.
    struct Frame: ~Copyable {
        var buffer: Buffer
        var number: UInt64
        var lost: Int
        var isCopied: Bool
    }

    /// Waits for the next frame.
    func next(sharesMemory: Bool) throws(GscapError) -> Frame {
        let frame = try camera.nextFrame()
        let isCopied = camera.queuedCount < Self.leastQueued
        var buffer = try isCopied ? copy(frame) : sharesMemory ? share(frame) : wrap(frame)
        let (number, lost) = state.withLock { state -> (UInt64, Int) in
            // The kernel's numbers have 32 bits.
            let step = state.last.map { frame.sequence &- $0 } ?? 1
            state.number += state.last == nil ? UInt64(frame.sequence) : UInt64(step)
            state.last = frame.sequence
            return (first + state.number, step > 1 && step < 1 << 16 ? Int(step) - 1 : 0)
        }
        stamp(&buffer, frame)
        return Frame(buffer: buffer, number: number, lost: lost, isCopied: isCopied)
    }

    // MARK: - Memory

    private func wrap(_ frame: CameraFrame) throws(GscapError) -> Buffer {
        // Safe: the lease keeps the driver from the memory, and the memory mapped.
        try unsafe Buffer(over: frame.bytes, keeping: frame.lease)
    }

    private func copy(_ frame: CameraFrame) throws(GscapError) -> Buffer {
        var copy: Buffer
        do throws(FlowError) { copy = try pool.acquire() } catch {
            throw GscapError(.noMemory, "there is no memory for a frame", place: element.name)
        }
        let count = unsafe min(frame.bytes.count, pool.size)
        copy.withMutableBytes { bytes in
            unsafe bytes.withUnsafeMutableBytes { target in
                // Safe: both have at least `count` bytes.
                if let start = target.baseAddress, let source = unsafe frame.bytes.baseAddress {
                    unsafe start.copyMemory(from: source, byteCount: count)
                }
            }
        }
        return copy
    }

    private func share(_ frame: CameraFrame) throws(GscapError) -> Buffer {
        guard let descriptor = camera.export(frame) else { return try wrap(frame) }
        return try unsafe Buffer(dmabuf: descriptor, size: frame.bytes.count, keeping: frame.lease)
    }

    // MARK: - Times and metadata

    private static func now() -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private func stamp(_ buffer: inout Buffer, _ frame: CameraFrame) {
        let arrival = Self.now()
        let time = frame.isMonotonic && frame.timestamp > 0 ? frame.timestamp : arrival
        let number = state.withLock(\.number)
        // The driver states the start of the exposure or the end of the frame; the exposure that was set last is near
        // enough to compute one from the other.
        let duration = frameDuration ?? 0
        let length = UInt64(((camera.controls.readoutTime ?? duration) + (camera.controls.exposureTime ?? 0)) * 1e9)
        let (begin, end) = frame.isStartOfExposure ? (time, time + length) : (time - min(time, length), time)
        var seen = ControlHistory.Frame(number: number, end: end, brightness: brightness(frame))
        let values = state.withLock { state in
            seen.followsGap = state.pace.isGap(before: end)
            return state.history.values(of: seen)
        }
        var metadata = metadata(values)
        metadata.sensorTimestamp = begin
        metadata.frameNumber = first + number
        metadata.wallClock = Self.wallClock(of: begin, at: arrival)
        try? buffer.setFrameMetadata(metadata)
        if let time = element.runningTime(ofMonotonic: begin) { buffer.presentationTime = UInt64(max(0, time)) }
        if duration > 0 { buffer.duration = UInt64(duration * 1e9) }
        buffer.offset = first + number
        if camera.stride != camera.format.codes.layout.rowBytes(width: format.width) {
            buffer.setRowPlacement(RowPlacement(stride: camera.stride), width: format.width, height: format.height)
        }
    }

    private func brightness(_ frame: CameraFrame) -> RawBrightness? {
        let black = camera.profile?.blackLevel?.code(gain: 1, bitDepth: format.bitDepth) ?? 0
        return unsafe RawBrightness(
            RawSpan(_unsafeBytes: frame.bytes), camera.format.codes, width: format.width, height: format.height,
            stride: camera.stride, black: black)
    }

    private static func wallClock(of time: UInt64, at now: UInt64) -> Int64 {
        var wall = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &wall)
        let microseconds = Int64(wall.tv_sec) * 1_000_000 + Int64(wall.tv_nsec) / 1000
        return microseconds - (Int64(clamping: now) - Int64(clamping: time)) / 1000
    }

    private func metadata(_ values: ControlHistory.Values) -> FrameMetadata {
        var metadata = FrameMetadata(of: format)
        let description = camera.camera
        metadata.exposureTime = values.exposureTime ?? 0
        metadata.iso = values.gain.map { $0 * baseISO } ?? 0
        metadata.orientation = description.orientation
        metadata.make = camera.profile?.make ?? ""
        metadata.model = camera.profile?.model ?? description.name
        guard let profile = camera.profile else { return metadata }
        let gain = values.gain ?? 1
        if let level = profile.blackLevel {
            metadata.blackLevel = [Double](repeating: level.code(gain: gain, bitDepth: format.bitDepth), count: 4)
        }
        if let level = profile.whiteLevel { metadata.whiteLevel = level.code(gain: gain, bitDepth: format.bitDepth) }
        metadata.calibrations = profile.calibrations
        if let noise = profile.noise { metadata.noise = [noise.amplified(by: gain)] }
        return metadata
    }
}
