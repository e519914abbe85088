internal import FrameStream
public import GStreamer
internal import Glibc
internal import RawImage
internal import SimulatedSensor
internal import Synchronization
internal import Waiting

/// A source of Bayer frames from a simulated sensor.
///
///     gst-launch-1.0 gscapsensorsrc iso=1600 ! video/x-bayer,format=rggb12le,width=1920,height=1080 ! fakesink
public final class SensorSource: SourceBehaviour {
    /// The state of a negotiated stream. The streaming thread advances it; other threads request exposures and read the
    /// frame rate, so it is kept in a `Mutex`.
    struct Stream {
        let settings: SensorSettings
        /// The sensor with its scene; nil until the first frame is computed.
        var sensor: SimulatedSensor?
        var pace = ComputedPace()
        var pool: BufferPool
        var delay: SensorDelay
        var format: MosaicFormat
        var frame: UInt64 = 0
        /// The presentation time of frame 0 in nanoseconds, by the present frame rate. A live source starts at the
        /// current running time, so that it does not produce frames for the past. Negative after a change to a lower
        /// frame rate, because the frames are counted over all formats.
        var startTime: Int64 = 0
        /// The wall-clock time at which a live source's running time was 0, in microseconds since 1970.
        var wallStart: Int64?

        /// The presentation time of the next frame in nanoseconds.
        var nextTime: Int64 { startTime + Int64(Double(frame) * 1e9 / settings.frameRate) }
    }

    /// The parameters for simulating a frame, as in `Stream`.
    struct Frame {
        let sensor: SimulatedSensor
        let pool: BufferPool
        let format: MosaicFormat
        let frame: UInt64
        let controls: SensorControls
        let startTime: Int64
        let wallStart: Int64?
    }

    /// Neither `settings` nor `stream` is locked while a frame is simulated.
    private let settings = ElementSettings(SensorProperties.table)
    private let stream = Mutex<Stream?>(nil)
    /// Whether computations end, because the element pauses or stops.
    private let isUnlocked = Atomic(false)

    private let clock = WaitClock.current
    private let element: ElementHandle

    /// Creates the behaviour of a `gscapsensorsrc` element.
    public init(element: ElementHandle) {
        self.element = element
    }

    /// The factory's description, pad templates and properties, as shown by gst-inspect.
    public static let elementClass = ElementClass(
        factoryName: "gscapsensorsrc", typeName: "GscapSensorSrc", longName: "Simulated Bayer sensor",
        classification: "Source/Video",
        summary: "Simulated camera: scene, exposure, gain, noise, camera shake, motion and full metadata",
        author: Element.gscapAuthor, padTemplates: [.source(caps: template)],
        properties: SensorProperties.table.declarations)

    private static let formats = [12, 10, 14, 16, 8].flatMap { (depth: Int) -> [String] in
        BayerCaps.patterns.map { depth == 8 ? $0 : "\($0)\(depth)le" }
    }

    private static let template =
        "video/x-bayer, format=(string){ "
        + formats.joined(separator: ", ")
        + " }, width=(int)[ 16, 8064 ], height=(int)[ 16, 6048 ], framerate=(fraction)[ 1/1000, 1000/1 ]"

    /// Sets a property to a new value. Exposure and gain take effect with the sensor's delay.
    public func setProperty(_ name: String, to value: Value) throws(GscapError) {
        let controls = try settings.set(name, to: value).controls
        if name == "exposure-time" || name == "iso" { stream.withLock { $0?.delay.request(controls) } }
    }

    /// Returns the current value of a property.
    public func property(_ name: String) throws(GscapError) -> Value { try settings.value(of: name) }

    /// Recorded at the pace of the pipeline's clock if `is-live` is set: a frame is pushed at the end of its readout.
    /// Otherwise frames are produced as fast as downstream takes them.
    public var timing: SourceTiming { settings.current.isLive ? .recorded : .free }

    /// The latency of one frame period: a live frame is complete only after its readout.
    public var latency: SourceLatency? {
        guard let rate = stream.withLock({ $0?.settings.frameRate }) else { return nil }
        return SourceLatency(minimum: UInt64(1e9 / rate))
    }
}

// MARK: - Streaming

extension SensorSource {
    /// Selects 4032×3024 at 10 frames per second if downstream accepts that, otherwise 10 frames per second alone if
    /// possible. Of several bit depths this selects 12, which the template lists first.
    public func fixate(_ caps: Caps) -> Caps {
        for preferred in [
            Caps(
                "video/x-bayer",
                ["width": 4032, "height": 3024, "framerate": .fraction(Fraction(10, 1))]),
            Caps("video/x-bayer", ["framerate": .fraction(Fraction(10, 1))]),
        ] {
            let accepted = caps.intersection(preferred)
            if !accepted.isEmpty { return accepted.fixated() }
        }
        return caps.fixated()
    }

