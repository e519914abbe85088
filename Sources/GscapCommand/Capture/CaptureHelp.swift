/// What `gscap --help` says of captures.
extension CaptureCommand {
    private static var subcommands: [any Subcommand.Type] { Subcommands.all.filter { $0.name != .completion } }

    static let help = CommandHelp(
        usage: [
            ("gscap [options]", "take photos: a linear DNG and a JPEG of each, in photos/"),
            ("gscap [--pipeline] FILE [options]", "run a pipeline and take photos"),
            ("gscap SUBCOMMAND …", subcommands.map { $0.name.rawValue }.joined(separator: ", ")),
        ],
        summary: "take photos",
        details: """
            Subcommands
            \(TextFormat.table(subcommands.map { ["  " + $0.name.text + " …", $0.help.summary] }))

            Without a pipeline file the photos are those of the default camera. A file has a camera of its own, so it
            excludes the options of the camera. No file is overwritten without --overwrite, and no incomplete file is
            left behind. Several commands may store photos in one folder. Ctrl-C finishes the photo being taken; a
            second Ctrl-C stops at once.
            """,
        examples: """
            Examples
              gscap --photos 3 --effort quality --frames 16
              gscap pipelines/proraw.txt --photos 3 --output holiday --name %Y-%m-%d-{n} --after "cp -t /backup"
              gscap --pipeline pipelines/proraw.txt --iso 1600 --set camera.seed=7
              gscap --pipeline pipelines/proraw.txt --bracket -2,0,2 --merge --artist "A. Person"
              gscap --pipeline pipelines/proraw.txt --interval 60 --photos 1440
              gscap --pipeline pipelines/v4l2.txt --var DEVICE=/dev/video2
              gscap plan > pipeline.txt

            Exit codes: 0 success, 64 wrong arguments, 65 invalid input, 66 missing input file, 69 missing element,
            library or device, 70 internal error, 73 cannot create a file, 74 input or output failed, 75 try again,
            130 interrupted.
            """,
        operands: .files(["txt"]))
}
