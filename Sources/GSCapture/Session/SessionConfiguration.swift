/// What a photo output needs of a session's pipeline.
struct PlannedPhotos: Sendable, Hashable {
    /// The formats for which there are branches.
    var formats: [PhotoFormat] = []
    /// Whether there is a branch for the movies of Live Photos.
    var takesLivePhotos = false
    /// The folder for the jobs of deferred photos; nil for a session without deferred delivery.
    var deferredFolder: String?
}

/// The configuration of a session: its camera, its outputs and its preset.
struct SessionConfiguration: Sendable {
    /// A custom plan, whose text defines the camera and the previews; nil if the plan is made from the other fields.
    var plan: PipelinePlan?
    var input: CaptureDeviceInput?
    var preset = CaptureSession.Preset.inputPriority
    var photo: PhotoOutput?
    /// The branches of the pipeline for photos.
    var photos = PlannedPhotos()
    var previews: [PreviewOutput] = []
    var frames: [FrameOutput] = []
    var movie: MovieOutput?

    /// A change of a configuration.
    enum Change: Sendable {
        case addInput(CaptureDeviceInput)
        case removeInput(String)
        case addPhoto(PhotoOutput, PlannedPhotos)
        case removePhoto(PhotoOutput)
        case setFormats(PhotoOutput, PlannedPhotos)
        case addPreview(PreviewOutput)
        case removePreview(PreviewOutput)
        case addFrames(FrameOutput)
        case removeFrames(FrameOutput)
        case addMovie(MovieOutput)
        case removeMovie(MovieOutput)
        case setPreset(CaptureSession.Preset)
        case setZoom(Double)
    }

    /// Returns this configuration after changes.
    func applying(_ changes: [Change]) -> SessionConfiguration {
        changes.reduce(into: self) { $0.apply($1) }
    }

    /// Applies a change. Removing what the configuration does not have changes nothing.
    mutating func apply(_ change: Change) {
        switch change {
        case .addInput(let input): self.input = input
        case .removeInput(let id): if input?.device.uniqueID == id { input = nil }
        case .addPhoto(let output, let photos): (photo, self.photos) = (output, photos)
        case .removePhoto(let output): if photo === output { (photo, photos) = (nil, PlannedPhotos()) }
        case .setFormats(let output, let photos): if photo === output { self.photos = photos }
        case .addPreview(let preview): previews.append(preview)
        case .removePreview(let preview): previews.lastIndex(of: preview).map { _ = previews.remove(at: $0) }
        case .addFrames(let output): if !frames.contains(where: { $0 === output }) { frames.append(output) }
        case .removeFrames(let output): frames.removeAll { $0 === output }
        case .addMovie(let output): movie = output
        case .removeMovie(let output): if movie === output { movie = nil }
        case .setPreset(let preset): self.preset = preset
        case .setZoom(let factor): input?.device.videoZoomFactor = factor
        }
    }

    /// The zoom factor; nil for a custom plan, or without a camera.
    var zoomFactor: Double? { plan == nil ? input?.device.videoZoomFactor : nil }

    /// Returns the plan of this configuration; throws if it has no camera, or if an element is missing.
    func compiled() throws(CaptureError) -> PipelinePlan {
        if let plan { return plan }
        guard var device = input?.device else {
            throw CaptureError(.noDevice, "the session has no camera; add a CaptureDeviceInput before it starts")
        }
        device.activeFormat = device.format(for: preset)
        return try PipelinePlan(
            device: device, previews: previews, frames: frames.map(\.format), movie: movie?.maxSize,
            livePhoto: photos.takesLivePhotos ? LivePhotoRecorder.maxSize : nil, formats: photos.formats)
    }
}

extension SessionConfiguration.Change {
    /// The photo output that the change adds; nil for other changes.
    var addedPhoto: PhotoOutput? {
        if case .addPhoto(let output, _) = self { return output }
        return nil
    }

    /// The output of frames that the change adds; nil for other changes.
    var addedFrames: FrameOutput? {
        if case .addFrames(let output) = self { return output }
        return nil
    }

