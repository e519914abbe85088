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
    /// Whether pictures of at most a size, once rendered, are scaled down to those of the preview without flaws.
    func isScaledWell(from other: (width: Int, height: Int)) -> Bool {
        (other.width / 2...other.width).contains(size.width) && (other.height / 2...other.height).contains(size.height)
    }
}
