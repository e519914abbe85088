internal import GStreamer
internal import Synchronization

/// The live view of a session's pipeline: the zoom of its previews, frames and movies and, for a virtual device, the
/// camera that the previews show.
///
///     primary camera ─► tee "raw" ─► queue "view-queue" ──► ┐
///     other cameras ─► appsink ─► appsrc "view-feed-N" ───► ├ funnel "cameras" ─► tee "view" ─► previews
///
/// Only the frames of the active camera pass. *Thread-safe.*
final class LiveView: Sendable {
    /// The renderers of the previews, and those of the frames and movies, which are always the primary camera's.
    private let previews: [Element]
    private let others: [Element]
    private let feeds: [AppSrc]
    private let active = Atomic(0)

    /// Finds the renderers and feeds of a pipeline.
    init(of pipeline: Pipeline) {
        let renderers = pipeline.allElements.filter { element in
            element.factoryName == "rawdevelop" && (try? element.get("quality"))?.text == "preview"
        }
        previews = renderers.filter { $0.name.hasPrefix(PipelinePlan.viewRenderer) }
        others = renderers.filter { !$0.name.hasPrefix(PipelinePlan.viewRenderer) }
        feeds = sequence(first: 1) { $0 + 1 }.lazy.map { number in
            pipeline.element(named: PipelinePlan.viewFeed(number)).flatMap(AppSrc.init)
        }.prefix { $0 != nil }.compactMap(\.self)
        guard !feeds.isEmpty, let pad = pipeline.element(named: PipelinePlan.viewQueue)?.pad("src") else { return }
        _ = pad.addBufferProbe { [weak self] _ in self?.isActive(0) == false ? .drop : .pass }
        _ = pad.addEventProbe { [feeds] event in
            // The previews end with the primary camera.
            if event.kind == .endOfStream { for feed in feeds { feed.endOfStream() } }
            return .pass
        }
    }

    private func isActive(_ camera: Int) -> Bool { active.load(ordering: .relaxed) == camera }

    /// Shows a camera with a crop; the outputs that show only the primary camera are cropped by the whole zoom factor.
    func show(_ choice: CameraChoice, zoom: Double) {
        active.store(feeds.isEmpty ? 0 : choice.camera, ordering: .relaxed)
        let factor = feeds.isEmpty ? zoom : choice.cropFactor
        for renderer in previews { try? renderer.set("zoom", .double(factor)) }
        for renderer in others { try? renderer.set("zoom", .double(zoom)) }
    }

    /// Passes the frames at the sink of another camera's pipeline to the previews while that camera is active.
    func feed(_ camera: Int, from pipeline: Pipeline) {
        let sink = pipeline.element(named: PipelinePlan.frameSink(0)).flatMap(AppSink.init)
        guard let sink, feeds.indices.contains(camera - 1) else { return }
        let feed = feeds[camera - 1]
        sink.setHandler { [weak self] sink in
            while case let item? = sink.next() {
                guard case .sample(let sample) = item, self?.isActive(camera) == true, let buffer = sample.buffer
                else { continue }
                if let caps = sample.caps { feed.setCaps(caps) }
                // Previews that have ended take no more frames.
                try? feed.push(buffer)
            }
            return nil
        } ended: {
        }
    }
}