    /// Stores the negotiated format. The scene is rendered before the first frame.
    public func setCaps(_ caps: Caps) throws {
        let (format, rate) = try Self.read(caps)
        let settings = settings.current
        var sensorSettings = settings.sensor
        sensorSettings.controls = settings.controls
        sensorSettings.width = format.width
        sensorSettings.height = format.height
        sensorSettings.pattern = format.pattern
        sensorSettings.isMonochrome = format.isMonochrome
        sensorSettings.bitDepth = format.bitDepth
        sensorSettings.frameRate = rate
        let size = format.bitDepth == 8 ? EightBitMosaic.size(format) : BayerCaps.size(format)
        var next = Stream(
            settings: sensorSettings, pool: try BufferPool(size: size),
            delay: SensorDelay(sensorSettings.controls, frames: settings.delay), format: format)
        stream.withLock { stream in
            next.frame = stream?.frame ?? 0
            next.startTime = (stream?.nextTime ?? 0) - Int64(Double(next.frame) * 1e9 / rate)
            stream = next
        }
        element.postLatencyChanged()
    }

    /// Returns the sensor of the stream, and renders its scene first if that is still to be done.
    private func sensor() throws -> SimulatedSensor {
        guard let (settings, sensor) = stream.withLock({ $0.map { ($0.settings, $0.sensor) } }) else {
            throw FlowError.notNegotiated
        }
        if let sensor { return sensor }
        let rendered: SimulatedSensor
        do throws(GscapError) {
            rendered = try SimulatedSensor(settings, work: work(isScene: true))
        } catch {
            if error.code == .ended { throw FlowError.flushing }
            throw error
        }
        // The clocks are read when the scene is rendered, which takes seconds for large frames.
        let isLive = self.settings.current.isLive
        let now = isLive ? Int64(clamping: element.runningTime ?? 0) : nil
        let wallStart = isLive ? wallStart() : nil
        stream.withLock { stream in
            stream?.sensor = rendered
            stream?.wallStart = wallStart
            guard let now, let frame = stream?.frame else { return }
            stream?.startTime = now - Int64(Double(frame) * 1e9 / settings.frameRate)
        }
        return rendered
    }

    /// Returns a computation that ends when the element is unlocked, and is reported downstream while it lasts.
    private func work(isScene: Bool) -> SensorWork {
        let reports = Mutex(WorkReports(at: clock.now, reportsStart: isScene))
        return SensorWork { [self] in
            if isUnlocked.load(ordering: .acquiring) { return false }
            let now = clock.now
            let (isDue, isLong) = reports.withLock { reports in
                let isDue = reports.isDue(at: now)
                return (isDue, isDue && isScene && reports.becomesLong(at: now))
            }
            if isDue { element.element?.pad("src")?.push(CameraWork.event) }
            if isLong {
                warn("the simulated camera still computes its scene, which a slow or busy machine takes long for")
            }
            return true
        }
    }

    /// Posts a warning about the camera's pace.
    private func warn(_ message: String) {
        element.post(warning: GscapError(message: message, place: element.name))
    }

    /// Returns the wall-clock time at which the running time was 0, in microseconds since 1970. A busy machine may
    /// interrupt the thread between the readings of both clocks, and cameras of one device must agree, so of several
    /// readings that of the shortest time counts.
    private func wallStart() -> Int64 {
        let readings = (0..<16).map { _ -> (span: Int64, start: Int64) in
            let before = Self.now()
            let time = Int64(clamping: element.runningTime ?? 0)
            let span = Self.now() - before
            return (span < 0 ? Int64.max : span, before + span / 2 - time / 1000)
        }
        return readings.min { $0.span < $1.span }?.start ?? 0
    }

    /// Ends the computation of a scene or a frame, so that the element stops at once on a busy machine, too.
    public func unlock() { isUnlocked.store(true, ordering: .releasing) }

    /// Permits computations again.
    public func unlockStop() { isUnlocked.store(false, ordering: .releasing) }

    /// Resets the frame count. Throws if the device is missing.
    public func start() throws {
        try requireDevice()
        stream.withLock { $0 = nil }
    }

    /// Releases the sensor with its scene.
    public func stop() { stream.withLock { $0 = nil } }

    /// Throws GST_RESOURCE_ERROR_NOT_FOUND, as the source of an unplugged camera does, if the path of the property
    /// `device` does not exist.
    private func requireDevice() throws(GscapError) {
        let path = settings.current.device
        guard !path.isEmpty, unsafe access(path, F_OK) != 0 else { return }
        throw GscapError(
            domain: GscapError.Domain.resource, number: 3,
            message: "the device \"\(path)\" does not exist; connect the camera")
    }