    /// The movie output that the change adds; nil for other changes.
    var addedMovie: MovieOutput? {
        if case .addMovie(let output) = self { return output }
        return nil
    }

    /// Whether the change adds this output, a `PhotoOutput`, a `FrameOutput` or a `MovieOutput`.
    func adds(_ output: AnyObject) -> Bool {
        addedPhoto === output || addedFrames === output || addedMovie === output
    }

    /// Whether the change removes this output, a `PhotoOutput`, a `FrameOutput` or a `MovieOutput`.
    func removes(_ output: AnyObject) -> Bool {
        switch self {
        case .removePhoto(let removed): removed === output
        case .removeFrames(let removed): removed === output
        case .removeMovie(let removed): removed === output
        default: false
        }
    }

    /// Whether the change sets the zoom factor.
    var setsZoom: Bool {
        if case .setZoom = self { return true }
        return false
    }

    /// Whether the change sets the formats of the photo output.
    var setsFormats: Bool {
        if case .setFormats = self { return true }
        return false
    }
}

// MARK: - Rules

extension SessionConfiguration {
    /// Returns why a change is not allowed; nil if it is allowed.
    func refusal(of change: Change) -> String? {
        switch change {
        case .addInput(let input): refusal(of: input.device)
        case .addPhoto: photo == nil ? nil : "the session has an output for photos already"
        case .addPreview(let preview):
            planRefusal ?? Self.refusal(ofSize: preview.size)
        case .addFrames(let output):
            planRefusal ?? Self.refusal(of: output.format)
        case .addMovie(let output):
            movie == nil
                ? planRefusal ?? Self.refusal(ofSize: output.maxSize) : "the session has an output for movies already"
        case .setPreset(let preset): refusal(of: preset)
        case .setZoom(let factor): planRefusal ?? refusal(ofZoom: factor)
        case .removeInput, .removePhoto, .setFormats, .removePreview, .removeFrames, .removeMovie: nil
        }
    }

    private var planRefusal: String? {
        plan == nil ? nil : "the session runs a pipeline text; change the text instead"
    }

    private func refusal(of device: CaptureDevice) -> String? {
        if let planRefusal { return planRefusal }
        if let input { return "the session has the camera \"\(input.device.localizedName)\" already; remove it first" }
        if !device.supportsRAW { return "the camera \"\(device.localizedName)\" delivers no Bayer frames" }
        if !device.supportedColorSpaces.contains(device.activeColorSpace) {
            return "the camera \"\(device.localizedName)\" does not support the colour space "
                + device.activeColorSpace.rawValue
        }
        return device.refusal(ofZoom: device.videoZoomFactor) ?? Self.refusal(of: preset, device)
    }

    private func refusal(ofZoom factor: Double) -> String? {
        input.map { $0.device.refusal(ofZoom: factor) } ?? "the session has no camera to zoom; add one first"
    }

    private func refusal(of preset: CaptureSession.Preset) -> String? {
        if preset == .inputPriority { return nil }
        return planRefusal ?? input.flatMap { Self.refusal(of: preset, $0.device) }
    }

    private static func refusal(of preset: CaptureSession.Preset, _ device: CaptureDevice) -> String? {
        if preset == .inputPriority || device.format(for: preset) != nil { return nil }
        return "the formats of the camera \"\(device.localizedName)\" are unknown, so the preset \(preset.rawValue) "
            + "selects none; use inputPriority"
    }

    private static func refusal(of format: FrameOutput.Format) -> String? {
        if case .rgb(let width, let height) = format { return refusal(ofSize: (width, height)) }
        return nil
    }

    /// Pictures have at least 2×2 pixels, and at most the size that GStreamer's caps allow.
    private static func refusal(ofSize size: (width: Int, height: Int)) -> String? {
        if (2...65535).contains(size.width) && (2...65535).contains(size.height) { return nil }
        return "a picture is between 2×2 and 65535×65535 pixels, not \(size.width)×\(size.height)"
    }
}
