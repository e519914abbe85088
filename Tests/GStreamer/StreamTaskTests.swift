import Dispatch
import GStreamer
import Glibc
import Synchronization
import TestClocks
import Testing

/// The threads of tasks in the background.
@Suite(.timeLimit(.minutes(5))) struct StreamTaskTests {
    private static let description =
        "videotestsrc is-live=true ! video/x-raw,width=16,height=4,framerate=100/1 ! queue name=near ! queue name=far"
        + " ! fakesink sync=false name=end"

    /// The nice value of the thread that calls this.
    private static var niceValue: Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

    /// Runs a pipeline whose queue "far" runs in the background if asked, and returns the nice values of the threads
    /// behind the two queues.
    private func niceValues(inBackground: Bool) throws -> (near: Int32, far: Int32) {
        let pipeline = try Pipeline(parsing: Self.description)
        pipeline.bus.setHandler { message in
            guard inBackground, case .taskCreated(let task) = message.kind, message.bins.first == "far" else { return }
            task.runInBackground()
        }
        let found = Mutex<[String: Int32]>([:])
        let reached = DispatchSemaphore(value: 0)
        var probes: [Pad.ProbeToken] = []
        for name in ["near", "far"] {
            let pad = try #require(pipeline.element(named: name)?.pad("src"))
            probes.append(
                pad.addBufferProbe { _ in
                    found.withLock { $0[name] = Self.niceValue }
                    reached.signal()
                    return .remove
                })
        }
        try pipeline.setState(.playing)
        for _ in probes { #expect(reached.isSignalled()) }
        try pipeline.setState(.null)
        return try found.withLock { (try #require($0["near"]), try #require($0["far"])) }
    }

    @Test func onlyTheChosenTaskGivesWay() throws {
        let own = Self.niceValue
        let chosen = try niceValues(inBackground: true)
        #expect(chosen.near == own && chosen.far > own)
    }

    /// A thread cannot raise its priority again, so those of the background must not serve others.
    @Test func threadsOfTheBackgroundServeNoOthers() throws {
        let own = Self.niceValue
        for _ in 0..<5 {
            #expect(try niceValues(inBackground: true).far > own)
            let usual = try niceValues(inBackground: false)
            #expect(usual.near == own && usual.far == own)
        }
    }
}
