internal import FrameStream
package import GStreamer
internal import PictureFiles
package import RawImage

/// Picture files of rendered frames, made outside a pipeline.
package enum PictureFile {
    /// Encodes a rendered frame as an uncompressed TIFF with the frame's metadata. `details` replaces the description
    /// in the metadata; nil leaves it unchanged. `runningTime` is the time at which the file is made, for its receipt;
    /// nil if that is unknown.
    package static func tiff(
        of sample: Sample, details: DescriptiveMetadata? = nil, at runningTime: UInt64? = nil
    ) throws -> [UInt8] {
        guard let caps = sample.caps, let frame = sample.buffer else {
            throw GscapError(message: "the sample has no picture", place: "sample")
        }
        let format = try PictureCaps(caps)
        var encoding = PictureEncoding(.tiff)
        encoding.compression = .none
        encoding.software = "gscap \(GscapPlugin.version)"
        var metadata = frame.frameMetadata
        metadata?.receipt = frame.frameMetadata.flatMap { PhotoReceipt($0, runningTime: runningTime) }
        encoding.metadata = metadata
        if let details { encoding.metadata?.details = details }
        return try format.file(of: frame, encoding)
    }
}
