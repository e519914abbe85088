internal import Cameras
internal import FrameStream
public import GStreamer
internal import RawImage
internal import Synchronization

/// A source of raw frames from the kernel's camera drivers (Video4Linux), in the sensor's deepest format.
///
///     gst-launch-1.0 gscapv4l2src ! rawunpack ! rawshutter captures=1 frames=8 ! rawfusion ! dngenc ! \
///         filesink location=photo.dng
///
///     stopped ──start: the camera is found──▶ found ──caps──▶ streaming ──lost──▶ waiting for its return
///                                                               ▲                   │
///                                                               └─── it is back ────┘
public final class V4L2Source: SourceBehaviour {
    private struct State {
        /// The camera that was found at the start.
        var camera: Camera?
        var stream: V4L2Stream?
        /// The negotiated caps, to which the camera returns.
        var format: (format: CameraFormat, width: Int, height: Int, rate: Double?)?
        var isUnlocked = false
        var lost: UInt64 = 0
        var copied: UInt64 = 0
        /// The number of the first frame of the next stream.
        var next: UInt64 = 0
    }

    private let settings = ElementSettings(V4L2SourceSettings.properties)
    private let state = Mutex(State())
    private let arrival = CameraArrival()
    private let element: ElementHandle

    /// Creates the behaviour of a `gscapv4l2src` element.
    public init(element: ElementHandle) { self.element = element }

    /// The factory's description, pad templates and properties, as shown by gst-inspect.
    public static let elementClass = ElementClass(
        factoryName: "gscapv4l2src", typeName: "GscapV4L2Src", longName: "Raw camera source (Video4Linux)",
        classification: "Source/Video/Hardware",
        summary: "Raw frames of a camera in its deepest format, with exposure, gain and the kernel's timestamps",
        author: Element.gscapAuthor, padTemplates: [.source(caps: template)],
        properties: V4L2SourceSettings.properties.declarations + V4L2SourceSettings.counters)

    private static let template =
        "video/x-bayer, format=(string){ "
        + Set(BayerDialect.fourCharacterCodes.map(\.format.name)).sorted().joined(separator: ", ")
        + " }, width=(int)[ 1, 65535 ], height=(int)[ 1, 65535 ], framerate=(fraction)[ 0/1, 2147483647/1 ]"

    /// Sets a property to a new value. Exposure and gain reach the camera with its delay.
    public func setProperty(_ name: String, to value: Value) throws(GscapError) {
        let settings = try settings.set(name, to: value)
        guard name == "exposure-time" || name == "iso" else { return }
        let control = SensorControl(
            exposureTime: name == "exposure-time" && settings.exposureTime > 0 ? settings.exposureTime : nil,
            iso: name == "iso" && settings.iso > 0 ? settings.iso : nil)
        if let control { apply(control) }
    }

    /// Returns the current value of a property.
    public func property(_ name: String) throws(GscapError) -> Value {
        switch name {
        case "lost-frames": .uint64(state.withLock(\.lost))
        case "copied-frames": .uint64(state.withLock(\.copied))
        default: try settings.value(of: name)
        }
    }

    /// Frames are pushed as they come, with the kernel's times.
    public var timing: SourceTiming { .live }

    /// A frame is complete one frame after its start.
    public var latency: SourceLatency? {
        state.withLock(\.stream)?.frameDuration.map { SourceLatency(minimum: UInt64($0 * 1e9)) }
    }
}

// MARK: - Streaming

extension V4L2Source {
    /// Finds the camera. Throws an error that says what there is if it is missing.
    public func start() throws {
        let found = try flipped(try find())
        element.log(.info, "opens \(found.id) at \(found.address)")
        state.withLock { $0 = State(camera: found) }
    }

    /// Sets the flips before the formats are negotiated, because the order of the colours depends on them.
    private func flipped(_ camera: Camera) throws(GscapError) -> Camera {
        let flip = settings.current.flip
        return try V4L2Backend.flip(camera, horizontally: flip.isHorizontal, vertically: flip.isVertical)
    }

    private func find() throws(GscapError) -> Camera {
        let all = CameraSystem.discover()
        let wanted = settings.current.device
        let found =
            wanted.map { name in all.first { $0.id == name } ?? all.first { $0.address == name } }
            ?? all.first(where: \.isUsable) ?? all.first
        guard let found else {
            let known = all.isEmpty ? "there is none" : "there are " + all.map(\.id).joined(separator: ", ")
            throw .noCamera(
                wanted.map { "there is no raw camera \($0); \(known)" }
                    ?? "there is no raw camera; connect one, or use gscapsensorsrc, which simulates one")
        }
        if let problem = found.problem { throw .noCamera(problem) }
        return found
    }

    /// Ends the stream.
    public func stop() {
        let stream = state.withLock { state in
            defer { state = State() }
            return state.stream
        }
        stream?.stop()
    }

    /// Returns the formats of the camera, the best one first; nil for those of the pad template.
    public func caps() -> Caps? {
        state.withLock(\.camera).map { Caps($0.formats.map(\.structure)) }
    }

    /// Chooses the largest and deepest of the formats that downstream takes, and the highest rate.
    public func fixate(_ caps: Caps) -> Caps {
        func rank(_ structure: Structure) -> [Int] {
            let codes = structure["format"]?.text.flatMap { BayerDialect.meaning(of: $0) }
            let pixels = (structure["width"]?.greatest ?? 0) * (structure["height"]?.greatest ?? 0)
            let (isColor, isWords) = (codes?.pattern != nil, codes?.layout == .littleEndian)
            return [isColor ? 1 : 0, pixels, codes?.bitDepth ?? 0, isWords ? 1 : 0]
        }
        let options = caps.structures.flatMap { structure in
            (structure["format"]?.elements ?? [structure["format"]].compactMap(\.self)).map { format in
                var option = structure
                option["format"] = format
                return option
            }
        }
        guard var best = options.max(by: { rank($0).lexicographicallyPrecedes(rank($1)) }) else {
            return caps.fixated()
        }
        for side in ["width", "height"] { best[side] = best[side]?.greatest.map { .int(Int32(clamping: $0)) } }
        if case .fractionRange(_, let most)? = best["framerate"], most.number < 1e6 {
            best["framerate"] = .fraction(most)
        }
        return Caps([best]).fixated()
    }

