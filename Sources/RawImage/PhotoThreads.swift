internal import Dispatch
internal import Glibc
internal import Synchronization

/// The threads that compute photos, with a higher nice value than all others of the process.
///
///     no thread ──work──► busy ──no more work──► idle ──two seconds without work──► ended
///                         ▲  │                   │  │                                 ▲
///                         │  │                   │  └──────────the last user left─────┤
///                         │  └──no more work, and nobody uses the threads─────────────┘
///                         └─────────work─────────┘
///
/// Each running shutter is a user, so that threads wait for the next photo only while there can be one. When the last
/// user leaves, it waits for the end of all threads: none outlives the cameras of a process.
///
/// A thread keeps its nice value, because only a privileged process may lower it again. So these threads are not those
/// of Dispatch or GLib, which others use. *Thread-safe.*
final class PhotoThreads: Sendable {
    /// The threads that run the bodies of `atPhotoPriority`, one for each caller that waits.
    static let jobs = PhotoThreads(most: Int.max)
    /// The threads that help those with their bands. With the thread of one job they are one for each processor.
    static let helpers = PhotoThreads(most: max(1, Processors.count - 1))

    /// The nice value beyond that of the process. Threads with the process's own get nine times the processor time.
    private static let niceness: Int32 = 10
    /// The time for which a thread waits for more work before it ends.
    private static let patience = DispatchTimeInterval.seconds(2)

    private struct State {
        /// The work of which not all indices are taken, the oldest first.
        var waiting: [BandWork] = []
        var threads = 0
        /// The number of idle threads that are not signalled to continue.
        var idle = 0
        /// The number of running shutters; without any, no thread waits for more work.
        var users = 0
        /// The threads that have left their loop and are still to be joined.
        var ended: [pthread_t] = []

        /// Records that the calling thread ends.
        mutating func end() {
            threads -= 1
            ended.append(pthread_self())
        }

        /// Returns the threads to join.
        mutating func takeEnded() -> [pthread_t] {
            defer { ended = [] }
            return ended
        }
    }

    private let state = Mutex(State())
    /// Signalled once for each idle thread that is to continue.
    private let wakeUp = DispatchSemaphore(value: 0)
    /// Signalled by each thread that ends, for a last user who waits.
    private let threadEnded = DispatchSemaphore(value: 0)
    private let most: Int

    private init(most: Int) { self.most = most }

    /// The longest time for which the last user waits for the end of the threads.
    private static let farewell = DispatchTimeInterval.seconds(10)

    /// Keeps idle threads for two seconds, until as many calls of `leave()`.
    static func join() {
        for pool in [jobs, helpers] { pool.state.withLock { $0.users += 1 } }
    }

    /// Ends the threads after the last call, and waits until they have ended.
    static func leave() {
        // The threads of jobs wait for their helpers.
        for pool in [jobs, helpers] { pool.removeUser() }
    }

    private func removeUser() {
        let woken = state.withLock { state in
            state.users -= 1
            if state.users > 0 { return 0 }
            defer { state.idle = 0 }
            return state.idle
        }
        for _ in 0..<woken { wakeUp.signal() }
        let limit = DispatchTime.now() + Self.farewell
        while state.withLock({ $0.users == 0 && $0.threads > 0 }), threadEnded.wait(timeout: limit) == .success {}
        join(state.withLock { $0.takeEnded() })
    }

    private func join(_ threads: [pthread_t]) {
        for thread in threads { pthread_join(thread, nil) }
    }

    /// Whether the calling thread is one of these threads.
    static var isCurrent: Bool { unsafe pthread_getspecific(mark) != nil }

