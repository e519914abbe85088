internal import Files
internal import PhotoMetadata
internal import RawImage

// The comparison of a file's parts with the digests in its receipt and with NewRawImageDigest, before or while they are
// read. A file without digests is read as it is.

extension DNGFile {
    /// The damage of the parts that were read so far: what `acceptsDamage` has accepted, and strips or tiles that the
    /// file lacks.
    public var acceptedDamage: [String] { knownDamage.map(\.text) }

    private var knownDamage: [(part: String, text: String)] { checks.damage(isAccepted: acceptsDamage) }

    /// Returns the file without the comparisons so far, for measurements.
    package func reopened() -> DNGFile {
        var file = self
        file.checks = PartChecks()
        return file
    }

    private var digester: PartDigester { PartDigester(container: container, images: images) }

    /// Whether all tags are as they were written; nil without a receipt. A receipt always has a digest of the tags, and
    /// one that lacks it was changed.
    var isMetadataIntact: Bool? {
        guard let receipt else { return nil }
        if let known = checks.result(of: PartDigests.metadata) { return known == .intact }
        let stated = receipt[PartDigests.metadata]
        let found = stated.flatMap { try? digester.metadataDigest(own: $0.digest) }
        let isIntact = found != nil && found?.digest == stated?.digest
        checks.set(isIntact ? .intact : .replaced, of: PartDigests.metadata)
        return isIntact
    }

    /// The history of the file's photo with the damage accepted so far, except that of previews, from which no other
    /// picture is made.
    var history: FileHistory {
        var history = metadata.history
        history.isEdited = history.isEdited || isMetadataIntact == false || checks.hasReplacements
        history.acceptedDamage += knownDamage.filter { !$0.part.hasPrefix(DNGImage.Kind.preview.rawValue) }.map {
            "\(fileName.map { $0 + ": " } ?? "")\($0.text)"
        }
        return history
    }

    /// The damage of previews that was accepted, for a file that contains them.
    package var acceptedPreviewDamage: [String] {
        guard acceptsDamage else { return [] }
        return knownDamage.filter { $0.part.hasPrefix(DNGImage.Kind.preview.rawValue) }.map(\.text)
    }

    /// Whether the raw picture was found damaged.
    var hasDamagedRaw: Bool {
        switch checks.result(of: PartDigests.raw) {
        case .damaged, .incomplete: true
        default: false
        }
    }

    /// Notes that the file lacks strips or tiles of the raw picture, unless that is known as damage.
    func noteMissing(_ damage: String) {
        if case .damaged? = checks.result(of: PartDigests.raw) { return }
        checks.set(.incomplete("the raw picture is damaged: \(damage)"), of: PartDigests.raw)
    }

    private var fileName: String? { container.source.path?.split(separator: "/").last.map { String($0).pathText } }

    /// Throws if a part is damaged, unless the damage is accepted.
    private func refuseDamage(of part: String) throws(GscapError) {
        guard !acceptsDamage, case .damaged(let text)? = checks.result(of: part) else { return }
        throw GscapError(
            .damaged, "\(text): use another copy of the file, or accept the damage (--accept-damage)",
            at: TIFFLocation(path: container.source.path))
    }

    // MARK: Parts other than the raw picture

    /// Compares all previews, mattes, the depth map and the tables with their digests; throws if one is damaged, unless
    /// the damage is accepted.
    func checkCompanions() throws(GscapError) {
        guard let receipt else { return }
        for image in images where !image.isMain { try check(image) }
        let tables = try digester.tableDigests()
        for entry in tables where checks.result(of: entry.part) == nil {
            // A table without a digest was added by another program.
            let isIntact = receipt[entry.part].map { $0 == entry }
            checks.set(
                isIntact == true ? .intact : isIntact == nil ? .replaced : .damaged(Self.damage(entry.part)),
                of: entry.part)
        }
        let names = Set(images.map(digester.part) + tables.map(\.part))
        for entry in receipt.entries where entry.part != PartDigests.metadata && !names.contains(entry.part) {
            let isPreview = entry.part.hasPrefix(DNGImage.Kind.preview.rawValue)
            checks.set(
                isPreview ? .replaced : .damaged("\(Self.title(of: entry.part)) is missing, which the receipt lists"),
                of: entry.part)
        }
        for entry in receipt.entries where entry.part != PartDigests.raw { try refuseDamage(of: entry.part) }
    }

    /// Compares the bytes of a picture that is not the main one with its digest; throws if it is damaged, unless the
    /// damage is accepted.
    func check(_ image: DNGImage) throws(GscapError) {
        guard let receipt, !image.isMain else { return }
        let part = digester.part(of: image)
        if checks.result(of: part) == nil {
            let found = try digester.digest(of: image)
            checks.set(Self.compare(found, with: receipt[part], of: image), of: part)
        }
        try refuseDamage(of: part)
    }

