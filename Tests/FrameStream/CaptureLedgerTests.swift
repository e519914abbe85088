import Dispatch
import FrameStream
import GStreamer
import RandomSequences
import Synchronization
import TestClocks
import Testing
import Waiting

/// The ledger of a capture and its account of photos.
@Suite(.timeLimit(.minutes(10))) struct CaptureLedgerTests {
    /// A step of a thread, or the last message.
    private enum Message: Sendable, Equatable {
        case step(thread: Int, number: Int)
        case done
    }

    private typealias Ledger = CaptureLedger<Int>

    /// Every photo that is owed comes, fails or is missing, and no photo is settled twice.
    @Test(arguments: SequenceSeeds.all) func photosAreOwedOnce(seed: UInt64) {
        var random = SeededRandom(seed)
        var account = CaptureAccount<Int, String>()
        var (owed, settled) = (Set<Int>(), Set<Int>())
        for _ in 0..<64 {
            let key = Int.random(in: 0..<8, using: &random)
            if Bool.random(using: &random) {
                #expect(account.owe(key) == !settled.contains(key))
                owed.insert(key)
            } else {
                let failure = Bool.random(using: &random) ? "photo \(key)" : nil
                let isOwed = owed.contains(key) && settled.insert(key).inserted
                #expect(account.settle(key, failure: failure) == isOwed)
            }
            #expect(account.missing == owed.subtracting(settled).sorted())
            #expect(account.photos + account.failures + account.missing.count == owed.count)
            #expect((account.firstFailure == nil) == (account.failures == 0))
        }
        for key in account.missing { account.settle(key, failure: "the capture ended") }
        #expect(account.isSettled && account.photos + account.failures == owed.count)
        let result: CaptureResult = account.failures == 0 ? .succeeded : account.photos > 0 ? .partial : .failed
        #expect(account.result() == result)
        #expect(account.result(isInterrupted: true) == (account.photos > 0 ? .partial : .cancelled))
    }

    /// A key may owe several photos.
    @Test func aKeyOwesSeveralPhotos() {
        var account = CaptureAccount<String, String>(owing: ["jpeg": 2, "bayer": 1, "heif": 0])
        #expect(account.missing == ["bayer", "jpeg", "jpeg"])
        #expect(account.settle("jpeg") && account.settle("jpeg", failure: "full") && !account.settle("jpeg"))
        #expect(account.missing == ["bayer"] && !account.isSettled)
        #expect((account.photos, account.failures) == (1, 1))
    }

    /// Threads that report at once: the messages of each come in their order, and `done` comes last and once.
    @Test(arguments: SequenceSeeds.all.prefix(50)) func doneComesLast(seed: UInt64) {
        let (isPosting, ledger) = (AtomicFlag(), Ledger(0))
        let posted = Mutex<[Message]>([])
        let post: @Sendable (Message) -> CaptureOutbox.Post = { message in
            {
                #expect(isPosting.raise(), "two threads post at once")
                posted.withLock { $0.append(message) }
                isPosting.lower()
            }
        }
        let end: @Sendable (inout Int, inout CaptureOutbox) -> Void = { ends, outbox in
            ends += 1
            outbox.end(with: post(.done))
            outbox.add(post(.step(thread: 0, number: -1)))
        }
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            var random = SeededRandom(seed * 4 + UInt64(thread))
            for number in 0..<100 {
                ledger.update { _, outbox in outbox.add(post(.step(thread: thread, number: number))) }
                if Int.random(in: 0..<80, using: &random) == 0 { ledger.update(end) }
            }
        }
        ledger.update(end)
        let messages = posted.withLock(\.self)
        #expect(ledger.isOver && ledger.read(\.self) == 1)
        #expect(messages.last == .done && messages.count { $0 == .done } == 1)
        for thread in 0..<4 {
            let numbers = messages.compactMap { if case .step(thread, let number) = $0 { number } else { nil } }
            #expect(numbers == Array(0..<numbers.count))
        }
    }

    /// A handler that changes the ledger gets its message after the one that it handles.
    @Test func aHandlerMayChangeTheLedger() {
        let ledger = Ledger(0)
        let posted = Mutex<[Int]>([])
        ledger.update { _, outbox in
            outbox.add {
                ledger.update { _, outbox in outbox.end(with: { posted.withLock { $0.append(2) } }) }
                posted.withLock { $0.append(1) }
            }
        }
        #expect(posted.withLock(\.self) == [1, 2])
    }

    /// A handler that stops the pipeline waits for the stop: then the stopping thread posts what is left, at once if it
    /// is the handler's own.
    @Test(arguments: [false, true]) func aStopPostsWhatIsLeft(isOwnThread: Bool) async {
        let (manual, isHandling, hasStopped) = (
            ManualClock(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        await manual.drive {
            let (ledger, isDone) = (Ledger(0), AtomicFlag())
            let (first, second) = (DispatchQueue(label: "first"), DispatchQueue(label: "second"))
            first.async {
                ledger.update { _, outbox in
                    outbox.add {
                        isHandling.signal()
                        if isOwnThread { ledger.flush() } else { #expect(hasStopped.isSignalled()) }
                        #expect(isDone.isRaised)
                    }
                    outbox.end(with: { isDone.raise() })
                }
            }
            #expect(isHandling.isSignalled())
            if !isOwnThread {
                second.async {
                    ledger.flush()
                    hasStopped.signal()
                }
                while !isDone.isRaised { await manual.advance(by: .seconds(2)) }
            }
            first.sync {}
        }
    }

    /// A ticket ends once whatever is called in whatever order, and nothing is reported after that.
    @Test(arguments: SequenceSeeds.all) func aTicketEndsOnce(seed: UInt64) {
        var random = SeededRandom(seed)
        let reports = Mutex(0)
        let ends = Mutex<[String]>([])
        let ticket = CaptureTicket(1, ElementHandle(), PostQueue()) { _ in
            ends.withLock { $0.append("ended") }
        } posted: { _ in
            ends.withLock { $0.append("posted") }
        }
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: ticket.begin(frames: 2, exposures: 2)
            case 1: ticket.expose(upTo: Int.random(in: 0...2, using: &random))
            case 2: ticket.take(frame: 1, lag: nil, exposureLag: nil)
            case 3: ticket.interrupt("the stream was flushed")
            case 4: ticket.abandon(.cancelled, "the capture was cancelled")
            case 5: ticket.end(.failed, "no frame came")
            default:
                let isOver = ends.withLock { $0.contains("posted") }
                let step: CaptureTicket.Step = Bool.random(using: &random) ? .photo : .failure("full")
                let before = reports.withLock(\.self)
                ticket.record(step) { reports.withLock { $0 += 1 } }
                #expect(reports.withLock(\.self) == (isOver ? before : before + 1))
            }
        }
        ticket.end(.cancelled, "the pipeline stopped")
        #expect(ends.withLock(\.self) == ["ended", "posted"] && ticket.isAbandoned)
    }

    /// The limit on photos that are not finished begins again with each step, so that a slow machine may be slow.
    @Test func stepsOfACaptureAreRemembered() async {
        let manual = ManualClock()
        await manual.drive {
            let ticket = CaptureTicket(1, ElementHandle(), PostQueue()) { _ in
            } posted: { _ in
            }
            #expect(ticket.lastStep == nil)
            ticket.record(.progress)
            #expect(ticket.lastStep == manual.now)
            await manual.advance(by: .seconds(5))
            ticket.record(.photo)
            #expect(ticket.lastStep == manual.now)
            ticket.end(.cancelled, "")
        }
    }
}
