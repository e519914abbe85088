public import GStreamer
internal import Glibc
internal import RawImage
internal import SimulatedSensor
internal import Synchronization

/// A camera made of mathematics, as a source of Bayer frames.
///
///     gst-launch-1.0 gscapsensorsrc iso=1600 ! video/x-bayer,format=rggb12le,width=1920,height=1080 ! fakesink
public final class SensorSource: SourceBehaviour {
    /// What the streaming thread works with.
    struct Stream {
        var sensor: SimulatedSensor
        var pool: BufferPool
        var delay: SensorDelay
        var format: MosaicFormat
        var frame: UInt64 = 0
        /// The stamp of frame 0: a live camera that starts late does not hurry to catch up.
        var startTime: UInt64 = 0
    }

    /// Lock order: `settings` before `stream`; neither is held while a frame is read out.
    private let settings = Mutex(SensorProperties())
    private let stream = Mutex<Stream?>(nil)

    private let element: ElementHandle

    /// A sensor for an element.
    public init(element: ElementHandle) {
        self.element = element
    }

    /// What gst-inspect shows.
    public static let elementClass = ElementClass(
        factoryName: "gscapsensorsrc", typeName: "GscapSensorSrc", longName: "Simulated Bayer sensor",
        classification: "Source/Video",
        summary: "A camera made of mathematics: scene, exposure, gain, noise, hand shake, motion and full metadata",
        author: Element.gscapAuthor, padTemplates: [.source(caps: template)], properties: SensorProperties.list)

    private static let template =
        "video/x-bayer, format=(string){ "
        + [12, 10, 14, 16, 8].flatMap { depth in
            BayerPattern.allCases.map { depth == 8 ? $0.rawValue : "\($0.rawValue)\(depth)le" }
        }.joined(separator: ", ")
        + " }, width=(int)[ 16, 8064 ], height=(int)[ 16, 6048 ], framerate=(fraction)[ 1/1000, 1000/1 ]"

    /// Takes a new value; exposure and gain reach the frames with the sensor's delay.
    public func setProperty(_ name: String, to value: Value) {
        let controls = settings.withLock { settings in
            settings.set(name, value)
            return settings.sensor.controls
        }
        if name == "exposure-time" || name == "iso" { stream.withLock { $0?.delay.request(controls) } }
    }

    /// A property's value.
    public func property(_ name: String) -> Value { settings.withLock { $0.value(name) } }

    /// A live camera paces itself by the clock; else frames come as fast as they are taken.
    public var timing: SourceTiming { settings.withLock { $0.isLive } ? .paced : .free }

    /// A live frame is there once it is read out.
    public var latency: SourceLatency? {
        guard let rate = stream.withLock({ $0?.sensor.settings.frameRate }) else { return nil }
        return SourceLatency(minimum: UInt64(1e9 / rate))
    }
}

// MARK: - Streaming

extension SensorSource {
    /// Prefers 12 megapixels of 12 bits at 10 frames a second.
    public func fixate(_ caps: Caps) -> Caps {
        for wish in [
            Caps(
                "video/x-bayer",
                ["width": 4032, "height": 3024, "framerate": .fraction(Fraction(10, 1))]),
            Caps("video/x-bayer", ["framerate": .fraction(Fraction(10, 1))]),
        ] {
            let met = caps.intersection(wish)
            if !met.isEmpty { return met.fixated() }
        }
        return caps.fixated()
    }

    /// Builds the sensor for a format, which renders its scene.
    public func setCaps(_ caps: Caps) throws {
        let (format, rate) = try Self.read(caps)
        var sensorSettings = settings.withLock { $0.sensor }
        sensorSettings.width = format.width
        sensorSettings.height = format.height
        sensorSettings.pattern = format.pattern
        sensorSettings.bitDepth = format.bitDepth
        sensorSettings.frameRate = rate
        let isLive = settings.withLock { $0.isLive }
        if isLive { sensorSettings.startTime = Self.now() }
        let size = format.bitDepth == 8 ? ByteMosaic.size(format) : BayerCaps.size(format)
        var made = Stream(
            sensor: try SimulatedSensor(sensorSettings), pool: try BufferPool(size: size, caps: caps),
            delay: SensorDelay(sensorSettings.controls), format: format)
        if isLive { made.startTime = element.runningTime ?? 0 }
        stream.withLock { stream in
            made.frame = stream?.frame ?? 0
            made.startTime -= min(made.startTime, UInt64(Double(made.frame) * 1e9 / rate))
            stream = made
        }
        element.postLatencyChanged()
    }

    /// Starts counting anew.
    public func start() throws { stream.withLock { $0 = nil } }

    /// Lets the scene go.
    public func stop() { stream.withLock { $0 = nil } }

    /// Reads out the next frame.
    public func create() throws -> Buffer {
        guard let (sensor, pool, format, frame, controls, start) = stream.withLock({ $0?.next() }) else {
            throw FlowError.notNegotiated
        }
        var buffer = try pool.acquire()
        let metadata = try read(sensor, frame, controls, format, into: &buffer)
        try buffer.setFrameMetadata(metadata)
        let period = 1e9 / sensor.settings.frameRate
        buffer.presentationTime = start + UInt64(Double(frame) * period)
        buffer.duration = UInt64(period)
        buffer.offset = frame
        return buffer
    }

    private func read(
        _ sensor: SimulatedSensor, _ frame: UInt64, _ controls: SensorControls, _ format: MosaicFormat,
        into buffer: inout Buffer
    ) throws -> FrameMetadata {
        if format.bitDepth == 8 {
            return try ByteMosaic.fill(&buffer, format: format) { (codes: inout MutableSpan<UInt16>) throws in
                try sensor.read(frame: frame, controls: controls, into: &codes, stride: format.width, cores: 1)
            }
        }
        return try buffer.withMutableValues(of: UInt16.self) { (codes: inout MutableSpan<UInt16>) throws in
            // The same seed gives the same bytes: also where an odd row is filled up.
            for row in 0..<format.height where format.stride > format.width {
                codes[row * format.stride + format.width] = 0
            }
            return try sensor.read(frame: frame, controls: controls, into: &codes, stride: format.stride, cores: 1)
        }
    }

    /// Obeys orders that come against the stream.
    public func handle(upstream event: Event) -> Bool {
        guard event.kind == .customUpstream, let order = SensorControl(event.structure) else { return false }
        let controls = settings.withLock { settings in
            settings.obey(order)
            return settings.sensor.controls
        }
        stream.withLock { $0?.delay.request(controls) }
        return true
    }

    private static func read(_ caps: Caps) throws(GStreamerError) -> (MosaicFormat, Double) {
        let rate: Double =
            if case .fraction(let fraction)? = caps.first?["framerate"], fraction.number > 0 { fraction.number } else {
                10
            }
        if let structure = caps.first, let name = structure["format"]?.text, let pattern = BayerPattern(rawValue: name),
            let width = structure["width"]?.integer, let height = structure["height"]?.integer
        {
            return (MosaicFormat(width: width, height: height, pattern: pattern, bitDepth: 8), rate)
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
    /// What the next frame is to be read with.
    mutating func next() -> (SimulatedSensor, BufferPool, MosaicFormat, UInt64, SensorControls, UInt64) {
        defer { frame += 1 }
        return (sensor, pool, format, frame, delay.beginFrame(), startTime)
    }
}
