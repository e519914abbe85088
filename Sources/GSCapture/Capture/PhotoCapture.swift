internal import Dispatch
internal import Synchronization
internal import Waiting

/// A capture under way: what a press of the shutter returns.
///
/// The events have any number of readers: iterate `events`, await `photos` and give the press a delegate, in any
/// combination, also after the end of the capture. The capture keeps its events, and the photos in them, until it is
/// released; a stream that was taken before continues then.
public final class PhotoCapture: Sendable {
    /// The settings after all automatic choices.
    public let resolvedSettings: ResolvedPhotoSettings

    /// The events and the progress so far, for later readers.
    let reports: CaptureReports
    private let cancelCapture: @Sendable () -> Void

    init(
        _ resolvedSettings: ResolvedPhotoSettings, _ reports: CaptureReports, cancel: @escaping @Sendable () -> Void
    ) {
        self.resolvedSettings = resolvedSettings
        self.reports = reports
        cancelCapture = cancel
    }

    deinit {
        reports.events.endReplay()
        reports.progress.endReplay()
    }

    /// The events in their order, from the first one on; the sequence ends after `finished`. Each access returns a
    /// stream for one more reader.
    public var events: AsyncStream<CaptureEvent> { reports.events.stream() }

    /// The progress of the capture, for display, from the first step on. Each access returns a stream for one more
    /// reader.
    public var progress: AsyncStream<CaptureProgress> { reports.progress.stream() }

    /// The ticket (capture id), the same as in the photo settings.
    public var uniqueID: UInt64 { resolvedSettings.uniqueID }

    /// Cancels the capture: the photos still to come fail with the code `cancelled`, and `finished` follows. Does
    /// nothing after the end of the capture.
    ///
    /// Returns at once; the cancellation follows on another thread. A task's cancellation handler, which calls this,
    /// runs under the lock of that task's state, under which neither tasks may be resumed nor messages be posted.
    public func cancel() {
        DispatchQueue.global(qos: .userInitiated).async { [cancelCapture] in cancelCapture() }
    }

    /// All photos of the capture, including failed ones, which contain their errors. Waits until the capture is
    /// finished; it may be awaited any number of times, and returns the same photos.
    ///
    /// Throws the first error if no photo at all was made. Cancelling the task that waits here cancels the capture and
    /// throws CancellationError.
    public var photos: [Photo] {
        get async throws {
            var photos: [Photo] = []
            var failure: CaptureError?
            try await withTaskCancellationHandler {
                for await event in events {
                    switch event {
                    case .photo(let photo): photos.append(photo)
                    case .finished(_, let error): failure = error
                    default: break
                    }
                }
                try Task.checkCancellation()
            } onCancel: {
                cancel()
            }
            if let failure, photos.allSatisfy({ $0.error != nil }) { throw failure }
            return photos
        }
    }
}

/// Calls delegates: those of one delegate one after another, each delegate independent of the others.
final class DelegateCalls: Sendable {
    /// The queue of a delegate, and the number of its captures under way.
    private struct Entry {
        let queue: DispatchQueue
        var captures: Int
    }

    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    /// Calls `notify` for each event in order, on the delegate's serial queue; if that is new, it targets `target`,
    /// unless nil. The delegate is retained until the last call.
    func deliver(
        _ events: AsyncStream<CaptureEvent>, to delegate: any PhotoCaptureDelegate, on target: DispatchQueue?,
        _ notify: @escaping @Sendable (any PhotoCaptureDelegate, CaptureEvent) -> Void
    ) {
        let queue = entries.withLock { entries in
            let key = ObjectIdentifier(delegate)
            let queue = entries[key]?.queue ?? DispatchQueue(label: "gscap.delegate", target: target)
            entries[key] = Entry(queue: queue, captures: (entries[key]?.captures ?? 0) + 1)
            return queue
        }
        Task {
            for await event in events {
                await withCheckedContinuation { continuation in
                    queue.async {
                        notify(delegate, event)
                        continuation.resume()
                    }
                }
            }
            release(delegate)
        }
    }

    private func release(_ delegate: any PhotoCaptureDelegate) {
        entries.withLock { entries in
            let key = ObjectIdentifier(delegate)
            entries[key]?.captures -= 1
            if entries[key]?.captures == 0 { entries[key] = nil }
        }
    }
}
