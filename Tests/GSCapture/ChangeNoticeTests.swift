import GSCapture
import Synchronization
import Testing

/// The notice that readiness may have changed, which is sent several times in each capture.
@Suite(.timeLimit(.minutes(10))) struct ChangeNoticeTests {
    /// Each notice once wrapped the handler in two more closures, which took memory, and time to call.
    @Test func noticesDoNotBecomeSlower() {
        let notice = ChangeNotice()
        let calls = Atomic(0)
        notice.setHandler { calls.add(1, ordering: .relaxed) }
        /// The time of the fastest of a hundred notices, which no other thread has interrupted.
        func fastest() -> Duration {
            let clock = ContinuousClock()
            return (0..<100).map { _ in clock.measure { notice.send() } }.min() ?? .zero
        }
        let first = fastest()
        for _ in 0..<50_000 { notice.send() }
        let last = fastest()
        #expect(calls.load(ordering: .relaxed) == 50_200)
        #expect(last < first * 10 + .microseconds(2), "\(first) became \(last)")
    }
}
