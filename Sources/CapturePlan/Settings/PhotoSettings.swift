public import RawImage
internal import Synchronization

/// The settings of one capture. Settings that were captured once are refused; a copy that is changed, or made with
/// `init(from:)`, has a new ticket.
public struct PhotoSettings: Sendable, Hashable {
    /// The ticket (capture id), unique in the process.
    public private(set) var uniqueID: UInt64 = Self.nextID()

    // MARK: Formats

    /// The requested RAW formats.
    public var rawFormats: Set<RAWPhotoFormat> { didSet { renew() } }
    /// The requested processed formats.
    public var processedFormats: Set<ProcessedPhotoFormat> { didSet { renew() } }
    /// The compression quality and the colour space of processed formats; formats that are not listed have the
    /// pipeline's.
    public var processedOptions: [ProcessedPhotoFormat: ProcessedPhotoOptions] = [:] { didSet { renew() } }
    /// The longest side, in pixels, of the preview embedded in RAW files, limited to the photo's size. With nil it has
    /// the pipeline's size, in a ProRAW DNG beside a finished picture at most half the photo's.
    public var thumbnailLongestSide: Int? { didSet { renew() } }

    // MARK: Frames

    /// The quality prioritization: the default number of frames and the fusion mode.
    public var photoQualityPrioritization: PhotoQualityPrioritization { didSet { renew() } }
    /// The number of frames in the burst, or in the burst of each exposure of a bracket; nil selects it by the quality
    /// prioritization, and one frame for Bayer RAW alone.
    public var frames: Int? { didSet { renew() } }
    /// Whether each frame of the burst is stored as a separate Bayer DNG, instead of the reference frame alone.
    public var everyFrame = false { didSet { renew() } }
    /// The greatest time between the press and the middle of the reference frame's exposure; a photo that is further
    /// away fails. Nil stands for two frame periods and the camera's delivery delay.
    ///
    /// A press before the first frame means that frame. In a capture that asks the camera for another exposure or for
    /// its flash, the time counts from the first frame that has it; the receipt states the lag from the press and from
    /// the request.
    public var momentTolerance: Duration? { didSet { renew() } }
    /// The priority of the threads that compute the photos: `background` leaves the processors to everything else,
    /// other processes included, so that photos take longer on a busy machine.
    public var processingPriority = PhotoPriority.normal { didSet { renew() } }
    /// Whether the capture may contain frames from before the press; nil leaves it to the pipeline.
    public var zeroShutterLag: Bool? { didSet { renew() } }

    // MARK: Exposure

    /// The exposure time in seconds; nil keeps that of the newest frame.
    public var exposureTime: Double? { didSet { renew() } }
    /// The ISO speed; nil keeps that of the newest frame.
    public var iso: Double? { didSet { renew() } }
    /// The exposure relative to the newest frame's, in EV: 1 doubles the light, −1 halves it.
    public var exposureBias = 0.0 { didSet { renew() } }
    /// The exposures of a bracket, which are taken one after another; empty for a single exposure. Each format delivers
    /// one photo of each exposure.
    public var bracket: [BracketExposure] = [] { didSet { renew() } }
    /// Whether the exposures of the bracket are also fused into one more photo of each fused format.
    public var fusesBracket = false { didSet { renew() } }
    /// The white balance, a `temperature` from 1000 to 50000 K; nil is the camera's.
    public var whiteBalance: WhiteBalance? { didSet { renew() } }
    /// The use of the flash.
    public var flashMode = FlashMode.off { didSet { renew() } }

    // MARK: Constituents of a virtual device

    /// The identifiers of the cameras of a virtual device of which the capture delivers photos, all of one moment: each
    /// camera delivers one photo of each format, which shows its whole view at any zoom factor. Empty, the default,
    /// stands for the camera that the zoom factor selects.
    public var constituents: Set<String> = [] { didSet { renew() } }
    /// Whether the photo of a virtual device's active camera also shows the detail that the next longer lens sees, by
    /// `WideTeleFusion`, in twice the width and height; without `constituents`.
    public var fusesConstituents = false { didSet { renew() } }

    // MARK: Deferred delivery

