internal import GStreamer
internal import GscapElements
internal import RawImage

extension PipelinePlan {
    /// Creates the plan of a session with a camera, an optional preview and a branch for each format.
    public init(device: CaptureDevice, preview: PreviewOutput?, formats: [PhotoFormat]) throws(CaptureError) {
        try self.init(device: device, previews: preview.map { [$0] } ?? [], frames: [], formats: formats)
    }

    /// Creates the plan of a session with a camera, any number of previews and outputs of frames, an output of movies
    /// of at most the size `movie`, a branch for the movies of Live Photos of at most the size `livePhoto`, and a
    /// branch for each format.
    package init(
        device: CaptureDevice, previews: [PreviewOutput], frames: [FrameFormat],
        movie: (width: Int, height: Int)? = nil, livePhoto: (width: Int, height: Int)? = nil, formats: [PhotoFormat]
    ) throws(CaptureError) {
        try self.init(
            Self.text(
                device: device, previews: previews, frames: frames,
                movies: [(Self.movieSink, movie), (Self.livePhotoSink, livePhoto)], formats: formats, burst: nil))
    }

    /// Creates the plan that would run for one capture's settings; throws if the settings are invalid.
    public init(device: CaptureDevice, preview: PreviewOutput?, settings: PhotoSettings) throws(CaptureError) {
        if let broken = CaptureRules.broken(by: settings, plan: nil, CaptureConditions(device)) { throw broken }
        let previews = preview.map { [$0] } ?? []
        let text = Self.text(
            device: device, previews: previews, frames: [], formats: settings.formats, burst: settings)
        // The values for elements are named by the branches of the plan without them.
        let plain = try PipelinePlan(text)
        let resolved = plain.resolve(settings, CaptureConditions(device)).0
        try self.init(text, plain.elementSettings(settings, resolved))
    }

    private init(_ text: String, _ values: Structure = Structure("settings")) throws(CaptureError) {
        var reading = Reading()
        reading.file = "settings"
        for element in values.fields {
            guard case .structure(let properties) = element.value else { continue }
            for property in properties.fields {
                let text = property.value.text ?? property.value.integer.map { "\($0)" }
                let truth = property.value.truth.map { "\($0)" }
                guard let text = text ?? truth ?? property.value.number.map({ "\($0)" }) else { continue }
                reading.settings.append((element.name, property.name, text))
            }
        }
        try self.init(reading: text, reading)
    }

    /// Returns the pipeline text for these formats. `burst` sets the burst length and the fusion mode in the text; if
    /// it is nil, each capture request sets them.
    private static func text(
        device: CaptureDevice, previews: [PreviewOutput], frames: [FrameFormat],
        movies: [(name: String, size: (width: Int, height: Int)?)] = [], formats: [PhotoFormat], burst: PhotoSettings?
    ) -> String {
        var chains = [device.pipelineText + "\n  ! rawunpack ! tee name=raw"]
        // A pipeline that runs by itself has no other cameras' frames.
        let feeds = previews.isEmpty || burst != nil ? 0 : device.viewFeeds
        if feeds > 0 { chains += viewBranches(feeds) }
        let frame = PhotoDimensions(pipelineText: device.pipelineText)
        // With several cameras the previews show others than the primary one, which the movies show.
        var livePhoto = feeds > 0 ? nil : movies.first { $0.name == livePhotoSink }?.size
        for (index, preview) in previews.enumerated() {
            if let size = livePhoto, preview.isNear(size, of: frame) {
                chains.append(sharedBranch(preview, of: size, number: index + 1))
                livePhoto = nil
            } else {
                chains.append(previewBranch(preview, of: feeds > 0 ? "view" : "raw", number: index + 1))
            }
        }
        chains += frames.enumerated().map { frameBranch($1, name: frameSink($0)) }
        for case (let name, let size?) in movies {
            // The frames of Live Photos are rendered in the background, from which another queue's thread takes them.
            let handOver = name == livePhotoSink ? " ! \(queue(1))" : ""
            chains.append(sinkBranch(pictures("I420", size.width, size.height) + handOver, name: name))
        }
        guard !formats.isEmpty else {
            return (chains + (chains.count == 1 ? ["raw. ! fakesink sync=false"] : [])).joined(separator: "\n\n")
        }
        let count = burst.map { " frames=\($0.burstFrames)" } ?? ""
        // Every frame of a recording is used.
        let input = queue(2, leaky: device.isLive)
        chains.append("raw. ! \(input) ! rawshutter name=shutter\(count) ! tee name=burst")
        if formats.contains(.deferred) { chains += deferredBranches }
        var branches = PhotoBranches(formats.compactMap(\.branch)) { format in
            // Without an encoder there is no file: the application takes the pixels from an appsink.
            format.isUncompressed
                ? "appsink name=\(format.rawValue) sync=false max-buffers=1 drop=true"
                : file(format.rawValue, format.fileExtension)
        }
        branches.fusionProperties = burst?.fusionMode.map { "mode=\($0.rawValue)" } ?? ""
        branches.lookProperties = { format in colorSpace(of: format, device) }
        return (chains + branches.chains).joined(separator: "\n\n")
    }

