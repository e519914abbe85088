internal import Synchronization
internal import Waiting

/// The memory that the frames of captures hold: what a press is admitted by, and how fast it becomes free.
///
///     reserved at the press ──a frame is pushed──► held by the elements behind the shutter ──all released──► free
///           │                                                      │
///           └──────────────── the capture ends ────────────────────┴──────────────────────────────────────► free
///
/// Until its end a capture counts as one frame at least: its photo is still being made. So the memory of a capture only
/// shrinks, and a press that would be accepted now is accepted until another press.
///
/// *Thread-safe.* The lock is a leaf: no other lock is taken under it, because the last reference to a frame may be
/// released under any lock.
package final class CaptureMemory: Sendable {
    private struct Capture {
        /// The size in bytes of a frame.
        let frame: Int
        /// The bytes of the frames that are not pushed yet.
        var reserved: Int
        /// The bytes of the frames that were pushed and are still in use.
        var held = 0
        /// The bytes that the capture counts.
        private(set) var bytes: Int

        init(frame: Int, frames: Int) {
            self.frame = frame
            (reserved, bytes) = (frames * frame, frames * frame)
        }

        /// Counts the bytes after a change. Frames that are pushed twice, for a fused bracket, count once.
        mutating func count() { bytes = min(bytes, max(reserved + held, frame)) }
    }

    private struct State {
        var captures: [UInt64: Capture] = [:]
        var release = ReleaseRate()
        /// The last time at which memory became free, or at which the first capture reserved some.
        var last: WaitClock.Instant
        let clock: WaitClock

        var bytes: Int { captures.values.reduce(0) { $0 + $1.bytes } }

        /// Changes a capture.
        mutating func change(_ id: UInt64, _ change: (inout Capture) -> Void) {
            guard var capture = captures[id] else { return }
            let before = capture.bytes
            change(&capture)
            capture.count()
            captures[id] = capture
            noteFreed(before - capture.bytes)
        }

        /// Removes a capture.
        mutating func remove(_ id: UInt64) { noteFreed(captures.removeValue(forKey: id)?.bytes ?? 0) }

        /// Measures the time in which memory became free.
        private mutating func noteFreed(_ freed: Int) {
            guard freed > 0 else { return }
            let now = clock.now
            release.add(bytes: freed, nanoseconds: UInt64(clamping: (now - last).clampedNanoseconds))
            last = now
        }
    }

    private let state: Mutex<State>

    /// Creates the memory, of which no capture holds any.
    package init() {
        let clock = WaitClock.current
        state = Mutex(State(last: clock.now, clock: clock))
    }

    /// The bytes that all captures hold.
    package var bytes: Int { state.withLock(\.bytes) }

    /// Reserves the memory of a capture of this many frames of `size` bytes.
    package func reserve(_ id: UInt64, frames: Int, size: Int) {
        state.withLock { state in
            if state.captures.isEmpty { state.last = state.clock.now }
            state.captures[id] = Capture(frame: size, frames: frames)
        }
    }

    /// Records that a frame of a capture is pushed. The hold lasts until it is released, or until the capture ends.
    package func hold(_ id: UInt64) -> Hold {
        state.withLock { state in
            state.change(id) { capture in
                capture.reserved = max(0, capture.reserved - capture.frame)
                capture.held += capture.frame
            }
        }
        return Hold(id, self)
    }

    /// Records that no more frames of a capture are pushed.
    package func endPushing(_ id: UInt64) {
        state.withLock { $0.change(id) { $0.reserved = 0 } }
    }

    /// Releases the memory of a capture that has ended.
    package func end(_ id: UInt64) { state.withLock { $0.remove(id) } }

    /// Returns the expected time in seconds in which this many bytes become free, with a margin of a quarter and 50 ms.
    /// Memory becomes free by whole frames of `size` bytes.
    func time(toFree bytes: Int, size: Int) -> Double {
        let frames = (bytes + max(1, size) - 1) / max(1, size)
        return 0.05 + 1.25 * state.withLock { $0.release.seconds(of: frames * max(1, size)) }
    }

    fileprivate func release(_ id: UInt64) {
        state.withLock { $0.change(id) { $0.held = max(0, $0.held - $0.frame) } }
    }

    /// The hold of a frame of a capture, until it is released.
    package final class Hold: Sendable {
        private let id: UInt64
        private let memory: CaptureMemory

        fileprivate init(_ id: UInt64, _ memory: CaptureMemory) {
            self.id = id
            self.memory = memory
        }

        deinit { memory.release(id) }
    }
}

/// The rate at which memory becomes free while captures are under way, as an average in which older releases count
/// less.
package struct ReleaseRate: Sendable {
    private var bytes = 0.0
    private var nanoseconds = 0.0

    /// The weight of the earlier releases at each further one.
    private static let memory = 0.9
    /// The nanoseconds per byte before the first release: an eighth of a gigabyte per second.
    private static let standard = 8.0

    /// Creates a rate before the first release.
    package init() {}

    /// Records that memory became free, this time after the release before it.
    package mutating func add(bytes: Int, nanoseconds: UInt64) {
        self.bytes = Self.memory * self.bytes + Double(bytes)
        self.nanoseconds = Self.memory * self.nanoseconds + Double(nanoseconds)
    }

    /// Returns the expected time in seconds in which this many bytes become free.
    package func seconds(of bytes: Int) -> Double {
        let cost = self.bytes > 0 ? nanoseconds / self.bytes : Self.standard
        return 1e-9 * cost * Double(bytes)
    }
}
