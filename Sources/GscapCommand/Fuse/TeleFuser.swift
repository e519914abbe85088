internal import DNG
internal import Fusion
internal import GscapElements
internal import JSON
internal import RawImage

/// `gscap fuse --tele TELE.dng WIDE.dng -o OUT.dng`: fuses a photo of a wide lens with one of a tele lens.
struct TeleFuser {
    /// The path of the tele photo.
    let tele: String
    var options = WideTeleFusion.Options()
    var acceptsDamage = false
    /// Called with a message for each damaged photo that is fused.
    var warn: (String) -> Void = { _ in }

    /// Options of `fuse` that do not apply to a wide and a tele photo.
    private static let foreign = ["--mosaic", "--reference", "--effort", "--denoise", "--merge"]

    /// Creates the fusion that the options of `fuse` select.
    init(tele: String, _ options: Options) throws(Failure) {
        self.tele = tele
        if let other = Self.foreign.first(where: options.has) {
            throw Failure(.usage, "\(other) does not apply with --tele")
        }
        guard options.operands.count == 1 else {
            throw Failure(.usage, "--tele needs one wide photo: gscap fuse --tele TELE.dng WIDE.dng -o OUT.dng")
        }
        self.options.strength = try options.number("--strength", in: 0...4) ?? 1
        switch options.value("--super-resolution") ?? "auto" {
        case "auto": break
        case "off": self.options.scale = .one
        case let word:
            guard let scale = SuperResolutionScale(rawValue: word) else {
                throw Failure(.usage, "--super-resolution must be auto, off, 1, 1.5 or 2, not \"\(word)\"")
            }
            self.options.scale = scale
        }
        acceptsDamage = options.has("--accept-damage")
    }

    /// Returns the fused photo as an encoded DNG, and the report of the fusion.
    func fuse(_ wide: String) throws -> (file: DNGData, report: WideTeleFusion.Report) {
        let photos = (wide: try linear(wide), tele: try linear(tele))
        do {
            var (photo, report) = try WideTeleFusion(wide: photos.wide, tele: photos.tele, options: options).photo()
            photo.metadata.recipe = try Self.look(of: photos.wide)
            return (try FusionOutput.photo(photo).file(warn: warn), report)
        } catch let error as Failure {
            throw Failure(error, of: "\(wide), \(tele)")
        }
    }

    /// Returns the look of the wide photo, which the fused photo keeps so that it is as bright: that of its file, or
    /// else the look that the photo gets alone.
    private static func look(of photo: LinearImage) throws -> Recipe {
        if let recipe = photo.metadata.sourceRecipe, recipe.gainTableMap != nil || recipe.toneCurve != nil {
            return recipe
        }
        return try PhotoLook.recipe(linear: photo.values.span, photo.format, photo.metadata)
    }

    /// Reads a photo: a linear one as it is, a mosaic repaired and demosaiced.
    private func linear(_ path: String) throws -> LinearImage {
        let file = try DNGInput.open(path, acceptsDamage: acceptsDamage)
        do {
            if file.main?.kind == .linear {
                try DNGInput.checkDecoder(of: file, path)
                var photo = try file.linearImage()
                photo.metadata.sourceTags = inheritableTags(of: file, path)
                warn(of: photo.metadata, in: path)
                return photo
            }
            let mosaic = try DNGFrameDecoder.mosaic(path: path, acceptsDamage: acceptsDamage, note: warn)
            warn(of: mosaic.metadata, in: path)
            let fusion = BurstFusion(FusionOptions(spatialDenoise: 0, preparesSuperResolution: false))
            try fusion.add(mosaic)
            let photo = try fusion.finishLinearPhoto(nil).0
            for text in photo.metadata.fusion.map({ FusionReportText($0, names: [path]).warnings }) ?? [] { warn(text) }
            return photo
        } catch let error as Failure {
            throw Failure(error, of: path)
        }
    }

    /// Returns the tags that the fused photo inherits from a linear photo; empty, with a warning, if they are invalid.
    private func inheritableTags(of file: DNGFile, _ path: String) -> [UInt8] {
        // The photo is fused with its masked borders, to which the crop of a smaller active area does not refer.
        guard let main = file.main, main.activeArea.width == main.width, main.activeArea.height == main.height else {
            return []
        }
        do throws(GscapError) {
            return try file.inheritableTags()
        } catch {
            warn("\(path): the photo does not inherit the tags of this file: \(error.message)")
            return []
        }
    }

    private func warn(of metadata: FrameMetadata, in path: String) {
        for damage in metadata.history.acceptedDamage { warn(DNGInput.text(of: damage, in: path)) }
    }
}

extension FuseCommand {
    /// Fuses the wide photo with the tele photo and stores the result at `target`.
    static func fuse(tele: String, to target: String, _ options: Options, _ console: Console) throws -> ExitCode {
        var fuser = try TeleFuser(tele: tele, options)
        fuser.warn = console.note
        let output = OutputFile(
            path: target, replacing: options.has("--overwrite"), sources: SourceFiles([tele] + options.operands))
        try output.check(console)
        console.progress("fusing \(options.operands[0]) with \(tele)")
        let (file, report) = try fuser.fuse(options.operands[0])
        console.progress("writing \(target)")
        try file.withBytes { bytes in try output.write(bytes) }
        if report.usedFraction == 0 {
            let reason = report.seesFewPixels ? ", likely because the photos are too small for the fusion" : ""
            console.note(
                "the tele photo agrees with the wide one in too little of the scene\(reason): none of it is used")
        }
        if output.isStandardOutput { return .done }
        console.event(
            "file",
            [
                ("file", .text(target)), ("bytes", .integer(file.count)),
                (
                    "tele",
                    [
                        "seenFraction": .number(report.seenFraction), "usedFraction": .number(report.usedFraction),
                        "largestShift": .number(report.largestShift), "gain": .number(report.gain),
                    ]
                ),
            ])
        guard !console.isJSON else { return .done }
        let (seen, used) = (percent(report.seenFraction), percent(report.usedFraction))
        console.print(
            "\(target)  \(TextFormat.size(file.count)), tele seen in \(seen) of the photo and used in \(used)")
        return .done
    }

    private static func percent(_ fraction: Double) -> String { "\(Int((fraction * 100).rounded()))%" }
}
