internal import Dispatch
internal import Glibc
internal import Synchronization
internal import Waiting

/// The threads that compute photos of one priority: at most one for each processor.
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
/// A job is the computation of a photo, and its bands are shared with the threads that have no job. Bands go before
/// waiting jobs, so that the photo that was begun first is done first.
///
/// A thread keeps its nice value, because only a privileged process may lower it again. So these threads are not those
/// of Dispatch or GLib, which others use. *Thread-safe.*
final class PhotoThreads: Sendable {
    private static let normal = PhotoThreads(niceness: 0)
    /// Threads with the process's own nice value get nine times the processor time of these.
    private static let background = PhotoThreads(niceness: 10)
    static let all = [normal, background]

    static func with(_ priority: PhotoPriority) -> PhotoThreads {
        switch priority {
        case .normal: normal
        case .background: background
        }
    }

    /// The nice value beyond that of the process.
    private let niceness: Int32
    /// The time for which a thread waits for more work before it ends.
    private static let patience = Duration.seconds(2)

    private struct State {
        /// The work of which not all indices are taken, the oldest first.
        var waiting: [BandWork] = []
        var threads = 0
        /// The number of idle threads that are not signalled to continue.
        var idle = 0
        /// The number of functions under way for which a thread of these waits, so that they need one more.
        var beside = 0
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
    private let most = Processors.count
    private let clock = WaitClock.machine

    private init(niceness: Int32) { self.niceness = niceness }

    /// The longest time for which the last user waits for the end of the threads.
    private static let farewell = Duration.seconds(10)

    /// Keeps idle threads for two seconds, until as many calls of `leave()`.
    static func join() {
        for pool in all { pool.state.withLock { $0.users += 1 } }
    }

    /// Ends the threads after the last call, and waits until they have ended.
    static func leave() {
        for pool in all { pool.removeUser() }
    }

    private func removeUser() {
        let woken = state.withLock { state in
            state.users -= 1
            if state.users > 0 { return 0 }
            defer { state.idle = 0 }
            return state.idle
        }
        for _ in 0..<woken { wakeUp.signal() }
        let limit = clock.now + Self.farewell
        while state.withLock({ $0.users == 0 && $0.threads > 0 }), clock.wait(for: threadEnded, until: limit) {}
        join(state.withLock { $0.takeEnded() })
    }

    private func join(_ threads: [pthread_t]) {
        for thread in threads { pthread_join(thread, nil) }
    }

    /// Those of these threads that the calling thread belongs to; nil for any other thread.
    static var current: PhotoThreads? {
        unsafe pthread_getspecific(mark).map { unsafe Unmanaged<PhotoThreads>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether a thread computes, or work waits for one.
    var isBusy: Bool { state.withLock { $0.threads > $0.idle || !$0.waiting.isEmpty } }

    /// The key of a value that is set on these threads only: the `PhotoThreads`, which live as long as the process.
    private static let mark: pthread_key_t = {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key, nil)
        return key
    }()

    /// Calls `body` on one of these threads, and returns after that.
    func performJob(_ body: @escaping @Sendable () -> Void) {
        let work = BandWork(1, .job, { _ in body() }, users: 0)
        add(work, threads: 1)
        wait(for: work)
    }

    /// Calls `body` with every index in `0..<count`, on the calling thread, which is one of these, and on others of
    /// these that have nothing else to do. Returns after the last call.
    func performBands(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let work = BandWork(count, .bands, body, users: 1)
        add(work, threads: count - 1)
        work.callBody()
        leave(work)
        wait(for: work)
    }

    /// Calls `body` on one of these threads, and returns at once.
    func start(_ body: @escaping @Sendable () -> Void) {
        add(BandWork(1, .beside, { _ in body() }, users: 0), threads: 1)
    }

    private func wait(for work: BandWork) {
        work.waitForEnd()
        state.withLock { state in state.waiting.removeAll { $0 === work } }
    }

    private func add(_ work: BandWork, threads wanted: Int) {
        let (woken, started, ended) = state.withLock { state in
            state.waiting.append(work)
            if work.kind == .beside { state.beside += 1 }
            let woken = min(state.idle, wanted)
            let started = max(0, min(most + state.beside - state.threads, wanted - woken))
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
        unsafe pthread_setspecific(Self.mark, Unmanaged.passUnretained(self).toOpaque())
        // On Linux, 0 means the calling thread alone, and the process's ID its first thread. The thread that starts
        // this one may have another nice value.
        let which = __priority_which_t(PRIO_PROCESS.rawValue)
        setpriority(which, 0, getpriority(which, id_t(getpid())) + niceness)
        repeat { performWaiting() } while waitForWork()
        threadEnded.signal()
    }

    /// Waits for more work; returns false if the thread is to end.
    private func waitForWork() -> Bool {
        let decision: Bool? = state.withLock { state in
            let isSurplus = state.threads > most + state.beside
            if !isSurplus, state.waiting.contains(where: { !$0.isTaken }) { return true }
            if isSurplus || state.users == 0 {
                state.end()
                return false
            }
            state.idle += 1
            return nil
        }
        if let decision { return decision }
        while !clock.wait(for: wakeUp, until: clock.now + Self.patience) {
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

    /// Returns the oldest work of which not all indices are taken, a job last; nil if there is none.
    private func next() -> BandWork? {
        state.withLock { state in
            state.waiting.removeAll(where: \.isTaken)
            guard let work = state.waiting.first(where: { $0.kind != .job }) ?? state.waiting.first else { return nil }
            work.join()
            return work
        }
    }

    private func leave(_ work: BandWork) {
        let isOver = state.withLock { state in
            let isOver = work.leave() && work.isTaken
            if isOver, work.kind == .beside { state.beside -= 1 }
            return isOver
        }
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

    /// What the work is for.
    enum Kind {
        /// The computation of a photo; its caller waits on a thread that is none of the `PhotoThreads`.
        case job
        /// Parts of a job, which the job's thread calls, too.
        case bands
        /// A function for which the thread of a job waits.
        case beside
    }

    let kind: Kind
    private let count: Int
    private let body: Mutex<Body?>
    private let next = Atomic(0)
    private let isOver = DispatchSemaphore(value: 0)

    init(_ count: Int, _ kind: Kind, _ body: @escaping @Sendable (Int) -> Void, users: Int) {
        (self.count, self.kind) = (count, kind)
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
