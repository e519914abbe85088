internal import GSCapture
internal import Glibc
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
        reading.variables = environment()
        for (name, value) in try options.pairs("--var") { reading.variables[name] = value }
        reading.settings = try settings(options)
        reading.showsPreview = options.has("--no-preview") ? false : options.has("--preview") ? true : nil
        let text = try text(of: file)
        do {
            let plan = try PipelinePlan(reading: text, reading)
            for warning in plan.warnings { console.verboseNote(warning) }
            return plan
        } catch {
            throw Failure(error)
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

    /// Returns the properties that `--quality` and `--set` assign, in the order in which they are applied.
    private static func settings(
        _ options: Options
    ) throws(Failure) -> [(element: String, property: String, value: String)] {
        var settings: [(element: String, property: String, value: String)] = []
        // These assignments come first, so that --set overrides those of --quality.
        if let quality = try quality(options) {
            settings += [
                ("rawshutter", "frames", "\(quality.frames)"), ("rawfusion", "mode", quality.fusionMode.rawValue),
            ]
        }
        for (name, value) in try options.pairs("--set") {
            guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
                throw Failure(.usage, "--set needs ELEMENT.PROPERTY=VALUE, not \"\(name)=\(value)\"")
            }
            settings.append((String(name[..<dot]), String(name[name.index(after: dot)...]), value))
        }
        return settings
    }

    /// Returns the value of `--quality`, or nil without the option.
    static func quality(_ options: Options) throws(Failure) -> PhotoQualityPrioritization? {
        guard let word = options.value("--quality") else { return nil }
        guard let quality = PhotoQualityPrioritization.allCases.first(where: { $0.fusionMode.rawValue == word }) else {
            if Double(word) != nil {
                throw Failure(
                    .usage,
                    "--quality must be speed, balanced or quality, not \"\(word)\": the compression quality of "
                        + "the files is --file-quality \(word)")
            }
            throw Suggestions.unknown(word, of: "--quality", among: ["speed", "balanced", "quality"])
        }
        return quality
    }

    /// Returns the process's environment, whose variables a pipeline text may refer to.
    private static func environment() -> [String: String] {
        var variables: [String: String] = [:]
        var next = unsafe environ
        while let entry = unsafe next.pointee {
            let text = unsafe String(cString: entry)
            if let equals = text.firstIndex(of: "=") {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            unsafe next += 1
        }
        return variables
    }
}
