internal import GStreamer
internal import GscapElements

extension PhotoPipeline {
    /// Sets what the rules and the resolved settings depend on to the pipeline's present state.
    func update(_ conditions: inout CaptureConditions) {
        conditions.frameSize =
            PhotoDimensions(entrance?.currentCaps?.first) ?? PhotoDimensions(entrance?.peerQueryCaps().first)
            ?? plannedFrameSize
        if let budget = try? control?.get("max-queued", as: Int.self) { conditions.memoryBudget = budget << 20 }
        if let usesPast = try? shutter?.get("zero-shutter-lag", as: Bool.self) {
            conditions.usesZeroShutterLag = usesPast
        }
        for branch in plan.branches {
            guard let encoder = branch.encoder.flatMap({ container.element(named: $0) }) else { continue }
            switch branch.format {
            case .raw(let format): conditions.previews[branch.name] = DNGPreviewRenderer(encoder, format)
            case .processed(let format):
                if format.hasQuality { conditions.qualities[branch.name] = try? encoder.get("quality") }
            case .proxy, .deferred, .other: break
            }
        }
    }
}

extension DNGPreviewRenderer {
    /// Creates the renderer that a dngenc with its present properties uses; nil if it writes a small thumbnail instead.
    fileprivate init?(_ encoder: Element, _ format: RAWPhotoFormat) {
        guard let side = try? encoder.get("preview-size", as: Int.self), side > 0,
            let quality = try? encoder.get("quality", as: Double.self)
        else { return nil }
        // The largest value of preview-size stands for the photo's own size.
        self.init(
            longestSide: side == Int(UInt16.max) ? nil : side, isHalved: quality < 1 || format == .bayer)
    }
}
