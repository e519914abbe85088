internal import DNG
internal import GSCapture
internal import GscapElements

/// `gscap convert IN OUT.dng`: stores a photo with another compression, bit depth or preview.
enum ConvertCommand: Subcommand {
    static let name = CommandName.convert
    static let help = CommandHelp(
        usage: [
            ("gscap convert IN OUT.dng [options]", "one file"),
            ("gscap convert IN… FOLDER… -o DIR/ [options]", "one file per photo"),
        ],
        summary: "store a raw photo as another DNG",
        details: """
            Stores the photo of a DNG of any maker with another compression, bit depth or preview, and that of a
            camera's own raw file (NEF, ARW, CR3, RAF …; needs LibRaw) as a DNG. Everything else is copied exactly, and
            without --bits and --quality so are the samples. With a folder as output, existing files are kept. Folders
            are read with their subfolders. The name - is standard input or standard output.
            """,
        examples: """
            Examples
              gscap convert photo.dng small.dng --quality 0.9 --thumbnail 1024
              gscap convert DCIM/ -o dng/ --embed-original
            """,
        operands: .files(CommandOption.photos))

    static func run(_ options: Options, _ console: Console) throws -> ExitCode {
        let operands = try FileOperands(options, usage: "gscap convert IN OUT.dng")
        if !operands.isFolder { try PictureName.requireDNG(operands.target, command: "convert") }
        guard !options.has("--strip") || !options.has("--embed-original") else {
            throw Failure(
                .usage,
                "--strip removes metadata, and --embed-original stores it with the whole original: use one of them")
        }
        let conversion = try conversion(options)
        let each = FileConversion(
            conversion: conversion, namesPredictor: options.value("--predictor") == "best",
            embedsOriginal: options.has("--embed-original"), rendersPreview: options.value("--thumbnail") == nil,
            acceptsDamage: options.has("--accept-damage"), replacesFiles: options.has("--overwrite"),
            console: console)
        guard operands.isFolder else {
            try OutputFile(path: operands.target, replacing: each.replacesFiles).check(console)
            console.progress("converting \(operands.inputs[0])")
            try each.convert(operands.inputs[0], to: operands.target)
            return .done
        }
        let run = FolderRun(
            operands: operands, suffix: ".dng", replacesFiles: each.replacesFiles, console: console)
        return try run.run(verb: "converted", label: "converting") { path, target, fields in
            try each.convert(path, to: target, in: operands.target, fields)
        }
    }

    /// Creates the conversion that the options describe.
    private static func conversion(_ options: Options) throws(Failure) -> DNGConversion {
        let predictor =
            options.value("--predictor") == "best"
            ? PixelStorage.bestPredictor : try options.integer("--predictor", in: 1...7)
        let quality = try options.quality() ?? 1
        let bitDepth = try options.integer("--bits", in: 8...16)
        var conversion = DNGConversion(bitDepth: bitDepth, quality: quality)
        switch options.value("--compression") {
        case nil, "lossless": conversion.storage = .losslessJPEG(predictor: predictor ?? 1)
        case "none": conversion.storage = .uncompressed
        case "jpeg-xl": conversion.storage = .jpegXL()
        case let word?:
            throw Suggestions.unknown(word, of: "--compression", among: ["lossless", "none", "jpeg-xl"])
        }
        if let conflict = conversion.storage.conflict(bitDepth: bitDepth, quality: quality, predictor: predictor) {
            throw Failure(.usage, conflict)
        }
        conversion.isStripped = options.has("--strip")
        conversion.preview = try preview(options, isLossy: quality < 1)
        return conversion
    }

    private static func preview(_ options: Options, isLossy: Bool) throws(Failure) -> DNGConversion.Preview {
        switch options.value("--thumbnail") {
        case nil: options.has("--strip") ? .small : isLossy ? .half : .keep
        case "keep": .keep
        case "full": .render(longestSide: nil)
        case "small": .small
        case .some: .render(longestSide: try options.integer("--thumbnail", in: 16...65_535))
        }
    }
}
