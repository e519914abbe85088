internal import GSCapture
internal import RawImage
internal import Synchronization

/// The captures of a long run: each must end once, with its own photos.
final class CaptureTally: Sendable {
    /// The numbers of captures and photos.
    struct Counts: Sendable {
        var pressed = 0
        var succeeded = 0
        /// The presses that were refused as busy.
        var refused = 0
        var failed = 0
        /// The captures with more or fewer photos or ends than they announced.
        var incomplete = 0
        /// The photos that belong to another capture by their ticket, their title or their content.
        var mixed = 0

        /// The presses that were refused, and the captures whose events are over.
        var ended: Int { succeeded + refused + failed + incomplete }
    }

    private struct State {
        var counts = Counts()
        var digests: Set<UInt64> = []
        var firstError: String?
    }

    private let state = Mutex(State())

    var counts: Counts { state.withLock(\.counts) }
    /// The error of the first capture that failed; empty if none did.
    var firstError: String { state.withLock { $0.firstError ?? "" } }

    /// Presses the shutter and follows the capture to its end. `title` is the title of its photos.
    func press(_ output: PhotoOutput, _ settings: PhotoSettings, title: String) throws(CaptureError) {
        do throws(CaptureError) {
            follow(try output.capturePhoto(with: settings), title: title)
        } catch {
            guard error.code == .busy else { throw error }
            state.withLock { state in
                state.counts.pressed += 1
                state.counts.refused += 1
            }
        }
    }

    private func follow(_ capture: PhotoCapture, title: String) {
        state.withLock { $0.counts.pressed += 1 }
        Task {
            var (photos, ends) = (0, 0)
            var failure: CaptureError?
            for await event in capture.events {
                switch event {
                case .photo(let photo):
                    photos += 1
                    add(photo, of: capture.uniqueID, title)
                case .finished(_, let error):
                    ends += 1
                    failure = error
                default: break
                }
            }
            end(isComplete: ends == 1 && photos == capture.resolvedSettings.expectedPhotoCount, failure)
        }
    }

    private func add(_ photo: Photo, of id: UInt64, _ title: String) {
        guard photo.error == nil, let digest = photo.withFileBytes(Self.digest) else { return }
        let isOwn =
            photo.resolvedSettings.uniqueID == id && photo.metadata.map { $0.details.title == title } ?? true
        state.withLock { state in
            if !state.digests.insert(digest).inserted || !isOwn { state.counts.mixed += 1 }
        }
    }

    /// Returns a digest of a file, like FNV-1a but over words of eight bytes. The files of two captures differ in their
    /// titles, if in nothing else.
    private static func digest(_ bytes: RawSpan) -> UInt64 {
        var digest = UInt64(0xCBF2_9CE4_8422_2325) ^ UInt64(bytes.byteCount)
        for offset in stride(from: 0, through: bytes.byteCount - 8, by: 8) {
            let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            digest = (digest ^ word) &* 0x100_0000_01B3
        }
        return digest
    }

    private func end(isComplete: Bool, _ failure: CaptureError?) {
        state.withLock { state in
            if !isComplete {
                state.counts.incomplete += 1
            } else if let failure {
                state.counts.failed += 1
                state.firstError = state.firstError ?? "\(failure.code.rawValue): \(failure)"
            } else {
                state.counts.succeeded += 1
            }
        }
    }

    /// Waits until all captures are over, at most two minutes; returns whether they are.
    func waitForAll() async throws -> Bool {
        let limit = ContinuousClock.now + .seconds(120)
        while counts.ended < counts.pressed {
            guard ContinuousClock.now < limit else { return false }
            try await Task.sleep(for: .milliseconds(20))
        }
        return true
    }
}
