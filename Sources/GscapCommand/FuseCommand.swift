internal import DNG
internal import Fusion
internal import GSCapture
internal import GStreamer
internal import Glibc
internal import GscapElements
internal import RawImage

/// `gscap fuse FRAME.dng… -o OUT.dng`: one clean photo of a burst on disk.
enum FuseCommand {
    private static let known: [Options.Known] = [
        .value("--output"), .flag("--mosaic"), .value("--detail"), .value("--reference"), .flag("--json"),
        .flag("--verbose"), .flag("--help"),
    ]

    static func run(_ words: some Sequence<String>) throws -> ExitCode {
        let options = try Options(words, known: known)
        if options.has("--help") { return try Command.help("fuse") }
        var paths = options.operands
        guard paths.count >= 2, let target = options.value("--output") else {
            throw Failure(.usage, "say which frames, two at least, and where to: gscap fuse FRAME.dng… -o OUT.dng")
        }
        // Said before the work, and not only after it.
        guard unsafe access(target, F_OK) != 0 else { throw Failure(.cannotCreate, "\(target) exists, and is kept") }
        let console = Console(isJSON: options.has("--json"), isVerbose: options.has("--verbose"))
        let reference = try options.integer("--reference", in: 0...paths.count - 1) ?? 0
        paths.insert(paths.remove(at: reference), at: 0)
        let (fusion, path) = try fuse(paths, console, keepsFrames: options.has("--detail"))
        let (data, report) = try finish(fusion, path, options)
        console.clearProgress()
        try data.withBytes { (bytes) throws(CaptureError) in try WholeFile.write(bytes, to: target) }
        tell(report, paths, target, data.count, console)
        return .done
    }

    /// Merges the frames; the first is the one that the others are aligned with.
    private static func fuse(
        _ paths: [String], _ console: Console, keepsFrames: Bool
    ) throws -> (BurstFusion, lastPath: String) {
        let first = try frame(paths[0])
        let codes = first.codes
        var path = paths[0]
        do {
            let fusion = try BurstFusion(
                reference: codes.span, format: first.format, metadata: first.metadata, keepsFrames: keepsFrames)
            for (index, next) in paths.enumerated().dropFirst() {
                console.progress("fusing \(index + 1)/\(paths.count)")
                path = next
                let frame = try frame(next)
                let codes = frame.codes
                try fusion.add(codes.span, format: frame.format, metadata: frame.metadata)
                console.event("fusing", [("done", .integer(index + 1)), ("of", .integer(paths.count))])
            }
            return (fusion, path)
        } catch let error as FusionError {
            throw Failure(.badInput, "\(path): \(error.message)")
        }
    }

    /// The file that was asked for.
    private static func finish(
        _ fusion: BurstFusion, _ path: String, _ options: Options
    ) throws -> (DNGData, FusionReport) {
        do {
            if let word = options.value("--detail") {
                guard let scale = DetailScale(rawValue: word) else {
                    throw Failure(.usage, "--detail is 1, 1.5 or 2 times the frames' size, not \(word)")
                }
                let (photo, report) = try fusion.finishDetail(scale: scale)
                return (try linearFile(photo), report)
            }
            let (mosaic, report) = try fusion.finish()
            return (try options.has("--mosaic") ? mosaicFile(mosaic) : linearFile(Demosaic.linear(mosaic)), report)
        } catch let error as FusionError {
            throw Failure(.badInput, "\(path): \(error.message)")
        }
    }

    /// A file's frame, which names itself by its digest.
    private static func frame(_ path: String) throws -> Mosaic {
        _ = try WholeFileReader.beginning(of: path, count: 1)
        do {
            var mosaic = try DNGFrame.mosaic(path: path)
            let codes = mosaic.codes
            mosaic.metadata.sensorDigests = [try RawDigest(mosaic: codes.span, format: mosaic.format).description]
            return mosaic
        } catch let error as DNGError {
            throw Failure(.badInput, error.message.hasPrefix(path) ? error.message : "\(path): \(error.message)")
        } catch let error as GStreamerError {
            throw Failure(.badInput, error.message)
        }
    }

    private static func mosaicFile(_ mosaic: Mosaic) throws -> DNGData {
        var writer = DNGWriter()
        writer.softwareVersion = Command.version
        let codes = mosaic.codes
        writer.preview = try FilePreview().of(codes.span, mosaic.format, mosaic.metadata)
        return try writer.encode(mosaic: codes.span, format: mosaic.format, metadata: mosaic.metadata)
    }

    private static func linearFile(_ photo: LinearImage) throws -> DNGData {
        var writer = DNGWriter()
        writer.softwareVersion = Command.version
        let values = photo.values
        writer.preview = try FilePreview().of(values.span, photo.format, photo.metadata)
        return try writer.encode(linear: values.span, format: photo.format, metadata: photo.metadata)
    }

    /// What became of each frame.
    private static func tell(
        _ report: FusionReport, _ paths: [String], _ target: String, _ count: Int, _ console: Console
    ) {
        let used = report.frames.count { $0.rejection == nil }
        console.event(
            "file",
            [
                ("file", .text(target)), ("bytes", .integer(count)), ("framesUsed", .integer(used)),
                ("effectiveFrames", .number(report.effectiveFrames)),
                ("alignmentSeconds", .number(report.alignmentTime)), ("mergeSeconds", .number(report.mergeTime)),
                ("detailSeconds", .number(report.detailTime)),
                ("detailShare", report.detailShare.map(JSON.number) ?? .null),
                (
                    "frames",
                    .list(
                        zip(report.frames, paths).map { frame, path in
                            [
                                "file": .text(path), "rejection": frame.rejection.map(JSON.text) ?? .null,
                                "motion": [.number(frame.motion.x), .number(frame.motion.y)],
                                "mergedShare": .number(frame.mergedShare),
                            ]
                        })
                ),
            ])
        guard !console.isJSON else { return }
        for (frame, path) in zip(report.frames, paths) {
            if let rejection = frame.rejection { console.note("\(path) was left out: \(rejection)") }
        }
        let effective = (report.effectiveFrames * 10).rounded() / 10
        console.print(
            "\(target)  \(Words.size(count)), \(used) of \(paths.count) frames, as clean as the mean of \(effective)")
    }
}
