/// What is known of the elements that can be made here.
public protocol ElementCatalogue {
    /// An element by its factory's name; nil when it is not installed.
    func element(named name: String) -> ElementEntry?
    /// The names of all.
    var elementNames: [String] { get }
    /// What is wrong with a text of caps; nil when it reads.
    func problem(inCaps text: String) -> String?
}

/// An element that can be made.
public struct ElementEntry: Sendable {
    /// Its properties.
    public var properties: [PropertyEntry]
    /// What it is, such as "Sink/Video".
    public var classification: String

    /// An entry.
    public init(properties: [PropertyEntry], classification: String) {
        self.properties = properties
        self.classification = classification
    }
}

/// A property that can be set in a text.
public struct PropertyEntry: Sendable {
    /// Its name.
    public var name: String
    /// Whether it can be set.
    public var isWritable: Bool
    /// What is wrong with a value, in words; nil when it suits.
    public var problem: @Sendable (String) -> String?

    /// A property and what it says to values.
    public init(name: String, isWritable: Bool, problem: @escaping @Sendable (String) -> String?) {
        self.name = name
        self.isWritable = isWritable
        self.problem = problem
    }
}

/// The Debian packages of elements that pipelines for cameras often name.
enum DebianPackages {
    static func package(of element: String) -> String? {
        packages.first { $0.elements.contains(element) }?.package
    }

    private static let packages: [(package: String, elements: Set<String>)] = [
        ("gstreamer1.0-libcamera", ["libcamerasrc"]),
        ("gstreamer1.0-plugins-ugly", ["x264enc"]),
        (
            "gstreamer1.0-plugins-bad",
            ["x265enc", "webpenc", "webpdec", "bayer2rgb", "rgb2bayer", "av1enc", "srtsink", "kmssink", "waylandsink"]
        ),
        (
            "gstreamer1.0-plugins-good",
            [
                "v4l2src", "jpegenc", "jpegdec", "pngenc", "pngdec", "autovideosink", "multifilesink", "rtpjpegpay",
                "rtph264pay", "udpsink", "udpsrc", "ximagesrc", "imagefreeze", "vp8enc", "vp9enc",
            ]
        ),
        (
            "gstreamer1.0-plugins-base",
            ["videoconvert", "videoscale", "videorate", "videotestsrc", "appsink", "appsrc", "decodebin", "theoraenc"]
        ),
        ("gstreamer1.0-x", ["ximagesink", "xvimagesink"]),
        ("gstreamer1.0-gl", ["glimagesink", "glupload"]),
        ("gstreamer1.0-gtk3", ["gtksink", "gtkglsink"]),
        ("gstreamer1.0-vaapi", ["vaapih264enc", "vaapijpegenc"]),
        ("gstreamer1.0-pipewire", ["pipewiresrc", "pipewiresink"]),
        ("gstreamer1.0-rtsp", ["rtspclientsink"]),
        ("libaravis-dev and gstreamer1.0-plugins-bad", ["aravissrc"]),
    ]
}