    /// Opens the camera in the negotiated format.
    public func setCaps(_ caps: Caps) throws {
        guard let structure = caps.first, let name = structure["format"]?.text,
            let codes = BayerDialect.meaning(of: name), let width = structure["width"]?.integer,
            let height = structure["height"]?.integer, let camera = state.withLock(\.camera),
            let format = camera.formats.first(where: {
                $0.codes == codes && $0.width.contains(width) && $0.height.contains(height)
            })
        else { throw FlowError.notNegotiated }
        let rate = structure["framerate"]?.number.flatMap { $0 > 0 && $0 < 1e6 ? $0 : nil }
        state.withLock { $0.format = (format, width, height, rate) }
        try open(camera)
    }

    /// Opens the camera and starts its stream.
    private func open(_ camera: Camera) throws(GscapError) {
        guard let format = state.withLock(\.format) else { return }
        let settings = settings.current
        // The driver refuses a new format while the old stream has its buffers.
        let old = state.withLock { state in
            defer { state.stream = nil }
            return state.stream
        }
        old?.stop()
        let stream = try V4L2Stream(camera, format, settings, element, number: state.withLock(\.next))
        if settings.exposureTime > 0 || settings.iso > 0,
            let control = SensorControl(
                exposureTime: settings.exposureTime > 0 ? settings.exposureTime : nil,
                iso: settings.iso > 0 ? settings.iso : nil)
        {
            try stream.apply(control)
        }
        try stream.start()
        if let warning = stream.warning { element.post(warning: GscapError(message: warning, place: element.name)) }
        let isUnlocked = state.withLock { state in
            (state.stream, state.camera) = (stream, camera)
            return state.isUnlocked
        }
        if isUnlocked { stream.wake() }
        element.postLatencyChanged()
    }

    /// Takes the next frame. A camera that has gone is waited for.
    public func create() throws -> Buffer {
        while true {
            guard let stream = state.withLock(\.stream) else { throw FlowError.notNegotiated }
            do throws(GscapError) {
                let frame = try stream.next(sharesMemory: settings.current.sharesMemory)
                let (lost, isCopied, number) = (frame.lost, frame.isCopied, frame.number)
                state.withLock { state in
                    state.lost += UInt64(lost)
                    state.copied += isCopied ? 1 : 0
                    state.next = number + 1
                }
                if lost > 0 { element.log(.warning, "the driver has lost \(lost) frames") }
                return frame.buffer
            } catch {
                if error.code == .ended { throw FlowError.flushing }
                guard error.code == .noDevice, settings.current.reconnects else { throw error.asMissingCamera }
                try waitForReturn(error)
            }
        }
    }

    /// Reports the loss, waits until the same camera is back, and starts its stream again.
    private func waitForReturn(_ loss: GscapError) throws {
        let lost = state.withLock { state in
            defer { state.stream = nil }
            return (camera: state.camera, stream: state.stream)
        }
        lost.stream?.stop()
        element.log(.warning, loss.message)
        element.post(CameraLoss.structure(loss.message))
        element.element?.pad("src")?.push(CameraLoss.event(loss.message))
        guard let id = lost.camera?.id else { throw loss.asMissingCamera }
        let back = arrival.wait { [self] in
            guard let camera = CameraSystem.discover().first(where: { $0.id == id }), camera.isUsable else {
                return false
            }
            do throws(GscapError) {
                try open(flipped(camera))
            } catch {
                // The parts of a camera come one by one; the next one that comes is another attempt.
                element.log(.debug, "the camera is not ready yet: \(error)")
                return false
            }
            element.post(CameraLoss.returned(camera.address))
            return true
        }
        if !back { throw FlowError.flushing }
    }

    /// Interrupts the wait for a frame or for a camera.
    public func unlock() {
        let stream = state.withLock { state in
            state.isUnlocked = true
            return state.stream
        }
        arrival.wake()
        stream?.wake()
    }

    /// Lets the streaming thread wait again.
    public func unlockStop() {
        let stream = state.withLock { state in
            state.isUnlocked = false
            return state.stream
        }
        arrival.permitWaits()
        stream?.permitWaits()
    }

    /// Applies sensor control events from downstream.
    public func handle(upstream event: Event) -> Bool {
        guard event.kind == .customUpstream, let control = SensorControl(event.structure) else { return false }
        apply(control)
        return true
    }

    private func apply(_ control: SensorControl) {
        guard let stream = state.withLock(\.stream) else { return }
        do throws(GscapError) {
            try stream.apply(control)
        } catch {
            element.post(warning: error)
        }
    }
}

extension GscapError {
    /// An error with which a source reports a missing camera.
    fileprivate static func noCamera(_ message: String) -> GscapError {
        GscapError(domain: Domain.resource, number: 3, message: message)
    }

    /// This error, as a source reports it if the camera is missing.
    fileprivate var asMissingCamera: GscapError { code == .noDevice ? .noCamera(message) : self }
}

extension Value {
    /// The number, or the greatest one of a range.
    fileprivate var greatest: Int? {
        if case .intRange(let range) = self { return Int(range.upperBound) }
        return integer
    }
}