    /// The branches of deferred delivery: the proxy, and the frames of the burst without compression, so that they are
    /// stored in the shortest time.
    private static var deferredBranches: [String] {
        [
            "burst. ! \(queue(2)) ! rawdevelop name=proxy-look quality=preview"
                + " ! video/x-raw,width=[1,1280],height=[1,960] ! gscapjpegenc name=proxy-encoder quality=0.85"
                + " ! \(file("proxy", "jpg"))",
            "burst. ! \(queue(8)) ! dngenc name=deferred-encoder compression=none preview-size=0 look=none"
                + " ! \(file("deferred", "dng"))",
        ]
    }

    /// Returns the property of rawdevelop for the camera's colour space; empty for sRGB, for HDR formats, which are
    /// always in Rec. 2020, and for WebP, because webpenc stores no colour profile.
    private static func colorSpace(of format: PhotoBranchFormat, _ device: CaptureDevice) -> String {
        let others: Set<PhotoBranchFormat> = [.heifPQ, .heifHLG, .avifPQ, .avifHLG, .webp]
        if device.activeColorSpace == .sRGB || others.contains(format) { return "" }
        return "color-space=\(device.activeColorSpace.rawValue)"
    }

    /// Returns the name of the sink of the frame output at this index.
    package static func frameSink(_ index: Int) -> String { "frames-\(index + 1)" }

    /// The name of the sink that takes the frames of a movie.
    package static let movieSink = "movie"

    /// The name of the sink that takes the frames for Live Photos.
    package static let livePhotoSink = "live-photo"

    /// The name of the queue whose thread renders the frames for Live Photos.
    package static let livePhotoQueue = queueName(livePhotoSink)

    private static func queueName(_ sink: String) -> String { "\(sink)-queue" }

    private static func frameBranch(_ format: FrameFormat, name: String) -> String {
        switch format {
        case .raw: sinkBranch("", name: name)
        case .rgb(let width, let height): sinkBranch(pictures("RGB", width, height), name: name)
        }
    }

    /// Returns the elements that render frames in a pixel format, at most this large.
    private static func pictures(_ format: String, _ width: Int, _ height: Int) -> String {
        " ! rawdevelop quality=preview ! video/x-raw,format=\(format),\(upTo((width, height)))"
    }

    /// Returns the branch whose frames this process takes from an appsink.
    private static func sinkBranch(_ develop: String, name: String) -> String {
        "raw. ! \(queue(previewQueue, leaky: true)) name=\(queueName(name))\(develop)"
            + " ! appsink name=\(name) sync=false async=false max-buffers=1 drop=true"
    }

