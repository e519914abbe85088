/// What a session runs: the pipeline's text and the branches in it that give photos.
///
/// Text and settings are two spellings of it: settings compose a text, and any text is read the same way.
public struct PipelinePlan: Sendable {
    /// One way that photos take out of the pipeline.
    public struct Branch: Sendable, Hashable {
        /// The name of the element at its end.
        public var name: String
        /// What it gives.
        public var format: PhotoFormat
        /// The names of the elements between the shutter and its end.
        public var path: [String]
    }

    /// The file the text came from, for messages.
    public let file: String
    /// The text, laid out for people.
    public let text: String
    /// The text that GStreamer runs here: file ends replaced, so that files are written whole.
    public let launchText: String
    /// The text in words that a shell hands to gst-launch-1.0.
    public let shellText: String
    /// The name of the shutter; nil when the pipeline takes no photos.
    public let shutter: String?
    /// How many frames a burst has when the settings do not say.
    public let burstFrames: Int
    /// How many photos the text takes by itself, at least 1.
    public let photos: Int
    /// The ways out, in the order of the text.
    public let branches: [Branch]
    /// What may go wrong with it, in words.
    public let warnings: [String]
    /// Whether its preview runs unseen, as there is no display.
    public let hidesPreview: Bool
}

// MARK: - Branches

extension PipelinePlan {
    /// Whether a branch gives this format.
    func hasBranch(for format: PhotoFormat) -> Bool {
        branches.contains { $0.format == format }
    }

    /// The branches whose way goes through an element.
    func branches(behind element: String) -> [Branch] {
        branches.filter { $0.path.contains(element) || $0.name == element }
    }

    /// Whether a branch gives a file for each frame of a burst: a Bayer branch does where nothing fuses the burst.
    func takesWholeBurst(_ branch: String) -> Bool {
        guard let branch = branches.first(where: { $0.name == branch }) else { return true }
        return branch.format != .raw(.bayer) || !hasFusion
    }

    private var hasFusion: Bool { branches.contains { $0.format != .raw(.bayer) } }

    /// What settings come to in this plan, and how many photos each branch then owes.
    func resolve(_ settings: PhotoSettings) -> (ResolvedPhotoSettings, owed: [String: Int]) {
        let wanted = branches.filter { settings.takesAllBranches || settings.formats.contains($0.format) }
        let frames = settings.takesAllBranches ? burstFrames : settings.burstFrames
        let perBranch = wanted.map { ($0.name, takesWholeBurst($0.name) && $0.format == .raw(.bayer) ? frames : 1) }
        let owed = Dictionary(perBranch) { first, _ in first }
        let resolved = ResolvedPhotoSettings(
            uniqueID: settings.uniqueID, frames: frames, formats: wanted.map(\.format),
            expectedPhotoCount: owed.values.reduce(0, +), fusionMode: settings.fusionMode)
        return (resolved, owed)
    }
}
