internal import DNG

/// The camera profile that `--profile` names: one of the photo's, or a DCP file.
enum ProfileChoice {
    case embedded(name: String)
    case file(CameraProfile)

    /// Reads the value of `--profile`. A DCP file is opened here, before any photo.
    init(_ word: String) throws(Failure) {
        guard word.lowercased().hasSuffix(".dcp") || word.contains("/") else {
            self = .embedded(name: word)
            return
        }
        _ = try InputFile.beginning(of: word, count: 1)
        do throws(GscapError) {
            self = .file(try CameraProfile(path: word))
        } catch {
            throw Failure(error, of: word, file: word)
        }
    }

    /// Returns the photo with the profile; throws if the photo has no such profile, or is of another camera.
    func applied(to file: DNGFile, _ path: String) throws(Failure) -> DNGFile {
        let profile =
            switch self {
            case .file(let profile): profile
            case .embedded(let name): try Self.profile(name, in: file, path)
            }
        do throws(GscapError) { return try file.applying(profile) } catch {
            throw Failure(error, of: path)
        }
    }

    /// Returns the photo's profile of a name; upper and lower case count only if several names differ in nothing else.
    private static func profile(
        _ name: String, in file: DNGFile, _ path: String
    ) throws(Failure) -> CameraProfile {
        let profiles = file.profiles
        let match =
            profiles.first { $0.name == name } ?? profiles.first { $0.name.lowercased() == name.lowercased() }
        if let match { return match }
        let names = profiles.map(\.name).filter { !$0.isEmpty }
        let list = names.isEmpty ? "it has none with a name" : "it has " + names.joined(separator: ", ")
        throw Failure(
            .usage,
            "\(path) has no camera profile \"\(name)\": \(list)"
                + Suggestions.advice(name, among: names, otherwise: "; or name a DCP file"))
    }
}