    /// Whether the capture delivers a proxy at once and stores its frames as a job, from which `DeferredJob.finish()`
    /// makes the photos later. The output must have a folder for jobs.
    public var isDeferred = false { didSet { renew() } }
    /// The name of the job, which must be unique in its folder; nil chooses one.
    public var deferredName: String? { didSet { renew() } }

    // MARK: Live Photos

    /// How the capture is stored with a movie of the moments before and after the press; nil for no movie. The output
    /// must be enabled for Live Photos.
    public var livePhotoFormat: LivePhotoFormat? { didSet { renew() } }

    // MARK: Metadata and features

    /// The descriptive metadata of this shot.
    public var details = ShotDetails() { didSet { renew() } }
    /// The features that the capture needs. A capture with a feature that is not supported is refused with the reason.
    public var features: Set<PhotoFeature> = [] { didSet { renew() } }

    /// The capture id that the receipts of the photos state; nil for that of the capture.
    package var receiptID: UInt64?

    /// Whether every branch of the pipeline delivers its photo, whatever its format.
    package let takesAllBranches: Bool

    private static let lastID = Atomic<UInt64>(0)

    private static func nextID() -> UInt64 { lastID.add(1, ordering: .relaxed).newValue }

    /// Gives changed settings a new ticket.
    private mutating func renew() { uniqueID = Self.nextID() }

    /// Creates settings for these formats. The quality prioritization is `speed` with Bayer RAW, otherwise `balanced`.
    public init(raw: Set<RAWPhotoFormat> = [], processed: Set<ProcessedPhotoFormat> = []) {
        rawFormats = raw
        processedFormats = processed
        takesAllBranches = false
        photoQualityPrioritization = Self.standardQuality(raw)
    }

    /// Returns the quality prioritization of settings with these RAW formats.
    static func standardQuality(_ raw: Set<RAWPhotoFormat>) -> PhotoQualityPrioritization {
        raw.contains(.bayer) ? .speed : .balanced
    }

    /// Creates a copy of other settings with a new ticket.
    public init(from other: PhotoSettings) {
        self = other
        renew()
    }

    /// Creates settings for all formats of a plan, with the burst length of the plan's text. If the plan fuses nothing,
    /// every frame of a burst becomes a DNG. The time between the press and the photo is not limited.
    public init(everythingOf plan: PipelinePlan) {
        rawFormats = []
        processedFormats = []
        takesAllBranches = true
        photoQualityPrioritization = .speed
        frames = plan.burstFrames
        everyFrame = plan.branches.allSatisfy { $0.format == .raw(.bayer) }
        momentTolerance = .seconds(1_000_000)
    }
}

// MARK: - Automatic choices

extension PhotoSettings {
    /// The requested formats, RAW first.
    public var formats: [PhotoFormat] { isDeferred ? [.proxy, .deferred] : finalFormats }

    /// The formats of the photos in the end, also with deferred delivery.
    var finalFormats: [PhotoFormat] {
        RAWPhotoFormat.allCases.filter(rawFormats.contains).map(PhotoFormat.raw)
            + ProcessedPhotoFormat.allCases.filter(processedFormats.contains).map(PhotoFormat.processed)
    }

    /// The resolved number of frames: `frames`, or one for Bayer RAW alone, or that of the quality prioritization.
    package var burstFrames: Int { burstFrames(at: photoQualityPrioritization) }

    /// The resolved number of frames if the capture is taken at another quality prioritization.
    package func burstFrames(at quality: PhotoQualityPrioritization) -> Int {
        frames ?? (finalFormats == [.raw(.bayer)] ? 1 : quality.frames)
    }

    /// The fusion mode; nil leaves it to the pipeline text.
    var fusionMode: FusionMode? { takesAllBranches ? nil : photoQualityPrioritization.fusionMode }

    /// The exposures taken one after another: those of the bracket, or the single one.
    package var exposures: [BracketExposure] {
        if !bracket.isEmpty { return bracket }
        return exposureTime == nil && iso == nil
            ? [.bias(exposureBias)] : [.manual(exposureTime: exposureTime, iso: iso)]
    }
}
