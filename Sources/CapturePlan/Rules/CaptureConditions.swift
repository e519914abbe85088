package import GStreamer
package import GscapElements
internal import PipelineText

/// The properties of the output, the camera and its pipeline by which photo settings are validated and resolved.
package struct CaptureConditions: Sendable {
    /// Creates conditions that allow everything.
    package init() {}

    // MARK: The output

    /// The highest quality prioritization that captures may request.
    package var maxQuality = PhotoQualityPrioritization.quality
    /// Whether ProRAW is enabled.
    package var isProRAWEnabled = true

    /// Whether captures may have movies, as Live Photos have.
    package var livePhoto = LivePhotoCondition.possible
    /// The size of the movies of Live Photos; nil when unknown.
    package var livePhotoDimensions: PhotoDimensions?

    // MARK: The camera

    /// Whether there is a camera.
    package var hasCamera = true
    /// Whether the camera is a virtual one, which combines the pictures of several.
    package var isVirtual = false
    /// The identifiers of the cameras of a virtual device.
    package var constituents: [String] = []
    /// The zoom factor of the session.
    package var zoomFactor = 1.0
    /// The zoom factor by which the photos of the camera are cropped.
    package var cropFactor = 1.0
    /// The width and height of the photos relative to the frames': 2 for those of two lenses that are fused.
    package var photoScale = 1
    /// Whether the camera has a flash.
    package var hasFlash = false
    /// The exposure times in seconds that the camera supports; nil when unknown.
    package var exposureTimes: ClosedRange<Double>?
    /// The ISO speeds that the camera supports; nil when unknown.
    package var isos: ClosedRange<Double>?
    /// The size of the frames; nil when unknown.
    package var frameSize: PhotoDimensions?

    // MARK: The pipeline

    /// The number of bytes that the frames of the captures under way may have.
    package var memoryBudget = 1024 << 20
    /// Whether captures may contain frames from before the press, unless the settings decide it.
    package var usesZeroShutterLag = true
    /// The previews in RAW files, by the name of the branch, unless the settings decide their size.
    package var previews: [String: DNGPreviewRenderer] = [:]
    /// The compression qualities, by the name of the branch, unless the settings decide them.
    package var qualities: [String: Double] = [:]

    /// The size of a frame in memory: two bytes per pixel; nil when unknown.
    private var frameBytes: Int? {
        guard let frameSize else { return nil }
        let (pixels, overflow) = frameSize.width.multipliedReportingOverflow(by: frameSize.height)
        return overflow || pixels > Int.max / 4 || pixels <= 0 ? nil : 2 * pixels
    }

    /// The greatest number of frames in all exposures of a capture: 64, less if the memory for captures is too small.
    package var maxFrames: Int { min(CaptureRules.mostFrames, frameBytes.map { max(1, memoryBudget / $0) } ?? .max) }

    /// The greatest number of exposures in a bracket of one frame each: 16, less if the memory for captures is too
    /// small.
    package var maxExposures: Int { min(CaptureRules.mostExposures, maxFrames) }
}

extension CaptureConditions {
    /// Creates the conditions of a session's source.
    package init(_ source: PhotoSource?) {
        self.init()
        switch source {
        case .device(let device): set(device)
        case .plan(let plan): hasFlash = Self.hasFlash(pipelineText: plan.launchText)
        case .pad(let hasFlash): self.hasFlash = hasFlash
        case nil: hasCamera = false
        }
    }

    /// Creates the conditions of a camera before its pipeline runs.
    package init(_ device: CaptureDevice) {
        self.init()
        set(device)
        frameSize = PhotoSource.device(device).frameSize
    }

    private mutating func set(_ device: CaptureDevice) {
        hasFlash = device.hasFlash
        isVirtual = device.isVirtual
        constituents = device.constituents.map(\.device.uniqueID)
        zoomFactor = device.videoZoomFactor
        cropFactor = zoomFactor
        exposureTimes = device.exposureTimes
        isos = device.isos
    }

    /// Returns whether the camera of a pipeline text has a flash: the simulated sensor has one.
    private static func hasFlash(pipelineText: String) -> Bool { pipelineText.contains("gscapsensorsrc") }
}

extension PhotoDimensions {
    /// Reads the size from a structure of caps; nil if the structure does not determine it.
    package init?(_ structure: Structure?) {
        guard let width = structure?["width"]?.integer, let height = structure?["height"]?.integer, width > 0,
            height > 0
        else { return nil }
        self.init(width: width, height: height)
    }

    /// Reads the size from the first caps in a pipeline text that determine it; nil if there are none.
    package init?(pipelineText: String) {
        guard let description = try? PipelineDescription(parsing: pipelineText + " ! fakesink", file: "pipeline") else {
            return nil
        }
        let structures = description.graph.links.compactMap(\.link.caps?.structures.first)
        for structure in structures {
            guard let width = structure.number("width"), let height = structure.number("height"), width > 0, height > 0
            else { continue }
            self.init(width: width, height: height)
            return
        }
        return nil
    }
}

/// The source of a session's frames.
package enum PhotoSource: Sendable {
    /// The session's camera.
    case device(CaptureDevice)
    /// A custom plan, which has its own camera.
    case plan(PipelinePlan)
    /// The pad that the output is attached to; its camera may have a flash.
    case pad(hasFlash: Bool)

    /// The size of the frames before the pipeline runs; nil when unknown.
    package var frameSize: PhotoDimensions? {
        switch self {
        case .device(let device):
            PhotoDimensions(device.caps?.first) ?? PhotoDimensions(pipelineText: device.pipelineText)
        case .plan(let plan): PhotoDimensions(pipelineText: plan.launchText)
        case .pad: nil
        }
    }
}