    private static func compare(
        _ found: PartDigests.Entry, with stated: PartDigests.Entry?, of image: DNGImage
    ) -> PartChecks.Result {
        if stated == found { return .intact }
        // Programs that edit photos replace previews. Damage leaves the size of a preview as it is.
        guard image.kind == .preview, stated?.byteCount == found.byteCount else {
            return image.kind == .preview || stated == nil ? .replaced : .damaged(damage(found.part))
        }
        return .damaged(damage(found.part))
    }

    private static func damage(_ part: String) -> String {
        "\(title(of: part)) is damaged: its bytes do not match its digest in the file's receipt"
    }

    /// Returns the name of a part as sentences use it.
    static func title(of part: String) -> String {
        switch part {
        case PartDigests.raw: return "the raw picture"
        case PartDigests.metadata: return "the metadata"
        default:
            let words = part.split(separator: "-")
            guard words.count == 2, let kind = DNGImage.Kind(rawValue: String(words[0])) else {
                return words.first.map(String.init) ?? part
            }
            switch kind {
            case .depth: return "the depth map"
            case .mask: return "matte \(words[1])"
            case .preview: return "preview \(words[1])"
            default: return "picture \(words[1]) of the kind \(kind.rawValue)"
            }
        }
    }

    // MARK: The raw picture

    /// Whether the digest of the main picture's stored bytes is computed while they are decoded.
    var digestsChunks: Bool {
        checksDigests && receipt?[PartDigests.raw] != nil && checks.result(of: PartDigests.raw) == nil
    }

    /// Compares the main picture with its digests. `found` is the digest of its stored bytes, nil if it was not
    /// computed. Throws if the picture is damaged, unless the damage is accepted.
    func checkMain(
        _ image: DNGImage, _ found: ChunkDigests?, codes: [UInt16], _ reader: PixelReader
    ) throws(GscapError) {
        guard checksDigests else { return }
        if checks.result(of: PartDigests.raw) == nil {
            let result = try judge(image, found?.entry(of: PartDigests.raw), codes, reader)
            if let result { checks.set(result, of: PartDigests.raw) }
        }
        try refuseDamage(of: PartDigests.raw)
    }

    /// Returns the result for the main picture; nil if the file has no digest of it.
    ///
    /// With tags as they were written, equal bytes are equal pixels. With changed tags they may be other pixels, and a
    /// program that encodes the pixels again changes the bytes: then NewRawImageDigest decides, if there is one.
    private func judge(
        _ image: DNGImage, _ found: PartDigests.Entry?, _ codes: [UInt16], _ reader: PixelReader
    ) throws(GscapError) -> PartChecks.Result? {
        let hasEqualBytes = found.map { $0 == receipt?[PartDigests.raw] }
        if hasEqualBytes == true, isMetadataIntact == true { return .intact }
        // A receipt without a digest of the raw picture was changed.
        let lacksDigest = receipt != nil && receipt?[PartDigests.raw] == nil
        switch try digestComparison(of: image, codes, reader) {
        case .equal: return hasEqualBytes == false || lacksDigest ? .replaced : .intact
        case .different(let text): return .damaged("\(Self.title(of: PartDigests.raw)) is damaged: \(text)")
        case .impossible where lacksDigest: return .replaced
        case .impossible: return hasEqualBytes.map { $0 ? .intact : .damaged(Self.damage(PartDigests.raw)) }
        }
    }

    /// Compares NewRawImageDigest with the digest of the codes or, for lossy JPEG and JPEG XL, with that of the stored
    /// bytes, too.
    func digestComparison(
        of image: DNGImage, _ codes: [UInt16], _ reader: PixelReader
    ) throws(GscapError) -> DigestComparison {
        let image = reader.image
        guard image.isMain, let stated = statedDigest else { return .impossible }
        let isLossy = [.lossyJPEG, .jpegXL].contains(image.compression)
        if isLossy, try reader.compressedDigest() == stated { return .equal }
        // The specification does not define the digest of floating-point samples; larger ones are not kept.
        if image.isFloatingPoint || image.isWide, !isLossy { return .impossible }
        let found = RawDigest(
            samples: codes, width: image.width, height: image.height, planes: image.samplesPerPixel,
            inBytes: image.bitsPerSample == 8 || (1...256).contains(reader.tableLength))
        if found == stated { return .equal }
        return .different("\(TIFFTag.newRawImageDigest) is \(stated), but the pixels have \(found): they were changed")
    }

    /// The result of comparing NewRawImageDigest with a picture.
    enum DigestComparison {
        /// The file has no such digest, or it is not defined for the picture.
        case impossible
        case equal
        /// The picture has another digest, as the text says.
        case different(String)
    }
}
