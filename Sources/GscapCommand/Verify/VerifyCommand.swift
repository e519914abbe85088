internal import DNG
internal import GSCapture
internal import JSON
internal import PhotoMetadata
internal import RawImage

/// `gscap verify FILE.dng…`: checks that DNGs are complete and that their pixels match the stored digests.
enum VerifyCommand: Subcommand {
    static let name = CommandName.verify
    static let help = CommandHelp(
        usage: [("gscap verify FILE.dng… FOLDER… [options]", "")],
        summary: "check a DNG for damage",
        details: """
            Decodes every image, compares the digests in the file with its images, tables and tags, and checks its tags.
            One of these words follows the file's name, and the parts that the digests cover:

              sound                     everything is as gscap wrote it
              edited                    another program has changed metadata or previews; the pixels are those captured
              partly proved             the digests match, but do not cover the whole file
              readable, unproved        the file has no digest
              made from a damaged file  whoever made the file accepted damage of its original
              damaged                   a digest does not match, or the file is invalid

            The exit code is 65 if one of the files is damaged or was made from a damaged one, otherwise 0.
            All DNGs in folders and their subfolders are checked, and a file that cannot be read does not stop the
            others. The name - is standard input.
            """,
        operands: .files(["dng", "DNG"]))
    static let printsResult = true

    static func run(_ options: Options, _ console: Console) throws -> ExitCode {
        if options.operands.isEmpty { throw Failure(.usage, "no file is named: gscap verify FILE.dng…") }
        var report = BatchReport(console: console, verb: "verified")
        var failures: [Failure] = []
        let paths = PhotoFolder.expand(options.operands, isPhoto: FileNames.isDNG) { failures.append($0) }
        for failure in failures { report.fail(failure, file: failure.file ?? "") }
        guard !paths.isEmpty || !failures.isEmpty else {
            throw Failure(.badInput, "there are no DNGs in \(options.operands.joined(separator: ", "))")
        }
        for path in paths {
            report.attempt(path) { report in
                if try !verify(path, against: options.value("--against"), console) { report.addFailure(.badInput) }
            }
        }
        return report.exitCode
    }

    /// Verifies one file and prints the result; returns whether the file has no errors.
    private static func verify(_ path: String, against frame: String?, _ console: Console) throws -> Bool {
        var result: DNGVerification?
        var problems: [DNGProblem] = []
        var proof: String?
        do throws(Failure) {
            let file = try DNGInput.openDNG(path)
            try DNGInput.checkDecoder(of: file, path)
            let verification = file.verification()
            (result, problems) = (verification, verification.problems)
            if let frame { proof = try prove(file, against: frame, &problems) }
        } catch {
            // A malformed file is reported like other damage; a missing file or decoder is a failure of the check.
            if error.exitCode != .badInput { throw error }
            problems = [DNGProblem(.error, error.message)]
        }
        report(path, result, problems, proof: proof, console)
        return !problems.contains { $0.severity == .error }
    }

    private static func report(
        _ path: String, _ result: DNGVerification?, _ problems: [DNGProblem], proof: String?, _ console: Console
    ) {
        let verdict = result?.verdict ?? .damaged
        console.event(
            "verified",
            [
                ("file", .text(path)), ("ok", .truth(!problems.contains { $0.severity == .error })),
                ("verdict", .text(verdict.rawValue)),
                ("covered", .list((result?.covered ?? []).map(JSON.text))),
                ("uncovered", .list((result?.uncovered ?? []).map(JSON.text))),
                (
                    "problems",
                    .list(
                        problems.map { ["severity": .text($0.severity.rawValue), "message": .text($0.message)] })
                ), ("proof", proof.map(JSON.text) ?? .null),
            ])
        guard !console.isJSON else { return }
        console.print("\(path): \(verdict.text)")
        if let result { for line in coverage(result) { console.print("  " + line) } }
        for problem in problems { console.print("  \(problem)") }
        if let proof { console.print("  " + proof) }
    }

    /// Returns the lines that list what the digests cover.
    private static func coverage(_ result: DNGVerification) -> [String] {
        guard !result.covered.isEmpty else { return [] }
        let covered = "digests match: " + result.covered.joined(separator: ", ")
        guard !result.uncovered.isEmpty else { return [covered] }
        return [covered, "without a digest: " + result.uncovered.joined(separator: ", ")]
    }

