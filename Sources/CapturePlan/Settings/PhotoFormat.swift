internal import GscapElements

/// The format of the photos from a branch of the pipeline.
public enum PhotoFormat: Sendable, Hashable {
    case raw(RAWPhotoFormat)
    case processed(ProcessedPhotoFormat)
    /// A JPEG of at most 1280×960 pixels, delivered at once by a capture with deferred delivery.
    case proxy
    /// The frames of a capture with deferred delivery, stored on disk as a job.
    case deferred
    /// Another format, from a custom pipeline, with its file name extension.
    case other(String)

    /// The format's name in messages and in JSON.
    public var name: String {
        switch self {
        case .raw(let format): format.rawValue
        case .processed(let format): format.rawValue
        case .proxy: "proxy"
        case .deferred: "deferred"
        case .other(let name): name
        }
    }

    /// The usual file name extension.
    public var fileExtension: String {
        switch self {
        case .raw: "dng"
        case .processed(let format): format.fileExtension
        case .proxy: "jpg"
        case .deferred: "dng"
        case .other(let name): name
        }
    }

    /// A short description of the file.
    public var summary: String {
        switch self {
        case .raw(.bayer): "Bayer DNG"
        case .raw(.proRAW): "linear DNG"
        case .processed(let format): format.summary
        case .proxy: "JPEG proxy"
        case .deferred: "stored frames"
        case .other(let name): name.uppercased()
        }
    }

    /// The branch that makes photos of this format; nil for formats of deferred delivery and custom pipelines.
    var branch: PhotoBranchFormat? {
        switch self {
        case .raw(.bayer): .bayer
        case .raw(.proRAW): .proraw
        case .processed(let format): format.branch
        case .proxy, .deferred, .other: nil
        }
    }

    /// Whether only captures with deferred delivery deliver this format.
    package var isOfDeferredDelivery: Bool { self == .proxy || self == .deferred }

    /// Whether the photos are pixels, without an encoder in the pipeline.
    package var isUncompressed: Bool {
        if case .processed(let format) = self { return format.isUncompressed }
        return false
    }

    /// Whether the format is RAW.
    public var isRAW: Bool {
        if case .raw = self { return true }
        return false
    }
}
