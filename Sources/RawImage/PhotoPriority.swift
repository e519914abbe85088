internal import Dispatch

/// Runs the computation of a photo below the priority of live frames.
///
/// `body` runs on another thread, which has a higher nice value, and so do the bands that it computes with
/// `concurrentBands`; the calling thread waits. So the threads of the camera and of its preview get a processor at once
/// while photos are made. On a quiet machine a photo takes the same time.
///
/// If `isPhoto` is false, `body` runs on the calling thread.
///
/// `body` should only compute. A thread inherits the nice value of the thread that starts it, so Dispatch must not have
/// to start one for it. Inside `body`, another call runs on the same thread.
package func atPhotoPriority<R: ~Copyable, E: Error>(
    if isPhoto: Bool = true, _ body: () throws(E) -> R
) throws(E) -> R {
    if !isPhoto || PhotoThreads.isCurrent { return try body() }
    var result: Result<R, E>?
    func work() {
        do throws(E) { result = .success(try body()) } catch { result = .failure(error) }
    }
    withoutActuallyEscaping(work) { work in
        // Safe: the calling thread waits for the only call.
        nonisolated(unsafe) let work = work
        PhotoThreads.jobs.perform(1, joins: false) { _ in unsafe work() }
    }
    guard let result = result.take() else { return try body() }
    return try result.get()
}

/// Announces that photos will be computed, until as many calls of `endPhotos()`: the threads of `atPhotoPriority` then
/// wait for more work for two seconds, rather than end.
package func beginPhotos() { PhotoThreads.join() }

/// Ends, after the last call, the threads of `atPhotoPriority`, and waits for that. Must not be called inside its body.
package func endPhotos() { PhotoThreads.leave() }

/// Runs `body` on another thread, of the same priority as the calling one, and returns at once.
package func startBeside(_ body: @escaping @Sendable () -> Void) {
    if PhotoThreads.isCurrent { return PhotoThreads.jobs.start(body) }
    DispatchQueue(label: "gscap.beside").async(execute: body)
}
