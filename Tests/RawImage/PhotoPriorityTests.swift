import Glibc
import RawImage
import Synchronization
import Testing

/// The threads that compute photos below the priority of live frames.
@Suite(.timeLimit(.minutes(10))) struct PhotoPriorityTests {
    private struct SomeError: Error {}

    /// The nice value of the calling thread.
    private static var nice: Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

    @Test func theBodyAndItsBandsRunAtALowerPriority() {
        let own = Self.nice
        let bands = Mutex<Set<Int32>>([])
        let body = atPhotoPriority {
            concurrentBands(rows: 64, of: 1) { _ in
                let nice = Self.nice
                bands.withLock { _ = $0.insert(nice) }
            }
            return Self.nice
        }
        #expect(body > own)
        #expect(bands.withLock { $0 } == [body])
        #expect(Self.nice == own)
    }

    @Test func otherWorkKeepsItsPriority() {
        let own = Self.nice
        #expect(atPhotoPriority(if: false) { Self.nice } == own)
        atPhotoPriority {}
        let lowest = Mutex(own)
        concurrentBands(rows: 64, of: 1) { _ in
            let nice = Self.nice
            lowest.withLock { $0 = max($0, nice) }
        }
        #expect(lowest.withLock { $0 } == own)
    }

    @Test func resultsAndErrorsComeBack() throws {
        #expect(atPhotoPriority { 7 } == 7)
        #expect(throws: SomeError.self) { try atPhotoPriority { () throws(SomeError) -> Int in throw SomeError() } }
        // Inside, another call runs on the same thread.
        let isSame = atPhotoPriority {
            let thread = pthread_self()
            return atPhotoPriority { pthread_equal(thread, pthread_self()) != 0 }
        }
        #expect(isSame)
    }

    /// Each of many callers at once gets its own result, and each index of each is computed once.
    @Test func manyCallersAtOnce() async {
        await withTaskGroup(of: Bool.self) { group in
            for caller in 0..<40 {
                group.addTask {
                    let counts = (0..<(caller % 7)).map { _ in AtomicCount() }
                    let result = atPhotoPriority {
                        concurrently(counts.count) { counts[$0].add() }
                        return caller
                    }
                    return result == caller && counts.allSatisfy { $0.value == 1 }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test func workBesideHasTheCallersPriority() async {
        let nice = await withCheckedContinuation { continuation in
            atPhotoPriority {
                startBeside { continuation.resume(returning: Self.nice) }
            }
        }
        #expect(nice == atPhotoPriority { Self.nice })
        let own = Self.nice
        let normal = await withCheckedContinuation { continuation in
            startBeside { continuation.resume(returning: Self.nice) }
        }
        #expect(normal == own)
    }
}

private final class AtomicCount: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add() { count.add(1, ordering: .relaxed) }
}
