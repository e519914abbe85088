internal import FrameStream
internal import GStreamer
internal import RawImage

/// The brightness of a raw frame, by which the flash mode `auto` decides.
enum FrameBrightness {
    /// The mean level, as a fraction of the range from black to white, below which a scene is dark. A correctly exposed
    /// scene has a mean of about 0.18; two stops less is 0.045.
    static let darkLevel = 0.045
    /// The largest number of rows, and of columns, that are sampled.
    private static let samples = 64

    /// Returns whether a frame is dark; false if it cannot be read.
    static func isDark(_ frame: borrowing Buffer, _ format: MosaicFormat) -> Bool {
        guard let metadata = frame.frameMetadata, let mean = mean(of: frame, format) else { return false }
        let black = metadata.blackLevel.reduce(0, +) / Double(max(1, metadata.blackLevel.count))
        let range = metadata.whiteLevel - black
        return range > 0 && (mean - black) / range < darkLevel
    }

    /// Returns the mean of codes of an even grid of at most 64×64 cells of 2×2 pixels, so that every colour counts;
    /// nil if the buffer is too short.
    private static func mean(of frame: borrowing Buffer, _ format: MosaicFormat) -> Double? {
        let (rows, columns) = (format.height / 2, format.width / 2)
        guard rows > 0, columns > 0 else { return nil }
        return frame.withValues(of: UInt16.self) { (codes: Span<UInt16>) -> Double? in
            guard codes.count >= format.stride * format.height else { return nil }
            var (sum, count) = (0.0, 0.0)
            for row in stride(from: 0, to: rows, by: max(1, rows / samples)) {
                for column in stride(from: 0, to: columns, by: max(1, columns / samples)) {
                    let first = 2 * row * format.stride + 2 * column
                    for offset in [0, 1, format.stride, format.stride + 1] { sum += Double(codes[first + offset]) }
                    count += 4
                }
            }
            return sum / count
        }
    }
}
