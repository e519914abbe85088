internal import FrameStream
public import RawImage

/// An event of a capture. The events come in this order: `willBegin`, `willCapture` and `didCapture` for each exposure,
/// one `photo` per file, for a Live Photo `didRecordLivePhotoMovie` and `livePhotoMovie` at any time after the last
/// `didCapture`, and last, exactly once, `finished`. A capture that fails before its frames are taken has no
/// `willCapture` or no `didCapture` of some exposures.
public enum CaptureEvent: Sendable {
    /// The capture is accepted, with these resolved settings.
    case willBegin(ResolvedPhotoSettings)
    /// An exposure begins: with zero shutter lag at once after `willBegin`, otherwise when the camera is asked for the
    /// exposure or the flash, or delivers the first frame from after the press.
    case willCapture(ResolvedPhotoSettings)
    /// All frames of an exposure are taken. After the last one, camera and scene may move again.
    case didCapture(ResolvedPhotoSettings)
    /// A photo is finished, or has failed.
    case photo(Photo)
    /// The movie of a Live Photo has ended: what the camera sees now is no longer in it.
    case didRecordLivePhotoMovie(ResolvedPhotoSettings)
    /// The movie of a Live Photo is finished, or has failed. Once, and after the still of the Live Photo.
    case livePhotoMovie(LivePhotoMovie)
    /// The capture is over. The error is the first one of the capture; nil if all photos succeeded.
    case finished(ResolvedPhotoSettings, CaptureError?)
}

/// The progress of a capture, for display. It may arrive at any time between the events of the capture.
public enum CaptureProgress: Sendable, Hashable {
    /// The number of frames taken so far.
    case frames(id: UInt64, taken: Int, of: Int)
    /// The number of frames that the fusion has received so far, including rejected ones.
    case fusing(id: UInt64, merged: Int, of: Int)
    /// The burst is fused; the report is the same as in the photos' `metadata.fusion`.
    case fused(id: UInt64, report: FusionReport)

    /// The ticket of the capture.
    public var id: UInt64 {
        switch self {
        case .frames(let id, _, _), .fusing(let id, _, _), .fused(let id, _): id
        }
    }

    /// The progress that an element's message reports; nil for other messages.
    init?(_ message: CaptureMessage) {
        switch message {
        case .frame(let id, let index, let count): self = .frames(id: id, taken: index + 1, of: count)
        case .fusing(let id, let merged, let count): self = .fusing(id: id, merged: merged, of: count)
        case .fused(let id, let report): self = .fused(id: id, report: report)
        default: return nil
        }
    }
}

/// A delegate that receives the events of a capture. The calls of one delegate come one after another, also those of
/// different captures, and never from a streaming thread.
public protocol PhotoCaptureDelegate: AnyObject, Sendable {
    /// The capture is accepted. Always the first call.
    func photoOutput(_ output: PhotoOutput, willBeginCaptureFor settings: ResolvedPhotoSettings)
    /// An exposure begins. Called once per exposure; with zero shutter lag at once after `willBeginCaptureFor`.
    func photoOutput(_ output: PhotoOutput, willCapturePhotoFor settings: ResolvedPhotoSettings)
    /// All frames of an exposure are taken. Called once per exposure.
    func photoOutput(_ output: PhotoOutput, didCapturePhotoFor settings: ResolvedPhotoSettings)
    /// A photo is finished, or has failed. Called once per file.
    func photoOutput(_ output: PhotoOutput, didFinishProcessingPhoto photo: Photo, error: CaptureError?)
    /// The movie of a Live Photo has ended: what the camera sees now is no longer in it.
    func photoOutput(_ output: PhotoOutput, didFinishRecordingLivePhotoMovieFor settings: ResolvedPhotoSettings)
    /// The movie of a Live Photo is finished, or has failed. Called after the still's `didFinishProcessingPhoto`.
    func photoOutput(
        _ output: PhotoOutput, didFinishProcessingLivePhotoMovie movie: LivePhotoMovie, error: CaptureError?)
    /// The capture is over. Always the last call, exactly once.
    func photoOutput(
        _ output: PhotoOutput, didFinishCaptureFor settings: ResolvedPhotoSettings, error: CaptureError?)
}

extension PhotoCaptureDelegate {
    /// Does nothing, so that the method is optional for delegates.
    public func photoOutput(_ output: PhotoOutput, willBeginCaptureFor settings: ResolvedPhotoSettings) {}
    /// Does nothing, so that the method is optional for delegates.
    public func photoOutput(_ output: PhotoOutput, willCapturePhotoFor settings: ResolvedPhotoSettings) {}
    /// Does nothing, so that the method is optional for delegates.
    public func photoOutput(_ output: PhotoOutput, didCapturePhotoFor settings: ResolvedPhotoSettings) {}
    /// Does nothing, so that the method is optional for delegates.
    public func photoOutput(
        _ output: PhotoOutput, didFinishRecordingLivePhotoMovieFor settings: ResolvedPhotoSettings
    ) {}
    /// Does nothing, so that the method is optional for delegates.
    public func photoOutput(
        _ output: PhotoOutput, didFinishProcessingLivePhotoMovie movie: LivePhotoMovie, error: CaptureError?
    ) {}
    /// Does nothing, so that the method is optional for delegates.
    public func photoOutput(
        _ output: PhotoOutput, didFinishCaptureFor settings: ResolvedPhotoSettings, error: CaptureError?
    ) {}
}
