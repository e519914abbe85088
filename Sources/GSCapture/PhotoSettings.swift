internal import Synchronization

/// A kind of RAW file.
public enum RAWPhotoFormat: String, Sendable, Hashable, CaseIterable {
    /// The sensor's own mosaic, one frame.
    case bayer
    /// A fused burst: linear RGB with low noise, as editable as a mosaic.
    case proRAW
}

/// A kind of finished picture.
public enum ProcessedPhotoFormat: String, Sendable, Hashable, CaseIterable {
    case jpeg
    case png
    case webp
}

/// What matters more: to be done soon, or to be good.
public enum PhotoQualityPrioritization: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// One frame.
    case speed
    /// A short burst.
    case balanced
    /// A long burst.
    case quality

    /// In the order of quality.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// How many frames a burst has.
    public var frames: Int {
        switch self {
        case .speed: 1
        case .balanced: 4
        case .quality: 8
        }
    }
}

/// What one capture is to give. Each serves one capture only; copy it with `init(from:)` for the next.
public struct PhotoSettings: Sendable, Hashable {
    /// The ticket of the capture: unique in the process.
    public let uniqueID: UInt64
    /// The RAW files wanted.
    public var rawFormats: Set<RAWPhotoFormat>
    /// The finished pictures wanted.
    public var processedFormats: Set<ProcessedPhotoFormat>
    /// How many frames are worth waiting for.
    public var photoQualityPrioritization: PhotoQualityPrioritization
    /// Frames in the burst; nil leaves it to the quality prioritization.
    public var frames: Int?

    /// Whether every branch of the pipeline is to give its photo, whatever it is.
    let takesAllBranches: Bool

    private static let lastID = Atomic<UInt64>(0)

    /// Settings for the formats given. Bayer RAW alone is one frame, for speed; else a short burst.
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

    /// Frames in the burst: as said, or as the quality prioritization wants.
    var burstFrames: Int { frames ?? photoQualityPrioritization.frames }

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
        case .processed(.jpeg): "jpg"
        case .processed(let format): format.rawValue
        case .other(let name): name
        }
    }

    /// What a file of it is, in a few words.
    public var summary: String {
        switch self {
        case .raw(.bayer): "Bayer DNG"
        case .raw(.proRAW): "linear DNG"
        case .processed(let format): format.rawValue.uppercased()
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
}
