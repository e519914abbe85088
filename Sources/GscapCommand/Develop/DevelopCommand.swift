internal import DNG
internal import Develop
internal import GSCapture
internal import Glibc
internal import PictureFiles
internal import RawImage

/// `gscap develop IN.dng OUT.jpg`: a finished picture of a raw photo; `gscap develop IN.dng… -o DIR/`: one of each.
enum DevelopCommand {
    private static let known: [Options.Known] =
        DevelopSettings.known + PictureSettings.known + [
            .value("--output"), .value("--format"), .flag("--histogram"), .flag("--json"), .flag("--verbose"),
            .flag("--help"),
        ]

    static func run(_ words: some Sequence<String>) throws -> ExitCode {
        let options = try Options(words, known: known)
        if options.has("--help") { return try Command.help("develop") }
        let console = Console(isJSON: options.has("--json"), isVerbose: options.has("--verbose"))
        let settings = try DevelopSettings(options)
        if options.has("--histogram") { return try histogram(options, settings, console) }
        let (inputs, target) = try operands(options)
        guard isFolder(target) else {
            guard inputs.count == 1, !OutputFolder.isFolder(inputs[0]) else {
                throw Failure(.usage, "\(target) is one picture: for several name a folder, as in -o pictures/")
            }
            let format = try format(options, target: target)
            let picture = try PictureSettings(options, format: format, develops: settings)
            // Said before the work, and not only after it.
            guard unsafe access(target, F_OK) != 0 else {
                throw Failure(.cannotCreate, "\(target) exists, and is kept")
            }
            try DevelopJob(settings: settings, picture: picture, console: console).run(inputs[0], to: target)
            return .done
        }
        let format = try format(options, target: nil)
        let picture = try PictureSettings(options, format: format, develops: settings)
        let job = DevelopJob(settings: settings, picture: picture, console: console)
        return try FolderDevelopment.run(job, on: inputs, to: target.hasSuffix("/") ? target : target + "/")
    }

    /// The files to develop, and where to.
    private static func operands(_ options: Options) throws(Failure) -> (inputs: [String], target: String) {
        if let target = options.value("--output"), !options.operands.isEmpty { return (options.operands, target) }
        guard options.value("--output") == nil, options.operands.count == 2 else {
            throw Failure(.usage, "say what to develop, and into what: gscap develop IN.dng OUT.jpg")
        }
        return ([options.operands[0]], options.operands[1])
    }

    private static func isFolder(_ target: String) -> Bool {
        target.hasSuffix("/") || OutputFolder.isFolder(target)
    }

    /// The format asked for by name, or by the ending of the picture's file.
    private static func format(_ options: Options, target: String?) throws(Failure) -> PictureFormat {
        let all = PictureFormat.allCases.map(\.rawValue).joined(separator: ", ")
        if let word = options.value("--format") {
            guard let format = PictureFormat(rawValue: word) ?? PictureFormat(fileExtension: word) else {
                throw Failure(.usage, "--format is one of \(all), not \"\(word)\"")
            }
            return format
        }
        guard let target else { return .jpeg }
        let ending = target.split(separator: "/").last?.split(separator: ".").dropFirst().last.map(String.init)
        guard let format = ending.flatMap({ PictureFormat(fileExtension: $0) }) else {
            throw Failure(.usage, "\(target): no picture format has this ending; --format names one of \(all)")
        }
        return format
    }

    // MARK: Looking

    private static func histogram(
        _ options: Options, _ settings: DevelopSettings, _ console: Console
    ) throws -> ExitCode {
        guard (1...2).contains(options.operands.count), options.operands.count == 1 || options.value("--output") == nil
        else { throw Failure(.usage, "a histogram is of one file: gscap develop IN.dng --histogram [OUT.png]") }
        let path = options.operands[0]
        let target = options.value("--output") ?? options.operands.dropFirst().first
        let histogram = try DevelopJob.explaining(path) { try settings.filter(path).histogram() }
        if let target {
            let picture = try HistogramPlot.picture(histogram)
            let bytes = try DevelopJob.explaining(target) { try PictureEncoding(.png).encode(picture) }
            unsafe try WholeFile.write(bytes.span.bytes, to: target)
        }
        console.event("histogram", [("file", .text(path))] + HistogramText.fields(histogram))
        guard !console.isJSON else { return .done }
        console.print(HistogramText.lines(histogram))
        if let target { console.print(target) }
        return .done
    }
}
