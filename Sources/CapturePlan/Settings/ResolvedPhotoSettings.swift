internal import RawImage

/// The settings of a capture after all automatic choices, fixed when the capture begins.
public struct ResolvedPhotoSettings: Sendable, Hashable {
    /// The ticket (capture id), the same as in the photo settings.
    public let uniqueID: UInt64
    /// The number of frames taken for each exposure.
    public let frames: Int
    /// The exposures that are taken one after another: those of the bracket, or a single one.
    public let exposures: [BracketExposure]
    /// The formats of the photos.
    public let formats: [PhotoFormat]
    /// The number of photos that will be delivered, failed ones included.
    public package(set) var expectedPhotoCount: Int

    /// The greatest time between the press and the middle of the reference frame's exposure; nil for the default.
    public let momentTolerance: Duration?

    /// The identifiers of the cameras of a virtual device that each deliver the photos of all formats, the widest
    /// first; empty for a capture of the primary camera alone.
    public package(set) var constituents: [String] = []
    /// The identifiers of the two cameras whose photos are fused into one, the wider first; empty if none are.
    public package(set) var fusedConstituents: [String] = []
    /// The zoom factor by which the photos are cropped around their centre: 1 for all that the camera sees. The camera
    /// of a virtual device that the zoom selects is in `constituents`.
    public internal(set) var cropFactor = 1.0
    /// The quality prioritization.
    public internal(set) var photoQualityPrioritization = PhotoQualityPrioritization.balanced
    /// Whether the bracket is also fused into one photo, which each fused format delivers last.
    public internal(set) var fusesBracket = false
    /// The exposure relative to the newest frame's, in EV, of a capture that is not a bracket.
    public internal(set) var exposureBias = 0.0
    /// The sizes of the pictures in the files, by format; formats whose size is unknown are missing. RAW files contain
    /// the whole picture and state this size as that of the crop. The orientation is
    /// stored beside the picture; only OpenEXR, which cannot store it, has upright pictures.
    public internal(set) var dimensions: [PhotoFormat: PhotoDimensions] = [:]
    /// The sizes of the previews embedded in the RAW files; unknown ones are missing.
    public internal(set) var thumbnailDimensions: [RAWPhotoFormat: PhotoDimensions] = [:]
    /// Whether the flash fires: `on`, `off`, or `auto` if the camera decides when the frames are taken; then the
    /// metadata of each photo contains the decision.
    public internal(set) var flashMode = FlashMode.off
    /// Whether the capture may contain frames from before the press.
    public internal(set) var usesZeroShutterLag = true
    /// The compression quality and the colour space of each processed format; the quality of a lossless format is nil.
    public internal(set) var processedOptions: [ProcessedPhotoFormat: ProcessedPhotoOptions] = [:]
    /// How the capture is stored with a movie; nil for a capture without one, also if Live Photos are suspended.
    public internal(set) var livePhotoFormat: LivePhotoFormat?
    /// The size of the movie's pictures; nil for a capture without a movie.
    public internal(set) var livePhotoMovieDimensions: PhotoDimensions?
    /// The identifier that still and movie of a pair have in common; nil for other captures.
    public internal(set) var livePhotoContentIdentifier: String?
    /// The format of the still that the movie belongs to; nil for a capture without a movie.
    public internal(set) var livePhotoStill: ProcessedPhotoFormat?
    /// The details that are stored in the files.
    public internal(set) var details = ShotDetails()

    /// The fusion mode; nil leaves it to the pipeline text.
    let fusionMode: FusionMode?
}