    /// The number of frames that wait for a preview or for an analysis which is delayed by the work on photos. Beyond
    /// these the oldest are dropped.
    private static let previewQueue = 4

    /// Returns the chains that pass the frames of one of several cameras to the previews; see `LiveView`. A preview
    /// that ends leaves the tee without an output.
    private static func viewBranches(_ feeds: Int) -> [String] {
        let primary = "raw. ! \(queue(previewQueue, leaky: true)) name=\(viewQueue) ! funnel name=cameras"
        let others = (1...feeds).map { number in
            "appsrc name=\(viewFeed(number)) is-live=true format=time max-buffers=1 leaky-type=downstream"
                + " ! \(queue(previewQueue, leaky: true)) ! cameras."
        }
        return [primary + " ! tee name=view allow-not-linked=true"] + others
    }

    private static func previewBranch(_ preview: PreviewOutput, of tee: String, number: Int) -> String {
        "\(tee). ! \(queue(previewQueue, leaky: true)) ! rawdevelop name=\(viewRenderer)-\(number) quality=preview"
            + " ! video/x-raw,\(upTo(preview.size)) ! videoconvert ! \(sink(of: preview, number: number))"
    }

    /// Returns the branch of a preview whose frames are rendered for Live Photos as well, in their size; see
    /// `SharedRendering`. A sink that is slow holds up the preview only.
    private static func sharedBranch(
        _ preview: PreviewOutput, of size: (width: Int, height: Int), number: Int
    ) -> String {
        "raw. ! \(queue(previewQueue, leaky: true)) ! rawdevelop name=\(sharedRenderer) quality=preview"
            + " ! capsfilter caps=\"\(sharedCaps(preview, size))\" ! \(queue(2, leaky: true)) ! videoscale"
            + " ! video/x-raw,\(upTo(preview.size)),pixel-aspect-ratio=1/1 ! videoconvert"
            + " ! \(sink(of: preview, number: number))"
    }

    /// Returns the caps of frames of at most a size. Those that the preview scales down come first: the renderer would
    /// otherwise choose a size that the preview takes as it is.
    private static func sharedCaps(_ preview: PreviewOutput, _ size: (width: Int, height: Int)) -> String {
        var sizes = [upTo(size)]
        if preview.size.height < size.height {
            sizes.insert("width=[1,\(size.width)],height=[\(preview.size.height + 1),\(size.height)]", at: 0)
        }
        if preview.size.width < size.width {
            sizes.insert("width=[\(preview.size.width + 1),\(size.width)],height=[1,\(size.height)]", at: 0)
        }
        return sizes.map { "video/x-raw,format=I420,pixel-aspect-ratio=1/1,\($0)" }.joined(separator: ";")
    }

    private static func upTo(_ size: (width: Int, height: Int)) -> String {
        "width=[1,\(size.width)],height=[1,\(size.height)]"
    }

    private static func sink(of preview: PreviewOutput, number: Int) -> String {
        "\(preview.sink) name=preview\(number > 1 ? "-\(number)" : "") sync=false"
    }

    private static func queue(_ buffers: Int, leaky: Bool = false) -> String {
        PhotoBranches.queue(buffers, leaky: leaky)
    }

    private static func file(_ name: String, _ ending: String) -> String {
        "multifilesink name=\(name) location=photo-%05d.\(ending)"
    }
}

// MARK: - Names of elements

extension PipelinePlan {
    /// The name of the queue of the primary camera's frames for previews, if a virtual device has several cameras.
    package static let viewQueue = "view-queue"

    /// The beginning of the names of the elements that render previews.
    package static let viewRenderer = "view-renderer"

    /// Returns the name of the source of another camera's frames for previews; the first other camera is number 1.
    package static func viewFeed(_ number: Int) -> String { "view-feed-\(number)" }

    /// The name of the element whose pictures a preview and the movies of Live Photos show.
    package static let sharedRenderer = "\(viewRenderer)-shared"
}
