public import GStreamer
public import RawImage

/// One result of a capture: a picture in one format, or the reason why there is none.
public struct Photo: Sendable {
    /// What the capture was decided to be.
    public let resolvedSettings: ResolvedPhotoSettings
    /// The format.
    public let format: PhotoFormat
    /// Its number among the photos of the capture, from 1.
    public let photoCount: Int
    /// What the picture tells of itself; nil when it never came to be or its encoder lost it.
    public let metadata: FrameMetadata?
    /// Why there is no picture; nil when there is one.
    public let error: CaptureError?

    let sample: Sample?

    /// Whether this is a RAW file.
    public var isRAWPhoto: Bool { format.isRAW }

    /// How many bytes its file has.
    public var fileSize: Int { sample?.buffer?.size ?? 0 }

    /// Its size in pixels, when the pipeline told.
    public var pixelSize: (width: Int, height: Int)? {
        guard let structure = caps?.first, let width = structure["width"]?.integer,
            let height = structure["height"]?.integer
        else { return nil }
        return (width, height)
    }

    /// The picture's own format in GStreamer's words.
    public var caps: Caps? { sample?.caps }

    /// Lets `body` read the file's bytes where they lie; nil when there is no picture.
    public func withFileBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R? {
        guard let buffer = sample?.buffer else { return nil }
        return try buffer.withBytes(body)
    }

    /// The file's bytes, copied; nil when there is no picture.
    public func fileDataRepresentation() -> [UInt8]? {
        withFileBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
    }

    /// Stores the file, whole or not at all. An existing file is kept, and the call fails, unless it may be replaced.
    public func write(to path: String, replacing: Bool = false) throws(CaptureError) {
        if let error { throw error }
        let written = try withFileBytes { (bytes) throws(CaptureError) in
            try WholeFile.write(bytes, to: path, replacing: replacing)
            return true
        }
        guard written != nil else { throw CaptureError(.branchFailed, "there is no picture to write", place: path) }
    }
}
