public import GStreamer
public import RawImage

/// A photo, one result of a capture: a picture in one format, or the error that prevented it.
public struct Photo: Sendable {
    /// The resolved settings of the capture.
    public let resolvedSettings: ResolvedPhotoSettings
    /// The format of the photo.
    public let format: PhotoFormat
    /// The number of this photo among those of the capture, from 1.
    public let photoCount: Int
    /// The metadata of the picture; nil if the photo failed or its encoder does not pass metadata on.
    public let metadata: FrameMetadata?
    /// The error of a failed photo; nil if there is a picture.
    public let error: CaptureError?

    let sample: Sample?

    /// Whether this photo is a RAW file.
    public var isRAWPhoto: Bool { format.isRAW }

    /// The size of the file in bytes; 0 if there is no picture.
    public var fileSize: Int { sample?.buffer?.size ?? 0 }

    /// The size in pixels; nil if the caps of the file do not contain it.
    public var pixelSize: (width: Int, height: Int)? {
        guard let structure = caps?.first, let width = structure["width"]?.integer,
            let height = structure["height"]?.integer
        else { return nil }
        return (width, height)
    }

    /// The GStreamer caps of the file; nil if there is no picture.
    public var caps: Caps? { sample?.caps }

    /// Calls `body` with the file's bytes without copying them; returns nil if there is no picture.
    public func withFileBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R? {
        guard let buffer = sample?.buffer else { return nil }
        return try buffer.withBytes(body)
    }

    /// Returns a copy of the file's bytes; nil if there is no picture.
    public func fileDataRepresentation() -> [UInt8]? {
        withFileBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
    }

    /// Writes the file atomically. If the file exists, this throws unless `replacing` is true.
    public func write(to path: String, replacing: Bool = false) throws(CaptureError) {
        if let error { throw error }
        let written = try withFileBytes { (bytes) throws(CaptureError) in
            try AtomicFile.write(bytes, to: path, replacing: replacing)
            return true
        }
        guard written != nil else { throw CaptureError(.branchFailed, "there is no picture to write", place: path) }
    }
}
