import GStreamer
import Synchronization

// Minimal elements of each kind, for the tests.

/// Counts the existing behaviour objects, which are freed with their elements.
final class InstanceCount: Sendable {
    private let count = Atomic(0)

    var current: Int { count.load(ordering: .sequentiallyConsistent) }

    func change(by step: Int) { count.wrappingAdd(step, ordering: .sequentiallyConsistent) }
}

/// A source of four-byte buffers with increasing numbers.
final class CountingSource: SourceBehaviour {
    static let instances = InstanceCount()

    static let elementClass = ElementClass(
        factoryName: "testcountsrc", typeName: "GscapTestCountSrc", longName: "Counting source",
        classification: "Source/Test", summary: "Counts", author: "gscap",
        padTemplates: [.source(caps: "application/x-count, width=(int)[1, 64]")],
        properties: [
            ElementProperty(
                "first", .int32(-5...1000, default: 7), blurb: "Where it starts",
                options: [.readWrite, .mutablePlaying]),
            ElementProperty("fail-at", .int64(-1 ... .max, default: -1), blurb: "The count that fails"),
            ElementProperty("width", .int32(1...64, default: 3), blurb: "A field of the caps"),
            ElementProperty("is-live", .boolean(default: false), blurb: "Whether the clock paces it"),
            ElementProperty("stamped", .boolean(default: false), blurb: "Whether GStreamer stamps the buffers"),
            ElementProperty("refuse", .boolean(default: false), blurb: "Whether it fails to start"),
        ])

    private struct Settings {
        var first: Int32 = 7
        var failAt: Int64 = -1
        var width: Int32 = 3
        var isLive = false
        var stamped = false
        var refuse = false
        var count: Int32 = 0
    }

    private let element: ElementHandle
    private let settings = Mutex(Settings())

    init(element: ElementHandle) {
        self.element = element
        Self.instances.change(by: 1)
    }

    deinit { Self.instances.change(by: -1) }

    func setProperty(_ name: String, to value: Value) {
        let renegotiates = settings.withLock { settings in
            switch name {
            case "first": settings.first = value.integer.flatMap(Int32.init(exactly:)) ?? settings.first
            case "fail-at": settings.failAt = value.integer.map(Int64.init) ?? settings.failAt
            case "width": settings.width = value.integer.flatMap(Int32.init(exactly:)) ?? settings.width
            case "is-live": settings.isLive = value.truth ?? false
            case "stamped": settings.stamped = value.truth ?? false
            case "refuse": settings.refuse = value.truth ?? false
            default: break
            }
            return name == "width"
        }
        if renegotiates { element.renegotiate() }
    }

    func property(_ name: String) -> Value {
        settings.withLock { settings in
            switch name {
            case "first": .int(settings.first)
            case "fail-at": .int64(settings.failAt)
            case "width": .int(settings.width)
            case "is-live": .boolean(settings.isLive)
            case "stamped": .boolean(settings.stamped)
            case "refuse": .boolean(settings.refuse)
            default: .null
            }
        }
    }

    var timing: SourceTiming {
        settings.withLock { $0.stamped ? .stamped : $0.isLive ? .paced : .free }
    }

    var latency: SourceLatency? { SourceLatency(minimum: 5_000_000) }

    func start() throws {
        if settings.withLock({ $0.refuse }) {
            throw GStreamerError(
                domain: GStreamerError.Domain.resource, number: 5, message: "there is no device", debug: "refuse=true")
        }
        settings.withLock { $0.count = 0 }
    }

    func caps() -> Caps? {
        Caps("application/x-count", ["width": .int(settings.withLock { $0.width })])
    }

    func create() throws -> Buffer {
        let (count, first, failAt) = settings.withLock { settings in
            defer { settings.count += 1 }
            return (settings.count, settings.first, settings.failAt)
        }
        if Int64(count) == failAt { throw CountingError(count: count) }
        var buffer = unsafe try Buffer(copying: withUnsafeBytes(of: first + count) { unsafe Array($0) })
        if case .stamped = timing { return buffer }
        buffer.presentationTime = UInt64(count) * 10_000_000
        buffer.duration = 10_000_000
        return buffer
    }

    func handle(upstream event: Event) -> Bool {
        guard event.kind == .customUpstream, let first = event.structure?["first"] else { return false }
        setProperty("first", to: first)
        return true
    }
}

