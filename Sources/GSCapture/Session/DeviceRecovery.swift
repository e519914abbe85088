internal import Synchronization
internal import Waiting

/// The times after which a session notices that its live camera delivers no frames, and tries to start again after it
/// was disconnected: each wait is twice as long as the one before, up to a longest one.
package struct RecoveryWaits: Sendable {
    /// The wait before the first attempt.
    package var first: Duration
    /// The longest wait.
    package var longest: Duration
    /// The time in seconds without a frame after which captures fail; longer at very low frame rates.
    package var frames: Double

    /// Creates waits.
    package init(first: Duration = .milliseconds(500), longest: Duration = .seconds(10), frames: Double = 10) {
        self.first = first
        self.longest = longest
        self.frames = frames
    }
}

extension CaptureSession {
    /// Tries to start the pipeline again until it runs or the session stops. The waits are between the session's
    /// operations, so that they delay no stop.
    ///
    ///     camera lost ─► stop its pipeline ─► wait ─► start another ──it runs──► over
    ///                                          ▲          │
    ///                                          └─no camera┘ (twice as long)
    func recover() {
        let (loss, waits) = contents.withLock { ($0.losses, $0.waits) }
        let task = Task { [weak self, clock] in
            await self?.releaseLostPipeline()
            var wait = waits.first
            while true {
                guard await clock.sleep(for: wait), await self?.attempt(after: loss) == false else { return }
                wait = min(wait * 2, waits.longest)
            }
        }
        contents.withLock { $0.recovery = task }
    }

    /// Stops the pipeline of the lost camera, so that the device is free for the next one.
    private func releaseLostPipeline() async {
        await inTurn { [self] in
            let lost = contents.withLock { contents in
                defer { contents.lost = nil }
                return contents.lost
            }
            await lost?.stop()
        }
    }

    /// Starts the pipeline once; returns whether the recovery is over, by success or because the session has stopped.
    private func attempt(after loss: Int) async -> Bool {
        await inTurn { [self] in
            let configuration = contents.withLock { contents in
                contents.isRecovering && contents.losses == loss ? contents.configuration : nil
            }
            guard let configuration else { return true }
            do throws(CaptureError) {
                try await bringUp(try pipeline(of: configuration))
            } catch {
                return false
            }
            connectPhotoOutput()
            return true
        }
    }
}
