internal import GSCapture

/// `gscap plan`: prints the pipeline for photo settings, or the pipeline of a file, without running it.
enum PlanCommand: Subcommand {
    static let name = "plan"
    static let synopsis = "[settings | FILE]"
    static let summary = "print the pipeline for photo settings"
    static let help = """
        usage: gscap plan [--raw bayer|proraw] [--processed FORMAT,…] [--quality speed|balanced|quality]
                          [--size WIDTHxHEIGHT] [--rate N] [--no-preview] [--launch] [--json]
               gscap plan FILE [--var NAME=VALUE] [--set ELEMENT.PROP=VALUE] [--preview|--no-preview]
                          [--launch] [--json]

        Prints the pipeline for the given photo settings, its branches and caps, or the rule that the settings
        violate. With a FILE, prints the pipeline of that file after variables and properties are set.
        Nothing runs.

          --raw FORMAT,…            bayer or proraw (default: proraw with --processed jpeg)
          --processed FORMAT,…      finished pictures: jpeg, png, png16, webp, tiff, tiff16, heif, heif10, avif, avif10,
                                    jxl or exr; with high dynamic range heif-pq, heif-hlg, avif-pq or avif-hlg;
                                    as pixels for an appsink uncompressed or uncompressed16
          --quality LEVEL           speed, balanced or quality: how much work a photo may take
          --size WIDTHxHEIGHT       the size of the sensor's frames (default: 4032x3024)
          --rate N                  the sensor's frames per second (default: 10)
          --preview, --no-preview   with a live preview (default) or without
          --var NAME=VALUE          set the variable ${NAME} of the pipeline; may be repeated
          --set ELEMENT.PROP=VALUE  set a property of an element in the pipeline; may be repeated
          --launch                  print the pipeline on one line, quoted for the shell, for gst-launch-1.0:
                                    eval gst-launch-1.0 "$(gscap plan --launch pipelines/headless.txt)"
        """
    static let options: [Options.Declaration] = [
        .value("--raw"), .value("--processed"), .value("--quality"), .value("--size"), .value("--rate"),
        .flag("--preview"), .flag("--no-preview"), .value("--var"), .value("--set"), .flag("--launch"),
    ]

    static func run(_ options: Options, _ console: Console) throws -> ExitCode {
        try options.requireOperands(atMost: 1)
        let plan = try plan(options, console)
        if options.has("--launch") {
            console.print(plan.shellText)
        } else if console.isJSON {
            show(plan, on: console)
        } else {
            console.print(comment(on: plan) + "\n" + plan.text)
        }
        return .done
    }

    private static func plan(_ options: Options, _ console: Console) throws -> PipelinePlan {
        if let file = options.operands.first {
            return try PlanReader.plan(from: file, options: options, console: console)
        }
        let size = try size(options)
        let rate = try options.integer("--rate", in: 1...1000) ?? 10
        let device = CaptureDevice.simulated(width: size.width, height: size.height, framesPerSecond: rate)
        // The preview scales frames down but not up, so it is no larger than the sensor's frames.
        let output = PreviewOutput(width: min(1280, size.width), height: min(960, size.height))
        let preview = options.has("--no-preview") ? nil : output
        return try PipelinePlan(device: device, preview: preview, settings: try settings(options))
    }

    /// Returns the photo settings that the options select. Without --raw and --processed: a ProRAW DNG and a JPEG, as
    /// phones store.
    private static func settings(_ options: Options) throws(Failure) -> PhotoSettings {
        let raw = try choices("--raw", options) { word in
            RAWPhotoFormat.allCases.first { $0.rawValue.lowercased() == word }
        }
        let processed = try choices("--processed", options, ProcessedPhotoFormat.init(rawValue:))
        let namesFormats = !raw.isEmpty || !processed.isEmpty
        var settings = PhotoSettings(
            raw: namesFormats ? raw : [.proRAW], processed: namesFormats ? processed : [.jpeg])
        if let quality = try PlanReader.quality(options) { settings.photoQualityPrioritization = quality }
        return settings
    }

    /// Returns the values of an option whose value is a list separated by commas, converted by `read`. Throws for a
    /// word that is no value of the type.
    private static func choices<T: Hashable & CaseIterable & RawRepresentable>(
        _ name: String, _ options: Options, _ read: (String) -> T?
    ) throws(Failure) -> Set<T> where T.RawValue == String {
        var found: Set<T> = []
        for word in options.all(name).flatMap({ $0.split(separator: ",") }) {
            guard let choice = read(word.lowercased()) else {
                let all = T.allCases.map { $0.rawValue.lowercased() }.joined(separator: ", ")
                throw Failure(.usage, "\(name) must be one of \(all), not \"\(word)\"")
            }
            found.insert(choice)
        }
        return found
    }

    /// Returns the width and height in pixels of `--size`, by default those of a 12-megapixel sensor.
    private static func size(_ options: Options) throws(Failure) -> (width: Int, height: Int) {
        guard let text = options.value("--size") else { return (4032, 3024) }
        let parts = text.split(separator: "x").compactMap { Int($0) }
        guard parts.count == 2, (16...8064).contains(parts[0]), (16...6048).contains(parts[1]) else {
            throw Failure(.usage, "--size needs WIDTHxHEIGHT from 16x16 to 8064x6048, not \"\(text)\"")
        }
        return (parts[0], parts[1])
    }

    /// Describes the plan's branches as comment lines, which precede the pipeline's text.
    private static func comment(on plan: PipelinePlan) -> String {
        var lines = plan.branches.map {
            "# \($0.name): \($0.format.summary), through \($0.path.joined(separator: " ! "))"
        }
        if plan.branches.isEmpty { lines.append("# takes no photos") }
        return lines.joined(separator: "\n")
    }

    private static func show(_ plan: PipelinePlan, on console: Console) {
        console.event(
            "plan",
            [
                ("text", .text(plan.text)), ("launch", .text(plan.launchText)),
                ("shutter", plan.shutter.map(JSON.text) ?? .null), ("frames", .integer(plan.burstFrames)),
                (
                    "branches",
                    .list(
                        plan.branches.map { branch in
                            [
                                "name": .text(branch.name), "format": .text(branch.format.name),
                                "path": .list(branch.path.map(JSON.text)),
                            ]
                        })
                ), ("warnings", .list(plan.warnings.map(JSON.text))),
            ])
    }
}
