import Testing
import Waiting

/// The delivery of events to several readers.
@Suite(.timeLimit(.minutes(10))) struct EventBroadcastTests {
    private func all(_ stream: AsyncStream<Int>) async -> [Int] {
        var all: [Int] = []
        for await event in stream { all.append(event) }
        return all
    }

    @Test func aLaterReaderReceivesTheEarlierEvents() async {
        let broadcast = EventBroadcast<Int>(replays: true)
        let first = broadcast.stream()
        broadcast.send(1)
        let second = broadcast.stream()
        broadcast.send(2)
        #expect(broadcast.newest == 2)
        broadcast.finish()
        broadcast.send(3)
        let third = broadcast.stream()
        for stream in [first, second, third] { #expect(await all(stream) == [1, 2]) }
    }

    @Test func withoutReplayAReaderReceivesTheEventsFromThenOn() async {
        let broadcast = EventBroadcast<Int>(replays: false)
        let first = broadcast.stream()
        broadcast.send(1)
        let second = broadcast.stream()
        broadcast.send(2)
        broadcast.finish()
        #expect(await all(first) == [1, 2])
        #expect(await all(second) == [2])
        #expect(await all(broadcast.stream()).isEmpty)
    }

    @Test func aReaderThatCancelsEndsNoOther() async {
        let broadcast = EventBroadcast<Int>(replays: true)
        let cancelled = Task { [stream = broadcast.stream()] in await all(stream) }
        let other = broadcast.stream()
        broadcast.send(1)
        cancelled.cancel()
        _ = await cancelled.value
        broadcast.send(2)
        broadcast.finish()
        #expect(await all(other) == [1, 2])
    }

    @Test func aSlowReaderKeepsTheNewestEvents() async {
        let broadcast = EventBroadcast<Int>(replays: false, buffering: .bufferingNewest(3))
        let stream = broadcast.stream()
        for number in 1...10 { broadcast.send(number) }
        broadcast.finish()
        #expect(await all(stream) == [8, 9, 10])
    }

    @Test func theEndOfTheReplayReleasesTheEvents() async {
        final class Content: Sendable {}
        let broadcast = EventBroadcast<Content>(replays: true)
        weak var first: Content?
        do {
            let content = Content()
            first = content
            broadcast.send(content)
        }
        #expect(first != nil)
        broadcast.endReplay()
        #expect(first == nil)
        // Readers go on.
        let stream = broadcast.stream()
        broadcast.send(Content())
        #expect(broadcast.newest == nil)
        broadcast.finish()
        var count = 0
        for await _ in stream { count += 1 }
        #expect(count == 1)
    }

    @Test func theReleaseOfTheBroadcastEndsItsReaders() async {
        var broadcast: EventBroadcast<Int>? = EventBroadcast(replays: false)
        let stream = broadcast?.stream()
        broadcast?.send(1)
        broadcast = nil
        if let stream { #expect(await all(stream) == [1]) }
    }

    /// All readers have the same order, in which the events of each sender are in their own.
    @Test func manySendersHaveOneOrder() async {
        let broadcast = EventBroadcast<Int>(replays: true)
        let early = broadcast.stream()
        var streams: [AsyncStream<Int>] = []
        await withTaskGroup(of: AsyncStream<Int>.self) { group in
            for sender in 0..<4 {
                group.addTask {
                    for number in 0..<250 { broadcast.send(1000 * sender + number) }
                    return broadcast.stream()
                }
            }
            for await stream in group { streams.append(stream) }
        }
        broadcast.finish()
        let expected = await all(early)
        #expect(expected.count == 1000)
        for sender in 0..<4 {
            #expect(expected.filter { $0 / 1000 == sender } == (0..<250).map { 1000 * sender + $0 })
        }
        for stream in streams { #expect(await all(stream) == expected) }
    }
}
