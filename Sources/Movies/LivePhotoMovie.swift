public import CapturePlan
internal import Files
internal import GscapElements
internal import MovieFiles

/// The movie of a Live Photo: the pictures from 1.5 s before the press to 1.5 s after it, as the preview shows them, or
/// the error that prevented it.
///
/// A movie is shorter if the session, or Live Photos, started less than that before the press or ended in between, and
/// if the camera moved and the output trims movies. The pictures are those of the running encoder: they are not encoded
/// again.
public struct LivePhotoMovie: Sendable {
    /// The resolved settings of the capture.
    public let resolvedSettings: ResolvedPhotoSettings
    /// The length of the movie; zero if it failed.
    public let duration: Duration
    /// The time in the movie of the picture that the still was taken with.
    public let photoDisplayTime: Duration
    /// The number of pictures that are shown.
    public let frameCount: Int
    /// The number of frames that the gaps between pictures could hold: frames that a busy machine has lost.
    public let lostFrameCount: Int
    /// The size of the pictures; nil if the movie failed.
    public let dimensions: PhotoDimensions?
    /// The error of a movie that failed; nil if there is one.
    public let error: CaptureError?

    /// The encoded pictures; nil if the movie failed.
    let pictures: LivePhotoMovieFile?

    /// The identifier that movie and still of a pair have in common; nil for a Motion Photo.
    public var contentIdentifier: String? { resolvedSettings.livePhotoContentIdentifier }

    /// Creates the movie of these pictures.
    init(_ resolved: ResolvedPhotoSettings, _ pictures: LivePhotoMovieFile, lostFrames: Int) {
        resolvedSettings = resolved
        self.pictures = pictures
        duration = .nanoseconds(Int64(clamping: pictures.end - pictures.start))
        photoDisplayTime = .nanoseconds(Int64(clamping: pictures.stillTime - pictures.start))
        frameCount = pictures.pictures.count { $0.time >= pictures.start }
        lostFrameCount = lostFrames
        dimensions = PhotoDimensions(width: pictures.size.width, height: pictures.size.height)
        error = nil
    }

    /// Creates a movie that failed.
    package init(_ resolved: ResolvedPhotoSettings, _ error: CaptureError) {
        resolvedSettings = resolved
        self.error = error
        (duration, photoDisplayTime, frameCount, lostFrameCount) = (.zero, .zero, 0, 0)
        (dimensions, pictures) = (nil, nil)
    }

    /// The name and version of the software in the movie's metadata.
    package static var software: String { "gscap \(GscapPlugin.version)" }

    /// Returns the bytes of the movie's file as pieces: QuickTime for a pair, MP4 for a Motion Photo.
    package func filePieces() throws(CaptureError) -> [[UInt8]] {
        if let error { throw error }
        guard let pictures else { throw CaptureError(.branchFailed, "there is no movie to write") }
        guard let contentIdentifier else { return pictures.motionPhoto }
        return pictures.pair(identifier: contentIdentifier, software: Self.software)
    }

    /// Returns the bytes of the movie's file; nil if the movie failed.
    public func fileBytes() -> [UInt8]? { (try? filePieces()).map { Array($0.joined()) } }

    /// Writes the movie's file atomically, and returns its size in bytes. If the file exists, this throws unless
    /// `replacing` is true. `LivePhotoFiles` stores it together with its still.
    @discardableResult
    public func write(to path: String, replacing: Bool = false) throws(CaptureError) -> Int {
        let pieces = try filePieces()
        try WholeFile.write(pieces: pieces, to: path, replacing: replacing)
        return pieces.reduce(0) { $0 + $1.count }
    }
}
