internal import CaptureSettings

/// How a Live Photo is stored: a still with a movie of the moments before and after the press.
public enum LivePhotoFormat: String, Sendable, Hashable, CaseIterable {
    /// Apple's pair: a JPEG or HEIF file and a QuickTime movie with the same content identifier.
    case pair
    /// Google's Motion Photo 1.0: a JPEG file that contains the movie.
    case motionPhoto = "motion-photo"
}

extension CaptureError.Code {
    /// A Live Photo is requested, but it was not enabled before the session started.
    public static let livePhotoNotEnabled = Self(rawValue: "livePhotoNotEnabled")
    /// A Live Photo is requested with settings that exclude it, or of a source without a movie.
    public static let livePhotoNotSupported = Self(rawValue: "livePhotoNotSupported")
}

extension LivePhotoFormat {
    /// The formats of the still, the preferred one first.
    var stillFormats: [ProcessedPhotoFormat] {
        switch self {
        case .pair: [.jpeg, .heif, .heif10]
        case .motionPhoto: [.jpeg]
        }
    }
}

extension PhotoSettings {
    /// The format of the still of the Live Photo; nil without one.
    var livePhotoStill: ProcessedPhotoFormat? { livePhotoFormat?.stillFormats.first(where: processedFormats.contains) }
}

// MARK: - Rules

extension CaptureRules {
    /// The rules of Live Photos, except that ProRAW excludes them, which belongs to the rules of RAW formats.
    var livePhoto: CaptureError? {
        guard let format = settings.livePhotoFormat else { return nil }
        func unsupported(_ text: SettingText) -> CaptureError {
            CaptureError(.livePhotoNotSupported, .livePhoto, text)
        }
        if !settings.bracket.isEmpty { return unsupported("a bracket has no Live Photo: leave one out") }
        if settings.isDeferred { return unsupported("the photos of a Live Photo cannot be deferred") }
        if settings.takesAllBranches {
            return unsupported("a pipeline text has no branch for the movie of a Live Photo; request formats instead")
        }
        if settings.livePhotoStill == nil {
            let names = format.stillFormats.map(\.rawValue).joined(separator: " or ")
            return unsupported("the still of a Live Photo is a file of the format \(names): request it as well")
        }
        switch conditions.livePhoto {
        case .notEnabled:
            return CaptureError(
                .livePhotoNotEnabled, .livePhoto,
                "Live Photos are not enabled; set isLivePhotoCaptureEnabled before the session starts")
        case .recordingMovie:
            return CaptureError(
                .movieInProgress, .livePhoto,
                "a movie is being recorded, which excludes Live Photos: stop it first")
        case .possible, .suspended: return nil
        }
    }
}

/// Whether captures may have movies, as Live Photos have.
package enum LivePhotoCondition: Sendable, Hashable {
    /// The output does not take Live Photos, or its session cannot.
    case notEnabled
    /// Captures get a movie.
    case possible
    /// Captures are taken without a movie.
    case suspended
    /// A movie is being recorded.
    case recordingMovie
}
