internal import RawImage

extension PipelinePlan {
    /// Creates the plan of a session with a camera, an optional preview and a branch for each format.
    public init(device: CaptureDevice, preview: PreviewOutput?, formats: [PhotoFormat]) throws(CaptureError) {
        try self.init(Self.text(device: device, preview: preview, formats: formats, burst: nil))
    }

    /// Creates the plan that would run for one capture's settings; throws if the settings are invalid.
    public init(device: CaptureDevice, preview: PreviewOutput?, settings: PhotoSettings) throws(CaptureError) {
        if let broken = CaptureRules.broken(by: settings, plan: nil, CaptureConditions(device)) { throw broken }
        try self.init(Self.text(device: device, preview: preview, formats: settings.formats, burst: settings))
    }

    private init(_ text: String) throws(CaptureError) {
        var reading = Reading()
        reading.file = "settings"
        try self.init(reading: text, reading)
    }

    /// Returns the pipeline text for these formats. `burst` sets the burst length and the fusion mode in the text; if
    /// it is nil, each capture request sets them.
    private static func text(
        device: CaptureDevice, preview: PreviewOutput?, formats: [PhotoFormat], burst: PhotoSettings?
    ) -> String {
        var chains = [device.pipelineText + "\n  ! rawunpack ! tee name=raw"]
        if let preview { chains.append(previewBranch(preview)) }
        guard !formats.isEmpty else {
            return (chains + (preview == nil ? ["raw. ! fakesink sync=false"] : [])).joined(separator: "\n\n")
        }
        let frames = burst.map { " frames=\($0.burstFrames)" } ?? ""
        chains.append("raw. ! \(queue(2, leaky: true)) ! rawshutter name=shutter\(frames) ! tee name=burst")
        if formats.contains(.raw(.bayer)) {
            chains.append("burst. ! \(queue(8)) ! dngenc name=bayer-encoder ! \(file("bayer", "dng"))")
        }
        let fused = formats.filter { $0 != .raw(.bayer) }
        if !fused.isEmpty {
            let mode = burst?.fusionMode.map { " mode=\($0.rawValue)" } ?? ""
            chains.append("burst. ! \(queue(16)) ! rawfusion name=fusion\(mode) ! tee name=photo")
        }
        if fused.contains(.raw(.proRAW)) {
            chains.append("photo. ! \(queue(2)) ! dngenc name=proraw-encoder ! \(file("proraw", "dng"))")
        }
        for case .processed(let format) in fused {
            let encoder = format.pipelineText(name: "\(format.rawValue)-encoder")
            chains.append(
                "photo. ! \(queue(2)) ! rawdevelop name=\(format.rawValue)-look ! \(encoder)"
                    + " ! \(file(format.rawValue, format.fileExtension))")
        }
        return chains.joined(separator: "\n\n")
    }

    private static func previewBranch(_ preview: PreviewOutput) -> String {
        "raw. ! \(queue(2, leaky: true)) ! rawdevelop quality=preview"
            + " ! video/x-raw,width=[1,\(preview.size.width)],height=[1,\(preview.size.height)]"
            + " ! videoconvert ! \(preview.sink) name=preview sync=false"
    }

    /// Returns a queue limited by frame count; a queue's default limit of 10 MB is smaller than one 12-megapixel frame.
    private static func queue(_ buffers: Int, leaky: Bool = false) -> String {
        "queue max-size-buffers=\(buffers) max-size-bytes=0 max-size-time=0" + (leaky ? " leaky=downstream" : "")
    }

    private static func file(_ name: String, _ ending: String) -> String {
        "multifilesink name=\(name) location=photo-%05d.\(ending)"
    }
}