/// An error that is not a GStreamerError and so has no domain.
struct CountingError: Error, CustomStringConvertible {
    var count: Int32
    var description: String { "the count \(count) is unlucky" }
}

/// A transform that pushes each buffer `copies` times and, at the end of a nonempty stream, one buffer of two bytes.
final class RepeatingTransform: TransformBehaviour {
    static let instances = InstanceCount()

    static let modes = EnumerationType(
        "GscapTestRepeatMode",
        [.init(0, nick: "all", name: "Every buffer"), .init(4, nick: "even", name: "Every second buffer")])

    static let elementClass = ElementClass(
        factoryName: "testrepeat", typeName: "GscapTestRepeat", longName: "Repeater", classification: "Filter/Test",
        summary: "Repeats", author: "gscap",
        padTemplates: [
            .sink(caps: "application/x-count, width=(int)[1, 64]"),
            .source(caps: "application/x-repeated, width=(int)[1, 64]"),
        ],
        properties: [
            ElementProperty(
                "copies", .uint32(0...9, default: 1), nick: "Copies", blurb: "How often",
                options: [.readWrite, .controllable, .mutablePlaying]),
            ElementProperty("mode", .enumeration(modes, default: 4), blurb: "Which"),
            ElementProperty("label", .string(default: "none"), blurb: "A text", options: [.readWrite, .mutableReady]),
            ElementProperty("scale", .double(0...2, default: 0.5), blurb: "A number"),
            ElementProperty(
                "rate", .fraction(from: Fraction(0, 1), to: Fraction(100, 1), default: Fraction(30, 1)), blurb: "A rate"
            ),
            ElementProperty("received", .uint64(0 ... .max, default: 0), blurb: "A count", options: [.readable]),
            ElementProperty("extra", .structure, blurb: "Anything"),
        ],
        signals: [
            ElementSignal("capture", .action, parameters: [.init("request", .structure)], result: .uint64),
            ElementSignal("repeated", .notification, parameters: [.init("count", .uint64), .init("text", .string)]),
        ])

    private struct State {
        var values: [String: Value] = [:]
        var received: UInt64 = 0
    }

    private let element: ElementHandle
    private let state = Mutex(State())

    init(element: ElementHandle) {
        self.element = element
        Self.instances.change(by: 1)
    }

    deinit { Self.instances.change(by: -1) }

    func setProperty(_ name: String, to value: Value) {
        state.withLock { $0.values[name] = value }
    }

    func property(_ name: String) -> Value {
        if name == "received" { return .uint64(state.withLock { $0.received }) }
        let standard = Self.elementClass.properties.first { $0.name == name }?.defaultValue
        return state.withLock { $0.values[name] } ?? standard ?? .null
    }

    func perform(action: String, arguments: [Value]) -> Value? {
        guard action == "capture", case .structure(let structure)? = arguments.first else { return .uint64(0) }
        return structure["id"]
    }

    func willChangeState(_ transition: StateTransition) throws {
        if property("label").text == "stuck", transition.to == .paused { throw CountingError(count: 0) }
    }

    func outputCaps(for input: Caps) -> Caps { renamed(input, to: "application/x-repeated") }

    func inputCaps(for output: Caps) -> Caps { renamed(output, to: "application/x-count") }

    private func renamed(_ caps: Caps, to name: String) -> Caps {
        if caps.isAny { return Caps([Structure(name)]) }
        return Caps(
            caps.structures.map {
                var structure = $0
                structure.name = name
                return structure
            })
    }

    func setCaps(input: Caps, output: Caps) throws {
        if input.first?["width"]?.integer == 13 {
            throw GStreamerError(message: "width 13 cannot be", place: "repeat")
        }
    }

    func process(_ input: consuming Buffer, output: Pad) throws {
        let number = state.withLock { state -> UInt64 in
            state.received += 1
            return state.received
        }
        if property("mode").integer == 4 && property("label").text == "drop", number % 2 == 1 { return }
        for _ in 0..<(property("copies").integer ?? 0) { try output.push(input.newReference()) }
        element.emit("repeated", [.uint64(number), "done"])
    }

