internal import Develop

/// The values of `--look`, which may be given twice: the look to start with, and a `.cube` file.
enum LookChoice {
    /// The largest `.cube` file: one of 256 samples along each axis has about 450 MB.
    private static let mostBytes = 1 << 30

    /// Returns the looks that the options select; nil for one that they do not select. A `.cube` file is read here,
    /// before any photo.
    static func looks(_ options: Options) throws(Failure) -> (RAWFilter.Look?, CubeLook?) {
        var look: RAWFilter.Look?
        var cube: CubeLook?
        for word in options.all("--look") {
            if let known = RAWFilter.Look(rawValue: word) {
                look = known
            } else if word.lowercased().hasSuffix(".cube") || word.contains("/") {
                cube = try read(word)
            } else {
                throw Suggestions.unknown(word, of: "--look", among: ["file", "auto", "none", "a .cube file"])
            }
        }
        guard options.all("--look").count == (look == nil ? 0 : 1) + (cube == nil ? 0 : 1) else {
            throw Failure(.usage, "--look is given twice: use one of file, auto and none, and one .cube file")
        }
        if cube == nil, options.has("--look-amount") {
            throw Failure(.usage, "--look-amount is the strength of a .cube file: name one with --look FILE.cube")
        }
        return (look, cube)
    }

    private static func read(_ path: String) throws(Failure) -> CubeLook {
        let text = try InputFile.bytes(of: path, limit: mostBytes)
        do throws(GscapError) {
            return try CubeLook(text: text)
        } catch {
            throw Failure(.badInput, "\(path): \(error.message)", file: path)
        }
    }
}
