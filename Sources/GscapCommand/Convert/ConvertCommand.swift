internal import DNG
internal import GSCapture
internal import GscapElements

/// `gscap convert IN.dng OUT.dng`: stores a photo with another compression, bit depth or preview.
enum ConvertCommand: Subcommand {
    static let name = "convert"
    static let synopsis = "IN.dng OUT.dng"
    static let summary = "change the compression or preview of a DNG"
    static let help = """
        usage: gscap convert IN.dng OUT.dng [options]                  one file
               gscap convert IN.dng... FOLDER... -o DIR/ [options]     one file per DNG

        Stores the photo of a DNG of any maker with another compression, bit depth or preview. Its metadata is copied.
        With a folder as output, existing files are kept. Folders are read with their subfolders.

          -o, --output OUT          the new file, or a folder
          --overwrite               replace existing files
          --compression METHOD      lossless (lossless JPEG, default), none or jpeg-xl (needs a reader of DNG 1.7)
          --predictor N             the predictor of lossless JPEG: 1 to 7 (default: 1); 7 makes the file slightly
                                    smaller, but not every reader supports it
          --bits N                  bits per sample, 8 to 16, along a curve that follows the noise (default: 12 for
                                    linear photos, the sensor's depth for Bayer ones)
          --quality Q               below 1: store a linear photo as lossy JPEG with 8 bits per sample
          --preview WHICH           keep (default), full (rendered at the photo's size), small, or the longest side
                                    in pixels; with lossy JPEG the default is a new one of half the photo's size
          --strip                   remove location, artist, title, mattes, depth map and all but one preview

        Examples
          gscap convert photo.dng small.dng --quality 0.9 --preview 1024
        """
    static let options: [Options.Declaration] = [
        .value("--compression"), .value("--predictor"), .value("--bits"), .value("--quality"), .value("--preview"),
        .flag("--strip"), .value("--output"), .flag("--overwrite"),
    ]

    static func run(_ options: Options, _ console: Console) throws -> ExitCode {
        let operands = try FileOperands(options, usage: "gscap convert IN.dng OUT.dng")
        if !operands.isFolder { try PictureName.requireDNG(operands.target, command: "convert") }
        let conversion = try conversion(options)
        if let warning = conversion.customization.warning { console.note(warning) }
        let replaces = options.has("--overwrite")
        guard operands.isFolder else {
            try convert(operands.inputs[0], to: operands.target, conversion, replaces, console)
            return .done
        }
        let run = FolderRun(operands: operands, suffix: ".dng", replacesFiles: replaces, console: console)
        return try run.run(verb: "converted", label: "converting") { path, target, fields in
            try convert(path, to: target, in: operands.target, conversion, replaces, console, fields)
        }
    }

    /// Converts one file and reports the new one. A folder is created if it does not exist.
    private static func convert(
        _ source: String, to target: String, in folder: String? = nil, _ conversion: DNGConversion, _ replaces: Bool,
        _ console: Console, _ fields: [(String, JSON)] = []
    ) throws {
        let file = try DNGInput.open(source)
        do {
            let data = try conversion.encode(file)
            if let folder { try PhotoFolder.prepare(folder) }
            try data.withBytes { (bytes) throws(CaptureError) in
                try AtomicFile.write(bytes, to: target, replacing: replaces)
            }
            let sizes: [(String, JSON)] = [("bytes", .integer(data.count)), ("bytesBefore", .integer(file.byteCount))]
            console.event("file", [("file", .text(target)), ("from", .text(source))] + sizes + fields)
            if !console.isJSON {
                console.print("\(target)  \(TextFormat.size(data.count)), was \(TextFormat.size(file.byteCount))")
            }
        } catch let error as DNGError {
            throw Failure(ExitCode(error), "\(source): \(error.message)", file: source)
        }
    }

    /// Creates the conversion that the options describe.
    private static func conversion(_ options: Options) throws(Failure) -> DNGConversion {
        let predictor = try options.integer("--predictor", in: 1...7) ?? 1
        let quality = try options.number("--quality", in: 0...1) ?? 1
        var conversion = DNGConversion(bitDepth: try options.integer("--bits", in: 8...16), quality: quality)
        switch options.value("--compression") {
        case nil, "lossless": conversion.storage = .losslessJPEG(predictor: predictor)
        case "none": conversion.storage = .uncompressed
        case "jpeg-xl": conversion.storage = .jpegXL()
        case let word?:
            throw Suggestions.unknown(word, of: "--compression", among: ["lossless", "none", "jpeg-xl"])
        }
        conversion.isStripped = options.has("--strip")
        conversion.preview = try preview(options, isLossy: quality < 1)
        return conversion
    }

    private static func preview(_ options: Options, isLossy: Bool) throws(Failure) -> DNGConversion.Preview {
        switch options.value("--preview") {
        case nil: options.has("--strip") ? .small : isLossy ? .half : .keep
        case "keep": .keep
        case "full": .render(longestSide: nil)
        case "small": .small
        case .some: .render(longestSide: try options.integer("--preview", in: 16...65_535))
        }
    }
}
