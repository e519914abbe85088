internal import Dispatch

/// The priority of the threads that compute photos.
public enum PhotoPriority: String, Sendable, Hashable, CaseIterable {
    /// The priority of the process: beside other busy processes, photos get the same share of the processors as these.
    case normal
    /// A higher nice value: photos take the time that is left by all other threads, those of other processes included.
    case background
}

/// Runs the computation of a photo on one of the threads that compute photos.
///
/// `body` runs on another thread, and so do the bands that it computes with `concurrentBands`; the calling thread
/// waits. All photos that are computed at once have as many threads as there are processors: more would only take the
/// time of the camera's and the preview's threads.
///
/// If `isPhoto` is false, `body` runs on the calling thread.
///
/// `body` should only compute. A thread inherits the nice value of the thread that starts it, so with the priority
/// `background` Dispatch must not have to start one for it. Inside `body`, another call runs on the same thread.
package func atPhotoPriority<R: ~Copyable, E: Error>(
    _ priority: PhotoPriority = .normal, if isPhoto: Bool = true, _ body: () throws(E) -> R
) throws(E) -> R {
    if !isPhoto || PhotoThreads.current != nil { return try body() }
    var result: Result<R, E>?
    func work() {
        do throws(E) { result = .success(try body()) } catch { result = .failure(error) }
    }
    withoutActuallyEscaping(work) { work in
        // Safe: the calling thread waits for the only call.
        nonisolated(unsafe) let work = work
        PhotoThreads.with(priority).performJob { unsafe work() }
    }
    guard let result = result.take() else { return try body() }
    return try result.get()
}

/// Announces that photos will be computed, until as many calls of `endPhotos()`: the threads of `atPhotoPriority` then
/// wait for more work for two seconds, rather than end.
package func beginPhotos() { PhotoThreads.join() }

/// Ends, after the last call, the threads of `atPhotoPriority`, and waits for that. Must not be called inside its body.
package func endPhotos() { PhotoThreads.leave() }

/// Whether a photo is being computed, or waits for that, in this process.
package var computesPhotos: Bool { PhotoThreads.all.contains(where: \.isBusy) }

/// Runs `body` on another thread, of the same priority as the calling one, and returns at once. The caller waits for
/// `body`: beside a thread of `atPhotoPriority` it takes none of the places of those.
package func startBeside(_ body: @escaping @Sendable () -> Void) {
    if let threads = PhotoThreads.current { return threads.start(body) }
    DispatchQueue(label: "gscap.beside").async(execute: body)
}
