import Dispatch
import Glibc
import RawImage
import Synchronization
import Testing

/// The threads that compute photos, and their priority.
@Suite(.timeLimit(.minutes(10))) struct PhotoPriorityTests {
    private struct SomeError: Error {}

    /// The nice value of the calling thread.
    private static var nice: Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

    /// Photos beside other busy processes get their share of the processors, unless they are to give way.
    @Test(arguments: [(PhotoPriority.normal, Int32(0)), (.background, 10)])
    func theBodyAndItsBandsRunAtThePriority(priority: PhotoPriority, difference: Int32) {
        let own = Self.nice
        let bands = Mutex<Set<Int32>>([])
        let body = atPhotoPriority(priority) {
            concurrentBands(rows: 64, of: 1) { _ in
                let nice = Self.nice
                bands.withLock { _ = $0.insert(nice) }
            }
            return Self.nice
        }
        #expect(body == min(own + difference, 19))
        #expect(bands.withLock { $0 } == [body])
        #expect(Self.nice == own)
    }

    @Test func otherWorkKeepsItsPriority() {
        let own = Self.nice
        #expect(atPhotoPriority(.background, if: false) { Self.nice } == own)
        atPhotoPriority(.background) {}
        let lowest = Mutex(own)
        concurrentBands(rows: 64, of: 1) { _ in
            let nice = Self.nice
            lowest.withLock { $0 = max($0, nice) }
        }
        #expect(lowest.withLock { $0 } == own)
    }

    /// The fault: each caller had a thread, and all of them together one more for each processor. Threads that wait for
    /// another test's library call are replaced by others, so one of a few rounds must do.
    @Test func atMostOneThreadForEachProcessorComputes() async {
        var counts: [Int] = []
        while counts.count < 20, counts.last.map({ $0 > Processors.count }) ?? true {
            counts.append(await mostThreadsOfTwelveJobs())
        }
        #expect(counts.contains { $0 <= Processors.count }, "\(counts)")
    }

    private func mostThreadsOfTwelveJobs() async -> Int {
        let threads = RunningThreads()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<12 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        DispatchQueue(label: "test").async {
                            atPhotoPriority { concurrently(8) { _ in threads.run() } }
                            continuation.resume()
                        }
                    }
                }
            }
        }
        return threads.most
    }

    /// A library call beside a photo's thread, which waits for it, needs no free place among the threads.
    @Test func jobsThatWaitForOthersEnd() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<3 * Processors.count {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        DispatchQueue(label: "test").async {
                            atPhotoPriority {
                                let isDone = DispatchSemaphore(value: 0)
                                startBeside { isDone.signal() }
                                isDone.wait()
                            }
                            continuation.resume()
                        }
                    }
                }
            }
        }
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
            atPhotoPriority(.background) {
                startBeside { continuation.resume(returning: Self.nice) }
            }
        }
        #expect(nice == atPhotoPriority(.background) { Self.nice })
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

/// Counts the threads that are in a function at the same time.
private final class RunningThreads: Sendable {
    private let count = Mutex((now: 0, most: 0))

    var most: Int { count.withLock { $0.most } }

    func run() {
        count.withLock { count in
            count.now += 1
            count.most = max(count.most, count.now)
        }
        for _ in 0..<50 { sched_yield() }
        count.withLock { $0.now -= 1 }
    }
}
