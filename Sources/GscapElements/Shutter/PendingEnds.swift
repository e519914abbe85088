internal import FrameStream
internal import RawImage
internal import Waiting

/// The captures of a shutter whose message `done` is still to be posted, so that the end of a stream can wait for them.
///
/// A sink's message about the end of the stream would overtake `done`, which is posted on another thread.
/// *Thread-safe.*
final class PendingEnds: Sendable {
    private struct State: Sendable {
        var tickets: [ObjectIdentifier: CaptureTicket] = [:]
        /// The number of ends, and of calls of `wake`.
        var changes = 0
    }

    private let state = Awaited(State())
    private let clock = WaitClock.current

    /// The seconds without an end and without the computation of a photo after which `wait` gives up: an element holds
    /// back the event that ends a burst.
    private static let patience = 5

    func begin(_ ticket: CaptureTicket) { state.change { $0.tickets[ObjectIdentifier(ticket)] = ticket } }

    func end(_ ticket: CaptureTicket) {
        state.change { state in
            state.tickets[ObjectIdentifier(ticket)] = nil
            state.changes += 1
        }
    }

    /// Makes a waiting thread look at its condition again.
    func wake() { state.change { $0.changes += 1 } }

    /// Posts the messages of the captures that have ended, after the elements behind the shutter have stopped.
    func flush() {
        for ticket in state.withLock({ Array($0.tickets.values) }) { ticket.flush() }
    }

    /// Waits until every `done` is posted, as long as `isWanted` returns true and photos are being computed.
    func wait(while isWanted: () -> Bool) {
        var idle = 0
        var seen = state.withLock(\.changes)
        while isWanted(), idle < Self.patience, state.withLock({ !$0.tickets.isEmpty }) {
            let changes = state.wait(until: clock.now + .seconds(1), by: clock) { [seen] state in
                state.changes == seen ? nil : state.changes
            }
            idle = changes != nil || computesPhotos ? 0 : idle + 1
            seen = changes ?? seen
        }
    }
}