    /// Compares the digests of sensor frames stored in a DNG with those of the file `frame`. Returns the proof as a
    /// sentence, or adds an error to `problems` and returns nil.
    private static func prove(
        _ file: DNGFile, against frame: String, _ problems: inout [DNGProblem]
    ) throws(Failure) -> String? {
        let digests = try FrameDigest.candidates(frame, for: file)
        let known = file.metadata.sensorDigests
        if let index = known.firstIndex(where: digests.contains) {
            return known.count == 1
                ? "it was made from this frame: \(known[index])"
                : "it was made from this frame, number \(index) of \(known.count): \(known[index])"
        }
        if let stated = file.statedDigest?.description, digests.contains(stated) {
            return "it contains exactly this frame: \(stated)"
        }
        problems.append(
            DNGProblem(
                .error,
                known.isEmpty && file.main?.kind == .linear
                    ? "the file contains no digests of the frames it was made from"
                    : "the file was not made from \(frame), whose digest is \(digests.joined(separator: " or "))"))
        return nil
    }
}

extension DNGVerification.Verdict {
    /// The words that the command prints.
    fileprivate var text: String {
        switch self {
        case .sound: "sound"
        case .edited: "edited since capture"
        case .partlyProved: "partly proved"
        case .unproved: "readable, unproved"
        case .damageAccepted: "made from a damaged file"
        case .damaged: "damaged"
        }
    }
}

/// Computes the digests that the shutter would store for a frame on disk.
enum FrameDigest {
    /// Returns the digest of a Bayer DNG's codes, or the possible digests of a headerless file of 16-bit little-endian
    /// codes whose width and height are those of `file`.
    static func candidates(_ path: String, for file: DNGFile) throws(Failure) -> [String] {
        let start = try InputFile.beginning(of: path, count: 2)
        // Headerless codes may begin like a TIFF file, so an error of the DNG reader counts only if the file's size
        // does not match headerless codes either.
        var reason = ""
        if start == [0x49, 0x49] || start == [0x4D, 0x4D] {
            let frame = Result { () throws(GscapError) in try DNGFile(path: path) }
            if case .success(let frame) = frame { try DNGInput.checkDecoder(of: frame, path) }
            switch frame.flatMap({ frame in Result { () throws(GscapError) in try mosaics(of: frame) } }) {
            case .success(let mosaics): return mosaics.compactMap { digest($0.codes, $0.format) }
            case .failure(let error): reason = ": \(error.message)"
            }
        }
        guard let main = file.main else { throw Failure(.badInput, file.noRawPicture.message) }
        let bytes = try InputFile.bytes(of: path, limit: 2 * MosaicFormat.maximumSide * MosaicFormat.maximumSide)
        let codes = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
        // GStreamer pads rows to multiples of four bytes; other programs do not. Both strides are tried.
        let strides = Set([main.width, (main.width + 1) & ~1])
        let digests = strides.compactMap { stride in
            digest(
                codes,
                MosaicFormat(
                    width: main.width, height: main.height, pattern: .rggb, bitDepth: 16, stride: stride))
        }
        guard !digests.isEmpty else {
            throw Failure(
                .badInput,
                "\(path) is neither a Bayer DNG nor \(main.width)×\(main.height) little-endian 16-bit codes" + reason)
        }
        return digests
    }

    /// Returns the mosaics of a frame whose digests photos state: its whole picture, and its active area as fusion
    /// reads it.
    private static func mosaics(of frame: DNGFile) throws(GscapError) -> [Mosaic] {
        let whole = try frame.mosaic()
        guard let area = frame.main?.activeArea else { return [whole] }
        let active = whole.cropped(left: area.left, top: area.top, width: area.width, height: area.height) ?? whole
        let read = active.ofWhiteLevelDepth
        return read.codes == whole.codes ? [whole] : [whole, read]
    }

    /// Returns the digest of a mosaic as text, or nil if there are fewer codes than the format needs.
    private static func digest(_ codes: [UInt16], _ format: MosaicFormat) -> String? {
        guard codes.count >= format.codeCount else { return nil }
        return try? RawDigest(mosaic: codes.span, format: format).description
    }
}
