internal import DNG
internal import Develop
internal import GSCapture
internal import Glibc
internal import PictureFiles
internal import RawImage

/// `gscap develop IN.dng OUT.jpg`: renders a raw photo to a finished picture. With a folder as output, renders many.
enum DevelopCommand: Subcommand {
    static let name = "develop"
    static let synopsis = "IN.dng OUT.jpg"
    static let summary = "render a raw photo to a finished picture"
    static let help = """
        usage: gscap develop IN.dng OUT.{jpg,heic,avif,webp,png,tif,exr,jxl} [options] one picture
               gscap develop IN.dng... FOLDER... -o DIR/ [--format FORMAT] [options]  one picture per DNG

        Renders raw photos, DNGs of any maker, to finished pictures with the look that each file specifies. The options
        override the file. Cameras' own raw files (NEF, ARW, CR3, RAF …) are read through LibRaw. With a folder as
        output, existing pictures are kept. Folders are read with their subfolders. The name - is standard input or
        standard output.

          -o, --output OUT          the new picture, or a folder
          --overwrite               replace existing pictures, except the photos themselves
          --format FORMAT           jpeg, png, tiff, heic, avif, exr, jxl or webp (default: by the file extension;
                                    jpeg for folders)

        Light and colour
          --look LOOK               file (default: as the DNG specifies), auto (computed from the photo) or none; or a
                                    .cube file, which is applied at the end, in sRGB. May be given twice: one of both
          --look-amount X           the strength of the .cube file: 0 to 1 (default: 1)
          --profile PROFILE         the camera profile: the name of one in the DNG (gscap inspect lists them), or a
                                    file.dcp; default: the DNG's first
          --exposure EV             brighten or darken: -10 to 10
          --white LIGHT             the white balance: camera (default), auto, KELVIN[,TINT] or a chromaticity x,y
          --pick X,Y                set the white balance so that this pixel is grey
          --boost X                 the strength of tone curve and local gains: 0 to 1 (default: 1)
          --local X                 the strength of the local gains alone: 0 to 1 (default: 1)
          --shadows X               the linear value to subtract so that black is black: -0.5 to 0.5 (default: 0)
          --baseline-exposure EV    replaces the file's BaselineExposure: -10 to 10
          --no-gamut-mapping        clip colours outside the output's gamut instead of desaturating them
          --linear                  linear values in proportion to the scene, not clipped (exr, tif; half floats)

        Sharpness, noise and lens
          --sharpness X             the strength of sharpening: 0 to 1 (default: the file's; 0.5 for most cameras)
          --denoise X, --color-denoise X   the strength of luminance and colour noise reduction: 0 to 1 (default: 0.5
                                    and 1 for Bayer photos, 0 for linear ones, which are denoised already)
          --lens-correction WORD    auto (default: the file's, or those of Lensfun if the file has none and Lensfun's
                                    database contains the camera and lens), file, lensfun or none
          --lens NAME               correct this lens of Lensfun's database
          --no-lens                 the same as --lens-correction none

        The picture
          --crop X,Y,WIDTHxHEIGHT   a part of the photo, in pixels of the upright photo
          --size N | WIDTHxHEIGHT   the longest side, or a box to fit into
          --space SPACE             srgb (default), p3 or rec2020
          --bits N                  8, 10 or 16 bits per sample, or half floats (default: the format's usual depth)
          --icc FILE.icc            convert the picture to this RGB profile (relative colorimetric, black point
                                    compensation) and store it in the file; --space is then the space that the photo
                                    is rendered in before (default: rec2020)
          --quality Q               of lossy formats: 2 to 100, or 0 to 1, the best (default: 90, JPEG 97)
          --hdr WORD                pq or hlg (heic, avif, png), or map (jpg, heic, avif): an SDR picture with a gain
                                    map for HDR displays
          --hdr-amount X            how much of the range above white an HDR picture shows: 0 to 1 (default: 1)

        Presets and sidecars
          --preset NAME             take the options from a preset, a file NAME.preset in $XDG_CONFIG_HOME/gscap/presets
                                    (~/.config/gscap/presets) or elsewhere, with lines such as exposure = 0.5;
                                    options of the command line replace them
          --save-preset NAME        store the options as a preset, also without a photo
          --no-sidecar              ignore the photo's XMP sidecar, photo.dng.xmp or photo.xmp, whose rating, label,
                                    keywords, title, orientation, crop, exposure, white balance and profile apply
                                    unless options replace them
          --write-sidecar           store these settings in photo.xmp, also without a picture; --overwrite updates an
                                    existing sidecar

        Damage
          --accept-damage           render files whose pixels do not match their digests, with a warning

        Analysis
          --histogram               print the scene's linear values in stops; with OUT.png also as a plot

        Examples
          gscap develop photo.dng photo.jpg --exposure 0.5 --white 5000
          gscap develop DCIM/ -o web/ --format avif --size 2048
          gscap develop photo.dng scene.exr --linear
          gscap develop photo.dng --histogram
          curl -s https://example.com/photo.dng | gscap develop - -o - --format png --look warm.cube > photo.png
        """
    static let options: [Options.Declaration] =
        DevelopSettings.options + PictureSettings.options + SidecarFile.options + DevelopPreset.options
        + [.value("--output"), .value("--format"), .flag("--histogram"), .flag("--overwrite")]

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
        let operands = try FileOperands(options, usage: "gscap develop IN.dng OUT.jpg")
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
        let names = PictureFormat.allCases.map(\.rawValue)
        let all = names.joined(separator: ", ")
        if let word = options.value("--format") {
            guard let format = PictureFormat(rawValue: word) ?? PictureFormat(fileExtension: word) else {
                throw Failure(
                    .usage, "--format must be one of \(all), not \"\(word)\"" + Suggestions.advice(word, among: names))
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
            throw Failure(.usage, "\(target): unknown file extension; use --format with one of \(all)")
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
