internal import FrameStream
public import GStreamer
internal import GscapElements
public import RawImage

/// A frame of a `FrameOutput`. It refers to the pipeline's memory, so release it soon: the memory of frames in use is
/// not available for new ones.
public struct CapturedFrame: Sendable {
    /// The pixels of the frame.
    public let format: FrameOutput.Format
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// The distance in bytes from one row to the next.
    public let bytesPerRow: Int
    /// The time at which the exposure began, since the pipeline started; nil if unknown.
    public let time: Duration?
    /// The frame's format as GStreamer describes it.
    public let caps: Caps

    private let sample: Sample

    /// Creates a frame from a sample of an appsink; nil if the sample has no buffer or no size.
    init?(_ sample: Sample, format: FrameOutput.Format) {
        guard let caps = sample.caps, let buffer = sample.buffer, let width = caps.first?["width"]?.integer,
            let height = caps.first?["height"]?.integer, width > 0, height > 0
        else { return nil }
        self.format = format
        self.width = width
        self.height = height
        bytesPerRow = buffer.size / height
        time = buffer.presentationTime.map { .nanoseconds(Int64(clamping: $0)) }
        self.caps = caps
        self.sample = sample
    }

    /// The metadata of the frame: exposure, colours, time of day; nil if the camera's frames have none. Decoded at each
    /// call.
    public var metadata: FrameMetadata? { sample.buffer?.frameMetadata }

    /// Calls `body` with the bytes of the pixels, row by row, without copying them.
    public func withPixelBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        guard let buffer = sample.buffer else { return try body(RawSpan()) }
        return try buffer.withBytes(body)
    }
}
