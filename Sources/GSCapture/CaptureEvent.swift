public import RawImage

/// What happens to a capture, in this order: `willBegin`, `willCapture`, `didCapture` once an exposure, `photo` once a
/// format, and `finished`, exactly once, last.
public enum CaptureEvent: Sendable {
    /// The capture is accepted; this is what it will be.
    case willBegin(ResolvedPhotoSettings)
    /// The shutter opens.
    case willCapture(ResolvedPhotoSettings)
    /// The frames are taken; the scene may change.
    case didCapture(ResolvedPhotoSettings)
    /// A photo is done, or failed.
    case photo(Photo)
    /// Nothing more will come; the error tells why photos are missing.
    case finished(ResolvedPhotoSettings, CaptureError?)
}

/// Something to show while a capture goes on. Not part of the order of events.
public enum CaptureProgress: Sendable, Hashable {
    /// Frames of the burst that left the shutter.
    case frames(id: UInt64, taken: Int, of: Int)
    /// Frames of the burst that are merged.
    case fusing(id: UInt64, merged: Int, of: Int)
    /// The burst is fused: what became of its frames. The photos bring the same in `metadata.fusion`.
    case fused(id: UInt64, report: FusionReport)
}

/// Hears what happens to a capture. Calls come one after another, never from a streaming thread.
public protocol PhotoCaptureDelegate: AnyObject, Sendable {
    /// The capture is accepted. Always first.
    func photoOutput(_ output: PhotoOutput, willBeginCaptureFor settings: ResolvedPhotoSettings)
    /// The shutter opens.
    func photoOutput(_ output: PhotoOutput, willCapturePhotoFor settings: ResolvedPhotoSettings)
    /// The frames are taken.
    func photoOutput(_ output: PhotoOutput, didCapturePhotoFor settings: ResolvedPhotoSettings)
    /// A photo is done, or failed. Once a format.
    func photoOutput(_ output: PhotoOutput, didFinishProcessingPhoto photo: Photo, error: CaptureError?)
    /// Nothing more will come. Always last, exactly once.
    func photoOutput(
        _ output: PhotoOutput, didFinishCaptureFor settings: ResolvedPhotoSettings, error: CaptureError?)
}

extension PhotoCaptureDelegate {
    /// Does nothing.
    public func photoOutput(_ output: PhotoOutput, willBeginCaptureFor settings: ResolvedPhotoSettings) {}
    /// Does nothing.
    public func photoOutput(_ output: PhotoOutput, willCapturePhotoFor settings: ResolvedPhotoSettings) {}
    /// Does nothing.
    public func photoOutput(_ output: PhotoOutput, didCapturePhotoFor settings: ResolvedPhotoSettings) {}
    /// Does nothing.
    public func photoOutput(
        _ output: PhotoOutput, didFinishCaptureFor settings: ResolvedPhotoSettings, error: CaptureError?
    ) {}
}
