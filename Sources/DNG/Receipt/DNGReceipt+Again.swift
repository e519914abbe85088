internal import PhotoMetadata

extension DNGReceipt {
    /// Computes the digest of the metadata again, after the tags of a file with a receipt were changed. A file without
    /// a receipt stays as it is.
    static func sealAgain(_ data: DNGData) throws(GscapError) {
        let container = try TIFFContainer(ByteSource(data))
        let first = try container.directory(at: container.first)
        guard let entry = first.entries[.xmp], let packet = first.text(.xmp),
            let old = PartDigests(XMPReader(packet))?[PartDigests.metadata]
        else { return }
        let digits = Array(old.digest.utf8)
        let text = first.bytes(.xmp)
        guard text.count >= digits.count,
            let start = (0...(text.count - digits.count)).first(where: {
                text[$0] == digits[0] && text[$0..<$0 + digits.count].elementsEqual(digits)
            })
        else { return }
        let digester = PartDigester(container: container, images: try DNGFile.pictures(of: container))
        let new = try digester.metadataDigest(own: old.digest)
        for (index, digit) in new.digest.utf8.enumerated() {
            unsafe data.base.storeBytes(of: digit, toByteOffset: entry.offset + start + index, as: UInt8.self)
        }
    }
}
