import Dispatch
import GStreamer
import Synchronization
import TestClocks
import Testing

/// Pads whose buffers a probe pushes, as those before an attached photo branch.
@Suite(.timeLimit(.minutes(10))) struct IsolatedPadTests {
    /// A link may come between the moment when GStreamer pushes the pad's sticky events and the probe. The fault: the
    /// buffer then reached the branch before any event.
    @Test func noBufferPrecedesTheStreamsEvents() throws { try checkEvents(before: 4) { _ in } }

    /// A pad that is requested from a tee just when a stream begins may lack the stream's events, although the tee has
    /// them. The fault: no buffer ever reached the branch.
    @Test func aPadWithoutAStreamTakesThatOfItsElement() throws {
        try checkEvents(before: 4) { pad in
            // This removes the events.
            _ = pad.setActive(false)
            _ = pad.setActive(true)
        }
    }

    /// A pad that is requested while the tee forwards an event gets that event, too. The fault: the stream of an
    /// attached branch began without one.
    @Test func aPadIsRequestedBetweenEvents() throws {
        let pipeline = try Pipeline(parsing: "videotestsrc num-buffers=2 ! tee name=tee ! fakesink name=screen")
        let tee = try #require(pipeline.element(named: "tee"))
        let input = try #require(tee.pad("sink"))
        let screen = try #require(pipeline.element(named: "screen")?.pad("sink"))
        let requested = Mutex<Pad?>(nil)
        let done = DispatchSemaphore(value: 0)
        let probe = screen.addEventProbe(.downstream) { event in
            guard event.kind == .caps else { return .pass }
            DispatchQueue.global().async {
                let pad = input.whileIdle(attempts: 20_000) { tee.requestPad("src_%u") }
                requested.withLock { $0 = pad }
                done.signal()
            }
            // The request would be done by now if it did not wait.
            #expect(!done.isSignalled(within: .milliseconds(200)))
            return .pass
        }
        let ended = DispatchSemaphore(value: 0)
        pipeline.bus.setHandler { message in
            if case .endOfStream = message.kind { ended.signal() }
        }
        try pipeline.setState(.playing)
        #expect(done.isSignalled())
        #expect(ended.isSignalled())
        let pad = try #require(requested.withLock { $0 })
        #expect(pad.currentCaps != nil)
        try pipeline.setState(.null)
        probe.remove()
    }

    /// A stream that does not move, as that of a paused pipeline, delays a request for a moment only.
    @Test func aStreamThatStandsStillIsNotWaitedFor() throws {
        let pipeline = try Pipeline(parsing: "videotestsrc is-live=false ! tee name=tee ! fakesink")
        let tee = try #require(pipeline.element(named: "tee"))
        let input = try #require(tee.pad("sink"))
        try pipeline.setState(.paused)
        let start = ContinuousClock.now
        #expect(input.whileIdle { tee.requestPad("src_%u") } != nil)
        #expect(ContinuousClock.now - start < .seconds(10))
        try pipeline.setState(.null)
    }

    /// A branch that stops refuses the events that its pad pushes before a buffer. The fault: the tee returned that
    /// refusal to the source, which stopped without an error.
    @Test func aBranchThatDoesNotRunLeavesTheStream() throws {
        let sink = try Element(factory: "fakesink")
        sink.setStateLocked(true)
        #expect(try failures(ofBranch: sink) { _ in } == [])
    }

    /// A branch that refuses the stream's format fails, and the stream goes on. The fault: its source failed.
    @Test func aRefusedFormatLeavesTheStream() throws {
        let filter = try Element(factory: "capsfilter")
        let found = try failures(ofBranch: filter) { try? $0.set("caps", .string("audio/x-raw")) }
        #expect(Set(found) == [.notNegotiated])
    }

    /// Links a branch before the fourth of eight frames of a tee's stream, changes it, checks that the tee's other
    /// branch gets all frames, and returns the failures of the branch.
    private func failures(
        ofBranch branch: Element, _ change: @escaping @Sendable (Element) -> Void
    ) throws -> [FlowError] {
        let pipeline = try Pipeline(parsing: "videotestsrc num-buffers=8 ! tee name=tee ! fakesink name=screen")
        try pipeline.add(branch)
        let tee = try #require(pipeline.element(named: "tee"))
        let pad = try #require(tee.requestPad("src_%u"))
        let screen = try #require(pipeline.element(named: "screen")?.pad("sink"))
        let input = try #require(branch.pad("sink"))
        let frames = Atomic(0)
        let shown = Atomic(0)
        let failures = Mutex<[FlowError]>([])
        let linker = try #require(tee.pad("sink")).addBufferProbe { [weak pad] _ in
            if let pad, frames.add(1, ordering: .relaxed).newValue == 4 {
                try? pad.link(to: input)
                change(branch)
            }
            return .pass
        }
        let counter = screen.addBufferProbe { _ in
            shown.add(1, ordering: .relaxed)
            return .pass
        }
        let isolation = pad.isolate(admit: { _ in true }, failed: { error in failures.withLock { $0.append(error) } })
        // A source would negotiate with the branch again.
        let reconfiguration = pad.addEventProbe(.upstream) { $0.kind == .reconfigure ? .drop : .pass }
        let ended = DispatchSemaphore(value: 0)
        // The pipeline's end waits for the sink that does not run.
        let watch = screen.addEventProbe(.downstream) { event in
            if event.kind == .endOfStream { ended.signal() }
            return .pass
        }
        try pipeline.setState(.playing)
        #expect(ended.isSignalled(), "the stream did not end")
        try pipeline.setState(.null)
        #expect(shown.load(ordering: .relaxed) == 8)
        for probe in [linker, counter, isolation, reconfiguration, watch] { probe.remove() }
        return failures.withLock { $0 }
    }

    /// Links a branch before a frame of a tee's stream, after `change`, and checks what arrives there.
    private func checkEvents(before frame: Int, _ change: @escaping @Sendable (Pad) -> Void) throws {
        let pipeline = try Pipeline(parsing: "videotestsrc num-buffers=8 ! tee name=tee ! fakesink")
        let branch = try Element(factory: "fakesink")
        try branch.set("async", .boolean(false))
        try pipeline.add(branch)
        let tee = try #require(pipeline.element(named: "tee"))
        let pad = try #require(tee.requestPad("src_%u"))
        let input = try #require(branch.pad("sink"))
        let frames = Atomic(0)
        // It runs before the probe that pushes.
        let linker = pad.addBufferProbe { [weak pad] _ in
            if let pad, frames.add(1, ordering: .relaxed).newValue == frame {
                change(pad)
                try? pad.link(to: input)
            }
            return .pass
        }
        let isolation = pad.isolate(admit: { _ in true }, failed: { _ in })
        let arrived = Mutex<[String]>([])
        let events = input.addEventProbe(.downstream) { event in
            arrived.withLock { $0.append("\(event.kind)") }
            return .pass
        }
        let buffers = input.addBufferProbe { _ in
            arrived.withLock { $0.append("buffer") }
            return .pass
        }
        let ended = DispatchSemaphore(value: 0)
        pipeline.bus.setHandler { message in
            if case .endOfStream = message.kind { ended.signal() }
        }
        try pipeline.setState(.playing)
        #expect(ended.isSignalled())
        try pipeline.setState(.null)
        let kinds = arrived.withLock { $0 }
        #expect(kinds.prefix(3) == ["streamStart", "caps", "segment"], "\(kinds)")
        #expect(kinds.contains("buffer"))
        for probe in [linker, isolation, events, buffers] { probe.remove() }
    }
}
