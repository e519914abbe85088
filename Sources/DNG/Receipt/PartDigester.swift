internal import PhotoMetadata
internal import RawImage
internal import Synchronization

/// Computes the digests of a file's parts: when the file is encoded for its receipt, and when it is read to compare.
struct PartDigester {
    let container: TIFFContainer
    let images: [DNGImage]

    /// The tables that change pixels and can be longer than a few numbers, in the raw directory or in the first one.
    private static let tables: [TIFFTag] = [
        .linearizationTable, .opcodeList1, .opcodeList2, .opcodeList3, .profileGainTableMap, .profileGainTableMap2,
    ]

    // MARK: Pictures

    /// Returns the name of a picture as a part, such as `preview-1`: its kind, numbered in the file's order.
    func part(of image: DNGImage) -> String {
        if image.isMain { return PartDigests.raw }
        let alike = images.filter { $0.kind == image.kind && !$0.isMain }
        let number = (alike.firstIndex { $0.offset == image.offset } ?? 0) + 1
        return "\(image.kind.rawValue)-\(number)"
    }

    /// Computes the digest of a picture's strips or tiles, on all cores.
    func digest(of image: DNGImage) throws(GscapError) -> PartDigests.Entry {
        guard (1...16).contains(image.samplesPerPixel) else {
            throw GscapError(.unsupported, "\(image.place) has \(image.samplesPerPixel) samples a pixel")
        }
        let layout = try ChunkLayout(container.directory(at: image.offset), image)
        let digests = ChunkDigests(chunks: layout.count)
        let isCut = Atomic(false)
        concurrentBands(rows: layout.count, of: ChunkDigests.together) { band in
            let chunks = band.compactMap { index in
                let chunk = layout.chunk(index)
                return container.source.bytes(at: chunk.offset, count: chunk.byteCount)
            }
            if chunks.count < band.count { return isCut.store(true, ordering: .relaxed) }
            digests.add(chunks, from: band.lowerBound)
        }
        guard !isCut.load(ordering: .relaxed) else {
            throw GscapError(.malformed, "\(image.place) reaches beyond the file's end; the file may be cut off")
        }
        return digests.entry(of: part(of: image))
    }

    // MARK: Tables

    /// Computes the digests of the tables that change pixels.
    func tableDigests() throws(GscapError) -> [PartDigests.Entry] {
        var entries: [PartDigests.Entry] = []
        var directories = [try container.directory(at: container.first)]
        if let raw = images.first(where: \.isMain), raw.offset != container.first {
            directories.append(try container.directory(at: raw.offset))
        }
        for directory in directories {
            for tag in Self.tables where directory.has(tag) {
                let bytes = directory.bytes(tag)
                let name = tag.name + (directory.offset == container.first ? "-0" : "")
                entries.append(
                    PartDigests.Entry(name, byteCount: bytes.count, digest: SegmentedDigest.digest(bytes)))
            }
        }
        return entries
    }

    // MARK: Metadata

    private static let directories: [TIFFTag] = [.exifIFD, .gpsIFD, .interoperabilityIFD]

    /// Computes the digest of all tags, with the entries of their directories. In the XMP packet the digits of `own`,
    /// which are the digest itself, count as zeros.
    func metadataDigest(own: String) throws(GscapError) -> PartDigests.Entry {
        // The digests of the directories are digested, so that only one directory's values are in memory at a time:
        // those of a malicious file may overlap.
        var digests: [UInt8] = []
        for (number, image) in images.enumerated() {
            let directory = try container.directory(at: image.offset)
            digests += digest(of: directory, number: number, own: own)
            try appendChildren(of: directory, depth: 1, to: &digests)
        }
        return PartDigests.Entry(
            PartDigests.metadata, byteCount: 0, digest: SegmentedDigest.digest(digests))
    }

    private func appendChildren(of directory: TIFFDirectory, depth: Int, to digests: inout [UInt8]) throws(GscapError) {
        // Exif, and the interoperability directory in it, are two levels.
        guard depth <= 2 else { return }
        for (number, tag) in Self.directories.enumerated() {
            guard let offset = directory.integer(tag) else { continue }
            let child = try container.directory(at: offset)
            digests += digest(of: child, number: 256 * depth + number, own: "")
            try appendChildren(of: child, depth: depth + 1, to: &digests)
        }
    }

    /// Returns the digest of a directory as it is stored, with the values of its entries. Offsets count, too: another
    /// one may lead to an equal value or picture, but is not as the file was written.
    private func digest(of directory: TIFFDirectory, number: Int, own: String) -> [UInt8] {
        let layout = container.layout
        guard let head = container.source.bytes(at: directory.offset, count: layout.countSize) else { return [] }
        var reader = ByteReader(head, isBigEndian: container.isBigEndian)
        let count = (try? layout.entryCount(&reader)) ?? 0
        guard count <= container.source.count / layout.entrySize else { return [] }
        let size = layout.countSize + layout.entrySize * count
        var bytes = [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
        bytes += container.source.bytes(at: directory.offset, count: size + layout.linkSize) ?? []
        for start in stride(
            from: directory.offset + layout.countSize, to: directory.offset + size, by: layout.entrySize)
        {
            guard let entry = container.source.bytes(at: start, count: layout.entrySize) else { return [] }
            bytes += value(of: entry, own: own)
        }
        return SegmentedDigest.digest(bytes)
    }

    /// Returns the value of a directory's entry if it is stored elsewhere; otherwise nothing.
    private func value(of entry: [UInt8], own: String) -> [UInt8] {
        let layout = container.layout
        var reader = ByteReader(entry, isBigEndian: container.isBigEndian)
        guard let number = try? reader.uint16(), let code = try? reader.uint16(),
            let count = try? layout.link(&reader), let link = try? layout.link(&reader),
            let type = TIFFType(rawValue: code)
        else { return [] }
        // The directory was read before, which checked that its values lie in the file.
        let size = count.multipliedReportingOverflow(by: type.size).partialValue
        guard size > layout.linkSize, let value = container.source.bytes(at: link, count: size) else { return [] }
        return TIFFTag(UInt32(number)) == .xmp ? Self.zeroing(own, in: value) : value
    }

    /// Returns the bytes with zeros in place of the first occurrence of a digest's digits.
    private static func zeroing(_ digest: String, in bytes: [UInt8]) -> [UInt8] {
        let digits = Array(digest.utf8)
        guard let first = digits.first, bytes.count >= digits.count else { return bytes }
        var bytes = bytes
        for start in 0...(bytes.count - digits.count)
        where bytes[start] == first && bytes[start..<start + digits.count].elementsEqual(digits) {
            bytes.replaceSubrange(
                start..<start + digits.count, with: repeatElement(UInt8(ascii: "0"), count: digits.count))
            break
        }
        return bytes
    }
}

extension TIFFTag {
    /// The specification's name, or the number of a tag whose name is not known.
    var name: String {
        let words = description.split(separator: " ")
        return words.count == 3 ? String(words[1]) : "\(number)"
    }
}
