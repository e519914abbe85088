/// A live preview of the camera's picture.
public struct PreviewOutput: Sendable, Equatable {
    /// The factory name of the GStreamer sink element that shows the preview.
    public var sink: String
    /// The size of the preview in pixels.
    public var size: (width: Int, height: Int)

    /// Creates a preview in a desktop window; without a display it runs without showing anything.
    public init(sink: String = "autovideosink", width: Int = 1280, height: Int = 960) {
        self.sink = sink
        size = (width, height)
    }

    /// Whether both previews have the same sink and size.
    public static func == (left: PreviewOutput, right: PreviewOutput) -> Bool {
        left.sink == right.sink && left.size == right.size
    }
}

extension PreviewOutput {
    /// Whether it costs little to render the preview's pictures at another size and to scale them down. `frame` is the
    /// size of the camera's frames; nil if unknown.
    package func isNear(_ other: (width: Int, height: Int), of frame: PhotoDimensions?) -> Bool {
        guard let frame else { return size == other }
        func scale(_ size: (width: Int, height: Int)) -> Double {
            min(1, Double(size.width) / Double(frame.width), Double(size.height) / Double(frame.height))
        }
        let (own, others) = (scale(size), scale(other))
        return own <= others && own * own >= Self.leastArea * others * others
    }

    /// The least number of the preview's pixels, relative to those of the other pictures.
    private static let leastArea = 0.6
}
