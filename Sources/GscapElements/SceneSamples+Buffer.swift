internal import FrameStream
package import GStreamer
package import RawImage

extension SceneSamples {
    /// Samples the frame in a buffer with these caps; nil if the caps are not canonical Bayer caps, or the buffer is
    /// too short for them or has no frame metadata.
    package init?(_ buffer: borrowing Buffer, caps: Caps) {
        guard let format = try? BayerCaps.format(caps), let metadata = buffer.frameMetadata else { return nil }
        let samples = buffer.withValues(of: UInt16.self) { codes in
            SceneSamples(codes, format: format, metadata: metadata)
        }
        guard let samples else { return nil }
        self = samples
    }
}
