internal import GStreamer
internal import PipelineText

/// The elements of GStreamer's plugins that gscap uses, and the packages of those that are missing.
enum ElementFindings {
    /// The elements of every pipeline, without which no photo can be taken.
    private static let needed = ["queue", "tee", "capsfilter", "fakesink", "filesink", "appsrc", "appsink"]

    /// The other elements that the command itself puts into pipelines, or that `pipelines/*.txt` name, and their use.
    private static let optional = [
        ("videoconvert", "the preview, movies and Live Photos"), ("videoscale", "the preview, movies and Live Photos"),
        ("autovideosink", "the preview"), ("multifilesink", "the pipelines of pipelines/"),
        ("v4l2src", "cameras of V4L2"), ("libcamerasrc", "cameras of libcamera"),
        ("openh264enc", "movies and Live Photos"), ("x264enc", "movies with the encoder x264"),
        ("voaacenc", "the sound of movies"),
    ]

    /// Returns a finding for all needed elements that are installed, and one for each other element.
    static func all() -> [Finding] {
        let (present, absent) = needed.reduce(into: ([String](), [String]())) { lists, name in
            if ElementFactory(named: name) != nil { lists.0.append(name) } else { lists.1.append(name) }
        }
        var findings = absent.map { missing($0, "every photo", .needed) }
        if !present.isEmpty {
            findings.append(Finding(.elements, present.joined(separator: ", "), "for every photo"))
        }
        for (name, use) in optional {
            findings.append(
                ElementFactory(named: name) == nil
                    ? missing(name, use) : Finding(.elements, name, "for \(use)"))
        }
        return findings
    }

    /// Returns the finding of an element that is not installed.
    static func missing(_ factory: String, _ use: String, _ state: Finding.State = .missing) -> Finding {
        Finding(
            .elements, factory, "not installed: for \(use)", state,
            advice: KnownElements.package(of: factory).map { "install the Debian package \($0)" })
    }
}
