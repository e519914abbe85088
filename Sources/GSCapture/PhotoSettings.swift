internal import Synchronization

/// A kind of RAW file.
public enum RAWPhotoFormat: String, Sendable, Hashable, CaseIterable {
    /// The sensor's own mosaic, one frame.
    case bayer
    /// A fused burst: linear RGB with low noise, as editable as a mosaic.
    case proRAW
}

/// What matters more: to be done soon, or to be good.
public enum PhotoQualityPrioritization: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// A burst of four frames, merged with the least work.
    case speed
    /// A burst of eight frames.
    case balanced
    /// A burst of twelve frames, merged as thoroughly as can be: 1.8 dB less noise, half as long again in the camera, and
    /// half as much memory again for the frames.
    case quality

    /// In the order of quality.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// How many frames a burst that is fused has.
    public var frames: Int {
        switch self {
        case .speed: 4
        case .balanced: 8
        case .quality: 12
        }
    }

    /// The word of `rawfusion` for it.
    package var fusionMode: String { "\(self)" }
}

/// What one capture is to give. Each serves one capture only; copy it with `init(from:)` for the next.
public struct PhotoSettings: Sendable, Hashable {
    /// The ticket of the capture: unique in the process.
    public let uniqueID: UInt64
    /// The RAW files wanted.
    public var rawFormats: Set<RAWPhotoFormat>
    /// The finished pictures wanted.
    public var processedFormats: Set<ProcessedPhotoFormat>
    /// How many frames are worth waiting for, and how much work their fusion.
    public var photoQualityPrioritization: PhotoQualityPrioritization
    /// Frames in the burst; nil leaves it to the quality prioritization, and is one for Bayer RAW alone.
    public var frames: Int?

    /// Whether every branch of the pipeline is to give its photo, whatever it is.
    let takesAllBranches: Bool

    private static let lastID = Atomic<UInt64>(0)

    /// Settings for the formats given. Bayer RAW alone is one frame, for speed; else a burst, balanced.
    public init(raw: Set<RAWPhotoFormat> = [], processed: Set<ProcessedPhotoFormat> = []) {
        uniqueID = Self.lastID.add(1, ordering: .relaxed).newValue
        rawFormats = raw
        processedFormats = processed
        takesAllBranches = false
        photoQualityPrioritization = raw.contains(.bayer) ? .speed : .balanced
    }

    /// The same wishes under a new ticket.
    public init(from other: PhotoSettings) {
        uniqueID = Self.lastID.add(1, ordering: .relaxed).newValue
        rawFormats = other.rawFormats
        processedFormats = other.processedFormats
        takesAllBranches = other.takesAllBranches
        photoQualityPrioritization = other.photoQualityPrioritization
        frames = other.frames
    }

    /// Settings that take all a plan gives, with the burst as its text has it.
    public init(everythingOf plan: PipelinePlan) {
        uniqueID = Self.lastID.add(1, ordering: .relaxed).newValue
        rawFormats = []
        processedFormats = []
        takesAllBranches = true
        photoQualityPrioritization = .speed
        frames = plan.burstFrames
    }

    /// Frames in the burst: as said, or as the quality prioritization wants. A mosaic alone needs no more than one.
    var burstFrames: Int { frames ?? (formats == [.raw(.bayer)] ? 1 : photoQualityPrioritization.frames) }

    /// How the burst is to be fused; nil leaves it to the pipeline's text.
    var fusionMode: String? { takesAllBranches ? nil : photoQualityPrioritization.fusionMode }

    /// The formats wanted, RAW first.
    public var formats: [PhotoFormat] {
        RAWPhotoFormat.allCases.filter(rawFormats.contains).map(PhotoFormat.raw)
            + ProcessedPhotoFormat.allCases.filter(processedFormats.contains).map(PhotoFormat.processed)
    }
}

/// Any kind of picture that a branch of the pipeline gives.
public enum PhotoFormat: Sendable, Hashable {
    case raw(RAWPhotoFormat)
    case processed(ProcessedPhotoFormat)
    /// What a pipeline of the user's own gives, by its file name extension.
    case other(String)

    /// Its name for people and programs.
    public var name: String {
        switch self {
        case .raw(let format): format.rawValue
        case .processed(let format): format.rawValue
        case .other(let name): name
        }
    }

    /// The usual ending of file names.
    public var fileExtension: String {
        switch self {
        case .raw: "dng"
        case .processed(let format): format.fileExtension
        case .other(let name): name
        }
    }

    /// What a file of it is, in a few words.
    public var summary: String {
        switch self {
        case .raw(.bayer): "Bayer DNG"
        case .raw(.proRAW): "linear DNG"
        case .processed(let format): format.summary
        case .other(let name): name.uppercased()
        }
    }

    /// Whether it is a RAW file.
    public var isRAW: Bool {
        if case .raw = self { return true }
        return false
    }
}

/// What a capture will be, decided when it begins.
public struct ResolvedPhotoSettings: Sendable, Hashable {
    /// The ticket, the same as that of the settings.
    public let uniqueID: UInt64
    /// How many frames the sensor gives for it.
    public let frames: Int
    /// The formats it gives.
    public let formats: [PhotoFormat]
    /// How many photos will come, failed ones counted in.
    public let expectedPhotoCount: Int

    /// How the burst is to be fused; nil leaves it to the pipeline's text.
    let fusionMode: String?
}
