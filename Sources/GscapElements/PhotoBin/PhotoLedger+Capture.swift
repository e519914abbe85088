internal import GStreamer

extension PhotoLedger {
    /// A capture under way, or one whose end is being posted.
    struct Capture {
        var wishes: Wishes
        var hasBegun = false
        var owed: Set<Key> = []
        /// The photos that were delivered or have failed.
        var settled: Set<Key> = []
        var photos = 0
        var failures = 0
        var firstFailure: String?
        /// Whether `done` was posted or is the last of `messages`; what follows is discarded.
        var isOver = false
        /// Whether the shutter has ended the capture.
        var hasShutterEnded = false
        var messages: [Structure] = []
        var isPosting = false

        /// Whether nothing more can happen to the capture.
        var isForgettable: Bool { isOver && hasShutterEnded && messages.isEmpty && !isPosting }

        var missing: [Key] {
            owed.subtracting(settled).sorted {
                ($0.exposure, $0.frame, $0.format.rawValue) < ($1.exposure, $1.frame, $1.format.rawValue)
            }
        }

        /// Fails an owed photo and queues its message.
        mutating func fail(_ key: PhotoLedger.Key, _ id: UInt64, element: String, _ reason: String) {
            settled.insert(key)
            failures += 1
            if firstFailure == nil { firstFailure = reason }
            var photo = CaptureMessage.photo(id: id, element: element, bytes: 0, error: reason).structure
            photo["format"] = .string(key.format.rawValue)
            if key.exposure > 0 { photo["exposure"] = .int(Int32(clamping: key.exposure)) }
            messages.append(photo)
        }

        /// Fails the photos still owed, and returns the result of the capture that ended as `result` for `reason`.
        mutating func end(_ id: UInt64, _ result: CaptureResult, _ reason: String) -> CaptureResult {
            for key in missing {
                let lost = reason.isEmpty ? "an element dropped the photo on its way to its sink" : reason
                fail(key, id, element: key.format.elementName, lost)
            }
            if result == .cancelled { return result }
            if photos == 0 {
                if firstFailure == nil { firstFailure = "no branch made a photo" }
                return .failed
            }
            return failures > 0 || result == .failed ? .partial : .succeeded
        }
    }
}

extension PhotoBranchFormat {
    /// The name of the element that makes the photos of the branch.
    var elementName: String { isUncompressed ? lookName : encoderName }
}
