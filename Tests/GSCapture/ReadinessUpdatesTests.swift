import Synchronization
import Testing

@testable import GSCapture

/// The computations of readiness that time alone makes necessary.
@Suite(.timeLimit(.minutes(10))) struct ReadinessUpdatesTests {
    /// An earlier recheck replaces one that is already planned for later.
    @Test func theEarliestRecheckCounts() async {
        let computed = Mutex(0)
        let updates = ReadinessUpdates {
            let number = computed.withLock { count in
                count += 1
                return count
            }
            let rechecks: [Double?] = [600, 0.05, nil]
            return (number < 3 ? .notReadyMomentarily : .ready, rechecks[min(number, 3) - 1])
        }
        var stream = updates.stream().makeAsyncIterator()
        #expect(await stream.next() == .notReadyMomentarily)
        updates.refresh()
        #expect(await stream.next() == .ready)
        #expect(computed.withLock { $0 } == 3)
    }
}
