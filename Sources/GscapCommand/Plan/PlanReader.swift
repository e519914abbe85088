internal import GSCapture
internal import Glibc

/// Reads pipeline files for the command, with the changes that its options ask for.
enum PlanReader {
    /// The plan in a file.
    static func plan(from file: String, options: Options, console: Console) throws(Failure) -> PipelinePlan {
        var reading = PipelinePlan.Reading()
        reading.file = file
        reading.variables = environment()
        for (name, value) in try options.pairs("--var") { reading.variables[name] = value }
        reading.settings = try settings(options)
        reading.showsPreview = options.has("--no-preview") ? false : options.has("--preview") ? true : nil
        let text = try text(of: file)
        do {
            let plan = try PipelinePlan(reading: text, reading)
            for warning in plan.warnings { console.detail(warning) }
            return plan
        } catch {
            throw Failure(error)
        }
    }

    /// The text of a file.
    static func text(of file: String) throws(Failure) -> String {
        let bytes = try WholeFileReader.bytes(of: file, limit: 1_000_000)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.badInput, "\(file): this is no pipeline text")
        }
        return text
    }

    private static func settings(
        _ options: Options
    ) throws(Failure) -> [(element: String, property: String, value: String)] {
        var settings: [(element: String, property: String, value: String)] = []
        // What is set by name counts more.
        if let quality = try quality(options) {
            settings += [
                ("rawshutter", "frames", "\(quality.frames)"), ("rawfusion", "mode", quality.fusionMode),
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

    /// What --quality asks for.
    static func quality(_ options: Options) throws(Failure) -> PhotoQualityPrioritization? {
        guard let word = options.value("--quality") else { return nil }
        guard let quality = PhotoQualityPrioritization.allCases.first(where: { $0.fusionMode == word }) else {
            throw Failure(.usage, "--quality is speed, balanced or quality, not \"\(word)\"")
        }
        return quality
    }

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

/// Reads files whole, with errors that say what to do.
enum WholeFileReader {
    /// The bytes of a pipeline text of up to `limit` bytes.
    static func bytes(of path: String, limit: Int) throws(Failure) -> [UInt8] {
        let bytes = try beginning(of: path, count: limit + 1)
        guard bytes.count <= limit else { throw Failure(.badInput, "\(path): this is too long for a pipeline text") }
        return bytes
    }

    /// The first bytes of a plain file, as many as asked for or there are.
    static func beginning(of path: String, count wanted: Int) throws(Failure) -> [UInt8] {
        var descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0, errno == ENOENT, let installed = installed(path) {
            descriptor = unsafe open(installed, O_RDONLY | O_CLOEXEC)
        }
        guard descriptor >= 0 else {
            let reason = errno == EACCES ? "no right to read it" : "there is no such file"
            throw Failure(.noInput, "\(path): \(reason)")
        }
        defer { close(descriptor) }
        var information = stat()
        guard unsafe fstat(descriptor, &information) == 0, information.st_mode & S_IFMT != S_IFDIR else {
            throw Failure(.noInput, "\(path): this is a folder; name a file in it")
        }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < wanted {
            let count = unsafe block.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw Failure(.inputOutput, "\(path): cannot be read") }
            if count == 0 { break }
            bytes += block[..<count]
        }
        return Array(bytes.prefix(wanted))
    }

    /// Where the pipeline of a bare name lies that was installed with the command.
    private static func installed(_ name: String) -> String? {
        if name.contains("/") { return nil }
        var program = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe program.withUnsafeMutableBytes { bytes in
            unsafe bytes.bindMemory(to: CChar.self).baseAddress.map {
                unsafe readlink("/proc/self/exe", $0, bytes.count)
            } ?? 0
        }
        guard count > 0, let slash = program[..<count].lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return String(decoding: program[..<slash], as: UTF8.self) + "/../share/gscap/pipelines/" + name
    }
}
