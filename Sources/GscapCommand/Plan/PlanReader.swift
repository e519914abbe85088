internal import GSCapture
internal import Glibc
internal import PipelineText
internal import RawImage

/// Reads pipeline files and applies the command's options to them.
enum PlanReader {
    /// Returns the plan of a pipeline file, with the variables and properties that the options set.
    /// With `keepsFiles`, file sinks that are no photo branches leave existing files alone.
    static func plan(
        from file: String, options: Options, console: Console, keepsFiles: Bool = false
    ) throws(Failure) -> PipelinePlan {
        var reading = PipelinePlan.Reading()
        reading.keepsFiles = keepsFiles
        reading.file = file
        let text = try text(of: file)
        let given = try options.pairs("--var")
        try check(given.map(\.name), against: text, file)
        reading.variables = environment().merging(given.map { ($0.name, $0.value) }) { _, last in last }
        reading.settings = try settings(options)
        reading.showsPreview = options.has("--no-preview") ? false : options.has("--preview") ? true : nil
        do {
            let plan = try PipelinePlan(reading: text, reading)
            for warning in plan.warnings { console.verboseNote(warning) }
            return plan
        } catch {
            throw Failure(error)
        }
    }

    /// Throws if one of the names that `--var` sets is no variable of the text. A text that cannot be read is no error
    /// here, since its parser reports it with the place.
    private static func check(_ names: [String], against text: String, _ file: String) throws(Failure) {
        guard !names.isEmpty, let variables = try? PipelineDescription.variables(in: text) else { return }
        for name in names where !variables.contains(name) {
            let list = variables.isEmpty ? "it has none" : "its variables are " + variables.joined(separator: ", ")
            let advice = Suggestions.advice(name, among: variables, otherwise: "; " + list)
            throw Failure(.usage, "--var \(name): \(file) has no variable of that name" + advice, file: file)
        }
    }

    /// Returns the text of a pipeline file of at most 1,000,000 bytes. Throws if the file is not UTF-8.
    static func text(of file: String) throws(Failure) -> String {
        let bytes = try InputFile.bytes(of: file, limit: 1_000_000)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let advice = FileNames.isDNG(file) ? "; gscap inspect and gscap develop read DNGs" : ""
            throw Failure(
                .badInput, "\(file): is not a pipeline file, since it is not UTF-8 text" + advice, file: file)
        }
        return text
    }

    /// Returns the properties that `--effort` and `--set` assign, in the order in which they are applied.
    private static func settings(
        _ options: Options
    ) throws(Failure) -> [(element: String, property: String, value: String)] {
        var settings: [(element: String, property: String, value: String)] = []
        // These assignments come first, so that --frames overrides that of --effort, and --set overrides both.
        if let quality = try effort(options) {
            settings += [
                ("rawshutter", "frames", "\(quality.frames)"), ("rawfusion", "mode", quality.fusionMode.rawValue),
            ]
        }
        if let frames = try frames(options) { settings.append(("rawshutter", "frames", "\(frames)")) }
        for (name, value) in try options.pairs("--set") {
            guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
                throw Failure(.usage, "--set needs ELEMENT.PROPERTY=VALUE, not \"\(name)=\(value)\"")
            }
            settings.append((String(name[..<dot]), String(name[name.index(after: dot)...]), value))
        }
        return settings
    }

    /// Returns the value of `--effort`, or nil without the option.
    static func effort(_ options: Options) throws(Failure) -> PhotoQualityPrioritization? {
        let all = PhotoQualityPrioritization.allCases
        let word = try Suggestions.choice("--effort", options, among: all.map(\.fusionMode.rawValue))
        return all.first { $0.fusionMode.rawValue == word }
    }

    /// Returns the value of `--frames`, the number of frames in a burst; nil without the option.
    static func frames(_ options: Options) throws(Failure) -> Int? { try options.integer("--frames", in: 1...64) }

    /// The beginning of the names of environment variables that set variables of pipeline texts. Without it, the
    /// variables of other programs would: a shell's WIDTH, or the PHOTOS of `make run PHOTOS=folder`.
    private static let prefix = "GSCAP_"

    /// Returns the variables of pipeline texts that the process's environment sets, by their names in the texts.
    private static func environment() -> [String: String] {
        var variables: [String: String] = [:]
        var next = unsafe environ
        while let entry = unsafe next.pointee {
            let text = unsafe String(cString: entry)
            if text.hasPrefix(prefix), let equals = text.firstIndex(of: "=") {
                variables[String(text[..<equals].dropFirst(prefix.count))] = String(text[text.index(after: equals)...])
            }
            unsafe next += 1
        }
        return variables
    }
}
