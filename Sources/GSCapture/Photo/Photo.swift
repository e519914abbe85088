internal import Files
internal import FrameStream
public import GStreamer
internal import GscapElements
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

    /// Why the photo lacks the detail of the longer lens with which the settings fuse it: the error of that camera. Nil
    /// if the camera took its photo, and if none was requested.
    public internal(set) var constituentError: CaptureError?

    /// The job on disk from which the photos are made later; nil unless the format is `deferred`.
    public internal(set) var deferredJob: DeferredJob?

    /// The identifier of the camera of a virtual device that took the photo; nil unless the capture named constituents.
    public internal(set) var sourceDeviceUniqueID: String?
    /// How much later the photo's instant is than that of the primary camera's frame, negative for an earlier one. Nil
    /// unless the capture named constituents, and for failed photos.
    public internal(set) var constituentOffset: Duration?
    /// The calibration of the camera of a virtual device, for photos without metadata.
    var sourceCalibration: CameraCalibration?

    let sample: Sample?

    /// The field of view, distortion and pose of the camera: those of the constituent for a capture that named
    /// constituents, otherwise those that the camera states; nil if unknown.
    public var calibration: CameraCalibration? { metadata?.calibration ?? sourceCalibration }

    /// The photo's instant, the middle of the reference frame's exposure, as time since the pipeline started; nil if it
    /// is unknown. Instants of photos of all constituents are comparable.
    public var instant: Duration? {
        metadata?.capture?.runningTime.map { .nanoseconds(Int64(clamping: $0)) }
    }

    /// The running time of the pipeline in nanoseconds at which the photo was delivered; nil when unknown.
    var deliveryTime: UInt64?

    /// When the photo was taken, how old it was at its delivery, and how it was chosen; nil if the photo failed or its
    /// metadata does not say.
    public var receipt: PhotoReceipt? { metadata.flatMap { PhotoReceipt($0, runningTime: deliveryTime) } }

    /// Whether this photo is a RAW file.
    public var isRAWPhoto: Bool { format.isRAW }

    /// The pixels of a photo without a compressed file, not copied; nil for compressed and RAW photos.
    public var pixelBuffer: PhotoPixelBuffer? { sample.flatMap { PhotoPixelBuffer($0) } }

    /// The size in bytes of the picture: of the file, or of the pixels of an uncompressed photo; 0 if there is no
    /// picture.
    public var fileSize: Int { sample?.buffer?.size ?? 0 }

    /// The size in pixels; nil if the caps of the file do not contain it.
    public var pixelSize: (width: Int, height: Int)? {
        guard let structure = caps?.first, let width = structure["width"]?.integer,
            let height = structure["height"]?.integer
        else { return nil }
        return (width, height)
    }

    /// The GStreamer caps of the picture; nil if there is none.
    public var caps: Caps? { sample?.caps }

    /// Calls `body` with the file's bytes; returns nil if there is no picture. The bytes are not copied. An
    /// uncompressed photo is encoded as TIFF by each call; if that fails, this returns nil, and `write` throws the
    /// reason.
    public func withFileBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R? {
        if format.isUncompressed {
            guard let bytes = try? encodedPixels() else { return nil }
            return try bytes.withBytes(body)
        }
        guard let buffer = sample?.buffer else { return nil }
        return try buffer.withBytes(body)
    }

    /// Returns a copy of the file's bytes; nil if there is no picture. An uncompressed photo becomes a TIFF.
    ///
    /// The module GSCaptureFoundation has the same as Foundation's Data: `fileDataRepresentation()`.
    public func fileBytes() -> [UInt8]? {
        if format.isUncompressed { return try? encodedPixels() }
        return withFileBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
    }

    /// Writes the file atomically, and returns its size in bytes. If the file exists, this throws unless `replacing` is
    /// true.
    @discardableResult
    public func write(to path: String, replacing: Bool = false) throws(CaptureError) -> Int {
        if let error { throw error }
        if format.isUncompressed {
            let bytes = try encodedPixels()
            try bytes.withBytes { (bytes) throws(CaptureError) in
                try WholeFile.write(bytes, to: path, replacing: replacing)
            }
            return bytes.count
        }
        let size = try withFileBytes { (bytes) throws(CaptureError) in
            try WholeFile.write(bytes, to: path, replacing: replacing)
            return bytes.byteCount
        }
        guard let size else { throw CaptureError(.branchFailed, "there is no picture to write", place: path) }
        return size
    }

    /// Encodes the pixels of an uncompressed photo as TIFF.
    private func encodedPixels() throws(CaptureError) -> [UInt8] {
        if let error { throw error }
        guard let pixelBuffer else {
            throw CaptureError(.branchFailed, "the photo has no RGB pixels", place: format.name)
        }
        return try pixelBuffer.tiff()
    }
}