    /// The key of a value that is set on these threads only.
    private static let mark: pthread_key_t = {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key, nil)
        return key
    }()

    /// Calls `body` with every index in `0..<count` on these threads, up to `count` at once, and on the calling thread
    /// too if `joins` is true. Returns after the last call.
    func perform(_ count: Int, joins: Bool, _ body: @escaping @Sendable (Int) -> Void) {
        let work = BandWork(count, body, users: joins ? 1 : 0)
        add(work, threads: joins ? count - 1 : count)
        if joins {
            work.callBody()
            leave(work)
        }
        work.waitForEnd()
        state.withLock { state in state.waiting.removeAll { $0 === work } }
    }

    /// Calls `body` on one of these threads, and returns at once.
    func start(_ body: @escaping @Sendable () -> Void) {
        add(BandWork(1, { _ in body() }, users: 0), threads: 1)
    }

    private func add(_ work: BandWork, threads wanted: Int) {
        let (woken, started, ended) = state.withLock { state in
            state.waiting.append(work)
            let woken = min(state.idle, wanted)
            let started = min(most - state.threads, wanted - woken)
            state.idle -= woken
            state.threads += started
            return (woken, started, state.takeEnded())
        }
        for _ in 0..<woken { wakeUp.signal() }
        join(ended)
        for _ in 0..<started where !startThread() {
            // Without a thread the caller has to do the work; a body that nobody else would call runs here.
            let isAlone = state.withLock { state in
                state.threads -= 1
                return state.threads == 0
            }
            if isAlone { performWaiting() }
        }
    }

    private func startThread() -> Bool {
        let pool = unsafe Unmanaged.passRetained(self).toOpaque()
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread, nil,
            { pool in
                if let pool = unsafe pool { unsafe Unmanaged<PhotoThreads>.fromOpaque(pool).takeRetainedValue().run() }
                return nil
            }, pool)
        if result != 0 { unsafe Unmanaged<PhotoThreads>.fromOpaque(pool).release() }
        return result == 0
    }

    /// The body of a thread.
    private func run() {
        unsafe pthread_setspecific(Self.mark, UnsafeRawPointer(bitPattern: 1))
        // On Linux, 0 means the calling thread alone, and the process's ID its first thread.
        let which = __priority_which_t(PRIO_PROCESS.rawValue)
        setpriority(which, 0, getpriority(which, id_t(getpid())) + Self.niceness)
        repeat { performWaiting() } while waitForWork()
        threadEnded.signal()
    }

    /// Waits for more work; returns false if the thread is to end.
    private func waitForWork() -> Bool {
        let decision: Bool? = state.withLock { state in
            if state.waiting.contains(where: { !$0.isTaken }) { return true }
            if state.users == 0 {
                state.end()
                return false
            }
            state.idle += 1
            return nil
        }
        if let decision { return decision }
        while wakeUp.wait(timeout: .now() + Self.patience) == .timedOut {
            // A thread that is signalled meanwhile is not counted as idle, and its signal follows.
            let ends = state.withLock { state in
                guard state.idle > 0 else { return false }
                state.idle -= 1
                state.end()
                return true
            }
            if ends { return false }
        }
        return true
    }

    private func performWaiting() {
        while let work = next() {
            work.callBody()
            leave(work)
        }
    }

    /// Returns the oldest work of which not all indices are taken; nil if there is none.
    private func next() -> BandWork? {
        state.withLock { state in
            state.waiting.removeAll(where: \.isTaken)
            guard let work = state.waiting.first else { return nil }
            work.join()
            return work
        }
    }

    private func leave(_ work: BandWork) {
        let isOver = state.withLock { _ in work.leave() && work.isTaken }
        if isOver { work.end() }
    }
}

/// A function to be called with a number of indices, by several threads at once.
///
///     waiting ──a thread joins──► calling ──all indices taken, all threads left──► over
private final class BandWork: Sendable {
    /// The number of threads that call the body. It is changed under the lock of the pool.
    private let users: Atomic<Int>

    /// The body in a structure: each access to a bare closure in a `Mutex` would store it inside another closure.
    private struct Body {
        var call: @Sendable (Int) -> Void
    }

    private let count: Int
    private let body: Mutex<Body?>
    private let next = Atomic(0)
    private let isOver = DispatchSemaphore(value: 0)

    init(_ count: Int, _ body: @escaping @Sendable (Int) -> Void, users: Int) {
        self.count = count
        self.users = Atomic(users)
        self.body = Mutex(Body(call: body))
    }

    /// Whether all indices are taken.
    var isTaken: Bool { next.load(ordering: .acquiring) >= count }

    func join() { users.add(1, ordering: .relaxed) }

    /// Returns whether no thread calls the body any more.
    func leave() -> Bool { users.subtract(1, ordering: .relaxed).newValue == 0 }

    /// Calls the body with further indices until all are taken. Never inlined, so that the thread keeps no reference to
    /// the body afterwards: its owner requires that none outlives the work.
    @inline(never) func callBody() {
        guard let body = body.withLock({ $0 }) else { return }
        while true {
            let index = next.add(1, ordering: .acquiringAndReleasing).oldValue
            if index >= count { return }
            body.call(index)
        }
    }

    func end() {
        // Returned, so that the body is released without the lock.
        _ = body.withLock { $0.take() }
        isOver.signal()
    }

    func waitForEnd() { isOver.wait() }
}
