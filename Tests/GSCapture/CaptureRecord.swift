import GSCapture
import RawImage
import Synchronization

/// An event of a capture, without the pictures.
struct CaptureRecord: Sendable {
    enum Kind: Sendable {
        case willBegin, willCapture, didCapture
        case photo(PhotoFormat, number: Int, CaptureError.Code?)
        case didRecordMovie
        case movie(CaptureError.Code?)
        case finished(CaptureError.Code?)
    }

    let kind: Kind
    /// The ticket in the event's resolved settings.
    let id: UInt64
    /// The ticket and the title in the metadata of a photo; nil if it has none.
    var tag: UInt64?
    var title: String?

    init(_ event: CaptureEvent) {
        switch event {
        case .willBegin(let settings): (kind, id) = (.willBegin, settings.uniqueID)
        case .willCapture(let settings): (kind, id) = (.willCapture, settings.uniqueID)
        case .didCapture(let settings): (kind, id) = (.didCapture, settings.uniqueID)
        case .didRecordLivePhotoMovie(let settings): (kind, id) = (.didRecordMovie, settings.uniqueID)
        case .livePhotoMovie(let movie): (kind, id) = (.movie(movie.error?.code), movie.resolvedSettings.uniqueID)
        case .finished(let settings, let error): (kind, id) = (.finished(error?.code), settings.uniqueID)
        case .photo(let photo):
            kind = .photo(photo.format, number: photo.photoCount, photo.error?.code)
            id = photo.resolvedSettings.uniqueID
            tag = photo.metadata?.capture?.id
            title = photo.metadata?.details.title
        }
    }
}

/// A delegate that records its calls, also those that overlap or come after the last one.
final class RecordingDelegate: PhotoCaptureDelegate {
    private let recorded = Mutex<[CaptureRecord]>([])
    private let isBusy = Atomic(false)
    private let overlapping = Atomic(0)
    private let hasEnded = Atomic(false)

    var records: [CaptureRecord] { recorded.withLock { $0 } }
    /// The number of calls that began before the one before had returned.
    var overlaps: Int { overlapping.load(ordering: .relaxed) }
    /// Whether the last call has returned.
    var isOver: Bool { hasEnded.load(ordering: .acquiring) }

    private func record(_ event: CaptureEvent) {
        if isBusy.exchange(true, ordering: .acquiring) { overlapping.add(1, ordering: .relaxed) }
        recorded.withLock { $0.append(CaptureRecord(event)) }
        isBusy.store(false, ordering: .releasing)
    }

    func photoOutput(_ output: PhotoOutput, willBeginCaptureFor settings: ResolvedPhotoSettings) {
        record(.willBegin(settings))
    }

    func photoOutput(_ output: PhotoOutput, willCapturePhotoFor settings: ResolvedPhotoSettings) {
        record(.willCapture(settings))
    }

    func photoOutput(_ output: PhotoOutput, didCapturePhotoFor settings: ResolvedPhotoSettings) {
        record(.didCapture(settings))
    }

    func photoOutput(_ output: PhotoOutput, didFinishProcessingPhoto photo: Photo, error: CaptureError?) {
        record(.photo(photo))
    }

    func photoOutput(_ output: PhotoOutput, didFinishRecordingLivePhotoMovieFor settings: ResolvedPhotoSettings) {
        record(.didRecordLivePhotoMovie(settings))
    }

    func photoOutput(
        _ output: PhotoOutput, didFinishProcessingLivePhotoMovie movie: LivePhotoMovie, error: CaptureError?
    ) {
        record(.livePhotoMovie(movie))
    }

    func photoOutput(
        _ output: PhotoOutput, didFinishCaptureFor settings: ResolvedPhotoSettings, error: CaptureError?
    ) {
        record(.finished(settings, error))
        hasEnded.store(true, ordering: .releasing)
    }
}
