internal import PhotoMetadata
internal import RawImage

/// Writes the digests of a file's parts into its XMP packet.
///
/// An encoder calls `reserve` for the packet that it stores, and `seal` for the finished file, in which all other bytes
/// have their final values:
///
///     packet ── reserve ──▶ packet with an empty <gscap:PartDigests/> and spaces ── file ── seal ──▶ digests
enum DNGReceipt {
    /// The empty property, and the spaces behind it, which `seal` replaces.
    private static let mark = "<\(PartDigests.property)/>"
    /// The most bytes of a part's item with its tags.
    private static let bytesOfItem = 96
    /// The most parts that are not pictures: metadata, and the tables of two directories.
    private static let mostTables = 13

    /// Returns an XMP packet with the history of the photo's files and with space for the digests of a file of so many
    /// pictures. Digests in the packet, which are those of another file, are removed. Nil for a packet that is not RDF.
    static func reserve(in packet: String, pictures: Int, history: FileHistory) -> String? {
        let space = String(repeating: " ", count: 64 + (pictures + mostTables) * bytesOfItem)
        return adding(history, ["   " + mark + space], to: packet)
    }

    /// Returns an XMP packet with the history of the photo's files and with other properties, and without digests. Nil
    /// for a packet that is not RDF.
    static func adding(_ history: FileHistory, _ properties: [String] = [], to packet: String) -> String? {
        var all = FileHistory(XMPReader(packet))
        all.merge(history)
        let clean = XMPReader.removing(
            [PartDigests.property, FileHistory.damageProperty, "gscap:EditedSinceCapture"], from: packet)
        return XMPReader.adding(all.xmp + properties, to: clean)
    }

    /// Computes the digests of a finished file and stores them in the space that `reserve` left in its XMP packet.
    /// Without such space the file stays as it is.
    static func seal(_ data: DNGData) throws(GscapError) {
        let container = try TIFFContainer(ByteSource(data))
        guard let packet = try container.directory(at: container.first).entries[.xmp] else { return }
        let text = unsafe UnsafeMutableRawBufferPointer(start: data.base + packet.offset, count: packet.count)
        guard let space = unsafe space(in: text) else { return }
        let digester = PartDigester(container: container, images: try DNGFile.pictures(of: container))
        var entries: [PartDigests.Entry] = []
        for image in digester.images { entries.append(try digester.digest(of: image)) }
        entries += try digester.tableDigests()
        let none = PartDigests.Entry(
            PartDigests.metadata, byteCount: 0, digest: String(repeating: "0", count: 32))
        // The digest of the metadata covers the digests before it, so that they are stored first. Its own size is a
        // fixed number of digits.
        let draft = PartDigests(entries + [none]).xmp
        guard draft.utf8.count <= space.count else {
            throw GscapError(.container, "the XMP packet has no space for \(entries.count + 1) digests")
        }
        unsafe store(draft, in: text, space)
        let metadata = try digester.metadataDigest(own: "")
        unsafe store(PartDigests(entries + [metadata]).xmp, in: text, space)
    }

    /// Returns the range of the empty property and of the spaces behind it; nil if the packet has none.
    private static func space(in text: UnsafeMutableRawBufferPointer) -> Range<Int>? {
        let mark = Array(mark.utf8)
        guard text.count >= mark.count else { return nil }
        let start = (0...(text.count - mark.count)).first { start in
            unsafe text[start] == mark[0] && text[start..<start + mark.count].elementsEqual(mark)
        }
        guard let start else { return nil }
        var end = start + mark.count
        while end < text.count, unsafe text[end] == 0x20 { end += 1 }
        return start..<end
    }

    private static func store(_ property: String, in text: UnsafeMutableRawBufferPointer, _ space: Range<Int>) {
        let element = property.drop { $0 == " " }.utf8
        for (index, byte) in zip(space, Array(element)) { unsafe text[index] = byte }
        for index in space.dropFirst(element.count) { unsafe text[index] = 0x20 }
    }
}
