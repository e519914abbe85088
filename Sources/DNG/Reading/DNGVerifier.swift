internal import RawImage
internal import Synchronization

extension DNGFile {
    /// Decodes every picture and checks the tags that readers rely on. Returns all problems except the damage that the
    /// digests show, which is in `checks`.
    func tagAndPixelProblems() -> [DNGProblem] {
        var verifier = DNGVerifier(self)
        verifier.checkFile()
        for image in images { verifier.check(image) }
        return tagProblems + verifier.problems
    }
}

/// The checks of `DNGFile.verification()` without digests.
private struct DNGVerifier {
    private let file: DNGFile
    private let first: TIFFDirectory
    private(set) var problems: [DNGProblem] = []

    init(_ file: DNGFile) {
        self.file = file
        first = file.first
    }

    private mutating func error(_ message: String) { problems.append(DNGProblem(.error, message)) }
    private mutating func warning(_ message: String) { problems.append(DNGProblem(.warning, message)) }

    // MARK: Checks of the whole file

    mutating func checkFile() {
        if file.main == nil { error(file.noRawPicture.message) }
        if file.uniqueCameraModel.isEmpty { error("\(TIFFTag.uniqueCameraModel) is missing") }
        if let problem = file.originalProblem { error(problem) }
        checkVersions()
        checkColor()
        for tag in [TIFFTag.blackLevel, .whiteLevel, .noiseProfile]
        where first.has(tag) && first.offset != file.main?.offset {
            if tag != .noiseProfile { warning("\(tag) is in the first directory, not beside the raw pixels") }
        }
        if file.images.contains(where: { $0.kind == .depth }), !first.has(.depthFormat) {
            warning("there is a depth map, but no \(TIFFTag.depthFormat) in the first directory")
        }
        if first.has(.newRawImageDigest), file.statedDigest == nil {
            error("\(TIFFTag.newRawImageDigest) does not have 16 bytes")
        }
    }

    /// Checks that DNGBackwardVersion is at least the version that introduced each feature the file uses.
    private mutating func checkVersions() {
        guard first.has(.dngBackwardVersion) else { return warning("\(TIFFTag.dngBackwardVersion) is missing") }
        let (version, backward) = (first.integers(.dngVersion), first.integers(.dngBackwardVersion))
        guard backward.count == 4 else { return error("\(TIFFTag.dngBackwardVersion) does not have 4 bytes") }
        if version.lexicographicallyPrecedes(backward) {
            error("\(TIFFTag.dngBackwardVersion) \(backward) is later than \(TIFFTag.dngVersion) \(version)")
        }
        var required: [(floor: [Int], reason: String)] = []
        // Readers skip pictures other than the main one, as SDKs do with masks and depth maps that they cannot decode.
        for image in file.images where image.isMain {
            if image.compression == .lossyJPEG { required.append(([1, 4, 0, 0], "lossy JPEG")) }
            if image.compression == .jpegXL { required.append(([1, 7, 0, 0], "JPEG XL")) }
        }
        if file.opcodes.contains(where: { !$0.isOptional }) { required.append(([1, 3, 0, 0], "opcodes")) }
        for (floor, reason) in required where backward.lexicographicallyPrecedes(floor) {
            let text = floor.map(String.init).joined(separator: ".")
            error("\(TIFFTag.dngBackwardVersion) must be at least \(text), because the file uses \(reason)")
        }
    }

    private mutating func checkColor() {
        if file.main?.isMonochrome == true { return }
        let colors = file.main?.colors ?? 3
        let matrix = first.numbers(.colorMatrix1)
        if matrix.count != 3 * colors || !matrix.allSatisfy(\.isFinite) || matrix.allSatisfy({ $0 == 0 }) {
            error("\(TIFFTag.colorMatrix1) is missing or not \(3 * colors) numbers")
        }
        let neutral = first.numbers(.asShotNeutral)
        if neutral.isEmpty && !first.has(.asShotWhiteXY) {
            warning("neither \(TIFFTag.asShotNeutral) nor \(TIFFTag.asShotWhiteXY) gives the white balance")
        } else if let remark = file.neutralRemark, neutral.allSatisfy({ $0.isFinite && $0 >= 0 }) {
            warning(remark)
        } else if !neutral.isEmpty, neutral.count != colors || !neutral.allSatisfy({ $0.isFinite && $0 > 0 }) {
            error("\(TIFFTag.asShotNeutral) is not \(colors) numbers above 0")
        }
    }

    // MARK: Checks of one picture

    mutating func check(_ image: DNGImage) {
        do throws(GscapError) {
            let directory = try file.container.directory(at: image.offset)
            if directory.next != 0, image.offset != first.offset {
                warning("\(image.place) is followed by a chained directory, which not every reader finds")
            }
            if directory.has(.orientation), image.offset != first.offset {
                warning("\(TIFFTag.orientation) is in the directory of \(image.place), not in the first one")
            }
            try checkStorage(image, directory)
            switch image.kind {
            case .bayer, .xTrans, .fourColor, .longPattern, .linear: try checkRaw(image, directory)
            case .preview: _ = try file.preview(image)
            case .mask: try checkMatte(image)
            case .depth: _ = try file.depthMap()
            case .other: try checkOther(image, directory)
            }
        } catch {
            self.error(error.message)
        }
    }

