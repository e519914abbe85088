import Dispatch
import Synchronization
import TestClocks
import Testing
import Waiting

@Suite("The clock of waits and limits", .timeLimit(.minutes(2)))
struct WaitClockTests {
    private let manual = ManualClock()
    private var clock: WaitClock { manual.clock }

    @Test("alarms ring in the order of their times, and not before")
    func order() async {
        let rung = Mutex<[Int]>([])
        for delay in [3, 1, 2] { clock.alarm(after: .seconds(delay)) { rung.withLock { $0.append(delay) } } }
        await manual.advance(by: .milliseconds(999))
        #expect(rung.withLock { $0 } == [])
        await manual.advance(by: .seconds(1))
        #expect(rung.withLock { $0 } == [1])
        await manual.advance(by: .seconds(60))
        #expect(rung.withLock { $0 } == [1, 2, 3])
    }

    @Test("a cancelled alarm does not ring, and releases its function")
    func cancellation() async {
        let alarm: Alarm
        weak var content: AtomicFlag?
        do {
            let flag = AtomicFlag()
            content = flag
            alarm = clock.alarm(after: .seconds(1)) { flag.raise() }
        }
        #expect(content != nil)
        alarm.cancel()
        #expect(content == nil)
        #expect(manual.waiters == 0)
    }

    @Test("an alarm whose time is postponed rings at the last one, and ends without a time")
    func postponement() async {
        let due = Mutex<WaitClock.Instant?>(clock.now + .seconds(1))
        let rung = AtomicFlag()
        clock.alarm {
            due.withLock { $0 }
        } _: {
            rung.raise()
        }
        due.withLock { $0 = clock.now + .seconds(5) }
        await manual.advance(by: .seconds(4))
        #expect(!rung.isRaised)
        await manual.advance(by: .seconds(1))
        #expect(rung.isRaised)

        rung.lower()
        due.withLock { $0 = clock.now + .seconds(1) }
        clock.alarm {
            due.withLock { $0 }
        } _: {
            rung.raise()
        }
        due.withLock { $0 = nil }
        await manual.advance(by: .seconds(9))
        #expect(!rung.isRaised)
        #expect(manual.waiters == 0)
    }

    @Test("a sleep ends at its deadline, or at the cancellation of its task")
    func sleeping() async {
        let clock = clock
        let slept = Task { await clock.sleep(for: .seconds(2)) }
        #expect(await manual.hasWaiters())
        await manual.advance(by: .seconds(2))
        #expect(await slept.value)

        let cancelled = Task { await clock.sleep(for: .seconds(2)) }
        #expect(await manual.hasWaiters())
        cancelled.cancel()
        #expect(await !cancelled.value)
        #expect(manual.waiters == 0)
    }

    @Test("work on a queue returns its result within the limit, and delivers it late otherwise")
    func results() async {
        let queue = DispatchQueue(label: "work")
        #expect(await clock.result(on: queue, within: .seconds(1)) { 5 } == 5)
        #expect(manual.waiters == 0)

        let goesOn = DispatchSemaphore(value: 0)
        let (late, continuation) = AsyncStream<Int>.makeStream()
        let clock = clock
        let limited = Task {
            await clock.result(on: queue, within: .seconds(1)) {
                goesOn.wait()
                return 7
            } late: {
                continuation.yield($0)
                continuation.finish()
            }
        }
        #expect(await manual.hasWaiters())
        await manual.advance(by: .seconds(1))
        #expect(await limited.value == nil)
        goesOn.signal()
        var results: [Int] = []
        for await result in late { results.append(result) }
        #expect(results == [7])
    }

    @Test("a thread waits for a change of a value, and not longer than until the deadline")
    func awaitedValues() async {
        let value = Awaited(0)
        let queue = DispatchQueue(label: "waiting", attributes: .concurrent)
        let clock = clock
        func look(for wanted: Int) -> Task<Int?, Never> {
            let (stream, continuation) = AsyncStream<Int?>.makeStream()
            queue.async {
                continuation.yield(
                    value.wait(until: clock.now + .seconds(1), by: clock) { $0 == wanted ? 10 * wanted : nil })
                continuation.finish()
            }
            return Task { await stream.first { _ in true } ?? nil }
        }
        let two = look(for: 2)
        let three = look(for: 3)
        #expect(await manual.hasWaiters(2))
        value.change { $0 = 1 }
        value.change { $0 = 2 }
        #expect(await two.value == 20)
        await manual.advance(by: .seconds(1))
        #expect(await three.value == nil)
        value.change { $0 = 3 }
        #expect(value.wait(until: clock.now, by: clock) { $0 == 3 ? true : nil } == true)
    }

    @Test("the objects of a task use the clock of a test")
    func currentClock() async {
        let before = WaitClock.current.now
        await manual.drive {
            #expect(WaitClock.current.now == clock.now)
            await Task { #expect(WaitClock.current.now == clock.now) }.value
        }
        #expect(WaitClock.current.now >= before)
    }

    @Test("times beyond the clock's range are its ends")
    func range() {
        let now = WaitClock.Instant(nanoseconds: 5)
        #expect(now + .clamped(seconds: .infinity) == WaitClock.Instant(nanoseconds: .max))
        #expect(now + .clamped(seconds: -1e300) == WaitClock.Instant(nanoseconds: .min + 5))
        #expect(Duration.clamped(seconds: 0.25) == .milliseconds(250))
        #expect((now + .seconds(2)) - now == .seconds(2))
    }
}
