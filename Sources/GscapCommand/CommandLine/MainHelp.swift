/// The text of `gscap --help`.
enum MainHelp {
    /// Returns the text of `gscap --help`, which begins with a usage line for each subcommand.
    static func page(listing subcommands: [any Subcommand.Type]) -> String {
        let lines =
            [
                ("gscap [options]", "take photos: a linear DNG and a JPEG of each, in photos/"),
                ("gscap [--pipeline] FILE [options]", "run a pipeline and take photos"),
            ]
            + subcommands.map { ("gscap \($0.name) \($0.synopsis)", $0.summary) }
        let usage = lines.enumerated().map { index, line in
            let padding = String(repeating: " ", count: max(1, 36 - line.0.count))
            return (index == 0 ? "usage: " : "       ") + line.0 + padding + line.1
        }
        return usage.joined(separator: "\n") + "\n\n" + body
    }

    private static let body = """
        \(capture)

        \(ShotOptions.help)

        \(rest)
        """

    private static let capture = """
        Taking photos
          --pipeline FILE           the pipeline to run, in the syntax of gst-launch-1.0; # starts a comment
          --raw FORMAT,…, --processed FORMAT,…
                                    without --pipeline: the formats, which gscap plan --help lists (default: proraw
                                    and jpeg)
          --device ID|FILE.ini      the camera, from gscap devices, or several that a file describes as one (default:
                                    the first that delivers raw frames, or else the simulated one)
          --size WIDTHxHEIGHT, --rate N
                                    the size and rate of the simulated camera's frames (default: 4032x3024, 10)
          --deferred                store the frames and a small JPEG at once; gscap finish DIR makes the photos
                                    later; not with --pipeline
          --constituents            photos of each camera of a virtual device, FILE-camera1, FILE-camera2: --device
                                    simulated-wide-and-tele or FILE.ini
          --fuse-constituents       one photo of a virtual device, with the longer lens's detail where both see the
                                    scene
          --zoom FACTOR             the zoom factor: the camera of a virtual device that it selects, and a crop of its
                                    photos; with --constituents, photos are not cropped; not with --pipeline
          --live                    also store a movie of 1.5 s before and after the press: a Live Photo, FILE.jpg and
                                    FILE.mov with the same content identifier; without --raw proraw
          --motion-photo            as --live, with the movie inside of the JPEG: a Motion Photo, FILE.MP.jpg
          --photos N                how many photos to take (default: the pipeline's number, or 1)
          --output DIR              the folder for the files (default: photos)
          --name TEMPLATE           the file names, from {n} {date} {time} {kind} and conversions of strftime such as
                                    %Y-%m-%d (default: photo-{n})
          --overwrite               replace existing files; {n} counts from 1
          --after COMMAND           run a shell command after each photo, with its files as arguments
          --set ELEMENT.PROP=VALUE  set a property of an element in the pipeline file; may be repeated
          --var NAME=VALUE          set the variable ${NAME} of the pipeline file, as GSCAP_NAME in the environment
                                    does; may be repeated
          --quality LEVEL           speed, balanced or quality: fuse bursts of 4, 8 or 12 frames, with rising effort
                                    (default: the pipeline's settings)
          --preview, --no-preview   show the live preview or not (default: show it if there is a display)
          --interval SECONDS        take a photo at this interval, without an end unless --photos is given
          --press                   take a photo at each Enter and each signal SIGUSR1
          --timeout SECONDS         stop if the photos are not taken within this time
          --json                    write events to standard output as JSON, one object per line
          --verbose                 report more on standard error
        """

    private static let rest = """
        Other options
          --help                    print this text; gscap SUBCOMMAND --help describes a subcommand
          --version                 print the version

        No file is overwritten without --overwrite, and no incomplete file is left behind. Several commands
        may store photos in one folder. Ctrl-C finishes the photo being taken; a second Ctrl-C stops at once.

        Examples
          gscap --photos 3 --quality quality --frames 16
          gscap pipelines/proraw.txt --photos 3 --output holiday --name %Y-%m-%d-{n} --after "cp -t /backup"
          gscap --pipeline pipelines/proraw.txt --iso 1600 --set camera.seed=7
          gscap --pipeline pipelines/proraw.txt --bracket -2,0,2 --merge --artist "A. Person"
          gscap --pipeline pipelines/proraw.txt --interval 60 --photos 1440
          gscap --pipeline pipelines/v4l2.txt --var DEVICE=/dev/video2
          gscap plan > pipeline.txt

        Exit codes: 0 success, 64 wrong arguments, 65 invalid input, 66 missing input file, 69 missing element,
        library or device, 70 internal error, 73 cannot create a file, 74 input or output failed, 75 try again,
        130 interrupted.
        """
}