    private mutating func checkStorage(_ image: DNGImage, _ directory: TIFFDirectory) throws(GscapError) {
        let tables = directory.bytes(.jpegTables)
        if !tables.isEmpty, tables.allSatisfy({ $0 == 0 }) {
            error("\(TIFFTag.jpegTables) of \(image.place) is all zeros")
        }
        let sides = [directory.integer(.tileWidth), directory.integer(.tileLength)].compactMap(\.self)
        if sides.contains(where: { $0 % 16 != 0 }) {
            warning("\(image.place) has tiles of \(sides[0])×\(sides.last ?? 0); TIFF requires multiples of 16")
        }
        if image.kind == .linear, image.isTiled, image.compression == .none {
            warning("\(image.place) is linear, uncompressed and tiled, which some readers decode as garbage")
        }
        let isRaw = image.isRaw
        if isRaw, image.compression == .deflate, !image.isFloatingPoint, image.bitsPerSample == 16 {
            warning("\(image.place) has deflated 16-bit integers, which some readers show as black")
        }
        if isRaw, image.compression == .jpegXL, image.bitsPerSample < 16 {
            error(
                "\(image.place) is JPEG XL, but \(TIFFTag.bitsPerSample) is \(image.bitsPerSample): decoders scale "
                    + "samples to 16 bits, so it must be 16")
        }
    }

    private mutating func checkMatte(_ image: DNGImage) throws(GscapError) {
        if image.name.isEmpty { error("\(TIFFTag.semanticName) of \(image.place) is missing") }
        _ = try file.matte(image)
    }

    private mutating func checkOther(_ image: DNGImage, _ directory: TIFFDirectory) throws(GscapError) {
        if image.photometric == Photometric.cfa {
            error(
                "\(image.place) is a mosaic, but \(TIFFTag.cfaRepeatPatternDim) and \(TIFFTag.cfaPattern) are missing "
                    + "or neither a Bayer nor an X-Trans pattern of red, green and blue")
        }
        _ = try PixelReader(file, image).storedSamples()
    }

    // MARK: Checks of a raw picture's pixels

    private mutating func checkRaw(_ image: DNGImage, _ directory: TIFFDirectory) throws(GscapError) {
        let image = try image.stored(in: directory)
        let edges = directory.integers(.activeArea)
        let area = image.activeArea
        if !edges.isEmpty, edges != [area.top, area.left, area.top + area.height, area.left + area.width] {
            error(
                "\(TIFFTag.activeArea) \(edges) of \(image.place) is not a part of its "
                    + "\(image.width)×\(image.height) pixels"
            )
        }
        if directory.has(.defaultCropSize), image.defaultCrop == area,
            directory.integers(.defaultCropSize) != [area.width, area.height]
        {
            error(
                "\(TIFFTag.defaultCropOrigin) and \(TIFFTag.defaultCropSize) of \(image.place) reach beyond "
                    + "its active area"
            )
        }
        let table = directory.integers(.linearizationTable)
        if zip(table, table.dropFirst()).contains(where: { $0 > $1 }) {
            error("\(TIFFTag.linearizationTable) of \(image.place) decreases")
        }
        let samples = try file.storedSamples(image)
        try checkDigest(image, samples)
        // After opcodes that map codes, WhiteLevel is on the scale of the mapped codes.
        if image.isMain, file.mapsCodes { return }
        try checkWhite(image, directory, samples)
    }

    /// Compares NewRawImageDigest with the digest of the codes if the file's digests are not compared. Otherwise
    /// decoding the picture has done so, or equal stored bytes under equal tags, of which NewRawImageDigest is one,
    /// proved it.
    private mutating func checkDigest(_ image: DNGImage, _ samples: DNGFile.StoredSamples) throws(GscapError) {
        guard image.isMain, !file.checksDigests else { return }
        let comparison = try file.digestComparison(of: image, samples.codes, PixelReader(file, image))
        if case .different(let text) = comparison { error(text) }
    }

    /// Checks WhiteLevel, which is on the scale after LinearizationTable: if it is above the highest possible code by
    /// more than 25%, or more than half of the codes exceed it by more than 25%, the encoder used another scale.
    private mutating func checkWhite(
        _ image: DNGImage, _ directory: TIFFDirectory, _ samples: DNGFile.StoredSamples
    ) throws(GscapError) {
        let reader = try PixelReader(file, image)
        guard let white = reader.levels?.white, let black = reader.levels?.black.max() else { return }
        guard white > black else {
            return error("\(TIFFTag.whiteLevel) \(white) of \(image.place) is not above \(TIFFTag.blackLevel) \(black)")
        }
        let table = samples.linearizationTable
        let depth = image.compression == .jpegXL || image.isFloatingPoint || image.isWide ? 16 : image.bitsPerSample
        let highest = table.max().map(Double.init) ?? Double(1 << depth - 1)
        if white > 1.25 * highest {
            return error(
                "\(TIFFTag.whiteLevel) \(white) of \(image.place) is far beyond all codes, whose maximum is \(highest)")
        }
        // Codes that no sample can exceed need not be counted.
        guard highest > 1.25 * white else { return }
        let isBeyond = (0...65_535).map { code in
            Double(table.isEmpty ? UInt16(code) : table[min(code, table.count - 1)]) > 1.25 * white
        }
        let beyond = Self.count(samples.codes) { isBeyond[Int($0)] }
        if beyond > samples.codes.count / 2 {
            error(
                "\(TIFFTag.whiteLevel) \(white) of \(image.place) is far below most of its codes: it must be on the "
                    + "scale after \(TIFFTag.linearizationTable)")
        }
    }

    /// Returns the number of codes that fulfil a condition, counted on all cores.
    private static func count(_ codes: [UInt16], _ condition: (UInt16) -> Bool) -> Int {
        let total = Atomic(0)
        concurrentBands(rows: codes.count, of: 1 << 20) { band in
            total.wrappingAdd(codes[band].count(where: condition), ordering: .relaxed)
        }
        return total.load(ordering: .relaxed)
    }
}
