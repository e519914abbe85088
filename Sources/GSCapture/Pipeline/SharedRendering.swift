internal import GStreamer
internal import Synchronization

/// The frames of a preview that Live Photos take as they are, so that each frame is rendered once.
///
///     tee "raw" ─► rawdevelop "view-renderer-shared" ─┬─► queue ─► videoscale ─► preview
///          │                                          └─► recorder
///          └─► rawdevelop ─► recorder, from when the preview has failed
///
/// *Thread-safe.*
final class SharedRendering: Sendable {
    private let hasEnded = Atomic(false)

    /// Whether the preview's frames arrive at the recorder.
    var isUnderWay: Bool { !hasEnded.load(ordering: .relaxed) }

    /// Passes the frames of the shared preview to a recorder; nil if the pipeline has no such preview.
    init?(of pipeline: Pipeline, for recorder: LivePhotoRecorder) {
        guard let pad = pipeline.element(named: PipelinePlan.sharedRenderer)?.pad("src") else { return nil }
        let format = Mutex<Caps?>(nil)
        _ = pad.addEventProbe { event in
            if let caps = event.caps { format.withLock { $0 = caps } }
            return .pass
        }
        _ = pad.addBufferProbe { [weak pipeline, weak recorder] frame in
            guard let pipeline, let recorder, recorder.wantsFrames else { return .pass }
            if let sample = try? Sample(frame, caps: format.withLock(\.self)) {
                recorder.take(sample, inTimeOf: pipeline)
            }
            return .pass
        }
    }

    /// Takes note that an element leaves the pipeline: with the renderer, the frames of the preview end.
    func end(with element: Element) {
        if element.name == PipelinePlan.sharedRenderer { hasEnded.store(true, ordering: .relaxed) }
    }
}
