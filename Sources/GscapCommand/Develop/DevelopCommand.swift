internal import DNG
internal import Develop
internal import GSCapture
internal import Glibc
internal import JSON
internal import PictureFiles
internal import RawImage

/// `gscap develop IN.dng OUT.jpg`: renders a raw photo to a finished picture. With a folder as output, renders many.
enum DevelopCommand: Subcommand {
    static let name = CommandName.develop
    static let help = CommandHelp(
        usage: [
            ("gscap develop IN.dng [OUT.jpg] [options]", "one picture, IN.jpg unless it is named"),
            ("gscap develop IN.dng… FOLDER… -o DIR/ [options]", "one picture per raw photo"),
        ],
        summary: "render a raw photo to a finished picture",
        details: """
            Renders raw photos, DNGs of any maker, to finished pictures with the look that each file specifies. The
            options override the file. Cameras' own raw files (NEF, ARW, CR3, RAF …) are read through LibRaw. With a
            folder as output, existing pictures are kept. Folders are read with their subfolders. The name - is standard
            input or standard output.
            """,
        examples: """
            Examples
              gscap develop photo.dng --ev 0.5 --white 5000K
              gscap develop DCIM/ -o web/ --format avif --resize 2048
              gscap develop photo.dng scene.exr --linear
              gscap develop photo.dng --histogram
              curl -s https://example.com/photo.dng | gscap develop - -o - --format png --look warm.cube > photo.png
            """,
        operands: .files(CommandOption.photos))

    static func run(_ options: Options, _ console: Console) throws -> ExitCode {
        let typed = options
        let options = try DevelopPreset.applied(to: options)
        let settings = try DevelopSettings(options)
        if let path = try DevelopPreset.save(options) {
            console.event("preset", [("file", .text(path))])
            if options.operands.isEmpty {
                if !console.isJSON { console.print(path) }
                return .done
            }
        }
        if options.has("--histogram") { return try histogram(options, settings, console) }
        if options.has("--write-sidecar"), options.operands.count == 1, options.value("--output") == nil {
            return try writeSidecar(options, settings, console)
        }
        let operands = try FileOperands(besideInput(options), usage: "gscap develop IN.dng OUT.jpg")
        let replaces = options.has("--overwrite")
        let format = try format(options, target: operands.isFolder ? nil : operands.target)
        try checkEffects(of: typed, with: options, format)
        let picture = try PictureSettings(options, format: format, develops: settings)
        let job = DevelopJob(
            settings: settings, picture: picture, console: console, replacesFiles: replaces,
            writesSidecar: options.has("--write-sidecar"))
        guard operands.isFolder else {
            // The target is checked before the rendering, which takes long, as well as when the picture is stored.
            try OutputFile(path: operands.target, replacing: replaces, sources: SourceFiles(operands.inputs))
                .check(console)
            try job.run(operands.inputs[0], to: operands.target)
            return .done
        }
        let run = FolderRun(
            operands: operands, suffix: "." + format.fileExtension, replacesFiles: replaces, console: console)
        return try run.run(verb: "developed", label: "developing") { path, target, fields in
            try job.run(path, to: target, in: operands.target, fields)
        }
    }

    /// Returns the options of one photo without an output with a picture beside the photo as output.
    private static func besideInput(_ options: Options) throws(Failure) -> Options {
        guard options.operands.count == 1, options.value("--output") == nil else { return options }
        let path = options.operands[0]
        guard path != StandardFile.name, !PhotoFolder.isFolder(path) else { return options }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        var result = options
        let ending = try format(options, target: nil).fileExtension
        result.add("--output", "\(folder)\(FileNames.stem(of: path)).\(ending)")
        return result
    }

    /// Stores the settings in the sidecar of one photo, without a picture.
    private static func writeSidecar(
        _ options: Options, _ settings: DevelopSettings, _ console: Console
    ) throws -> ExitCode {
        let format = try format(options, target: nil)
        let job = DevelopJob(
            settings: settings, picture: try PictureSettings(options, format: format, develops: settings),
            console: console, replacesFiles: options.has("--overwrite"), writesSidecar: true)
        try job.storeSidecar(of: options.operands[0])
        return .done
    }

    /// Returns the picture format: that of `--format`, else of the target's file extension; JPEG if there is no target.
    private static func format(_ options: Options, target: String?) throws(Failure) -> PictureFormat {
        let names = PictureFormat.allCases.map(FormatWords.word)
        if let word = options.value("--format") {
            guard let format = PictureFormat(fileExtension: word) else {
                throw Suggestions.unknown(word, of: "--format", among: names)
            }
            return format
        }
        guard let target, !StandardFile.isOutput(target) else { return .jpeg }
        let fileExtension = target.split(separator: "/").last?.split(separator: ".").dropFirst().last.map(String.init)
        if fileExtension?.lowercased() == "dng" {
            throw Failure(
                .usage,
                "\(target) is the name of a DNG file, but gscap develop renders finished pictures; name a .jpg file or "
                    + "another picture, or use gscap convert for DNGs")
        }
        guard let format = fileExtension.flatMap({ PictureFormat(fileExtension: $0) }) else {
            throw Failure(
                .usage, "\(target): unknown file extension; use --format with one of \(names.joined(separator: ", "))")
        }
        return format
    }

    /// Throws for an option of the command line that has no effect on the picture. Those of presets, which are made for
    /// many formats, are ignored then.
    private static func checkEffects(
        of typed: Options, with all: Options, _ format: PictureFormat
    ) throws(Failure) {
        if typed.has("--hdr-amount"), !all.has("--hdr") {
            throw Failure(.usage, "--hdr-amount is the strength of an HDR picture: add --hdr pq, hlg or map")
        }
        if typed.has("--quality"), format.isLossless {
            let name = format.rawValue.uppercased()
            throw Failure(.usage, "\(name) files are lossless, so --quality has no effect: leave it out")
        }
    }

    // MARK: Analysis

    /// Prints the histogram of one photo, and stores a plot of it as a PNG if an output is named.
    private static func histogram(
        _ options: Options, _ settings: DevelopSettings, _ console: Console
    ) throws -> ExitCode {
        guard (1...2).contains(options.operands.count), options.operands.count == 1 || options.value("--output") == nil
        else {
            throw Failure(.usage, "a histogram needs exactly one photo: gscap develop IN.dng [OUT.png] --histogram")
        }
        let path = options.operands[0]
        let target = options.value("--output") ?? options.operands.dropFirst().first
        if let target, let name = PictureName.format(of: target), name != "PNG" {
            throw Failure(.usage, "\(target) is the name of a \(name) file, but the plot of a histogram is a PNG")
        }
        let plot = target.map {
            OutputFile(path: $0, replacing: options.has("--overwrite"), sources: SourceFiles([path]))
        }
        try plot?.check(console)
        let histogram = try DevelopJob.explaining(path) { try settings.photo(path, console).filter.histogram() }
        if let target, let plot {
            let picture = try HistogramPlot.picture(histogram)
            let bytes = try DevelopJob.explaining(target, encoding: true) { try PictureEncoding(.png).encode(picture) }
            try plot.write(pieces: [bytes])
            if plot.isStandardOutput { return .done }
        }
        console.event("histogram", [("file", .text(path))] + HistogramText.fields(histogram))
        guard !console.isJSON else { return .done }
        console.print(HistogramText.lines(histogram))
        if let target { console.print(target) }
        return .done
    }
}
