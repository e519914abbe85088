import Dispatch
import GStreamer
import Synchronization
import TestClocks
import Testing

@Suite(.timeLimit(.minutes(10))) struct PipelineTests {
    @Test func runsToTheEnd() async throws {
        let pipeline = try Pipeline(parsing: "videotestsrc num-buffers=5 ! fakesink name=end")
        let messages = pipeline.bus.messages()
        try pipeline.setState(.playing)
        for await message in messages where message.isFromPipeline {
            if case .endOfStream = message.kind { break }
        }
        #expect(pipeline.element(named: "end")?.factoryName == "fakesink")
        try pipeline.setState(.null)
    }

    @Test func unknownElementIsNamed() {
        let error = #expect(throws: GStreamerError.self) { try Pipeline(parsing: "nosuchelement ! fakesink") }
        #expect(error?.message.contains("nosuchelement") == true)
    }

    @Test func errorsReachTheBus() async throws {
        let pipeline = try Pipeline(parsing: "filesrc location=/no/such/file ! fakesink")
        let messages = pipeline.bus.messages()
        #expect(throws: GStreamerError.self) {
            try pipeline.setState(.playing)
        }
        for await message in messages {
            guard case .error(let error) = message.kind else { continue }
            #expect(error.domain == GStreamerError.Domain.resource)
            #expect(error.place == message.source)
            break
        }
        try pipeline.setState(.null)
    }

    @Test func samplesComeOutOfASink() throws {
        let pipeline = try Pipeline(
            parsing:
                "videotestsrc num-buffers=3 ! video/x-raw,format=GRAY8,width=16,height=4 ! appsink name=out sync=false")
        let sink = try #require(pipeline.element(named: "out").flatMap(AppSink.init))
        try pipeline.setState(.playing)
        var count = 0
        while let sample = sink.nextSample(timeout: .seconds(5)) {
            #expect(sample.buffer?.size == 64)
            #expect(sample.caps?.first?["format"]?.text == "GRAY8")
            count += 1
        }
        #expect(count == 3)
        #expect(sink.isAtEnd)
        try pipeline.setState(.null)
    }

    @Test func aFullSinkBlocksThePipeline() throws {
        let pipeline = try Pipeline(
            parsing:
                "videotestsrc ! video/x-raw,width=16,height=4 ! identity name=passed "
                + "! appsink name=out sync=false max-buffers=2"
        )
        let passed = Counter()
        let third = DispatchSemaphore(value: 0)
        let probe = try #require(pipeline.element(named: "passed")?.pad("sink")).addBufferProbe { _ in
            passed.add()
            if passed.value == 3 { third.signal() }
            return .pass
        }
        let sink = try #require(pipeline.element(named: "out").flatMap(AppSink.init))
        try pipeline.setState(.playing)
        // Once the third buffer has passed the identity, the sink is full: it queues two samples, and the streaming
        // thread blocks with the third.
        #expect(third.isSignalled())
        for pulled in 0..<50 {
            #expect(passed.value <= pulled + 4)
            #expect(sink.nextSample(timeout: .seconds(120)) != nil)
        }
        probe.remove()
        try pipeline.setState(.null)
    }

    @Test func buffersGoInThroughASource() throws {
        let source = try AppSrc(caps: Caps("test/data"), maxBuffers: 4)
        let sink = try AppSink(caps: Caps("test/data"))
        let pipeline = try Pipeline()
        try pipeline.add(source)
        try pipeline.add(sink)
        try source.link(to: sink)
        try pipeline.setState(.playing)
        for byte in 0..<10 as Range<UInt8> {
            var buffer = try Buffer(copying: [byte])
            buffer.presentationTime = UInt64(byte)
            try source.push(buffer)
        }
        source.endOfStream()
        var bytes: [UInt8] = []
        while let sample = sink.nextSample(timeout: .seconds(5)) {
            if let byte = firstByte(sample.buffer) { bytes.append(byte) }
        }
        #expect(bytes == Array(0..<10))
        try pipeline.setState(.null)
    }

    @Test func probesDropAndEventsPass() throws {
        let pipeline = try Pipeline(
            parsing:
                "videotestsrc num-buffers=6 ! video/x-raw,width=16,height=4 ! identity name=gate "
                + "! appsink name=out sync=false"
        )
        let passedBuffers = Counter()
        let pad = try #require(pipeline.element(named: "gate")?.pad("src"))
        _ = pad.addBufferProbe { _ in
            passedBuffers.add()
            return passedBuffers.value % 2 == 0 ? .drop : .pass
        }
        let caps = Counter()
        _ = pad.addEventProbe { event in
            if event.kind == .caps { caps.add() }
            return .pass
        }
        let sink = try #require(pipeline.element(named: "out").flatMap(AppSink.init))
        try pipeline.setState(.playing)
        var count = 0
        while sink.nextSample(timeout: .seconds(5)) != nil { count += 1 }
        #expect(count == 3)
        #expect(caps.value == 1)
        try pipeline.setState(.null)
    }

    @Test func registryKnowsElements() throws {
        #expect(ElementFactory.names.contains("queue"))
        let queue = try #require(ElementFactory(named: "queue"))
        #expect(queue.padTemplates.count == 2)
        let leaky = try #require(queue.properties().first { $0.name == "leaky" })
        #expect(leaky.nicks == ["no", "upstream", "downstream"])
        #expect(ElementFactory(named: "nosuchelement") == nil)
    }
}

/// A counter that several threads increase.
final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add() { count.add(1, ordering: .relaxed) }
}
