internal import RawImage

/// The plan of a session's pipeline: its text and the branches that deliver photos.
///
/// A plan is created from a text or from settings; settings are first converted to a text, which is then parsed.
public struct PipelinePlan: Sendable {
    /// A branch of the pipeline, from the shutter to a sink, that delivers photos of one format.
    public struct Branch: Sendable, Hashable {
        /// The name of the branch's sink element.
        public var name: String
        /// The format of the branch's photos.
        public var format: PhotoFormat
        /// The names of the elements after the shutter, up to and including the sink.
        public var path: [String]
        /// The name of gscap's encoder in the branch, which takes settings for one capture; nil if another plugin's
        /// element encodes.
        public var encoder: String?
        /// The name of the rawdevelop in the branch, which takes settings for one capture; nil if there is none.
        public var look: String?
        /// The colour space of the branch's pictures, unless a capture requests another.
        public var colorSpace = ColorSpace.sRGB
        /// The colour spaces that a capture may request for the branch.
        public var supportedColorSpaces: Set<ColorSpace> = [.sRGB]
        /// The size of the branch's photos; nil if it is that of the frames, or unknown.
        public var dimensions: PhotoDimensions?
        /// Whether the branch's photos have the size of the frames.
        public var hasFrameSize = true
        /// Whether the branch fuses bursts.
        public var isFused = false
        /// The name of the rawfusion in the branch, which takes settings for one capture; nil if there is none.
        var fusion: String?
    }

    /// The name of the text's file, for error messages.
    public let file: String
    /// The text with line breaks and comments, for display.
    public let text: String
    /// The text that GStreamer parses in this process, with appsinks in place of the file sinks.
    package let launchText: String
    /// The text as shell-quoted arguments for gst-launch-1.0, which takes the photos and ends; no branch's files have
    /// the names of another's.
    package let shellText: String
    /// The name of the shutter element; nil if the pipeline takes no photos.
    public let shutter: String?
    /// The number of frames in a burst, unless the photo settings specify it.
    public let burstFrames: Int
    /// The number of automatic captures in the text, at least 1.
    public let photos: Int
    /// The branches in the order of the text.
    public let branches: [Branch]
    /// The mode in which the text fuses bursts; nil if it fuses none.
    let fusionMode: FusionMode?
    /// Warnings about likely mistakes in the text.
    public let warnings: [String]
    /// The links of the text, to explain one that GStreamer refuses.
    let links: [Link]
    /// The locations of the file sinks that are no branches and that number their files, if existing files are kept.
    package let keptLocations: [String]
    /// Whether the preview runs without a window because there is no display.
    public let hidesPreview: Bool
}

// MARK: - Branches

extension PipelinePlan {
    /// Returns whether a branch delivers this format.
    package func hasBranch(for format: PhotoFormat) -> Bool {
        branches.contains { $0.format == format }
    }

    /// Returns the branches that contain an element.
    package func branches(behind element: String) -> [Branch] {
        branches.filter { $0.path.contains(element) || $0.name == element }
    }

    /// Returns whether a branch always receives all frames of a burst: to fuse or to store them. The other branches
    /// receive the first frame only, unless the photo settings ask for every frame.
    package func takesWholeBurst(_ branch: String) -> Bool {
        branches.first { $0.name == branch }.map { $0.isFused || $0.format == .deferred } ?? true
    }

    /// Whether the plan has a branch that fuses bursts.
    package var hasFusion: Bool { branches.contains(where: \.isFused) }
}