    /// Simulates the next frame. Throws if the device is missing.
    public func create() throws -> Buffer {
        try requireDevice()
        let sensor = try sensor()
        let now = settings.current.isLive ? element.runningTime : nil
        guard let next = stream.withLock({ $0?.next(of: sensor, at: now) }) else {
            throw FlowError.notNegotiated
        }
        let begin = clock.now
        let work = work(isScene: false)
        var buffer = try next.pool.acquire()
        let period = 1e9 / next.sensor.settings.frameRate
        let time = UInt64(max(0, next.startTime + Int64(Double(next.frame) * period)))
        let sceneTime = settings.current.followsClock ? Double(time) / 1e9 : nil
        var metadata = try read(next, sceneTime, into: &buffer, work)
        if work.isEnded { throw FlowError.flushing }
        if now != nil { notePace(since: begin) }
        if let start = next.wallStart { metadata.wallClock = start + Int64(clamping: time / 1000) }
        try buffer.setFrameMetadata(metadata)
        buffer.presentationTime = time
        buffer.duration = UInt64(period)
        buffer.offset = next.frame
        return buffer
    }

    /// Records how long a frame took, and warns once of a rate that has fallen.
    private func notePace(since begin: WaitClock.Instant) {
        let time = (clock.now - begin).inSeconds
        let slow = stream.withLock { stream -> (Double, Double)? in
            guard let rate = stream?.settings.frameRate, let computed = stream?.pace.add(time, rate: rate) else {
                return nil
            }
            return (computed, rate)
        }
        guard let (computed, rate) = slow else { return }
        func text(_ rate: Double) -> String { "\((rate * 10).rounded() / 10)" }
        warn(
            "the simulated camera computes \(text(computed)) of \(text(rate)) frames per second, since this "
                + "machine is slow or busy: choose a smaller size or a lower rate for a steady stream")
    }

    private func read(
        _ next: Frame, _ sceneTime: Double?, into buffer: inout Buffer, _ work: SensorWork
    ) throws -> FrameMetadata {
        let format = next.format
        if format.bitDepth == 8 {
            return try EightBitMosaic.fill(&buffer, format: format) { (codes: inout MutableSpan<UInt16>) throws in
                try next.sensor.read(
                    frame: next.frame, controls: next.controls, into: &codes, stride: format.width,
                    sceneTime: sceneTime, cores: 1, work: work)
            }
        }
        return try buffer.withMutableValues(of: UInt16.self) { (codes: inout MutableSpan<UInt16>) throws in
            // Clears the padding code of odd rows in the recycled buffer, so that the same seed gives the same bytes.
            for row in 0..<format.height where format.stride > format.width {
                codes[row * format.stride + format.width] = 0
            }
            return try next.sensor.read(
                frame: next.frame, controls: next.controls, into: &codes, stride: format.stride, sceneTime: sceneTime,
                cores: 1, work: work)
        }
    }

    /// Applies sensor control events from downstream.
    public func handle(upstream event: Event) -> Bool {
        guard event.kind == .customUpstream, let control = SensorControl(event.structure) else { return false }
        let controls = settings.update { $0.apply(control) }.controls
        stream.withLock { $0?.delay.request(controls) }
        return true
    }

    private static func read(_ caps: Caps) throws(GscapError) -> (MosaicFormat, Double) {
        let rate: Double =
            if case .fraction(let fraction)? = caps.first?["framerate"], fraction.number > 0 { fraction.number } else {
                10
            }
        if let structure = caps.first, let name = structure["format"]?.text, BayerCaps.patterns.contains(name),
            let width = structure["width"]?.integer, let height = structure["height"]?.integer
        {
            let pattern = BayerPattern(rawValue: name)
            var format = MosaicFormat(width: width, height: height, pattern: pattern ?? .rggb, bitDepth: 8)
            format.isMonochrome = pattern == nil
            return (format, rate)
        }
        return (try BayerCaps.format(caps), rate)
    }

    private static func now() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}

extension SensorSource.Stream {
    /// The most frames that are dropped in succession.
    private static let mostDropped = 1000

    /// Advances the frame count and returns the parameters for simulating the next frame that is not dropped. A live
    /// sensor on a machine that is too slow for it drops the frames whose readout ended more than a period before the
    /// running time `now`, as a camera does; otherwise its frames would arrive ever later.
    mutating func next(of sensor: SimulatedSensor, at now: UInt64?) -> SensorSource.Frame {
        defer { frame += 1 }
        var controls = delay.beginFrame()
        let period = 1e9 / sensor.settings.frameRate
        while let now, Double(startTime) + Double(frame + 2) * period < Double(now) {
            frame += 1
            controls = delay.beginFrame()
        }
        var dropped = 0
        while dropped < Self.mostDropped, sensor.isDropped(frame: frame) {
            frame += 1
            dropped += 1
            controls = delay.beginFrame()
        }
        return SensorSource.Frame(
            sensor: sensor, pool: pool, format: format, frame: frame, controls: controls, startTime: startTime,
            wallStart: wallStart)
    }
}
