internal import DNG
internal import GSCapture
internal import PhotoMetadata
internal import RawImage

/// `gscap verify FILE.dng…`: whether files are whole and true.
enum VerifyCommand {
    static func run(_ words: some Sequence<String>) throws -> ExitCode {
        let options = try Options(
            words, known: [.value("--against"), .flag("--json"), .flag("--verbose"), .flag("--help")])
        if options.has("--help") { return try Command.help("verify") }
        if options.operands.isEmpty { throw Failure(.usage, "say which files: gscap verify FILE.dng…") }
        let console = Console(isJSON: options.has("--json"), isVerbose: options.has("--verbose"))
        var isSound = true
        for path in options.operands {
            isSound = try verify(path, against: options.value("--against"), console) && isSound
        }
        return isSound ? .done : .badInput
    }

    /// Tells of one file; false when something is wrong with it.
    private static func verify(_ path: String, against frame: String?, _ console: Console) throws -> Bool {
        var problems: [DNGProblem] = []
        var proof: String?
        do throws(Failure) {
            let file = try DNGInput.open(path)
            try DNGInput.checkDecoder(of: file, path)
            problems = file.verify()
            if let frame { proof = try prove(file, against: frame, &problems) }
        } catch {
            // A file that cannot even be opened is wrong; one that is not there is another matter.
            if error.code != .badInput { throw error }
            problems = [DNGProblem(.error, error.message)]
        }
        report(path, problems, proof: proof, console)
        return !problems.contains { $0.severity == .error }
    }

    private static func report(_ path: String, _ problems: [DNGProblem], proof: String?, _ console: Console) {
        console.event(
            "verified",
            [
                ("file", .text(path)), ("ok", .truth(!problems.contains { $0.severity == .error })),
                (
                    "problems",
                    .list(
                        problems.map { ["severity": .text($0.severity.rawValue), "message": .text($0.message)] })
                ), ("proof", proof.map(JSON.text) ?? .null),
            ])
        guard !console.isJSON else { return }
        console.print(problems.isEmpty ? "\(path): sound" : path)
        for problem in problems { console.print("  \(problem)") }
        if let proof { console.print("  " + proof) }
    }

    /// Whether a file was made of a frame: what proves it, or a problem more.
    private static func prove(
        _ file: DNGFile, against frame: String, _ problems: inout [DNGProblem]
    ) throws(Failure) -> String? {
        let digests = try FrameDigest.candidates(frame, for: file)
        let known = file.metadata.sensorDigests
        if let index = known.firstIndex(where: digests.contains) {
            return known.count == 1
                ? "it was made of this frame: \(known[index])"
                : "it was made of this frame, number \(index) of \(known.count): \(known[index])"
        }
        if let stated = file.statedDigest?.description, digests.contains(stated) {
            return "it holds this very frame: \(stated)"
        }
        problems.append(
            DNGProblem(
                .error,
                known.isEmpty && file.main?.kind == .linear
                    ? "the file does not say which frames it was made of"
                    : "the file was not made of \(frame), whose digest is \(digests.joined(separator: " or "))"))
        return nil
    }
}

/// The digests that a frame can have, as the shutter would have made them.
enum FrameDigest {
    /// The digest of a Bayer DNG's codes, or of a plain file of 16-bit codes of the size of `file`.
    static func candidates(_ path: String, for file: DNGFile) throws(Failure) -> [String] {
        let start = try WholeFileReader.beginning(of: path, count: 2)
        if start == [0x49, 0x49] || start == [0x4D, 0x4D] {
            if let frame = try? DNGFile(path: path) {
                try DNGInput.checkDecoder(of: frame, path)
                if let mosaic = try? frame.mosaic() { return digest(mosaic.codes, mosaic.format).map { [$0] } ?? [] }
            }
        }
        guard let main = file.main else { throw Failure(.badInput, "the file has no raw picture to compare with") }
        let bytes = try WholeFileReader.bytes(of: path, limit: 2 * MosaicFormat.maximumSide * MosaicFormat.maximumSide)
        let codes = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
        // GStreamer rounds rows up to four bytes; other programs do not.
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
                "\(path) is neither a Bayer DNG nor \(main.width)×\(main.height) codes of 16 bits, low byte first")
        }
        return digests
    }

    private static func digest(_ codes: [UInt16], _ format: MosaicFormat) -> String? {
        guard codes.count >= format.codeCount else { return nil }
        return try? RawDigest(mosaic: codes.span, format: format).description
    }
}
