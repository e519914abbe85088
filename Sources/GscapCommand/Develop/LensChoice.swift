internal import Develop
internal import RawImage

/// The lens corrections that `gscap develop` applies: those of the file, or those of Lensfun's database.
enum LensChoice {
    /// The file's own; if it has none, those of Lensfun if its database contains the photo's camera and lens.
    case automatic
    /// The file's own.
    case file
    /// Those of Lensfun, for the photo's lens or for a lens of this name.
    case lensfun(named: String?)
    case off

    /// The words of `--lens-correction`.
    static let words = ["auto", "file", "lensfun", "off"]

    /// Reads `--lens-correction` and `--lens`; throws for an unknown word and for contradictions.
    init(_ options: Options) throws(Failure) {
        let word = try Suggestions.choice("--lens-correction", options, among: Self.words)
        let name = options.value("--lens")
        if let name, name.isEmpty || word == "file" || word == "off" {
            throw Failure(
                .usage,
                "--lens names a lens of Lensfun's database, as in --lens \"EF 50mm f/1.8 STM\"; "
                    + "it excludes --lens-correction file and off")
        }
        switch word {
        case "off": self = .off
        case "file": self = .file
        case "lensfun": self = .lensfun(named: name)
        default: self = name.map { .lensfun(named: $0) } ?? .automatic
        }
    }

    /// Selects the corrections of a photo; throws if the database lacks a lens that was requested.
    func apply(to filter: inout RAWFilter) throws {
        switch self {
        case .automatic:
            // Without Lensfun, photos are developed without its corrections, as before it was installed.
            if !filter.hasOwnLensCorrection, filter.describesLens { _ = try? filter.applyLensProfile() }
        case .file: break
        case .lensfun(let name):
            guard try filter.applyLensProfile(named: name) == nil else { return }
            let metadata = filter.metadata
            throw GscapError(
                .unknownLens,
                "Lensfun's database does not contain the camera \"\(metadata.make) \(metadata.model)\" with the "
                    + "lens \"\(metadata.details.lensModel)\" at \(metadata.details.focalLength) mm; "
                    + "name a lens with --lens")
        case .off: filter.isLensCorrectionEnabled = false
        }
    }
}
