package import RawImage
internal import Synchronization

/// A RAW file format.
public enum RAWPhotoFormat: String, Sendable, Hashable, CaseIterable {
    /// The mosaic of a single sensor frame.
    case bayer
    /// A fused burst: a linear RGB photo with low noise, with the same editing range as a mosaic.
    case proRAW
}

/// The trade-off between processing time and picture quality.
public enum PhotoQualityPrioritization: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// A burst of four frames, merged with the least processing.
    case speed
    /// A burst of eight frames.
    case balanced
    /// A burst of twelve frames, with super-resolution where possible. Compared with `balanced`: 1.8 dB less noise, 1.5
    /// times the capture time, and 1.5 times the memory for frames.
    case quality

    /// Compares by quality: `speed` < `balanced` < `quality`.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The number of frames in a fused burst.
    public var frames: Int { fusionMode.burstLength }

    /// The fusion mode of the burst.
    package var fusionMode: FusionMode {
        switch self {
        case .speed: .speed
        case .balanced: .balanced
        case .quality: .quality
        }
    }
}

/// The settings of one capture. Settings that were captured once are refused; a copy that is changed, or made with
/// `init(from:)`, has a new ticket.
public struct PhotoSettings: Sendable, Hashable {
    /// The ticket (capture id), unique in the process.
    public private(set) var uniqueID: UInt64 = Self.nextID()
    /// The requested RAW formats.
    public var rawFormats: Set<RAWPhotoFormat> { didSet { renew() } }
    /// The requested processed formats.
    public var processedFormats: Set<ProcessedPhotoFormat> { didSet { renew() } }
    /// The quality prioritization: the default number of frames and the fusion mode.
    public var photoQualityPrioritization: PhotoQualityPrioritization { didSet { renew() } }
    /// The number of frames in the burst; nil selects it by the quality prioritization, and one frame for Bayer RAW
    /// alone.
    public var frames: Int? { didSet { renew() } }
    /// Whether each frame of the burst is stored as a separate Bayer DNG, instead of the reference frame alone.
    public var everyFrame = false { didSet { renew() } }
    /// The greatest time between the press and the middle of the reference frame's exposure; a photo that is further
    /// away fails. Nil stands for two frame periods and the camera's delivery delay.
    public var momentTolerance: Duration? { didSet { renew() } }

    /// Whether every branch of the pipeline delivers its photo, whatever its format.
    let takesAllBranches: Bool

    private static let lastID = Atomic<UInt64>(0)

    private static func nextID() -> UInt64 { lastID.add(1, ordering: .relaxed).newValue }

    /// Gives changed settings a new ticket.
    private mutating func renew() { uniqueID = Self.nextID() }

    /// Creates settings for these formats. The quality prioritization is `speed` with Bayer RAW, otherwise `balanced`.
    public init(raw: Set<RAWPhotoFormat> = [], processed: Set<ProcessedPhotoFormat> = []) {
        rawFormats = raw
        processedFormats = processed
        takesAllBranches = false
        photoQualityPrioritization = raw.contains(.bayer) ? .speed : .balanced
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
        everyFrame = !plan.hasFusion
        momentTolerance = .seconds(1_000_000)
    }

    /// The resolved number of frames: `frames`, or one for Bayer RAW alone, or that of the quality prioritization.
    var burstFrames: Int { burstFrames(at: photoQualityPrioritization) }

    /// The resolved number of frames if the capture is taken at another quality prioritization.
    func burstFrames(at quality: PhotoQualityPrioritization) -> Int {
        frames ?? (formats == [.raw(.bayer)] ? 1 : quality.frames)
    }

    /// The fusion mode; nil leaves it to the pipeline text.
    var fusionMode: FusionMode? { takesAllBranches ? nil : photoQualityPrioritization.fusionMode }

    /// The requested formats, RAW first.
    public var formats: [PhotoFormat] {
        RAWPhotoFormat.allCases.filter(rawFormats.contains).map(PhotoFormat.raw)
            + ProcessedPhotoFormat.allCases.filter(processedFormats.contains).map(PhotoFormat.processed)
    }
}

/// The format of the photos from a branch of the pipeline.
public enum PhotoFormat: Sendable, Hashable {
    case raw(RAWPhotoFormat)
    case processed(ProcessedPhotoFormat)
    /// Another format, from a custom pipeline, with its file name extension.
    case other(String)

    /// The format's name in messages and in JSON.
    public var name: String {
        switch self {
        case .raw(let format): format.rawValue
        case .processed(let format): format.rawValue
        case .other(let name): name
        }
    }

    /// The usual file name extension.
    public var fileExtension: String {
        switch self {
        case .raw: "dng"
        case .processed(let format): format.fileExtension
        case .other(let name): name
        }
    }

    /// A short description of the file.
    public var summary: String {
        switch self {
        case .raw(.bayer): "Bayer DNG"
        case .raw(.proRAW): "linear DNG"
        case .processed(let format): format.summary
        case .other(let name): name.uppercased()
        }
    }

    /// Whether the format is RAW.
    public var isRAW: Bool {
        if case .raw = self { return true }
        return false
    }

    /// Whether the photos are pixels, without an encoder in the pipeline.
    var isUncompressed: Bool {
        if case .processed(let format) = self { return format.isUncompressed }
        return false
    }
}

/// The settings of a capture after all automatic choices, fixed when the capture begins.
public struct ResolvedPhotoSettings: Sendable, Hashable {
    /// The ticket (capture id), the same as in the photo settings.
    public let uniqueID: UInt64
    /// The number of frames taken.
    public let frames: Int
    /// The formats of the photos.
    public let formats: [PhotoFormat]
    /// The number of photos that will be delivered, failed ones included.
    public let expectedPhotoCount: Int

    /// The greatest time between the press and the middle of the reference frame's exposure; nil for the default.
    public let momentTolerance: Duration?

    /// The fusion mode; nil leaves it to the pipeline text.
    let fusionMode: FusionMode?
}
