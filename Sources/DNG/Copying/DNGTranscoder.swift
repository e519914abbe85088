internal import PhotoMetadata
package import RawImage

/// Writes a DNG file again with another compression of its raw picture, other previews or another description.
///
/// Everything else is copied: the values of all tags byte for byte, also of unknown ones, in the source's byte order;
/// previews, masks, depth map and camera profiles as they are stored. The tags that a conversion owns are those that
/// describe the storage of the raw picture (`DirectoryNode.removePixels()`), the offsets, DNGBackwardVersion, and, if
/// codes change, LinearizationTable, OpcodeList1, the levels of integers of more than 16 bits, and the digests.
package struct DNGTranscoder: Sendable {
    /// The previews of the copy.
    package enum Previews: Sendable {
        /// The previews of the source.
        case keep
        /// The first preview of the source, without the others.
        case first
        /// A new preview, without those of the source.
        case new(DNGPreview)
    }

    /// The copy, and what could not be copied.
    package struct Copy: Sendable {
        /// The new file.
        package let data: DNGData
        /// Descriptions of parts of the source that are damaged, and therefore left out.
        package let notes: [String]
    }

    /// The compression of the raw picture.
    package var storage = PixelStorage.losslessJPEG()
    /// Bits per sample with lossless JPEG, 8…16; fewer than the codes have go through a curve. nil keeps the codes.
    package var bitDepth: Int?
    /// The previews of the copy.
    package var previews = Previews.keep
    /// Whether everything about persons, places and the device is left out, with masks and depth map.
    package var isStripped = false
    /// The description in place of the source's; nil copies the source's.
    package var details: DescriptiveMetadata?
    /// The name and version of the program, for new previews and a new XMP packet.
    package var software = (name: "gscap", version: "1.0")
    /// Returns false to cancel encoding.
    package var shouldContinue: @Sendable () -> Bool = { true }

    /// Creates a transcoder that stores the same codes as lossless JPEG.
    package init() {}

    /// Applies size options: sets `bitDepth` and, for a quality below 1, lossy `storage`.
    package mutating func customize(_ customization: DNGCustomization) {
        (storage, bitDepth) = storage.customized(customization)
    }

    /// Writes a file again. `stored` are the samples of the main picture, if they are already decoded.
    ///
    /// Throws if a part of the file is damaged, unless the file accepts damage, which the copy then states.
    package func encode(_ file: DNGFile, stored: DNGFile.StoredSamples? = nil) throws(GscapError) -> Copy {
        for problem in [storage.problem, storage.conflict(bitDepth: bitDepth)] {
            if let problem { throw GscapError(.badPicture, problem) }
        }
        if let bitDepth, !(8...16).contains(bitDepth) {
            throw GscapError(.badPicture, "a bit depth of \(bitDepth) is not between 8 and 16")
        }
        guard let main = file.main else { throw file.noRawPicture }
        let tree = try DirectoryTree(file.container)
        guard let raw = tree.first.all.first(where: { $0.sourceOffset == main.offset }) else { throw file.noRawPicture }
        var codes = stored?.codes ?? []
        let keepsBytes = ByteRecoding.applies(to: main, self)
        if stored == nil, !keepsBytes { codes = try file.storedSamples(main).codes }
        try checkDigests(of: main, file, isDecoded: stored != nil || !keepsBytes)
        try setPreviews(tree.first, raw, file)
        edit(tree.first, file)
        let data: DNGData
        if keepsBytes {
            data = try copyBytes(tree.first, raw, ByteRecoding(file, main, self), file)
        } else {
            data = try copyCodes(tree.first, raw, RawRecoding(file, main, codes, self), file)
        }
        if hasReceipt(file) { try DNGReceipt.seal(data) }
        return Copy(data: data, notes: tree.notes)
    }

    // MARK: Integer codes

    private func copyCodes(
        _ first: DirectoryNode, _ raw: DirectoryNode, _ recoding: RawRecoding, _ file: DNGFile
    ) throws(GscapError) -> DNGData {
        recoding.setTags(raw)
        setVersions(first, file, storage.compression, isInterleaved: recoding.plan.isInterleaved)
        let wasCompressedDigest = [.lossyJPEG, .jpegXL].contains(file.main?.compression)
        let keepsDigest = recoding.keepsDigest && !wasCompressedDigest && !file.hasDamagedRaw
        let needsDigest = !keepsDigest && first.values[.newRawImageDigest] != nil
        if needsDigest { first.remove([.newRawImageDigest]) }
        if needsDigest, storage.hasDigest {
            first.set(.newRawImageDigest, bytes: [UInt8](repeating: 0, count: 16))
        }
        if !recoding.isExact || file.hasDamagedRaw { changeIdentity(first) }
        let capacity = file.byteCount + 65_536
        let writer = DirectoryWriter(first, source: file.container.source, capacity: capacity)
        var digest: RawDigest?
        try writer.write { node, list throws(GscapError) in
            digest = try recoding.write(to: writer, node, list, needsDigest: needsDigest)
        }
        if needsDigest, let digest { try writer.replace(.newRawImageDigest, of: first, with: digest.bytes) }
        return try writer.takeData()
    }

    /// Replaces what identifies the codes, because they change.
    private func changeIdentity(_ first: DirectoryNode) {
        first.remove([.rawImageDigest])
        guard let identifier = first.values[.rawDataUniqueID] else { return }
        first.set(.rawDataUniqueID, bytes: MD5.digest(identifier.bytes + Array("\(storage) \(bitDepth ?? 0)".utf8)))
    }

    // MARK: Floating-point samples and wide integers

    private func copyBytes(
        _ first: DirectoryNode, _ raw: DirectoryNode, _ recoding: ByteRecoding, _ file: DNGFile
    ) throws(GscapError) -> DNGData {
        recoding.setTags(raw)
        setVersions(first, file, .deflate, isInterleaved: false)
        let writer = DirectoryWriter(first, source: file.container.source, capacity: file.byteCount + 65_536)
        try writer.write { node, list throws(GscapError) in try recoding.write(to: writer, node, list) }
        return try writer.takeData()
    }

    // MARK: Versions

    /// Raises DNGVersion and DNGBackwardVersion to what the compression needs. A version that only the source's
    /// compression needed becomes lower, so that older readers open the file.
    private func setVersions(
        _ first: DirectoryNode, _ file: DNGFile, _ compression: DNGCompression, isInterleaved: Bool
    ) {
        guard let main = file.main else { return }
        let own = Self.version(of: compression, isInterleaved: isInterleaved)
        let wasInterleaved = (try? file.container.directory(at: main.offset))?.has(.columnInterleaveFactor) ?? false
        let before = Self.version(of: main.compression, isInterleaved: wasInterleaved)
        let (version, backward) = (file.first.integers(.dngVersion), file.first.integers(.dngBackwardVersion))
        if version.lexicographicallyPrecedes(own) { first.set(.dngVersion, bytes: own.map { UInt8($0) }) }
        guard backward.count == 4 else { return }
        let isLower = own.lexicographicallyPrecedes(before) && backward.prefix(2) == before.prefix(2)
        let needed = max(own, isLower ? others(than: main, in: file) : backward)
        if needed != backward { first.set(.dngBackwardVersion, bytes: needed.map { UInt8(clamping: $0) }) }
    }

    /// Returns the version of DNG that introduced a compression of raw pictures, or interleaved columns.
    private static func version(of compression: DNGCompression, isInterleaved: Bool) -> [Int] {
        switch compression {
        case _ where isInterleaved: [1, 7, 1, 0]
        case .jpegXL: [1, 7, 0, 0]
        case .lossyJPEG, .deflate: [1, 4, 0, 0]
        default: [1, 1, 0, 0]
        }
    }

    /// Returns the version that readers need for the rest of the file.
    private func others(than main: DNGImage?, in file: DNGFile) -> [Int] {
        // Readers of DNG 1.4 are common; what a file may need besides is not known for all tags.
        var needed = [1, 4, 0, 0]
        func raise(_ version: [Int]) { needed = max(needed, version) }
        for image in file.images where image != main && image.compression == .jpegXL { raise([1, 7, 0, 0]) }
        if [TIFFTag.illuminantData1, .illuminantData2, .illuminantData3].contains(where: file.first.has) {
            raise([1, 6, 0, 0])
        }
        return needed
    }

    private func max(_ one: [Int], _ other: [Int]) -> [Int] { one.lexicographicallyPrecedes(other) ? other : one }
}
