import Testing
import Waiting

@testable import GSCapture

/// The events that a session takes from its pipeline.
@Suite(.timeLimit(.minutes(10))) struct SessionEventTests {
    private let problem = CaptureError(.interrupted, "the camera delivers no frames")

    /// Returns how many of these events a session in a state reports, and its state afterwards.
    private func reported(
        _ events: [SessionEvent], in state: CaptureSession.State
    ) async -> (count: Int, state: CaptureSession.State) {
        var contents = SessionContents()
        contents.state = state
        let stream = contents.events.stream()
        for event in events { _ = contents.receive(event) }
        contents.events.finish()
        var count = 0
        for await _ in stream { count += 1 }
        return (count, contents.state)
    }

    /// Further errors of its elements came as events, also after the application had taken the events of the next
    /// start.
    @Test func aSessionFailsOnce() async {
        #expect(await reported([.failed(problem), .failed(problem), .ended], in: .running) == (1, .failed))
    }

    @Test func aFailedSessionIsNotInterrupted() async {
        #expect(await reported([.interrupted(problem), .resumed], in: .failed) == (0, .failed))
        #expect(await reported([.interrupted(problem), .resumed], in: .stopping) == (0, .stopping))
        #expect(await reported([.interrupted(problem), .resumed], in: .running) == (2, .running))
        #expect(await reported([.interrupted(problem), .failed(problem), .resumed], in: .running) == (2, .failed))
    }
}
