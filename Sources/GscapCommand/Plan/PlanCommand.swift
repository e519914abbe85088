internal import GSCapture

/// `gscap plan`: prints the pipeline for photo settings, or the pipeline of a file, without running it.
enum PlanCommand: Subcommand {
    static let name = "plan"
    static let synopsis = "[settings | FILE]"
    static let summary = "print the pipeline for photo settings"
    static let help = """
        usage: gscap plan [--raw bayer|proraw] [--processed FORMAT,…] [--quality speed|balanced|quality]
                          [--size WIDTHxHEIGHT] [--rate N] [--no-preview] [settings] [--launch] [--json]
               gscap plan FILE [--var NAME=VALUE] [--set ELEMENT.PROP=VALUE] [--preview|--no-preview]
                          [settings] [--launch] [--json]

        Prints the photo settings as they will be used, every rule that they break, and the pipeline for them with its
        branches and caps. With a FILE, prints the pipeline of that file after variables and properties are set.
        Nothing runs.

          --raw FORMAT,…            bayer or proraw (default: proraw with --processed jpeg)
          --processed FORMAT,…      finished pictures: jpeg, png, png16, webp, tiff, tiff16, heif, heif10, avif, avif10,
                                    jxl or exr; with high dynamic range heif-pq, heif-hlg, avif-pq or avif-hlg;
                                    as pixels for an appsink uncompressed or uncompressed16
          --quality LEVEL           speed, balanced or quality: how much work a photo may take
          --size WIDTHxHEIGHT       the size of the simulated sensor's frames (default: 4032x3024, and 2016x1512 for
                                    each of two)
          --rate N                  the sensor's frames per second: 1 to 1000 (default: 10)
          --device ID|FILE.ini      the camera, from gscap devices, or several as one (default: the first that delivers
                                    raw frames, or else the simulated one)
          --constituents, --fuse-constituents, --zoom FACTOR
                                    which cameras of a virtual device take the photo, and its crop
          --live, --motion-photo    with the movie of a Live Photo
          --deferred                to be finished later
          --preview, --no-preview   with a live preview (default) or without
          --var NAME=VALUE          set the variable ${NAME} of the file, as GSCAP_NAME in the environment does; may be
                                    repeated
          --set ELEMENT.PROP=VALUE  set a property of an element in the file; may be repeated
          --launch                  print the pipeline on one line, quoted for the shell, for gst-launch-1.0, which
                                    takes the photos, stores each branch under its own name and ends:
                                    eval gst-launch-1.0 "$(gscap plan --launch pipelines/headless.txt)";
                                    with --json, the field shell

        \(ShotOptions.help)
        """
    static let printsResult = true
    static let options: [Options.Declaration] =
        [
            .flag("--preview"), .flag("--no-preview"), .value("--quality"), .value("--var"), .value("--set"),
            .flag("--launch"),
        ] + CameraOptions.declared + ShotOptions.declared

    static func run(_ options: Options, _ console: Console) throws -> ExitCode {
        try options.requireOperands(atMost: 1)
        if let file = options.operands.first {
            try CameraOptions.requireNone(options, beside: file)
            let plan = try PlanReader.plan(from: file, options: options, console: console)
            var settings = PhotoSettings(everythingOf: plan)
            try ShotOptions(options).apply(to: &settings, formats: plan.branches.map(\.format))
            let photos = plan.branches.isEmpty ? 0 : plan.photos
            let text = PhotoSettingsText(settings, PipelinePlan.Circumstances(plan: plan), photos: photos)
            return show(plan, text, options, console)
        }
        let camera = try CameraOptions(options, console)
        let text = PhotoSettingsText(camera.settings, PipelinePlan.Circumstances(device: camera.device))
        // Settings that break a rule have no plan: the settings are shown with the rules.
        if !text.brokenRules.isEmpty {
            if console.isJSON { console.event("settings", text.fields) } else { console.print(text.comment) }
            for rule in text.brokenRules { console.note(rule) }
            return .usage
        }
        let plan = try PipelinePlan(device: camera.device, preview: camera.preview, settings: camera.settings)
        return show(plan, text, options, console)
    }

    private static func show(
        _ plan: PipelinePlan, _ text: PhotoSettingsText, _ options: Options, _ console: Console
    ) -> ExitCode {
        if console.isJSON {
            // The fields include the line that --launch prints, as `shell`.
            show(plan, text, on: console)
        } else if options.has("--launch") {
            console.print(plan.shellText)
        } else {
            console.print(text.comment + "\n" + comment(on: plan) + "\n" + plan.text)
        }
        for rule in text.brokenRules { console.note(rule) }
        return text.brokenRules.isEmpty ? .done : .usage
    }

    /// Describes the plan's branches as comment lines, which precede the pipeline's text.
    private static func comment(on plan: PipelinePlan) -> String {
        var lines = plan.branches.map {
            "# \($0.name): \($0.format.summary), through \($0.path.joined(separator: " ! "))"
        }
        if plan.branches.isEmpty { lines.append("# takes no photos") }
        return lines.joined(separator: "\n")
    }

    private static func show(_ plan: PipelinePlan, _ text: PhotoSettingsText, on console: Console) {
        console.event(
            "plan",
            [
                ("text", .text(plan.text)), ("launch", .text(plan.launchText)),
                ("shell", .text(plan.shellText)),
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
            ] + text.fields)
    }
}