    func handle(downstream event: Event, output: Pad) throws -> EventDecision {
        switch event.kind {
        case .endOfStream where state.withLock({ $0.received }) > 0: try output.push(Buffer(copying: [1, 2]))
        case .flushStop: state.withLock { $0.received = 0 }
        case .customDownstream: return .drop
        default: break
        }
        return .forward
    }
}

/// A transform that passes buffers unchanged, with or without GstBaseTransform's passthrough mode, and drops custom
/// upstream events.
final class PassingTransform: TransformBehaviour {
    static let elementClass = ElementClass(
        factoryName: "testpass", typeName: "GscapTestPass", longName: "Passer", classification: "Filter/Test",
        summary: "Passes", author: "gscap", padTemplates: [.sink(caps: "ANY"), .source(caps: "ANY")],
        properties: [
            ElementProperty("passthrough", .boolean(default: false), blurb: "Whether it is not asked"),
            ElementProperty("processed", .uint32(0 ... .max, default: 0), blurb: "A count", options: [.readable]),
        ])

    private let passthrough = Atomic(false)
    private let processed = Atomic<UInt32>(0)

    init(element: ElementHandle) {}

    func setProperty(_ name: String, to value: Value) {
        passthrough.store(value.truth ?? false, ordering: .relaxed)
    }

    func property(_ name: String) -> Value {
        name == "processed"
            ? .uint(processed.load(ordering: .relaxed)) : .boolean(passthrough.load(ordering: .relaxed))
    }

    var isPassthrough: Bool { passthrough.load(ordering: .relaxed) }

    func process(_ input: consuming Buffer, output: Pad) throws {
        processed.add(1, ordering: .relaxed)
        try output.push(input)
    }

    func handle(upstream event: Event) -> EventDecision { event.kind == .customUpstream ? .drop : .forward }
}

/// A bin that contains a queue and an identity.
final class FilterBin: BinBehaviour {
    static let instances = InstanceCount()

    static let elementClass = ElementClass(
        factoryName: "testfilterbin", typeName: "GscapTestFilterBin", longName: "Filter bin",
        classification: "Filter/Bin", summary: "Passes all", author: "gscap",
        padTemplates: [.sink(caps: "ANY"), .source(caps: "ANY")],
        properties: [ElementProperty("steps", .int32(0 ... .max, default: 0), blurb: "Steps", options: [.readable])])

    private let steps = Atomic(0)
    private let failure: GStreamerError?

    init(element: ElementHandle) {
        Self.instances.change(by: 1)
        do throws(GStreamerError) {
            let queue = try Element(factory: "queue")
            let identity = try Element(factory: "identity")
            guard let bin = element.bin else { throw GStreamerError(message: "no bin") }
            try bin.add(queue)
            try bin.add(identity)
            try queue.link(to: identity)
            if let pad = queue.pad("sink") { try bin.addGhostPad("sink", of: pad) }
            if let pad = identity.pad("src") { try bin.addGhostPad("src", of: pad) }
            failure = nil
        } catch {
            failure = error
        }
    }

    deinit { Self.instances.change(by: -1) }

    func property(_ name: String) -> Value { .int(Int32(steps.load(ordering: .relaxed))) }

    func willChangeState(_ transition: StateTransition) throws { if let failure { throw failure } }

    func didChangeState(_ transition: StateTransition) { steps.add(1, ordering: .relaxed) }
}

/// Registers the test elements; may be called repeatedly.
func registerTestElements() throws {
    let elements: [any ElementBehaviour.Type] = [
        CountingSource.self, RepeatingTransform.self, PassingTransform.self, FilterBin.self,
    ]
    for element in elements { try element.register() }
}

/// An element whose factory name another plugin's element has already.
final class Namesake: BinBehaviour {
    static let elementClass = ElementClass(
        factoryName: "testnamesake", typeName: "GscapTestNamesake", longName: "Namesake",
        classification: "Filter/Test", summary: "Has the name of another", author: "gscap")

    init(element: ElementHandle) {}
}

/// Another element with the same factory name as `Namesake`, registered first.
final class FirstNamesake: BinBehaviour {
    static let elementClass = ElementClass(
        factoryName: "testnamesake", typeName: "GscapTestFirstNamesake", longName: "First namesake",
        classification: "Filter/Test", summary: "Has a name that another wants", author: "someone else")

    init(element: ElementHandle) {}
}
